"""What every driver is given, and how it tells what it got."""

import json
import sys
from typing import Any

GIVEN: dict[str, Any] = json.loads(sys.argv[1])
"""`command` and `args` of the server, `tools` as they are listed, and the calls `write`, `read` and `refused`."""


def parsed(content: Any) -> Any:
    """Return the JSON of what a tool answered: a text, or blocks of which the first is one."""
    if isinstance(content, list):
        content = content[0]
    if isinstance(content, dict) and "text" in content:
        content = content["text"]
    return json.loads(content) if isinstance(content, str) else content


def tell(**report: Any) -> None:
    """End with what the client got."""
    print(json.dumps(report))

"""A client process: `python -m tests.faults.asserting <socket> <name>...` prints the uuid of each name asserted."""

import json
import socket
import sys


def main(path: str, names: list[str]) -> None:
    """Assert all names at once on one connection, then print {name: uuid}."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        requests = [
            json.dumps({"jsonrpc": "2.0", "id": i, "method": "knowledge_assert_entity", "params": {"name": name}})
            for i, name in enumerate(names)
        ]
        connection.sendall("".join(request + "\n" for request in requests).encode())
        with connection.makefile("rb") as answers:
            given = [json.loads(answers.readline()) for _ in names]
    assert [answer["id"] for answer in given] == list(range(len(names)))
    sys.stdout.write(json.dumps(dict(zip(names, (a["result"]["entity_uuid"] for a in given), strict=True))))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

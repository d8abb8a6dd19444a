"""What the demo tells people to do next: commands and a configuration, ready to be pasted."""

import shlex
import sys
from pathlib import Path

from demo.agent import server_command
from demo.show import Screen


def show_next_steps(screen: Screen, workspace: Path, question: str) -> None:
    """Print how to go on with the graph of the demo, and with one of one's own."""
    lcg = shlex.quote(str(Path(sys.executable).with_name("lcg")))
    screen.title("What to do next")
    screen.say("1. Ask the same graph from your shell, and look at it in your browser:")
    screen.verbatim(f"cd {shlex.quote(str(workspace))}\n{lcg} ask {shlex.quote(question)}\n{lcg} view")
    screen.say(
        "2. Give a project of yours a graph, and its agent the tools. In the project's folder (instead of claude-code: "
        "claude-desktop, codex, cursor or vscode; instead of the dot: any files and folders):"
    )
    screen.verbatim(f"{lcg} ingest .\n{lcg} mcp-config claude-code --write")
    screen.say(
        "Then start the client anew there, and ask it what it finds about something that your files speak of. "
        "Run the first line again whenever files have changed."
    )
    screen.say("3. Or give any other MCP client the graph that you just saw. Its configuration:")
    command, arguments = server_command("--connect", "auto", "--scope=read,write", "--workspace", str(workspace))
    screen.configuration({"mcpServers": {"lcg": {"command": command, "args": arguments}}})
    screen.say(
        "All clients of a workspace share one service, which the first of them starts. More: docs/getting-started.md"
    )

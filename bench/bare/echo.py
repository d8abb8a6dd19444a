"""An asyncio server on a Unix socket that parses every line and answers with one that is as ours would be.

Run `python -P bench/bare/echo.py SOCKET ANSWER`: ANSWER is the result, as JSON, that every request is answered with.
It uses what is fastest without leaving asyncio: a protocol instead of streams, and orjson.
"""

import asyncio
import sys

import orjson


class Echo(asyncio.Protocol):
    """One connection."""

    def __init__(self, result: object) -> None:
        self._result = result
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer every line that is complete."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            answer = {"jsonrpc": "2.0", "id": orjson.loads(line)["id"], "result": self._result}
            self._transport.write(orjson.dumps(answer) + b"\n")


async def serve(path: str, result: object) -> None:
    """Serve until the process is told to end."""
    server = await asyncio.get_running_loop().create_unix_server(lambda: Echo(result), path)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], orjson.loads(sys.argv[2])))

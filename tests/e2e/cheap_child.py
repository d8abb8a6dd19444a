"""Ends for the same reasons as the program, by the same means, but starts in no time: for tests that start many."""

import asyncio
import os
import threading

from lcg.server.lifecycle import Stop, block_signals, ending_signals, leave, watch_parent, watch_signals
from lcg.server.stdio import take_stdio


def main() -> None:
    source, sink = take_stdio()
    signals = ending_signals(service=False)
    block_signals(signals)
    stop = Stop()
    watch_signals(signals, stop)
    watch_parent(stop)

    def read() -> None:
        while os.read(source, 4096):
            pass
        stop.request("end of input")

    threading.Thread(target=read, daemon=True).start()
    os.write(sink, b'"ready"\n')
    asyncio.run(stop.wait())
    leave(0)


if __name__ == "__main__":
    main()

"""Why and how a serving process ends: signals, the death of the parent, the last steps."""

import contextlib
import logging
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import Final, NoReturn

from lcg.runtime.call import Service

log = logging.getLogger(__name__)

_PARENT_POLL_S: Final = 0.25
_GRACE_S: Final = 0.2


class Stop:
    """The wish to end. Can be requested from any thread, before the event loop exists too; the first reason counts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reason: str | None = None
        self._wake: Callable[[], None] | None = None

    def request(self, reason: str) -> None:
        """Ask the process to end."""
        with self._lock:
            if self._reason is not None:
                return
            self._reason = reason
            wake = self._wake
        if wake is not None:
            wake()

    @property
    def reason(self) -> str | None:
        """Why the process is to end, when somebody has asked."""
        return self._reason

    async def wait(self) -> str:
        """Wait until somebody asks, and return the reason. For one waiter."""
        import asyncio  # here, since programs that only speak to a service need none of it

        loop, event = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: it ends anyway
                loop.call_soon_threadsafe(event.set)

        with self._lock:
            self._wake = wake
            if self._reason is not None:
                event.set()
        await event.wait()
        return self._reason or ""


def say(line: str) -> None:
    """Write one line to stderr, whether anybody reads it or not."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(line + "\n")
        sys.stderr.flush()


def set_up_logging() -> None:
    """Send the log to stderr."""
    logging.basicConfig(
        level=logging.WARNING, stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    logging.getLogger("lcg").setLevel(logging.INFO)
    logging.raiseExceptions = False  # nobody may be reading stderr any more


def block_signals(signals: Iterable[signal.Signals]) -> None:
    """Keep these signals for `watch_signals`. To be called before any other thread exists."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)


def ending_signals(*, service: bool) -> tuple[signal.Signals, ...]:
    """Return the signals that end the process. A service without a terminal does not mind SIGHUP."""
    if service and _is_detached():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        return (signal.SIGTERM, signal.SIGINT)
    return (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def _is_detached() -> bool:
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        return True
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC))
    except OSError:
        return True
    return False


def watch_signals(signals: tuple[signal.Signals, ...], stop: Stop) -> None:
    """Turn blocked signals into a wish to end, and say on stderr who sent them."""

    def watch() -> None:
        while True:
            if sys.platform == "linux":
                info = signal.sigwaitinfo(signals)
                name, sender = signal.Signals(info.si_signo).name, f", sender pid={info.si_pid}"
            else:
                name, sender = signal.Signals(signal.sigwait(signals)).name, ""
            say(f"received {name}{sender}")
            stop.request(name)

    threading.Thread(target=watch, name="signals", daemon=True).start()


def watch_parent(stop: Stop) -> None:
    """Ask to end when the process that started this one is gone."""
    parent = os.getppid()

    def watch() -> None:
        with contextlib.suppress(OSError):  # an old kernel, or a parent outside of our namespace
            _wait_for_end(parent)
        while os.getppid() == parent:
            time.sleep(_PARENT_POLL_S)
        stop.request("the parent process ended")

    threading.Thread(target=watch, name="parent", daemon=True).start()


def _wait_for_end(pid: int) -> None:
    """Wait, where the system can tell, until a process has ended. Asking for a signal would tell of its thread only."""
    if sys.platform == "linux":
        descriptor = os.pidfd_open(pid)
        try:
            if os.getppid() == pid:  # else the number may belong to somebody else by now
                poll = select.poll()
                poll.register(descriptor, select.POLLIN)
                poll.poll()
        finally:
            os.close(descriptor)


def close_service(service: Service, deadline: float) -> None:
    """Close the service, but wait for it only until `deadline` (of `time.monotonic`); it loses nothing in any case."""

    def close() -> None:
        try:
            service.close()
        except Exception:
            log.exception("closing failed; the log holds everything that was acknowledged")

    closer = threading.Thread(target=close, name="close", daemon=True)
    closer.start()
    closer.join(max(0.0, deadline - time.monotonic()))
    if closer.is_alive():
        log.warning("closing took too long and was cut short; the next start catches up from the log")


def end_soon() -> None:
    """Have the process end as if somebody had asked it to, once the answer that is due now has gone out."""
    later = threading.Timer(_GRACE_S, os.kill, (os.getpid(), signal.SIGTERM))
    later.daemon = True
    later.start()


def leave(status: int) -> NoReturn:
    """End the process now. Threads that are still busy are not waited for, as the interpreter would do."""
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(status)

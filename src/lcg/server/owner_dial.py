"""Connecting to the owner of the workspace, and starting a service for it where it has none."""

import fcntl
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from lcg.server.lifecycle import say
from lcg.server.lock import last_owner
from lcg.server.service_log import last_lines, open_service_log
from lcg.server.socket_client import BadAnswer, Broken, DialFailed, RemoteError, ServiceConnection, Silent, stop_if
from lcg.settings import LOCK_PATH, SERVICE_LOG, Settings

_START_S: Final = 60.0
_LOOK_S: Final = 0.05


class OwnerDial:
    """Makes connections to whoever owns the workspace, each time anew: owners come and go.

    Args:
        settings: where the workspace has its socket.
        arguments: the flags of a service that has to be started.
        start_s: seconds after which a service that neither listens nor ends counts as one that cannot be had.
    """

    def __init__(self, settings: Settings, arguments: Sequence[str], *, start_s: float = _START_S) -> None:
        self._socket_path = str(settings.socket_path)
        self._idle_s = settings.attached_call_timeout_ms / 1000
        self._arguments = tuple(arguments)
        self._start_s = start_s
        self._told = False

    def __call__(self, cancelled: threading.Event) -> ServiceConnection:
        """Connect to the owner; start one when there is none.

        Raises:
            DialFailed: there is none, and none can be started; or it does not answer.
            OperationFailed: `cancelled`.
        """
        found = self._reach(cancelled)
        if found is None:
            found = self._start(cancelled)
        elif self._arguments and not self._told:
            flags = ", ".join(argument.partition("=")[0] for argument in self._arguments)
            say(f"lcg: attached to process {found.pid}, which runs already, so this has no effect: {flags}.")
        self._told = True
        return found

    def _reach(self, cancelled: threading.Event) -> ServiceConnection | None:
        """Connect to the owner if it listens."""
        owner = last_owner(LOCK_PATH)
        if owner is None:
            return None
        for path in dict.fromkeys((owner.socket or self._socket_path, self._socket_path)):
            try:
                connection = ServiceConnection.dial(path, self._idle_s, cancelled)
            except DialFailed:
                continue
            try:
                connection.pid = self._ask_pid(connection, path, cancelled)
            except BaseException:
                connection.close()
                raise
            if connection.pid == owner.pid:
                return connection
            # A path outside of the workspace can be shared by mistake; calls must not go to another graph.
            connection.close()
        return None

    def _ask_pid(self, connection: ServiceConnection, path: str, cancelled: threading.Event) -> int | None:
        """Ask who serves; the number is how that process sees itself, as it is in the lock."""
        who = f"process {connection.pid}" if connection.pid else "what listens there"
        try:
            request = connection.send("health_check", {}, cancelled)
            answer = connection.receive(request, lambda frame: None, cancelled)
        except Broken:
            return None  # it ended just now
        except Silent:
            raise DialFailed(
                f"{who} at {path} takes connections, but does not answer; end it, and call again"
            ) from None
        except BadAnswer as error:
            raise DialFailed(f"{who} at {path} is no graph service of this version: it sent {error}") from None
        if isinstance(answer, RemoteError):
            raise DialFailed(f"{who} at {path} answered health_check with an error: {answer}")
        pid = answer.get("pid")
        return pid if type(pid) is int else None

    def _start(self, cancelled: threading.Event) -> ServiceConnection:
        """Start a service, unless somebody else does so just now, and connect to it when it listens."""
        end = time.monotonic() + self._start_s
        with _Turn(LOCK_PATH.parent) as turn:
            started: _Started | None = None
            while True:
                stop_if(cancelled)
                has_turn = turn.take()
                # After the turn was taken: whoever had it before has most likely started one.
                found = self._reach(cancelled)
                if found is not None:
                    return found
                if started is None and has_turn:
                    started = _Started(self._arguments)
                if started is not None and started.status is not None:
                    raise DialFailed(f"process {started.pid}, which {started.failure()}")
                if time.monotonic() >= end:
                    raise DialFailed(self._late(started))
                time.sleep(_LOOK_S)

    def _late(self, started: "_Started | None") -> str:
        after = f"after {self._start_s:g} s"
        if started is not None:
            who = f"process {started.pid}, which was started to serve this workspace,"
            return f"{who} does not listen {after}{started.said()}"
        owner = last_owner(LOCK_PATH)
        who = f"; process {owner.pid} owned the workspace last" if owner else ""
        return f"another client is starting a service, which does not listen {after}{who}. Its log is {SERVICE_LOG}"


class _Turn:
    """The right to start a service: one process has it at a time, and loses it with its life."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._taken = False

    def __enter__(self) -> "_Turn":
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(self._directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise DialFailed(
                f"no service can be started: {self._directory} is no usable directory ({error.strerror})"
            ) from error
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)

    def take(self) -> bool:
        """Take the turn if it is free, and say whether it is ours."""
        if not self._taken:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._taken = True
            except BlockingIOError:
                return False
        return self._taken


class _Started:
    """A service that was started, in a session of its own, so that nothing that ends this process ends it too."""

    def __init__(self, arguments: Sequence[str]) -> None:
        # The workspace must not be searched for modules: it may hold a file that is called like one.
        command = [sys.executable, "-P", "-m", "lcg.detached", *arguments]
        try:
            log = open_service_log(SERVICE_LOG)
            self._since = os.fstat(log).st_size
            try:
                self._process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
                )
            finally:
                os.close(log)
        except OSError as error:
            raise DialFailed(f"no service can be started: {error}") from error
        say(f"lcg: this workspace had no service; process {self.pid} is started to serve it. Its log is {SERVICE_LOG}.")
        # It is our child, and would be a zombie when it ends before us.
        threading.Thread(target=self._process.wait, name="started-service", daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def status(self) -> int | None:
        return self._process.poll()

    def failure(self) -> str:
        """Say that it ended, as what follows its name."""
        return f"was started to serve this workspace, ended with status {self.status}{self.said()}"

    def said(self) -> str:
        """Return its last lines and where all of them are."""
        lines = last_lines(SERVICE_LOG, self._since)
        return f"; its log is {SERVICE_LOG}" + (f", and it said last:\n{lines}" if lines else "; it said nothing")

"""Opening the log of a workspace, for those who need nothing else of it."""

from lcg.model.names import decode_group
from lcg.settings import Settings
from lcg.telemetry import Telemetry
from lcg.wal.log import Log
from lcg.wal.writer import Rotation


def open_log(settings: Settings, telemetry: Telemetry | None = None) -> Log:
    """Open the workspace's log; nothing is read or made yet. Telemetry hears of every file that was full."""

    def rotated(rotation: Rotation) -> None:
        if telemetry is not None:
            telemetry.emit(
                "wal_rotated",
                group_id=decode_group(rotation.closed.parent.name),
                from_file_seq=rotation.from_number,
                to_file_seq=rotation.to_number,
                closed_bytes=rotation.closed_bytes,
                closed_events=rotation.closed_events,
            )

    return Log(
        settings.wal_dir,
        max_events=settings.wal_max_events_per_file,
        max_bytes=settings.wal_max_bytes_per_file,
        rotated=rotated,
    )

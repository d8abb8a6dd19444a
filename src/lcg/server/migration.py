"""When migrations run: the workspace's before anybody can connect, the log's before the store is opened."""

import logging

from lcg.errors import Unavailable
from lcg.migrations.workspace import TwoWorkspaces, Workspace, migrate_workspace
from lcg.settings import LOCK_PATH, Settings
from lcg.telemetry import Telemetry

_log = logging.getLogger(__name__)
FAILED = "migration_failed"
_EVENT = "workspace_migration"


def workspace_of(settings: Settings) -> Workspace:
    """Return where the workspace's things are."""
    return Workspace(LOCK_PATH.parent, settings.db_path, settings.wal_dir)


def migrate_before_bind(settings: Settings) -> None:
    """Migrate the workspace, which this process must own. A failure is logged; `migrate_before_open` finds out."""
    workspace = workspace_of(settings)
    telemetry = Telemetry(enabled=settings.telemetry and workspace.is_due)
    telemetry.emit(_EVENT, phase="started")
    try:
        migrate_workspace(workspace, keep_backup=settings.migration_keep_backup)
        telemetry.emit(_EVENT, phase="complete")
    except TwoWorkspaces as error:
        telemetry.emit(_EVENT, phase="failed", detail=str(error))
        _log.error("the workspace is not migrated: %s", error)
    except OSError as error:
        telemetry.emit(_EVENT, phase="failed", detail=error.strerror)
        _log.exception("%s could not be migrated; mend the disk and start again, which goes on", workspace.old)


def migrate_before_open(settings: Settings) -> None:
    """Split a flat log by group.

    Raises:
        Unavailable: `migration_failed`, this, or the migration of the workspace.
    """
    # Imported here: it brings the reading of logs, which would keep a client from its first answer.
    from lcg.migrations.flat_log import split_flat_log

    if workspace_of(settings).is_due:
        raise Unavailable(FAILED, [])
    try:
        split_flat_log(settings.wal_dir)
    except OSError as error:
        _log.exception("the log in %s could not be split by group; mend the disk and start again", settings.wal_dir)
        raise Unavailable(FAILED, []) from error

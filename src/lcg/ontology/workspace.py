"""The ontologies of a workspace: its own and those of single groups. Read once, when they are first asked for."""

import logging
import threading
from pathlib import Path

from lcg.model.names import decode_group, encode_group
from lcg.ontology.drift import OntologyRecord
from lcg.ontology.model import Ontology
from lcg.ontology.reading import OntologyFile, read_file

_log = logging.getLogger(__name__)


class Ontologies:
    """The files under a workspace root. Safe from any thread; a file that cannot be used never raises."""

    def __init__(self, workspace_root: Path) -> None:
        home = workspace_root / ".lcg"
        self.path = home / "ontology.yaml"
        self.group_folder = home / "ontology"
        self.record = OntologyRecord(home / "ontology-hash.json")
        self._lock = threading.Lock()
        self._read: tuple[OntologyFile | None, dict[str, OntologyFile]] | None = None

    @property
    def present(self) -> bool:
        """Whether there was a file of the workspace when the files were read."""
        return self._files()[0] is not None

    @property
    def workspace(self) -> Ontology | None:
        """The ontology of the workspace."""
        file = self._files()[0]
        return file.ontology if file else None

    @property
    def issues(self) -> list[str]:
        """What was ignored, in any of the files: `file:line: what`."""
        file, groups = self._files()
        return [issue for found in (file, *groups.values()) if found is not None for issue in found.issues]

    def group_path(self, group_id: str) -> Path:
        """Return where the file of a group alone would be."""
        return self.group_folder / f"{encode_group(group_id)}.yaml"

    def of_group(self, group_id: str) -> Ontology | None:
        """Return what a group goes by: its own file, else the workspace's, else none."""
        own = self._files()[1].get(encode_group(group_id))
        return own.ontology if own is not None and own.ontology is not None else self.workspace

    @property
    def of_groups(self) -> dict[str, Ontology]:
        """The ontologies that single groups have of their own, whether a group holds anything or not."""
        files = sorted(self._files()[1].items())
        found = ((decode_group(name), file.ontology) for name, file in files)
        return {group_id: own for group_id, own in found if group_id is not None and own is not None}

    def note_read(self, group_id: str) -> None:
        """Record that a text of a group was read with the present ontology."""
        self.record.note(group_id, self.workspace, self.of_group(group_id))

    def _files(self) -> tuple[OntologyFile | None, dict[str, OntologyFile]]:
        if self._read is None:
            with self._lock:
                if self._read is None:
                    self._read = self._read_all()
        return self._read

    def _read_all(self) -> tuple[OntologyFile | None, dict[str, OntologyFile]]:
        file = read_file(self.path) if self.path.exists() else None
        try:
            paths = sorted(path for path in self.group_folder.iterdir() if path.suffix == ".yaml")
        except OSError:
            # No such folder, or none that can be listed.
            paths = []
        groups = {path.stem: read_file(path) for path in paths}
        for found in (file, *groups.values()):
            for issue in found.issues if found else ():
                _log.warning("ontology: %s", issue)
        return file, groups

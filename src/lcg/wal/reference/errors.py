"""Why a line of the reference implementation's log changed nothing."""

from dataclasses import dataclass
from typing import Literal

ProblemKind = Literal["unparseable", "unrecognised", "failed"]
"""No line of that format; no statement that can be translated; a statement that cannot be carried out."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a line was not translated.

    `reason` is the same for all lines of one cause, so that they can be counted together; `subject` names what this
    line was about, or is empty; `sample` is the beginning of its statement.
    """

    kind: ProblemKind
    reason: str
    subject: str = ""
    sample: str = ""

    def __str__(self) -> str:
        return f"{self.reason} ({self.subject})" if self.subject else self.reason


class Untranslated(Exception):
    """A statement or value that has no translation."""

    def __init__(self, kind: ProblemKind, reason: str, subject: str = "") -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.subject = subject


def unrecognised(reason: str) -> Untranslated:
    """Return the error for a statement of another shape than those that are translated."""
    return Untranslated("unrecognised", reason)


def failed(reason: str, subject: str = "") -> Untranslated:
    """Return the error for a statement that is understood and cannot be carried out."""
    return Untranslated("failed", reason, subject)

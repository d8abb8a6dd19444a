"""Faults of a spec are data: collected, sorted and reported all together, each with its place and a way out."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One fault: where it is, which rule found it, what is wrong, and how to mend it."""

    file: str
    line: int
    rule: str
    message: str
    hint: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: [{self.rule}] {self.message}\n    hint: {self.hint}"


class SpecError(Exception):
    """A spec that nothing can be rendered from; `findings` says why, sorted by place."""

    def __init__(self, findings: list[Finding]) -> None:
        self.findings = sorted(set(findings))
        super().__init__(report(self.findings))


def report(findings: list[Finding]) -> str:
    """Return the text for people: every finding, then their number."""
    noun = "fault" if len(findings) == 1 else "faults"
    return "\n".join([*map(str, findings), f"{len(findings)} {noun} in the spec; nothing was written."])

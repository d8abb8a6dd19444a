"""The groups that a read covers, after its group rule was applied to what the caller sent."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GroupFilter:
    """Either every group (`ids` is None) or exactly the ones listed; an empty tuple matches nothing."""

    ids: tuple[str, ...] | None = None

    def __contains__(self, group_id: object) -> bool:
        return self.ids is None or group_id in self.ids

    @property
    def is_empty(self) -> bool:
        """Whether nothing can match."""
        return self.ids is not None and not self.ids


ALL_GROUPS = GroupFilter(None)

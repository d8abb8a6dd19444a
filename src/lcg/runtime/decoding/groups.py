"""Parameters that choose groups: what omitted, null and empty mean under each group rule."""

from lcg.errors import InvalidParams
from lcg.model.names import GROUP_DIRECTORY_MAX_BYTES, encode_group, has_control
from lcg.runtime.decoding.collections import elements
from lcg.runtime.decoding.common import Raw, present, refuse, required_text, text_or_none
from lcg.runtime.groups import ALL_GROUPS, GroupFilter


def one_default(tool: str, raw: Raw, parameter: str, default: str) -> str:
    """One group; the default group when it is absent or blank."""
    text = text_or_none(tool, raw, parameter)
    return _group(tool, parameter, text) if text and not text.isspace() else default


def one_required(tool: str, raw: Raw, parameter: str) -> str:
    """One group, which must be named."""
    return _group(tool, parameter, required_text(tool, raw, parameter))


def one_or_all(tool: str, raw: Raw, parameter: str) -> GroupFilter:
    """One group, or all of them when it is absent. A blank text is refused: it may be a mistake."""
    if raw.get(parameter) is None:
        return ALL_GROUPS
    return GroupFilter((one_required(tool, raw, parameter),))


def many_zero(tool: str, raw: Raw, parameter: str) -> GroupFilter:
    """Some groups; all when absent, none when the array is empty."""
    if raw.get(parameter) is None:
        return ALL_GROUPS
    return GroupFilter(elements(tool, parameter, raw[parameter], _group))


def many_all(tool: str, raw: Raw, parameter: str) -> GroupFilter:
    """Some groups; all when absent or when the array is empty."""
    if raw.get(parameter) is None:
        return ALL_GROUPS
    return GroupFilter(elements(tool, parameter, raw[parameter], _group) or None)


def many_required(tool: str, raw: Raw, parameter: str) -> tuple[str, ...]:
    """Some groups, at least one of which must be named."""
    expected = "non-empty array of group ids"
    groups = elements(tool, parameter, present(tool, raw, parameter, expected), _group)
    if not groups:
        raise InvalidParams(tool, parameter, expected, "an empty array", advice="Name at least one group.")
    return groups


def _group(tool: str, parameter: str, text: str) -> str:
    group_id = text.strip()
    if not group_id.isprintable() and has_control(group_id):
        refuse(tool, parameter, "group id without control characters", text)
    if len(group_id) * 12 > GROUP_DIRECTORY_MAX_BYTES and len(encode_group(group_id)) > GROUP_DIRECTORY_MAX_BYTES:
        expected = f"group id of at most {GROUP_DIRECTORY_MAX_BYTES} bytes, once every special character is encoded"
        refuse(tool, parameter, expected, text, "Choose a shorter group id.")
    return group_id

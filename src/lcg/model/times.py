"""Points in time, as integers: microseconds since 1970-01-01 UTC.

Integers sort, hash and travel into the store without any time zone trap (the engine drops offsets silently).
Three text forms exist: what callers may send, what callers get, and what the log holds.
"""

import re
from datetime import UTC, datetime, timedelta

Micros = int
"""Microseconds since 1970-01-01T00:00:00 UTC."""

ACCEPTED_FORMS = "RFC 3339 with offset, YYYY-MM-DD HH:MM:SS, YYYY-MM-DDTHH:MM:SS or YYYY-MM-DD (UTC)"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ONE_MICROSECOND = timedelta(microseconds=1)
_SHAPE = re.compile(
    r"\d{4}-\d{2}-\d{2}"
    r"(?:[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?P<offset>[Zz]|[+-]\d{2}:[0-5]\d)?)?",
    re.ASCII,
)


def parse_time(text: str) -> Micros:
    """Read a time as a caller may write it.

    Raises:
        ValueError: the text is none of `ACCEPTED_FORMS`, no such day or hour exists, or its offset moves it out of the
            years 1 to 9999.
    """
    trimmed = text.strip()
    match = _SHAPE.fullmatch(trimmed)
    if match is None or ("." in trimmed and match["offset"] is None):
        raise ValueError(f"not a time: {text!r}")
    moment = datetime.fromisoformat(trimmed.upper())
    try:
        return from_datetime(moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC))
    except OverflowError:
        raise ValueError(f"not a time between the years 1 and 9999 in UTC: {text!r}") from None


def format_time(moment: Micros) -> str:
    """Write a time for callers: `YYYY-MM-DD HH:MM:SS`, UTC."""
    return to_datetime(moment).strftime("%Y-%m-%d %H:%M:%S").zfill(19)


def to_log(moment: Micros) -> str:
    """Write a time for the log: RFC 3339 in UTC, with microseconds only where there are any."""
    return to_datetime(moment).isoformat().replace("+00:00", "Z")


def from_datetime(moment: datetime) -> Micros:
    """Turn an aware datetime into microseconds."""
    return (moment - _EPOCH) // _ONE_MICROSECOND


def from_naive_utc(moment: datetime) -> Micros:
    """Turn a naive datetime that means UTC, as the store returns it, into microseconds."""
    return from_datetime(moment.replace(tzinfo=UTC))


def to_datetime(moment: Micros) -> datetime:
    """Turn microseconds into an aware datetime in UTC."""
    return _EPOCH + timedelta(microseconds=moment)


def to_naive_utc(moment: Micros) -> datetime:
    """Turn microseconds into the naive UTC datetime that the store takes."""
    return to_datetime(moment).replace(tzinfo=None)


def now() -> Micros:
    """Return the present moment."""
    return from_datetime(datetime.now(UTC))

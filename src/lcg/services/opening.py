"""How a store is to be opened."""

from enum import StrEnum


class Opening(StrEnum):
    """What may be done about a store that is missing or cannot be read."""

    MEND = "mend"
    """Whatever a start does: set it aside and fill a new one from the logs, as far as settings allow."""
    AS_IT_IS = "as_it_is"
    """Nothing: it must be there and sound."""
    FROM_LOGS = "from_logs"
    """There is none; a new one is filled from all logs, whatever the settings say."""

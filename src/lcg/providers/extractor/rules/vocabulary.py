"""How the word lists of the rules are written: as running text."""


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())

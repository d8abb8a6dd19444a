"""Words that say nothing about what is looked for. In a question they would find whatever is written in sentences."""

from typing import Final

_WORDS = """
    a about after all also am an and any are as at be because been before being between both but by can could did do
    does doing during each either every few for from further had has have having he her here hers him his how i if in
    into is it its itself just many me more most much my no nor not of off on once only or other our out over own same
    she should since so some such than that the their them then there these they this those through to too under until
    up upon very was we were what when where which while who whom whose why will with within without would yes you your
"""

STOP_WORDS: Final = frozenset(_WORDS.split())
"""As `text.prepare` writes them. English: the commonest words of other languages are names or nouns in English."""

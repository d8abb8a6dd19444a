"""The built-in classifier: words before meaning, and no verdict when unsure."""

import os
from pathlib import Path

import numpy as np
import pytest

from lcg.ontology.reading import read_file
from lcg.providers.classifier.builtin import BuiltinClassifier
from lcg.providers.classifier.protocol import ClassifierError, EntityText, TypeChoice
from lcg.providers.embedder.builtin import BuiltinEmbedder
from lcg.providers.embedder.protocol import EmbedderError

MENU = [
    TypeChoice("FOUNDED", "Somebody starts a company or an institution.", ("ESTABLISHED",), ("found",)),
    TypeChoice("SAILS_TO", "A ship or a sailor travels by water to a place.", ("VOYAGED_TO",), ("sail",)),
    TypeChoice("OWNS", "A person possesses a thing.", (), ("belong", "belongs_to")),
]
KINDS = [
    TypeChoice("Person", "A human being."),
    TypeChoice("Ship", "A vessel that travels on water."),
    TypeChoice("Organization", "A company, agency or institution."),
]


@pytest.fixture(scope="module")
def classifier() -> BuiltinClassifier:
    embedder = BuiltinEmbedder()
    return BuiltinClassifier(lambda texts: dict(zip(texts, embedder.embed(texts), strict=True)))


@pytest.mark.parametrize(
    ("fact", "verdict"),
    [
        ("Mira Okafor founded Tern Labs.", "FOUNDED"),
        ("Tern Labs was established by Mira.", "FOUNDED"),
        ("Mira voyaged to Port Vell.", "SAILS_TO"),
        ("The Tern is sailing home.", "SAILS_TO"),
        ("The Tern belongs to Mira.", "OWNS"),
        # A name is no cue: nobody sails here.
        ("Sail Works knows Belong Inc.", ""),
        ("Quarterly figures were printed in blue.", ""),
        ("", ""),
    ],
)
def test_facts_are_typed_by_their_words(classifier: BuiltinClassifier, fact: str, verdict: str) -> None:
    assert classifier.classify_facts([fact], MENU) == [verdict]


def test_meaning_decides_where_words_do_not(classifier: BuiltinClassifier) -> None:
    facts = ["The ship travels by water to the harbour place.", "The colour green is calm."]
    assert classifier.classify_facts(facts, MENU) == ["SAILS_TO", ""]


def test_meaning_decides_between_types_that_words_name_alike(classifier: BuiltinClassifier) -> None:
    menu = [
        TypeChoice("SENT_UP", "A rocket is sent to space.", (), ("launch",)),
        TypeChoice("OPENED", "A company starts to sell a product.", (), ("launch",)),
    ]
    facts = ["The rocket was launched to space.", "The company launched a product to sell."]
    assert classifier.classify_facts(facts, menu) == ["SENT_UP", "OPENED"]


@pytest.mark.parametrize(
    ("name", "summary", "verdict"),
    [
        ("Anna Berg", "", "Person"),
        ("Tern", "The Tern is a ship of the line.", "Ship"),
        ("Acme Inc", "", "Organization"),
        ("Xyzzy", "", ""),
    ],
)
def test_entities_are_typed_by_cues_and_by_their_summaries(
    classifier: BuiltinClassifier, name: str, summary: str, verdict: str
) -> None:
    assert classifier.classify_entities([EntityText(name, summary)], KINDS) == [verdict]


def test_without_a_menu_only_cues_count(classifier: BuiltinClassifier) -> None:
    texts = [EntityText("Anna Berg", ""), EntityText("Tern", "The Tern is a ship."), EntityText("notes/a.md", "")]
    assert classifier.classify_entities(texts, []) == ["Person", "", "Document"]


def test_a_failing_embedder_is_a_failing_classifier() -> None:
    def fail(texts: object) -> dict[str, np.ndarray]:
        raise EmbedderError("it is away.")

    with pytest.raises(ClassifierError, match="it is away"):
        BuiltinClassifier(fail).classify_facts(["Nothing that words tell."], MENU)


def test_the_real_ontology_gives_plausible_verdicts_only(classifier: BuiltinClassifier) -> None:
    folder = os.environ.get("LCG_TEST_DATA")
    if not folder:
        pytest.skip("LCG_TEST_DATA is not set")
    ontology = read_file(Path(folder) / "apollo" / "ontology.yaml").ontology
    assert ontology is not None
    menu = [TypeChoice(item.name, item.description, item.aliases, item.keywords) for item in ontology.relation_types]
    facts = ["Apollo 11 was launched from Cape Kennedy.", "Neil Armstrong was born in Wapakoneta.", "It is blue."]
    assert classifier.classify_facts(facts, menu) == ["LAUNCHED", "BORN_IN", ""]

"""Made-up facts and names in any number, always the same ones: what vector search is measured and tested with.

They are of the kind that a graph holds (who did what, where, when and why), share persons, places and things as a real
graph's facts do, and no two are alike.
"""

import random


def _words(text: str) -> list[str]:
    return text.split()


_GIVEN = _words(
    """
    Ada Bruno Carmen Dmitri Elif Farid Greta Hugo Ingrid Jamal Keiko Lars Mireille Nadia Oskar Priya Quentin Rosa
    Stefan Tamar Umberto Vera Wanda Xavier Yusuf Zofia Anselm Beatriz Cornelius Dorothea
    """
)
_SURNAMES = _words(
    """
    Abernathy Bergstrom Castellano Dembele Eriksen Fujimoto Galanis Haddad Iversen Jankowski Kowalczyk Lindqvist
    Moreau Nakamura Okafor Petrov Quispe Rasmussen Schneider Tanaka Ueda Valdez Whitfield Xu Yilmaz Zimmermann
    """
)
_PLACES = _words(
    """
    Antwerp Bergen Cartagena Dakar Edinburgh Fukuoka Gdansk Hamburg Izmir Jakarta Kraków Lisbon Marseille Nairobi
    Oslo Porto Quito Rotterdam Seville Tallinn Uppsala Valparaíso Winnipeg Yokohama Zagreb
    """
)
_PARTS_OF_NAMES = _words(
    """
    Amber Anchor Arctic Atlas Basalt Beacon Birch Cedar Cobalt Comet Copper Coral Crystal Delta Eagle Ember Falcon
    Garnet Glacier Granite Harbour Harvest Heron Horizon Iron Ivory Jasper Juniper Lantern Linden Lotus Lunar Maple
    Marble Meadow Meridian Mirror Mountain Nova Oak Orbit Orchard Otter Pebble Pepper Pine Pioneer Prairie Quartz Raven
    River Saffron Sapphire Silver Solar Sparrow Spring Summit Thistle Thunder Tiger Tulip Velvet Violet Walnut Willow
    Winter Zephyr Academy Agency Archive Bakery Bank Bridge Brewery Bureau Cathedral Clinic College Committee
    Conference Database Engine Factory Festival Gallery Gazette Hospital Initiative Institute Journal Laboratory
    Library Market Ministry Museum Network Observatory Orchestra Pipeline Platform Press Project Protocol Railway
    Reactor Refinery School Server Shipyard Station Studio Theatre Treaty Trust Tunnel University Vineyard Workshop
    """
)
_BODIES = [
    "the harbour authority", "a regional bank", "the botanical institute", "a small robotics company",
    "the city library", "the national rail operator", "a shipping insurer", "the children's hospital",
    "an open source foundation", "the wine growers' union", "a weather service", "the film archive",
    "the chess federation", "a battery manufacturer", "the water board", "the opera house",
    "a medical device maker", "the astronomy department", "a coffee importer", "the court of appeal",
]  # fmt: skip
_ROLES = [
    "chief engineer", "treasurer", "night editor", "curator", "head of procurement", "database administrator",
    "veterinarian", "lead violinist", "site manager", "tax adviser", "interpreter", "safety inspector",
    "product designer", "glaciologist", "pastry chef", "union representative", "flight instructor", "archivist",
]  # fmt: skip
_DEEDS = [
    "signed a contract with {body} for {thing}", "repaired {thing} for {body}", "sold {thing} to {body}",
    "joined {body} as {role}", "left {body} after a quarrel about {thing}", "gave a lecture on {thing} at {body}",
    "inherited {thing} and leased it to {body}", "published a study of {thing} with {body}",
    "was fined because {thing} had been damaged", "shipped {thing} from {place} to {other_place}",
    "restored {thing} together with {other}", "borrowed {thing} from {other} and never returned it",
    "appointed {other} to be {role} of {body}", "married {other} and moved to {other_place}",
    "trained {other} in handling {thing}", "discovered a flaw in {thing} owned by {body}",
    "reported {other} to {body} over {thing}", "auctioned {thing} to pay back {other}",
]  # fmt: skip
_THINGS = [
    "a diesel locomotive", "the quarterly accounts", "an infrared telescope", "a shipment of saffron",
    "the mobile payment app", "a collection of Baroque manuscripts", "the eastern flood gates", "a herd of alpacas",
    "the patient record system", "an abandoned lighthouse", "a patent on solid state cells", "the tram timetable",
    "a vintage motorcycle", "two grand pianos", "the seed vault", "a search index of court rulings",
    "the vaccination campaign", "an underground parking garage", "a recipe for sourdough bread", "the wind farm",
    "a satellite antenna", "the election software", "a painting by an unknown master", "the orchard behind the mill",
]  # fmt: skip
_WHENS = [
    "in the spring of {year}", "on {day} March {year}", "on {day} October {year}", "late in {year}",
    "during the strike of {year}", "shortly before Christmas {year}", "in the first week of {year}",
]  # fmt: skip
_WHYS = [
    "because the budget had run out", "to settle an old debt", "although nobody had asked for it", "after a long trial",
    "so that the museum could open", "despite heavy snow", "when the old supplier went bankrupt",
    "to meet the new safety rules", "which surprised the press", "against the advice of the board",
    "for less than half the usual price", "since the previous one had failed an audit",
]  # fmt: skip


def sentences(count: int, seed: int = 1) -> list[str]:
    """Return that many distinct sentences; the same ones for the same seed, and the first of more for fewer."""
    rng = random.Random(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        found[_sentence(rng)] = None
    return list(found)


def names(count: int, seed: int = 1) -> list[str]:
    """Return that many distinct names of two to four words, as `sentences` does."""
    rng = random.Random(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        found[_name(rng)] = None
    return list(found)


def queries(count: int, seed: int = 2) -> list[str]:
    """Return what people look for: facts of the same kind, names, and a few words that belong to several facts."""
    rng = random.Random(seed)
    kinds = (_sentence, _name, _keywords)
    return [kinds[number % len(kinds)](rng) for number in range(count)]


def _sentence(rng: random.Random) -> str:
    deed = rng.choice(_DEEDS).format(
        body=rng.choice(_BODIES), role=rng.choice(_ROLES), thing=rng.choice(_THINGS), place=rng.choice(_PLACES),
        other_place=rng.choice(_PLACES), other=_person(rng),
    )  # fmt: skip
    parts = [f"{_person(rng)} of {rng.choice(_PLACES)}", deed]
    if rng.random() < 0.8:
        parts.append(rng.choice(_WHENS).format(year=rng.randint(1950, 2025), day=rng.randint(1, 30)))
    if rng.random() < 0.6:
        parts.append(rng.choice(_WHYS))
    return " ".join(parts) + "."


def _name(rng: random.Random) -> str:
    parts = rng.sample(_PARTS_OF_NAMES, rng.choice((2, 2, 3)))
    return " ".join(parts + [rng.choice(_PLACES)] * (rng.random() < 0.3))


def _keywords(rng: random.Random) -> str:
    words = (_SURNAMES, _PLACES, _THINGS, _ROLES, _BODIES)
    return " ".join(rng.choice(of_kind) for of_kind in rng.sample(words, 2))


def _person(rng: random.Random) -> str:
    return f"{rng.choice(_GIVEN)} {rng.choice(_SURNAMES)}"

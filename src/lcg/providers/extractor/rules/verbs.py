"""Verb forms and their lemmas, English and German, built from short lists at import."""

from dataclasses import dataclass
from typing import Literal

from lcg.providers.extractor.rules.vocabulary import words_of

Form = Literal["base", "s", "past", "ing"]


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb form: the lemma, and what form it is (`past` is also the participle)."""

    lemma: str
    form: Form


_REGULAR = """
    abort allow annotate block cache catch configure crawl debug dispatch emit extract filter handle index ingest log
    override parse ping poll query raise reboot refactor render reset restart revert rewrite store throttle
    trace wrap accept accuse achieve acquire add administer admit adopt advise affect agree aim announce answer
    appear apply
    appoint approve arrange arrest arrive ask assassinate assemble assign assist attach attack attempt attend author
    award base become begin believe belong block board book borrow break bring build buy call cancel capture carry
    cause celebrate change charge check choose circle claim climb close coach collaborate collect collide come
    command commission compete complete compose conduct confirm connect conquer consider construct contain
    contribute control cooperate cover crash create crew criticize cross cut deal decide declare defeat define
    defend deliver demonstrate deny depend deploy deprecate describe design destroy develop die direct discover
    discuss dock document drive earn eat edit educate elect employ enable encourage end enter equip escape establish
    examine exceed exist expand expect explain explode explore express extend face fail fall feature fight file
    finance find finish fire fix fly focus follow force forget form found fund generate give go govern graduate grow
    guide handle hate head hear help hire hit hold honor host hunt identify implement import improve include
    increase influence inform inherit insert inspire install intend introduce invade invent invest investigate
    invite involve join keep kill know land launch lead learn leave lend like link list live locate look lose love
    make maintain manage manufacture mark marry mean measure meet mention merge migrate miss modify monitor move
    name need notify observe occupy occur offer open operate orbit order organize own paint participate pass pay
    perform pilot place plan play power praise prefer prepare present produce promise promote propose protect prove
    provide publish purchase push put qualify quit race raise reach read rebuild receive recommend record recruit
    reduce refer refuse register reject release rely remain remove rename repair replace report represent request
    require rescue research resemble reside resign retire return review rule run sail say schedule see seek select
    sell send separate serve set share ship shoot show sign sing sink sit situate sleep speak specialize speed spend
    sponsor stand star start state stay steal stop store strike study succeed suggest supply support surround
    survive swim take talk target teach tell test think throw touch train transfer translate transmit transport
    travel treat trigger try turn type understand undergo update upgrade urge use validate visit vote wait walk want
    warn watch wear win work wrap write
"""

_IRREGULAR = """
    become:became begin:began:begun break:broke:broken bring:brought build:built buy:bought choose:chose:chosen
    come:came cut:cut deal:dealt drive:drove:driven eat:ate:eaten fall:fell:fallen fight:fought find:found
    fly:flew:flown forget:forgot:forgotten give:gave:given go:went:gone grow:grew:grown hear:heard hit:hit hold:held
    keep:kept know:knew:known lead:led leave:left lend:lent lose:lost make:made mean:meant meet:met pay:paid put:put
    quit:quit read:read rebuild:rebuilt rewrite:rewrote:rewritten catch:caught reset:reset run:ran say:said
    see:saw:seen seek:sought sell:sold send:sent set:set
    shoot:shot show:showed:shown sing:sang:sung sink:sank:sunk sit:sat sleep:slept speak:spoke:spoken spend:spent
    stand:stood steal:stole:stolen strike:struck swim:swam take:took:taken teach:taught tell:told think:thought
    throw:threw:thrown understand:understood undergo:underwent:undergone wear:wore:worn win:won write:wrote:written
    bear:bore:born
"""

_GERMAN = """
    arbeiten besuchen bauen bestellen betreiben:betrieb:betrieben brauchen entwickeln erklären erstellen
    finden:fand:gefunden fahren:fuhr:gefahren fliegen:flog:geflogen führen gehören gründen heiraten
    helfen:half:geholfen kaufen kennen:kannte kommen:kam:gekommen leben leiten lesen:las:gelesen lieben liefern
    machen nutzen öffnen planen prüfen reisen schicken schreiben:schrieb:geschrieben sehen:sah:gesehen spielen
    sprechen:sprach:gesprochen starten studieren testen treffen:traf:getroffen übernehmen:übernahm:übernommen
    unterstützen verkaufen verlassen:verließ veröffentlichen verwenden warten wohnen ziehen:zog:gezogen zeigen
"""

_DOUBLING = words_of(
    """
    admit cut hit occur plan prefer put quit refer run set ship sit star stop swim transfer win wrap
    """
)
_GERMAN_IRREGULAR_THIRD = {
    "betreiben": "betreibt", "fahren": "fährt", "helfen": "hilft", "lesen": "liest", "sehen": "sieht",
    "sprechen": "spricht", "treffen": "trifft", "übernehmen": "übernimmt", "verlassen": "verlässt",
}  # fmt: skip


def _english(lemma: str, forms: dict[str, Verb]) -> None:
    consonant_y = lemma.endswith("y") and lemma[-2] not in "aeou"
    if consonant_y:
        third, past = lemma[:-1] + "ies", lemma[:-1] + "ied"
    else:
        third = lemma + ("es" if lemma.endswith(("s", "sh", "ch", "x", "o", "z")) else "s")
        past = lemma + "d" if lemma.endswith("e") else lemma + "ed"
    stem = lemma[:-2] + "y" if lemma.endswith("ie") else lemma.removesuffix("e") if lemma[-2:] != "ee" else lemma
    if lemma in _DOUBLING:
        stem = lemma + lemma[-1]
        past = stem + "ed"
    forms.setdefault(past, Verb(lemma, "past"))
    forms.setdefault(third, Verb(lemma, "s"))
    forms.setdefault(stem + "ing", Verb(lemma, "ing"))
    forms.setdefault(lemma, Verb(lemma, "base"))


def _german(entry: str, forms: dict[str, Verb]) -> None:
    lemma, *past = entry.split(":")
    stem = lemma.removesuffix("en") if lemma.endswith("en") else lemma.removesuffix("n")
    third = _GERMAN_IRREGULAR_THIRD.get(lemma, stem + ("et" if stem.endswith(("t", "d")) else "t"))
    prefixed = lemma.startswith(("be", "ent", "er", "ver", "unter", "über")) or lemma.endswith("ieren")
    regular = stem + ("et" if stem.endswith(("t", "d")) else "t")
    for form in past or (
        stem + ("ete" if stem.endswith(("t", "d")) else "te"),
        regular if prefixed else "ge" + regular,
    ):
        forms.setdefault(form, Verb(lemma, "past"))
    forms.setdefault(third, Verb(lemma, "s"))


def _all_forms() -> dict[str, Verb]:
    forms: dict[str, Verb] = {}
    for entry in _IRREGULAR.split():
        lemma, *past = entry.split(":")
        for form in past:
            forms[form] = Verb(lemma, "past")
    # "founded" is of "found", but "found" alone is mostly of "find"; the irregular forms above win.
    for lemma in _REGULAR.split():
        _english(lemma, forms)
    for entry in _GERMAN.split():
        _german(entry, forms)
    return forms


VERB_FORMS: dict[str, Verb] = _all_forms()
"""Every known form in lower case."""

BE = words_of("is are was were be been being am isn't wasn't aren't weren't ist sind war waren")
HAVE = words_of("has have had having hasn't haven't hat haben hatte hatten")
GET_PASSIVE = words_of("wird wurde werden wurden got gets")
OPENS_BASE = words_of(
    """
    to will would can could may might must shall should do does did i we you they who not don't doesn't didn't won't
    """
)
NEGATIONS = words_of(
    """
    not never no cannot nicht nie kein keine keinen without isn't wasn't aren't weren't don't doesn't didn't won't
    can't couldn't wouldn't shouldn't hasn't haven't hadn't neither nor
    """
)
PREPOSITIONS = words_of(
    """
    aboard about above across after against along among around as at before behind below beneath beside between
    beyond by during following for from in inside into near of off on onto out over past since through to toward
    towards under
    until up upon via with within without auf aus bei durch für gegen hinter in mit nach neben ohne seit über um
    unter von vor zu zum zur zwischen im am beim vom ins
    """
)
DETERMINERS = words_of(
    """
    a an the this that these those his her its their our my your some any each every both der die das den dem des
    ein eine einen einem einer
    """
)

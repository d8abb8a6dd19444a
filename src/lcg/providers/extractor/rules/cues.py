"""Cue words that give an entity its type: what a name ends with, and what a sentence calls it."""

from lcg.providers.extractor.rules.vocabulary import words_of

ORGANIZATION, PERSON, LOCATION, EVENT = "Organization", "Person", "Location", "Event"
DOCUMENT, SOFTWARE, PROJECT, PRODUCT = "Document", "Software", "Project", "Product"
FACILITY, AWARD, CONCEPT = "Facility", "Award", "Concept"


def _table(lists: dict[str, str]) -> dict[str, str]:
    return {word: entity_type for entity_type, words in lists.items() for word in words.split()}


NAME_TAILS = _table(
    {
        ORGANIZATION: """
            inc corp corporation ltd llc gmbh ag kg se plc company companies agency university institute institut
            universität hochschule college school academy administration association authority bank board bureau club
            commission committee consortium council department force forces army navy marines corps federation firm
            foundation stiftung verein government group industries laboratories labs ministry ministerium office
            organization organisation parliament party police senate society team technologies union congress
        """,
        LOCATION: """
            bay beach city county continent coast district country desert island islands lake mountain mountains oblast
            governorate ocean park peninsula planet province region republic river road sea state states street straße
            platz town valley village empire kingdom crater belt orbit moon sun galaxy
        """,
        FACILITY: """
            airport base bahnhof building bridge center centre complex cosmodrome facility hall hospital laboratory
            library museum observatory pad port spaceport stadium station tower
        """,
        EVENT: """
            accident attack battle bombardment ceremony championship conference crisis cup day disaster election
            explosion festival incident launch meeting olympics revolution summit war workshop konferenz flight landing
        """,
        DOCUMENT: """
            act agreement article book charter constitution declaration guide journal law manual magazine newspaper
            paper report review specification standard times treaty vertrag bericht adr rfc
        """,
        PROJECT: "campaign initiative mission missions program programme project projekt challenge",
        PRODUCT: """
            aircraft airplane camera car capsule engine engines lander orbiter phone probe rocket rockets rover
            satellite shuttle spacecraft telescope vehicle vehicles machine
        """,
        SOFTWARE: "api app browser compiler database framework kernel os sdk server software protocol",
        AWARD: "award awards medal prize preis honor honour",
        CONCEPT: "algorithm effect equation hypothesis law laws method model paradox principle theorem theory",
    }
)
"""The last word of a name, in lower case."""

DEFINITIONS = NAME_TAILS | _table(
    {
        PERSON: """
            actor actress admiral analyst architect artist astronaut author biologist boy brother businessman
            businesswoman captain chairman chairwoman chemist child colleague commander composer cosmonaut daughter
            designer developer director doctor economist editor employee engineer entrepreneur explorer father founder
            friend geologist girl historian husband inventor journalist king lawyer leader lecturer manager
            mathematician minister mother musician novelist nurse officer painter person philosopher physicist pilot
            player poet politician president prime prince princess professor programmer queen researcher scientist
            senator singer sister soldier son specialist student teacher wife woman man writer ingenieur ingenieurin
            lehrer lehrerin professorin präsident präsidentin ärztin arzt entwicklerin kollegin kollege leiterin
        """,
        ORGANIZATION: "band carrier charity employer manufacturer newspaper startup vendor firma unternehmen behörde",
        LOCATION: "area capital location municipality place hauptstadt fluss ort dorf suburb asteroid comet star world",
        PRODUCT: "device instrument missile prototype spaceship launcher spaceplane sensor laptop",
        SOFTWARE: "application client daemon language library module package plugin service tool toolkit",
        DOCUMENT: "blog document essay file novel poem photo film movie song",
        EVENT: "event competition ceremony eruption flood storm tournament",
        PROJECT: "expedition experiment",
    }
)
"""The noun by which a sentence calls a name (`X is a … noun`, `the noun X`), in lower case."""

PLACES = words_of(
    """
    africa america antarctica asia australia europe afghanistan algeria argentina austria bangladesh belgium brazil
    bulgaria canada chile china colombia croatia cuba denmark egypt england estonia ethiopia finland france georgia
    germany greece greenland hungary iceland india indonesia iran iraq ireland israel italy japan jordan kazakhstan
    kenya korea kuwait latvia lebanon libya lithuania luxembourg malaysia mexico mongolia morocco nepal netherlands
    nigeria norway pakistan peru philippines poland portugal romania russia scotland serbia singapore slovakia
    slovenia spain sudan sweden switzerland syria taiwan tanzania thailand tunisia turkey uganda ukraine venezuela
    vietnam wales yemen zimbabwe alabama alaska arizona california colorado florida hawaii illinois maryland
    massachusetts michigan nevada ohio oregon pennsylvania texas utah virginia washington wisconsin london paris
    berlin munich hamburg cologne frankfurt vienna zurich geneva rome milan madrid barcelona lisbon amsterdam
    brussels copenhagen stockholm oslo helsinki warsaw prague budapest athens istanbul moscow kyiv kiev cairo
    nairobi lagos johannesburg dubai tehran delhi mumbai bangalore beijing shanghai tokyo osaka kyoto seoul bangkok
    hanoi jakarta sydney melbourne toronto montreal vancouver chicago boston houston dallas denver seattle miami
    atlanta detroit philadelphia deutschland österreich schweiz frankreich italien spanien europa münchen köln wien
    zürich bremen hannover leipzig dresden stuttgart bayern sachsen hessen earth mars venus mercury jupiter saturn
    uranus neptune
    pluto moon sun
    """
) | {
    "united states", "united kingdom", "soviet union", "north korea", "south korea", "new york", "new york city",
    "new zealand", "south africa", "saudi arabia", "sri lanka", "los angeles", "san francisco", "hong kong", "usa",
    "ussr", "uk", "european union", "milky way", "solar system", "czech republic", "puerto rico", "rio de janeiro",
}  # fmt: skip

ORGANIZATIONS = words_of(
    """
    nasa esa jaxa isro spacex nato un who eu mit ibm google microsoft apple amazon github siemens bmw sap ieee ietf
    """
)

PLACE_CONTEXT = (
    "born in", "died in", "lives in", "lived in", "based in", "located in", "located at", "situated in", "city of",
    "town of", "village of", "capital of", "moved to", "headquartered in", "raised in", "travelled to", "traveled to",
    "wohnt in", "lebt in", "geboren in", "sitz in",
)  # fmt: skip
"""What directly before a name makes it a place."""

DOCUMENT_ENDINGS = words_of("md txt pdf doc docx rst html htm odt tex csv xlsx pptx ppt org epub")
CODE_ENDINGS = words_of(
    """
    py pyi js ts tsx jsx java kt c h cc cpp hpp rs go rb php cs swift scala sh bash sql yaml yml json jsonl toml ini
    cfg xml css scss lock proto ipynb r lua vue gradle j2
    """
)

"""The drawing of the architecture is a picture of this project, and readable wherever it is shown."""

import re
from xml.etree import ElementTree

from tests.docs.pages import ROOT

TEXT = (ROOT / "docs/images/architecture.svg").read_text(encoding="utf-8")
SVG = "{http://www.w3.org/2000/svg}"


def words() -> list[str]:
    return ["".join(text.itertext()) for text in ElementTree.fromstring(TEXT).iter(f"{SVG}text")]


def test_every_room_that_is_drawn_is_there() -> None:
    rooms = [match[1] for word in words() if (match := re.fullmatch(r"(?:\d\s+)?([a-z]+/[a-z]*)", word))]
    assert len(rooms) >= 9
    for room in rooms:
        path = room.rstrip("/")
        places = (ROOT / path, ROOT / "src/lcg" / path, ROOT / "src/lcg" / f"{path}.py")
        assert any(place.exists() for place in places), room


def test_it_needs_no_font_script_or_picture_of_others() -> None:
    assert not re.search(r"<script|<image|@import|url\(['\"]?http|font-face", TEXT)
    assert "system-ui" in TEXT


def test_texts_stand_on_a_ground_of_their_own_or_are_grey() -> None:
    """So they can be read on white and on dark pages; who looks does not choose which one it is."""
    root = ElementTree.fromstring(TEXT)
    loose = [text.get("class") for text in root.findall(f"{SVG}text")]
    assert loose and set(loose) == {"note"}
    for group in root.findall(f"{SVG}g"):
        assert group.find(f"{SVG}rect") is not None
    style = root.find(f"{SVG}style")
    assert style is not None and style.text is not None
    grey = re.search(r"\.note \{ fill: #([0-9a-f]{6})", style.text)
    assert grey
    assert all(0x60 <= int(grey[1][at : at + 2], 16) <= 0xA0 for at in (0, 2, 4))

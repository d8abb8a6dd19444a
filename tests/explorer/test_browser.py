"""The page in a browser: what people see and do. Skipped where there is no Chromium."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lcg.exchange import html
from tests.explorer.browser import chromium, launch, missing
from tests.explorer.rows import HOSTILE, edge, entity, episode, hostile, mention, reading
from tests.explorer.viewing import View, viewing
from tests.processes import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserType, Page

reason = missing()
pytestmark = [pytest.mark.e2e, pytest.mark.skipif(reason is not None, reason=reason or "")]

SETTLED = "html[data-drawing=settled]"
CLEANED = [re.sub("[\u2028\u2029\u202a-\u202e\u2066-\u2069]", "\ufffd", name) for name in HOSTILE]


@dataclass
class Watched:
    """A page and what it did that it should not: errors, messages of the console, requests."""

    page: "Page"
    faults: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def watch(self) -> None:
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda message: self.faults.append(message.text))
        self.page.on("dialog", lambda dialog: self.faults.append(dialog.message))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, address: str) -> "Page":
        self.page.goto(address)
        self.page.wait_for_selector(SETTLED, state="attached")
        return self.page

    def active(self) -> str:
        """Return what has the focus, as a class or a tag."""
        found: str = self.page.evaluate("document.activeElement.className || document.activeElement.tagName")
        return found


@pytest.fixture(scope="module")
def kind() -> Iterator["BrowserType"]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def browser(kind: "BrowserType") -> Iterator["Browser"]:
    with launch(kind) as running:
        yield running


@pytest.fixture
def watched(browser: "Browser") -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": 1000, "height": 640}, reduced_motion="reduce")
    watching = Watched(context.new_page())
    watching.watch()
    yield watching
    context.close()
    assert watching.faults == []


def written(folder: Path, rows: list[Any], name: str = "graph.html") -> str:
    """Write a page and return its address."""
    path = folder / name
    with reading(folder, rows) as graph, path.open("wb") as out:
        list(html.write(graph, out))
    return path.as_uri()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Four people of which two changed whom they know, and where that was read."""
    rows = [
        entity("ada", "Ada", labels=["Person"], summary="wrote the first program"),
        entity("bob", "Bob", labels=["Person"]),
        entity("eng", "Engine", labels=["Machine"], summary="which Ada wrote for"),
        entity("lone", "Loner", group="h"),
        edge("f1", "ada", "bob", "Ada knows Bob.", since="2020-01-01", until="2022-01-01"),
        edge("f2", "ada", "eng", "Ada works on the engine.", since="2021-01-01", episodes=("p",)),
        episode("p", "A letter about the engine."),
        mention("p", "ada"),
    ]
    return written(tmp_path_factory.mktemp("small"), rows)


@pytest.fixture
def page(watched: Watched, small: str) -> "Page":
    return watched.open(small)


def numbers(page: "Page") -> str:
    return page.locator(".numbers").inner_text()


def heading(page: "Page") -> str:
    return page.locator(".panel h2").inner_text()


def test_a_file_opens_from_disk_and_asks_for_nothing(watched: Watched, small: str) -> None:
    page = watched.open(small)
    assert page.title() == "Context graph: g, h"
    assert numbers(page) == "4 entities · 2 facts"
    assert [url for url in watched.requests if not url.startswith(("file:", "blob:", "data:"))] == []


def test_search_looks_in_names_first_and_leads_to_the_details(page: "Page") -> None:
    page.keyboard.press("/")
    page.keyboard.type("ada")
    assert page.locator(".result .name").all_inner_texts() == ["Ada", "Engine"]
    assert page.locator("[role=status].unseen").inner_text() == "2 results"
    page.locator(".result").first.click()
    assert heading(page) == "Ada"
    assert page.locator(".facts .other .name").all_inner_texts() == ["Engine", "Bob"]
    assert page.locator(".facts .ended").count() == 1
    page.keyboard.press("/")
    page.keyboard.type("nowhere")
    assert "Nothing is called so" in page.locator(".results").inner_text()


def test_the_whole_page_is_walked_by_keyboard(watched: Watched, page: "Page") -> None:
    for key in ("/", "a", "d", "a", "ArrowDown"):
        page.keyboard.press(key)
    assert watched.active() == "result"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    page.keyboard.press("Enter")
    assert (heading(page), watched.active()) == ("Ada", "H2")
    page.keyboard.press("ArrowDown")
    assert watched.active() == "hop"
    page.keyboard.press("Enter")
    assert heading(page) == "Engine"
    page.keyboard.press("Backspace")
    assert heading(page) == "Ada"
    page.keyboard.press("Escape")
    assert page.locator(".panel").is_hidden()
    assert page.locator("#search").evaluate("each => each === document.activeElement")
    page.keyboard.press("Escape")
    assert page.locator("#search").input_value() == "" and page.locator(".results").is_hidden()


def test_the_keys_are_listed_and_the_list_closes(page: "Page") -> None:
    page.keyboard.press("?")
    assert page.locator("dialog.help").is_visible()
    page.keyboard.press("Escape")
    assert page.locator("dialog.help").is_hidden()


def test_a_fact_leads_to_both_ends_and_to_the_text_it_was_read_from(page: "Page") -> None:
    page.keyboard.press("/")
    page.keyboard.type("engine")
    page.keyboard.press("Enter")
    page.locator(".about").first.click()
    assert page.locator(".ends .name").all_inner_texts() == ["Ada", "Engine"]
    assert "Ada works on the engine." in page.locator(".whole").inner_text()
    page.locator(".sources summary").click()
    assert page.locator(".passage").inner_text() == "A letter about the engine."


def test_types_and_groups_can_be_switched_off_and_shown_alone(page: "Page") -> None:
    page.get_by_role("checkbox", name="Person").uncheck()
    assert numbers(page) == "2 entities · 0 facts"
    page.get_by_role("button", name="Only Person").focus()
    page.keyboard.press("Enter")
    assert numbers(page) == "2 entities · 1 fact"
    page.keyboard.press("Enter")
    assert numbers(page) == "4 entities · 2 facts"
    page.get_by_role("checkbox", name="h 1").uncheck()
    assert numbers(page) == "3 entities · 2 facts"


def test_the_slider_shows_what_held_at_a_time(page: "Page") -> None:
    changes = ["2020-01-01", "2021-01-01", "2022-01-01"]
    facts = []
    for change in changes:
        page.get_by_role("button", name="The next change").click()
        assert page.locator(".moment").inner_text() == f"Holding at {change}"
        facts.append(numbers(page))
    assert facts == ["4 entities · 1 fact", "4 entities · 2 facts", "4 entities · 1 fact"]
    page.get_by_label("Show facts that hold at this time").focus()
    page.keyboard.press("Home")
    assert numbers(page) == "4 entities · 0 facts"
    page.get_by_role("checkbox", name="All times").check()
    assert numbers(page) == "4 entities · 2 facts"


def test_a_click_on_the_drawing_selects_and_one_beside_it_closes(page: "Page") -> None:
    page.keyboard.press("/")
    page.keyboard.type("bob")
    page.keyboard.press("Enter")
    page.wait_for_selector(SETTLED, state="attached")
    page.locator("[aria-label=Close]").click()
    page.wait_for_timeout(400)
    box = page.locator(".stage").bounding_box()
    assert box is not None
    # The camera stays where the search brought it; the panel that closed gave its room to both sides.
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator(".panel h2").wait_for()
    assert heading(page) == "Bob"
    page.wait_for_timeout(500)  # two clicks at once are a double click
    page.mouse.click(box["x"] + 5, box["y"] + 5)
    page.locator(".panel").wait_for(state="hidden")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_light_or_dark_as_the_system_is_until_somebody_switches(
    browser: "Browser", small: str, scheme: Any
) -> None:
    context = browser.new_context(color_scheme=scheme)
    watching = Watched(context.new_page())
    page = watching.open(small)
    grounds = []
    for _ in range(2):
        grounds.append(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
        page.keyboard.press("t")
    first = {"light": "rgb(250, 249, 246)", "dark": "rgb(20, 22, 26)"}
    other = {"light": "dark", "dark": "light"}[scheme]
    assert grounds == [first[scheme], first[other]]
    context.close()


def test_hostile_names_are_shown_as_they_are_and_do_nothing(watched: Watched, tmp_path: Path) -> None:
    page = watched.open(written(tmp_path, hostile()))
    assert page.title() == "Context graph: g"
    for name, cleaned in zip(HOSTILE, CLEANED, strict=True):
        page.keyboard.press("/")
        page.locator("#search").fill(name[:200])
        page.keyboard.press("Enter")
        assert page.locator(".panel h2").text_content() == cleaned
        assert page.locator(".panel .prose").first.text_content() == cleaned
        page.locator(".sources summary").first.click()
        assert page.locator(".passage").first.text_content() == cleaned
    assert page.title() == "Context graph: g"
    assert page.locator("img, iframe, object, embed, link[rel=stylesheet]").count() == 0
    widths = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]


def test_the_same_data_is_drawn_in_the_same_places(watched: Watched, tmp_path: Path) -> None:
    rows = [entity(f"n{number:03}") for number in range(80)]
    edges = [edge(f"e{number:03}", f"n{number:03}", f"n{number * 7 % 80:03}") for number in range(80)]
    address = written(tmp_path, [*rows, *edges])
    pictures = []
    for _ in range(2):
        page = watched.open(address)
        page.wait_for_timeout(500)
        pictures.append(page.locator(".stage").screenshot())
    assert pictures[0] == pictures[1]


def test_no_rule_of_accessibility_is_broken(page: "Page") -> None:
    rules = ROOT / "explorer/node_modules/axe-core/axe.min.js"
    if not rules.is_file():
        pytest.skip("the packages of explorer/ are not installed; `make explorer` does")
    page.evaluate(rules.read_text(encoding="utf-8"))
    check = "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`))"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(check) == []
        page.keyboard.press("/")
        page.locator("#search").fill("ada")
        assert page.evaluate(check) == []
        page.keyboard.press("Enter")
        page.locator(".sources summary").first.click()
        assert page.evaluate(check) == []
        page.locator(".about").first.click()
        assert page.evaluate(check) == []
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")


def test_an_empty_graph_says_what_to_do(watched: Watched, tmp_path: Path) -> None:
    page = watched.open(written(tmp_path, []))
    assert numbers(page) == "0 entities · 0 facts"
    assert page.get_by_text("There is nothing to show yet.").is_visible()


def test_without_webgl_it_says_so_and_the_rest_works(kind: "BrowserType", small: str) -> None:
    with launch(kind, "--disable-3d-apis") as browser:
        page = browser.new_page()
        page.goto(small)
        page.wait_for_selector("html[data-drawing=none]", state="attached")
        assert "no WebGL" in page.locator(".stage").inner_text()
        page.keyboard.press("/")
        page.keyboard.type("ada")
        page.keyboard.press("Enter")
        assert heading(page) == "Ada"


# -- The page of `lcg view`


def test_the_page_of_view_keeps_its_key_out_of_the_address_and_loads_texts_on_demand(
    watched: Watched, view: View
) -> None:
    page = watched.open(view.address)
    assert page.url == f"http://127.0.0.1:{view.port}/"
    page.reload()
    page.wait_for_selector(SETTLED, state="attached")
    page.keyboard.press("/")
    page.keyboard.type("Priya")
    page.keyboard.press("Enter")
    page.locator(".sources summary").first.click()
    page.get_by_text("Priya Nair wrote to Bob Stone.", exact=True).last.wait_for()
    hosts = {url.split("/")[2] for url in watched.requests if url.startswith("http")}
    assert hosts == {f"127.0.0.1:{view.port}"}
    assert not [url for url in watched.requests if view.token in url.partition("#")[0]]


def test_without_the_key_the_page_says_what_to_do(browser: "Browser", view: View) -> None:
    page = browser.new_context().new_page()
    page.goto(f"http://127.0.0.1:{view.port}/")
    page.get_by_role("alert").get_by_text("Open the address that it printed, whole.").wait_for()
    page.context.close()


def test_neighbours_beyond_the_drawing_come_when_they_are_asked_for(watched: Watched, workspace: Path) -> None:
    with viewing(workspace, program="tests.explorer.narrow_view") as view:
        page = watched.open(view.address)
        assert numbers(page) == "1 entity · 0 facts"
        assert "The best-connected 1 of" in page.locator(".note").inner_text()
        page.keyboard.press("/")
        page.keyboard.type("Ada")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Show 2 more neighbour facts").click()
        page.locator(".facts .other").first.wait_for()
        assert sorted(page.locator(".facts .other .name").all_inner_texts()) == ["Charles", "Engine"]
        assert numbers(page) == "3 entities · 2 facts"
        page.keyboard.press("/")
        page.locator("#search").fill("Priya")
        page.get_by_role("heading", name="Not in the drawing yet").wait_for()
        page.locator(".result").first.click()
        page.locator(".panel h2").get_by_text("Priya Nair").wait_for()


def test_when_the_process_has_ended_the_page_says_so(browser: "Browser", workspace: Path) -> None:
    page = browser.new_context().new_page()
    with viewing(workspace) as view:
        page.goto(view.address)
        page.wait_for_selector(SETTLED, state="attached")
        view.end()
        page.keyboard.press("/")
        page.keyboard.type("Ada")
        page.get_by_role("alert").get_by_text("does not answer").wait_for()
    page.context.close()

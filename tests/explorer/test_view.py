"""`lcg view`: what it serves, to whom, and how it ends."""

import json
import signal
import socket
from pathlib import Path

import pytest

from tests.commands.program import lcg
from tests.explorer.pages import Page
from tests.explorer.viewing import View, viewing
from tests.processes import daemon

pytestmark = pytest.mark.e2e

GRAPH = "/api/graph"


def names(record: dict[str, list[dict[str, str]]]) -> list[str]:
    return sorted(node["name"] for node in record["nodes"])


def test_the_page_comes_without_data_and_the_data_with_the_key(view: View) -> None:
    status, headers, body = view.request("/", {"Authorization": None})
    page = Page(body)
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert page.data is None and page.policy["connect-src"] == ["'self'"]
    assert page.texts["title", None] == "engines"
    record = view.ask(GRAPH)
    assert (record["title"], record["groups"]) == ("engines", None)
    assert {"Ada", "Engine", "Charles", "Priya Nair"} <= set(names(record))


def test_no_answer_can_be_kept_framed_or_used_by_other_sites(view: View) -> None:
    for path in ("/", GRAPH, "/nothing"):
        _, headers, _ = view.request(path)
        assert headers["cache-control"] == "no-store"
        assert headers["content-security-policy"] == "frame-ancestors 'none'"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "", None])
def test_a_request_under_another_name_is_refused(view: View, host: str | None) -> None:
    for path in ("/", GRAPH):
        status, _, body = view.request(path, {"Host": host})
        assert status in (400, 421) and b"Ada" not in body


def test_the_name_localhost_is_ours_too(view: View) -> None:
    assert view.request(GRAPH, {"Host": f"localhost:{view.port}"})[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_page_of_another_site_is_refused_even_with_the_key(view: View, headers: dict[str, str]) -> None:
    status, _, body = view.request(GRAPH, headers)
    assert (status, b"Ada" in body) == (403, False)


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer ", "Bearer wrong", "Basic {token}", "Bearer {token}x", "Bearer é"]
)
def test_without_the_key_nothing_of_the_graph_is_told(view: View, header: str | None) -> None:
    sent = None if header is None else header.replace("{token}", view.token)
    for path in (GRAPH, "/api/search?q=Ada", "/api/around?entity=x", "/api/source?episode=x", "/api/nothing"):
        status, _, body = view.request(path, {"Authorization": sent})
        assert status == 401 and "Open the address that it printed" in json.loads(body)["error"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_can_be_changed(view: View, method: str) -> None:
    for path in ("/", GRAPH):
        assert view.request(path, {"Content-Length": "0"}, method)[0] == 405


@pytest.mark.parametrize(
    "path",
    ["/nothing", "/api/nothing", "/api/", "/../etc/passwd", "/api/search", "/api/search?q=%20", "/api/around",
     "/api/around?entity=x&offset=-1", "/api/around?entity=x&offset=99999999999999",
     f"/api/around?entity=x&offset={'9' * 5000}", "/api/source?episode=",
     "/api/source?episode=nobody"],
)  # fmt: skip
def test_what_means_nothing_is_not_found(view: View, path: str) -> None:
    assert view.request(path)[0] == 404


def test_neighbours_sources_and_a_search_come_on_demand(view: View) -> None:
    graph = view.ask(GRAPH)
    uuids = {node["name"]: node["uuid"] for node in graph["nodes"]}
    around = view.ask(f"/api/around?entity={uuids['Ada']}")
    assert names(around) == ["Ada", "Charles", "Engine"]
    assert {fact["fact"] for fact in around["facts"]} == {"Ada wrote for the engine.", "Ada knows Charles."}
    (source,) = graph["sources"]
    assert source["text"] is None
    assert view.ask(f"/api/source?episode={source['uuid']}")["text"] == "Priya Nair wrote to Bob Stone."
    assert view.ask("/api/search?q=first%20program")["nodes"][0]["name"] == "Ada"


def test_only_the_groups_that_were_asked_for_are_ever_shown(view: View, workspace: Path) -> None:
    uuids = {node["name"]: node["uuid"] for node in view.ask(GRAPH)["nodes"]}
    nothing = {"nodes": [], "facts": [], "sources": [], "has_more": False, "next": 0}
    with viewing(workspace, "--group", "b") as narrow:
        graph = narrow.ask(GRAPH)
        assert {node["group"] for node in graph["nodes"]} == {"b"} == set(graph["groups"])
        assert "Ada" not in names(narrow.ask("/api/search?q=Ada"))
        assert narrow.ask(f"/api/around?entity={uuids['Ada']}") == nothing


def test_beside_a_service_it_shows_what_was_written_since_when_the_page_is_loaded_again(workspace: Path) -> None:
    with daemon(workspace) as server, viewing(workspace) as view, server.client() as client:
        assert "Grace" not in names(view.ask(GRAPH))
        client.result("knowledge_assert_entity", name="Grace", group_id="a")
        assert "Grace" in names(view.ask(GRAPH))
        assert view.end()[0] == 0
        # The service goes on.
        assert client.result("health_check")["ok"]


def test_when_the_service_has_ended_the_page_is_told(workspace: Path) -> None:
    with daemon(workspace) as server, viewing(workspace) as view:
        view.ask(GRAPH)
        server.signal(signal.SIGTERM)
        assert server.status() == 0
        status, _, body = view.request(GRAPH)
        assert (status, json.loads(body)["error"][:25]) == (502, "the graph did not answer:")
        assert view.end()[0] == 0


def test_other_commands_work_while_it_has_the_workspace(workspace: Path) -> None:
    with viewing(workspace) as view:
        view.ask(GRAPH)
        done = lcg(workspace, "groups")
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_at_once_and_leaves_nothing_behind(workspace: Path, number: signal.Signals) -> None:
    with viewing(workspace) as view:
        view.ask(GRAPH)
        status, errors = view.end(number)
    assert (status, errors.splitlines()[-1]) == (0, "lcg view: ended.")
    assert sorted(path.name for path in (workspace / ".lcg").iterdir()) == ["db", "lock", "search", "wal"]


@pytest.mark.parametrize("screen", [":0", ""])
def test_a_browser_is_opened_where_there_is_a_screen(workspace: Path, tmp_path: Path, screen: str) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n', encoding="utf-8")
    browser.chmod(0o755)
    env = {"BROWSER": f"{browser} %s", "DISPLAY": screen, "WAYLAND_DISPLAY": ""}
    with viewing(workspace, opens=True, env=env) as view:
        assert view.process.stderr is not None
        assert view.process.stderr.readline().startswith("Open this address")
        if screen:
            assert opened.read_text(encoding="utf-8").strip() == view.address
        else:
            assert not opened.exists()
        assert view.end()[0] == 0


def test_a_port_that_is_taken_is_an_error_that_says_what_to_do(workspace: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = lcg(workspace, "view", "--no-open", "--port", str(port))
    assert (done.returncode, done.stdout) == (1, "")
    assert (
        done.stderr
        == f"lcg view: cannot listen on port {port}: Address already in use. Give --port another, or leave it out.\n"
    )


def test_without_a_workspace_it_says_so(tmp_path: Path) -> None:
    done = lcg(tmp_path, "view", "--no-open")
    assert done.returncode == 2 and "there is no workspace here" in done.stderr

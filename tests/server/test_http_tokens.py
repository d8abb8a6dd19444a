"""The file of bearer tokens, and what a server does with it."""

import asyncio
import os
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from lcg.http_settings import HttpSettings
from lcg.server.http_tokens import TokenFile, UnusableTokens, add_token, read_tokens, remove_token
from lcg.settings import UsageError
from tests.server.running import eventually
from tests.server.running_http import RunningHttp, Session, modern, request, running_http, tool_call
from tests.server.test_mcp import ALL, eras

READ_TOOLS = [spec.name for spec in ALL if spec.scope == "read"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "tokens"


@pytest.fixture
def reader(file: Path) -> str:
    return add_token(file, "reader", "read")


@pytest.fixture
def running(file: Path, reader: str) -> Iterator[RunningHttp]:
    with running_http(ALL, settings=HttpSettings(tokens=file, metrics=True)) as server:
        yield server


def bearer(secret: str) -> str:
    return f"Bearer {secret}"


# -- the file


def test_a_token_is_long_random_and_known_by_its_digest_only(file: Path) -> None:
    secrets = {add_token(file, f"client-{number}", "write, read") for number in range(3)}
    assert len(secrets) == 3
    assert all(secret.startswith("lcg_") and len(secret) >= 40 for secret in secrets)
    assert not any(secret.removeprefix("lcg_") in file.read_text() for secret in secrets)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert {token.scopes for token in read_tokens(file)} == {("read", "write")}
    assert {found.name for secret in secrets if (found := TokenFile(file).find(secret))} == {
        "client-0",
        "client-1",
        "client-2",
    }


@pytest.mark.parametrize("wrong", ["", "lcg_", "reader", "\udcff", "lcg_" + "A" * 43])
def test_anything_else_is_no_token(file: Path, reader: str, wrong: str) -> None:
    assert TokenFile(file).find(wrong) is None
    assert TokenFile(file).find(reader + wrong[:1]) == (None if wrong else read_tokens(file)[0])


def test_a_removed_token_is_unknown_to_whoever_reads_the_file_already(file: Path, reader: str) -> None:
    other = add_token(file, "other", "admin")
    tokens = TokenFile(file)
    assert tokens.find(reader) is not None
    remove_token(file, "reader")
    assert tokens.find(reader) is None
    assert tokens.find(other) is not None


def test_comments_and_other_lines_survive_changes(file: Path, reader: str) -> None:
    with file.open("a") as text:
        text.write("\n# of the laptop\n")
    add_token(file, "laptop", "all")
    remove_token(file, "reader")
    assert "# of the laptop\nlaptop read,write,cypher,admin sha256:" in file.read_text()


def test_tokens_made_at_the_same_time_are_all_kept(file: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: add_token(file, f"n{number}", "read"), range(24)))
    assert {token.name for token in read_tokens(file)} == {f"n{number}" for number in range(24)}


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o602, 0o610])
def test_a_file_that_others_can_use_is_refused(file: Path, reader: str, mode: int) -> None:
    file.chmod(mode)
    with pytest.raises(UnusableTokens, match="chmod 600"):
        read_tokens(file)
    with pytest.raises(UnusableTokens, match="chmod 600"):
        add_token(file, "other", "read")
    assert "other" not in file.read_text()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("laptop read", ":3: a line must be"),
        ("laptop read sha256:12", ":3: a line must be"),
        ("laptop read, write sha256:" + "0" * 64, ":3: a line must be"),
        ("laptop reed sha256:" + "0" * 64, ":3: unknown scope 'reed'"),
        ("reader read sha256:" + "0" * 64, ":3: a second token is called 'reader'"),
    ],
)
def test_a_line_that_is_not_understood_is_named(file: Path, reader: str, line: str, said: str) -> None:
    with file.open("a") as text:
        text.write(line)
    with pytest.raises(UnusableTokens, match=said):
        read_tokens(file)


def test_names_and_scopes_are_checked_before_anything_is_written(file: Path) -> None:
    with pytest.raises(UsageError, match="name"):
        add_token(file, "two words", "read")
    with pytest.raises(UsageError, match="'reed'"):
        add_token(file, "laptop", "reed")
    assert not file.exists()


def test_a_name_is_given_once_and_removed_once(file: Path, reader: str) -> None:
    with pytest.raises(UnusableTokens, match="already"):
        add_token(file, "reader", "admin")
    remove_token(file, "reader")
    with pytest.raises(UnusableTokens, match="it has: none"):
        remove_token(file, "reader")


# -- the server


@pytest.mark.parametrize("header", [None, "Bearer", "Bearer lcg_wrong", "Basic cmVhZGVyOg==", "Bearer sha256:0"])
def test_nobody_comes_in_without_a_token(running: RunningHttp, header: str | None) -> None:
    sent = {} if header is None else {"authorization": header}
    with running.client(**sent) as http:
        for path in ("/mcp", "/metrics"):
            answer = http.get(path)
            assert answer.status_code == 401
            assert answer.headers["www-authenticate"].startswith('Bearer realm="lcg"')
            assert "lcg token add" in answer.json()["error"]
        assert http.get("/health").status_code == 200
        assert http.post("/mcp", json=request("ping")).status_code == 401
    assert "wrong" not in answer.text


@eras
def test_a_token_opens_the_tools_of_its_scopes(running: RunningHttp, reader: str, era: str) -> None:
    async def main() -> None:
        with running.client() as plain:
            from httpx2 import AsyncClient

            http = AsyncClient(headers={"authorization": bearer(reader)}, base_url=str(plain.base_url), trust_env=False)
            transport = streamable_http_client(f"{running.url}/mcp", http_client=http)
            async with http, Client(transport, mode=era) as client:
                assert [tool.name for tool in (await client.list_tools()).tools] == READ_TOOLS
                assert not (await client.call_tool("knowledge_find_entities", {})).is_error
                with pytest.raises(Exception, match="scope `write`") as caught:
                    await client.call_tool("knowledge_assert_entity", {"name": "Ada"})
                assert "token" in str(caught.value)

    asyncio.run(main())
    assert "knowledge_assert_entity" not in running.service.seen


def test_the_command_line_narrows_every_token(file: Path) -> None:
    everything = add_token(file, "everything", "all")
    with (
        running_http(ALL, settings=HttpSettings(tokens=file), scopes=("read",)) as running,
        running.client(authorization=bearer(everything)) as http,
    ):
        listed = Session(http).post(request("tools/list")).text
    assert "knowledge_find_entities" in listed
    assert "knowledge_assert_entity" not in listed


def test_a_session_is_unknown_to_another_token(running: RunningHttp, file: Path, reader: str) -> None:
    other = add_token(file, "other", "read")
    with running.client(authorization=bearer(reader)) as http:
        session = Session(http)
        assert "result" in session.call("knowledge_find_entities")
        stolen = http.post(
            "/mcp", json=tool_call("knowledge_status"), headers=session.headers | {"authorization": bearer(other)}
        )
        assert stolen.status_code == 404
        assert http.delete("/mcp", headers=session.headers | {"authorization": bearer(other)}).status_code == 404
        assert "result" in session.call("knowledge_find_entities")


def test_a_removed_token_is_refused_at_once_and_its_streams_end(running: RunningHttp, file: Path, reader: str) -> None:
    other = add_token(file, "other", "read")
    with running.client(authorization=bearer(reader)) as http, running.client(authorization=bearer(other)) as others:
        session = Session(http)
        with session.stream() as stream:
            remove_token(file, "reader")
            assert "result" in Session(others).call("knowledge_find_entities")
            stream.read()
        message, headers = modern(tool_call("knowledge_status"))
        assert http.post("/mcp", json=message, headers=headers).status_code == 401
        assert http.post("/mcp", json=request("ping"), headers=session.headers).status_code == 401


def test_a_removed_token_listens_no_more(running: RunningHttp, file: Path, reader: str) -> None:
    other = add_token(file, "other", "read")
    subscriptions = {"resourceSubscriptions": ["knowledge://status"]}
    message, headers = modern(request("subscriptions/listen", notifications=subscriptions))
    with (
        running.client(authorization=bearer(reader)) as http,
        running.client(authorization=bearer(other)) as others,
        http.stream("POST", "/mcp", json=message, headers=headers) as stream,
    ):
        lines = stream.iter_lines()
        assert "event: message" in next(lines)
        remove_token(file, "reader")
        assert "result" in Session(others).call("knowledge_find_entities")
        assert not [line for line in lines if '"result"' in line]


def test_a_file_that_becomes_unusable_lets_nobody_in_until_it_is_mended(
    running: RunningHttp, file: Path, reader: str, caplog: pytest.LogCaptureFixture
) -> None:
    with running.client(authorization=bearer(reader)) as http:
        assert "result" in Session(http).call("knowledge_find_entities")
        file.chmod(0o644)
        for _ in range(3):
            assert http.post("/mcp", json=request("ping")).status_code == 401
        file.chmod(0o600)
        assert "result" in Session(http).call("knowledge_find_entities")
    eventually(lambda: caplog.text.count("nobody is let in over HTTP") == 1)


def test_a_file_is_followed_through_links(file: Path, reader: str, tmp_path: Path) -> None:
    link = tmp_path / "link"
    os.symlink(file, link)
    add_token(link, "other", "read")
    assert link.is_symlink()
    assert [token.name for token in read_tokens(file)] == ["reader", "other"]

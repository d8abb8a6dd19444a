"""What may stand on the command line and in the environment, and what is said of everything else."""

from pathlib import Path

import pytest

from lcg.__main__ import run
from lcg.generated.tool_specs import SCOPES
from lcg.server.command_line import parse_command_line
from lcg.server.scopes import parse_profile, parse_scopes
from lcg.settings import Settings, UsageError, chunk_text_advisory_max_chars, read_settings

USAGE_ERRORS = [
    (["--bogus"], "unknown argument: --bogus"),
    (["--bogus=1"], "unknown argument: --bogus=1"),
    (["--scop", "read"], "--scope"),
    (["verfy"], "unknown argument: verfy (did you mean verify?)"),
    (["--mcp-stdio", "verify"], "verify is a sub-command"),
    (["--mcp-stdio", "extra"], "unknown argument: extra"),
    (["--mcp"], "unknown argument: --mcp"),
    (["--mcp-stdio=yes"], "--mcp-stdio"),
    (["--scope", "read"], "--scope needs --mcp-stdio"),
    (["--profile", "core"], "--profile needs --mcp-stdio"),
    (["--connect", "auto"], "--connect needs --mcp-stdio"),
    (["--mcp-stdio", "--http", "localhost:1"], "mutually exclusive"),
    (["--embedder-uds", "x", "--embedder-http", "y"], "mutually exclusive"),
    (["--extractor", "builtin", "--extractor-http", "y"], "mutually exclusive"),
    (["--extractor-uds", "x", "--extractor-http=y"], "mutually exclusive"),
    (["--mcp-stdio", "--scope"], "--scope"),
    (["--mcp-stdio", "--scope", "read", "--scope=write"], "--scope was given 2 times"),
    (["--mcp-stdio", "--scope", "reed"], "'reed'"),
    (["--mcp-stdio", "--scope=read,Write"], "'Write'"),
    (["--mcp-stdio", "--scope="], "empty"),
    (["--mcp-stdio", "--scope", " , "], "empty"),
    (["--mcp-stdio", "--profile", "tiny"], "'tiny'"),
    (["--extractor", "clever"], "'clever'"),
    (["--mcp-stdio", "--connect", "auto"], "--connect auto: this build lacks it"),
    (["--mcp-stdio", "--connect="], "--connect needs the path"),
    (["--mcp-stdio", "--connect", "a", "--connect", "b"], "--connect was given 2 times"),
    (["--mcp-stdio", "--connect", "a", "--extractor", "builtin", "--extractor-uds=x"], "mutually exclusive"),
    (["--http", "localhost:1"], "this build lacks it"),
    (["--http", "localhost:1", "--scope", "read"], "this build lacks it"),
    (["--embedder-uds", "x"], "this build lacks it"),
    (["--embedder-http=x"], "this build lacks it"),
    (["--extractor-http", "x"], "full http:// or https:// URL"),
    (["--extractor-uds", " "], "path of a socket"),
]


@pytest.mark.parametrize(("arguments", "said"), USAGE_ERRORS, ids=str)
def test_a_usage_error_is_explained_on_stderr_with_the_usage_text(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert "usage: lcg" in err


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["-V", "--help"], ["-Vh"], ["--help", "--bogus"]])
def test_help_goes_to_stdout_and_wins(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 0
    out, err = capsys.readouterr()
    assert out.startswith("usage: lcg")
    assert err == ""


@pytest.mark.parametrize("arguments", [["--version"], ["-V"]])
def test_version_goes_to_stdout(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 0
    assert capsys.readouterr().out.startswith("lcg ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--mcp-stdio", "--scope", "read,write", "--profile", "core", "--extractor", "builtin"],
        ["--mcp-stdio", "--scope=read,write", "--profile=core", "--extractor=builtin"],
        ["--extractor=builtin", "--profile=core", "--scope=read,write", "--mcp-stdio"],
    ],
)
def test_every_option_with_a_value_takes_both_forms_in_any_order(arguments: list[str]) -> None:
    options = parse_command_line(arguments)
    assert (options.action, options.scopes, options.profile, options.extractor) == (
        "mcp_stdio",
        "read,write",
        "core",
        "builtin",
    )


def test_no_argument_is_the_socket_service() -> None:
    assert parse_command_line([]).action == "service"


def test_allow_remote_close_without_connect_gets_a_note() -> None:
    assert "no effect" in parse_command_line(["--mcp-stdio", "--allow-remote-close"]).notes[0]


@pytest.mark.parametrize(
    ("text", "active"),
    [
        ("read", ("read",)),
        ("all", SCOPES),
        (" admin , read ,, ", ("read", "admin")),
        ("read,read", ("read",)),
        ("read,all", SCOPES),
    ],
)
def test_scopes_are_a_trimmed_comma_list_in_registry_order(text: str, active: tuple[str, ...]) -> None:
    assert parse_scopes(text) == active


def test_a_wrong_scope_or_profile_names_the_valid_ones() -> None:
    with pytest.raises(UsageError, match="read, write, cypher, admin, all"):
        parse_scopes("x")
    with pytest.raises(UsageError, match="core, all"):
        parse_profile("x")


def test_an_empty_environment_gives_the_defaults() -> None:
    assert read_settings({}) == Settings()
    assert read_settings({"LCG_DB_PATH": "", "LCG_EXTRACTOR": " "}) == Settings()


def test_the_environment_is_read() -> None:
    settings = read_settings(
        {
            "LCG_SOCKET_PATH": "/run/x.sock",
            "LCG_DB_PATH": "db",
            "LCG_WAL_DIR": "wal",
            "LCG_WAL_MAX_EVENTS_PER_FILE": "7",
            "LCG_WAL_MAX_BYTES_PER_FILE": "0",
            "LCG_EXTRACTOR": "builtin",
            "LCG_REEMBED_ON_UPDATE": "1",
            "LCG_SHUTDOWN_TIMEOUT_MS": "250",
            "LCG_ENGINE": "kuzu",
            "LCG_TELEMETRY": "0",
            "LCG_AUTO_HYDRATE": "0",
            "LCG_MIGRATION_KEEP_BACKUP": "true",
            "LIMINIS_WORKSPACE_ROOT": "/w",
        }
    )
    assert settings == Settings(
        socket_path=Path("/run/x.sock"),
        db_path=Path("db"),
        wal_dir=Path("wal"),
        workspace_root=Path("/w"),
        wal_max_events_per_file=7,
        wal_max_bytes_per_file=0,
        extractor="builtin",
        reembed_on_update=True,
        shutdown_timeout_ms=250,
        telemetry=False,
        auto_hydrate=False,
        migration_keep_backup=True,
    )


@pytest.mark.parametrize(
    ("name", "value", "legal"),
    [
        ("LCG_WAL_MAX_EVENTS_PER_FILE", "0", "at least 1"),
        ("LCG_WAL_MAX_EVENTS_PER_FILE", "1e3", "at least 1"),
        ("LCG_WAL_MAX_BYTES_PER_FILE", "-1", "at least 0"),
        ("LCG_WAL_MAX_BYTES_PER_FILE", "٣", "at least 0"),
        ("LCG_SHUTDOWN_TIMEOUT_MS", "soon", "at least 1"),
        ("LCG_EXTRACTOR", "Builtin", "builtin"),
        ("LCG_ENGINE", "sqlite", "kuzu"),
        ("LCG_TELEMETRY", "yes", "0 or 1"),
        ("LCG_AUTO_HYDRATE", "false", "0 or 1"),
        ("LCG_REEMBED_ON_UPDATE", "2", "0 or 1"),
    ],
)
def test_a_bad_value_names_variable_value_and_what_is_legal(name: str, value: str, legal: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_settings({name: value})
    assert all(part in str(caught.value) for part in (name, repr(value), legal))


def test_a_bad_environment_is_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LCG_ENGINE", "sqlite")
    assert run([]) == 2
    assert "LCG_ENGINE" in capsys.readouterr().err


def test_a_flag_beats_the_environment() -> None:
    assert read_settings({}, extractor="builtin").extractor == "builtin"


def test_old_names_work_with_a_note_and_new_ones_win() -> None:
    settings = read_settings({"GRAPHITI_DB_PATH": "old"})
    assert settings.db_path == Path("old")
    assert "DEPRECATED" in settings.notes[0]
    settings = read_settings({"GRAPHITI_DB_PATH": "old", "LCG_DB_PATH": "new"})
    assert settings.db_path == Path("new")
    assert "LCG_DB_PATH" in settings.notes[0]


def test_variables_without_effect_are_pointed_out() -> None:
    notes = read_settings({"LCG_IDLE_EXIT_SECS": "5", "LCG_HTTP_TOKENS": "/run/tokens"}).notes
    assert len(notes) == 2
    assert not any("tokens" in note for note in notes)


@pytest.mark.parametrize(("value", "used"), [("", 8000), ("12", 12), ("0", 8000), ("-4", 8000), ("many", 8000)])
def test_the_advisory_length_of_chunks_is_read_on_every_call(
    value: str, used: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LCG_CHUNK_TEXT_ADVISORY_MAX_CHARS", value)
    assert chunk_text_advisory_max_chars() == used

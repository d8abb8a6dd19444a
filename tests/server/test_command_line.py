"""What may stand on the command line and in the environment, and what is said of everything else."""

import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lcg import settings as settings_module
from lcg.__main__ import run
from lcg.generated.tool_specs import SCOPES
from lcg.provider_settings import EmbedderSettings
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
    (["--mcp-stdio", "--connect="], "--connect needs `auto`, or the path"),
    (["--mcp-stdio", "--connect=auto", "--extractor-http", "x"], "full http:// or https:// URL"),
    (["--mcp-stdio", "--connect", "a", "--connect", "b"], "--connect was given 2 times"),
    (["--mcp-stdio", "--connect", "a", "--extractor", "builtin", "--extractor-uds=x"], "mutually exclusive"),
    (["--http", "8765"], "--http must be HOST:PORT"),
    (["--http", "localhost:http"], "--http must be HOST:PORT"),
    (["--http", "localhost:65536"], "--http must be HOST:PORT"),
    (["--http", "::1:8765"], "--http must be HOST:PORT"),
    (["--http", "0.0.0.0:8765"], "LCG_HTTP_TOKENS"),
    (["--http", "localhost:1", "--scope", "reed"], "'reed'"),
    (["--embedder-http=x"], "full http:// or https:// URL"),
    (["--embedder-uds", " "], "path of a socket"),
    (["--extractor-http", "x"], "full http:// or https:// URL"),
    (["--extractor-uds", " "], "path of a socket"),
    (["--workspace", "/no/such/place"], "--workspace needs a directory that is there; '/no/such/place'"),
    (["--workspace", "a", "--workspace=b"], "--workspace was given 2 times"),
]


def test_the_workspace_is_gone_to_before_settings_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "w").mkdir()
    assert run(["--workspace", "~/w", "--embedder-http=x"]) == 2
    assert Path.cwd() == tmp_path / "w"


def test_a_service_that_is_started_is_not_sent_to_the_workspace_again() -> None:
    options = parse_command_line(["--mcp-stdio", "--connect=auto", "--workspace", "w", "--extractor=builtin"])
    assert (options.workspace, options.of_service) == ("w", ("--extractor=builtin",))


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


@pytest.fixture(autouse=True)
def default_socket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return where a default embedder would listen; nobody does."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "inference.sock"
        monkeypatch.setattr(settings_module, "EMBEDDER_SOCKET", path)
        yield path


@contextmanager
def listening(path: Path) -> Iterator[None]:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))
        yield


def test_the_first_embedder_that_is_configured_is_taken(default_socket: Path) -> None:
    env = {"LCG_EMBEDDING_URL": "https://host/v1/embeddings"}
    socket_url = "http://localhost/v1/embeddings"
    with listening(default_socket):
        by_uds = read_settings(env, embedder_uds="mine.sock").embedder
        assert by_uds == EmbedderSettings(socket_url, Path("mine.sock"))
        assert read_settings(env, embedder_http="http://other/e").embedder == EmbedderSettings("http://other/e")
        assert read_settings(env).embedder == EmbedderSettings(socket_url, default_socket)
    default_socket.unlink()
    assert read_settings(env).embedder == EmbedderSettings("https://host/v1/embeddings")
    assert read_settings({}).embedder is None


def test_a_default_socket_of_somebody_else_is_left_alone(default_socket: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(default_socket):
        monkeypatch.setattr("os.geteuid", lambda: default_socket.stat().st_uid + 1)
        assert read_settings({}).embedder is None


def test_what_is_no_socket_is_no_embedder(default_socket: Path) -> None:
    default_socket.write_text("")
    assert read_settings({}).embedder is None
    default_socket.unlink()
    elsewhere = default_socket.with_name("elsewhere")
    with listening(elsewhere):
        default_socket.symlink_to(elsewhere)
        assert read_settings({}).embedder is None


def test_the_embedders_variables_are_read() -> None:
    env = {
        "LCG_EMBEDDING_URL": "https://host/v1/embeddings",
        "LCG_EMBEDDING_MODEL": "some/model",
        "LCG_EMBEDDING_DIM": "768",
        "LCG_EMBEDDING_API_KEY": "sk-secret",
        "LCG_EMBEDDING_TIMEOUT_MS": "1500",
    }
    settings = read_settings(env)
    assert settings.embedder == EmbedderSettings(
        "https://host/v1/embeddings", None, "some/model", 768, "sk-secret", 1.5
    )
    assert "sk-secret" not in repr(settings)
    assert settings.notes == ()
    old = {
        name.replace("LCG_", "GRAPHITI_"): value for name, value in env.items() if name[14:] in ("URL", "MODEL", "DIM")
    }
    settings = read_settings(old)
    assert settings.embedder == EmbedderSettings("https://host/v1/embeddings", None, "some/model", 768)
    assert len(settings.notes) == 3


@pytest.mark.parametrize(
    ("name", "value", "legal"),
    [
        ("LCG_EMBEDDING_URL", "localhost:80", "full http:// or https:// URL"),
        ("LCG_EMBEDDING_DIM", "0", "at least 1"),
        ("LCG_EMBEDDING_TIMEOUT_MS", "0", "at least 1"),
        ("LCG_EMBEDDING_API_KEY", "two words", "copy it once more"),
    ],
)
def test_what_cannot_be_right_about_an_embedder_ends_the_start(name: str, value: str, legal: str) -> None:
    with pytest.raises(UsageError, match=legal) as caught:
        read_settings({name: value})
    assert name in str(caught.value)
    assert "two words" not in str(caught.value)


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
        engine="kuzu",
        telemetry=False,
        auto_hydrate=False,
        migration_keep_backup=True,
    )


def test_an_engine_that_is_not_installed_is_named_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lcg.engines.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"LCG_ENGINE is 'ladybug'.*pip install 'lcg\[ladybug\]'.*unset LCG_ENGINE"):
        read_settings({"LCG_ENGINE": "ladybug"})


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
    notes = read_settings({"LCG_REPLAY_BATCH_SIZE": "5", "LIMINIS_DEDUP_HYBRID_THRESHOLD": "7"}).notes
    assert len(notes) == 2
    assert not any("tokens" in note for note in notes)


@pytest.mark.parametrize(("value", "used"), [("", 8000), ("12", 12), ("0", 8000), ("-4", 8000), ("many", 8000)])
def test_the_advisory_length_of_chunks_is_read_on_every_call(
    value: str, used: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LCG_CHUNK_TEXT_ADVISORY_MAX_CHARS", value)
    assert chunk_text_advisory_max_chars() == used

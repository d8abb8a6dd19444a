"""The flags and variables of the contract, typed by hand: names, defaults, bounds, old names, what excludes what."""

import pytest

from lcg.generated import config

pytestmark = pytest.mark.page

FLAGS = """
    --mcp-stdio --http --scope --profile --connect --allow-remote-close --embedder-uds --embedder-http
    --extractor --extractor-uds --extractor-http --help --version
"""
ADDED = {"--workspace"}
"""What the program has beyond the contract."""
WITHOUT_VALUE = {"--mcp-stdio", "--allow-remote-close", "--help", "--version"}

DEFAULTS: dict[str, object] = {
    "LCG_SOCKET_PATH": ".lcg/service.sock",
    "LCG_DB_PATH": ".lcg/db/liminis.db",
    "LCG_WAL_DIR": ".lcg/wal",
    "LCG_WAL_MAX_EVENTS_PER_FILE": 10_000,
    "LCG_WAL_MAX_BYTES_PER_FILE": 5_242_880,
    "LCG_EMBEDDING_URL": None,
    "LCG_EMBEDDING_MODEL": "bge-base-en-v1.5",
    "LCG_EMBEDDING_DIM": None,
    "LCG_EMBEDDING_API_KEY": None,
    "LCG_EMBEDDING_TIMEOUT_MS": 30_000,
    "LCG_REEMBED_ON_UPDATE": False,
    "LCG_EXTRACTOR": None,
    "ANTHROPIC_API_KEY": None,
    "LCG_EXTRACTION_LLM": "claude-haiku-4-5-20251001",
    "LCG_EXTRACTION_URL": None,
    "LCG_EXTRACTION_MODEL": "local",
    "LCG_EXTRACTION_API_KEY": None,
    "LCG_EXTRACTION_MAX_TOKENS_CEILING": 32_768,
    "LCG_CHUNK_TEXT_ADVISORY_MAX_CHARS": 8_000,
    "LCG_RECORD_LLM": None,
    "LCG_REPLAY_LLM": None,
    "LCG_DEDUP_LLM": None,
    "LCG_DEDUP_ADAPTER_URL": "http://127.0.0.1:8767",
    "LIMINIS_DEDUP_HYBRID_THRESHOLD": 1_000,
    "LIMINIS_LLM_COST_TABLE_PATH": None,
    "LCG_CYPHER_ALLOW_FILES": False,
    "LCG_REPLAY_BATCH_SIZE": 64,
    "LCG_REPLAY_FAILURE_SAMPLES": 10,
    "LCG_REPLAY_LOG_INTERVAL_SECS": 30,
    "LCG_REPLAY_FIDELITY_THRESHOLD": 0,
    "LCG_MIGRATION_KEEP_BACKUP": False,
    "LCG_ENGINE": "kuzu",
    "LCG_TELEMETRY": True,
    "LCG_SHUTDOWN_TIMEOUT_MS": 5_000,
    "LCG_IDLE_EXIT_SECS": 900,
    "LCG_HTTP_TOKENS": None,
    "LCG_ATTACHED_CALL_TIMEOUT_MS": 30_000,
    "LIMINIS_WORKSPACE_ROOT": ".",
    "LCG_AUTO_HYDRATE": True,
}

OLD_NAMES = """
    SOCKET_PATH DB_PATH WAL_DIR EMBEDDING_URL EMBEDDING_MODEL EMBEDDING_DIM EXTRACTION_LLM DEDUP_LLM DEDUP_ADAPTER_URL
"""

# Variable: least, most, and what happens outside.
BOUNDS: dict[str, tuple[float, float | None, str]] = {
    "LCG_WAL_MAX_BYTES_PER_FILE": (0, None, "refuse"),
    "LCG_EXTRACTION_MAX_TOKENS_CEILING": (4096, None, "default"),
    "LCG_CHUNK_TEXT_ADVISORY_MAX_CHARS": (1, None, "default"),
    "LCG_REPLAY_BATCH_SIZE": (1, 256, "refuse"),
    "LCG_REPLAY_FIDELITY_THRESHOLD": (0, 1, "clamp"),
}


def test_the_flags_are_those_of_the_contract() -> None:
    assert {flag.name for flag in config.FLAGS} == set(FLAGS.split()) | ADDED
    assert {flag.name for flag in config.FLAGS if not flag.takes_value} == WITHOUT_VALUE
    assert {flag.name: flag.short for flag in config.FLAGS if flag.short} == {"--help": "-h", "--version": "-V"}


def test_what_excludes_what() -> None:
    assert {frozenset(names) for names in config.EXCLUSIVE} == {
        frozenset({"--mcp-stdio", "--http"}),
        frozenset({"--embedder-uds", "--embedder-http"}),
        frozenset({"--extractor", "--extractor-uds", "--extractor-http"}),
    }


@pytest.mark.parametrize(
    ("flag", "modes"),
    [
        ("--scope", {"mcp_stdio", "attached", "http"}),
        ("--profile", {"mcp_stdio", "attached", "http"}),
        ("--connect", {"attached"}),
        ("--allow-remote-close", {"attached"}),
    ],
)
def test_a_flag_belongs_to_the_modes_of_the_contract(flag: str, modes: set[str]) -> None:
    assert {known.name: set(known.modes or ()) for known in config.FLAGS}[flag] == modes


def test_variables_have_the_defaults_of_the_contract() -> None:
    found = {variable.name: variable.default for variable in config.VARIABLES}
    assert {name: default for name, default in found.items() if name in DEFAULTS} == DEFAULTS


def test_old_names_are_those_of_the_contract() -> None:
    found = {variable.name: variable.old_name for variable in config.VARIABLES if variable.old_name}
    assert found == {f"LCG_{name}": f"GRAPHITI_{name}" for name in OLD_NAMES.split()}


@pytest.mark.parametrize(("name", "bounds"), BOUNDS.items())
def test_a_number_has_the_bounds_of_the_contract(name: str, bounds: tuple[float, float | None, str]) -> None:
    found = {known.name: (known.minimum, known.maximum, known.outside) for known in config.VARIABLES}
    assert found[name] == bounds


def test_the_help_names_what_this_build_has_and_nothing_else() -> None:
    for flag in config.FLAGS:
        assert (flag.name in config.HELP.replace(",", " ").split()) is flag.available
    for variable in config.VARIABLES:
        assert (variable.name in config.HELP.split()) is variable.available

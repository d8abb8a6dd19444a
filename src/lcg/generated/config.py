# DO NOT EDIT. Renew with `make gen`.
# Source: spec/config.yaml (sha256 3cece33ef645bb6438d4ba1f73c7802a4014f8c055db456daffb87bca9c5defb)
# Template: codegen/templates/config.py.j2
"""Every flag and every variable of the program: names, defaults and bounds; and the text of `--help`."""

from typing import Final

from lcg.runtime.configuration import Flag, Mode, Variable

USAGE: Final = """\
usage: lcg [--embedder-uds PATH] [--embedder-http URL] [--extractor builtin] [--extractor-uds PATH] [--extractor-http URL] [--workspace DIR]
       lcg --mcp-stdio [--scope LIST] [--profile NAME] [--embedder-uds PATH] [--embedder-http URL] [--extractor builtin] [--extractor-uds PATH] [--extractor-http URL] [--workspace DIR]
       lcg --mcp-stdio --connect auto|PATH [--allow-remote-close] [--scope LIST] [--profile NAME] [--workspace DIR]
       lcg --http HOST:PORT [--scope LIST] [--profile NAME] [--embedder-uds PATH] [--embedder-http URL] [--extractor builtin] [--extractor-uds PATH] [--extractor-http URL] [--workspace DIR]
       lcg verify [--group G] [--json]
       lcg restore (--mark NAME | --seq N) [--group G] [--yes]
       lcg mcp-config CLIENT [--write] [--user] [--workspace DIR] [OPTION ...]
       lcg token (add NAME --scope LIST | list | remove NAME) [--file PATH]
       lcg status [--group G] [--json]
       lcg doctor [--deep] [--json]
       lcg search WORD... [--only KIND] [--group G] [--json] [OPTION ...]
       lcg ask QUESTION... [--budget N] [--group G] [--json] [OPTION ...]
       lcg show NAME... [--group G] [--json] [OPTION ...]
       lcg view [--port N] [--no-open] [--group G]
       lcg groups [--group G] [--json]
       lcg marks [--group G] [--json]
       lcg tail [--lines N] [--follow] [--group G] [--json]
       lcg ingest PATH... [--sync] [--dry-run] [--group G] [OPTION ...]
       lcg export PATH|- [--format NAME] [--group G] [--force]
       lcg import FILE|- [--dry-run] [--group G] [--uuids RULE] [OPTION ...]
       lcg call METHOD [JSON | - | @FILE] [--socket PATH]
       lcg --help | --version
"""
"""The short form of the help, which follows a usage error."""

HELP: Final = """\
usage: lcg [--embedder-uds PATH] [--embedder-http URL] [--extractor builtin] [--extractor-uds PATH] [--extractor-http URL] [--workspace DIR]
       lcg --mcp-stdio [--scope LIST] [--profile NAME] [--embedder-uds PATH] [--embedder-http URL] [--extractor builtin] [--extractor-uds PATH] [--extractor-http URL] [--workspace DIR]
       lcg --mcp-stdio --connect auto|PATH [--allow-remote-close] [--scope LIST] [--profile NAME] [--workspace DIR]
       lcg --http HOST:PORT [--scope LIST] [--profile NAME] [--embedder-uds PATH] [--embedder-http URL] [--extractor builtin] [--extractor-uds PATH] [--extractor-http URL] [--workspace DIR]
       lcg verify [--group G] [--json]
       lcg restore (--mark NAME | --seq N) [--group G] [--yes]
       lcg mcp-config CLIENT [--write] [--user] [--workspace DIR] [OPTION ...]
       lcg token (add NAME --scope LIST | list | remove NAME) [--file PATH]
       lcg status [--group G] [--json]
       lcg doctor [--deep] [--json]
       lcg search WORD... [--only KIND] [--group G] [--json] [OPTION ...]
       lcg ask QUESTION... [--budget N] [--group G] [--json] [OPTION ...]
       lcg show NAME... [--group G] [--json] [OPTION ...]
       lcg view [--port N] [--no-open] [--group G]
       lcg groups [--group G] [--json]
       lcg marks [--group G] [--json]
       lcg tail [--lines N] [--follow] [--group G] [--json]
       lcg ingest PATH... [--sync] [--dry-run] [--group G] [OPTION ...]
       lcg export PATH|- [--format NAME] [--group G] [--force]
       lcg import FILE|- [--dry-run] [--group G] [--uuids RULE] [OPTION ...]
       lcg call METHOD [JSON | - | @FILE] [--socket PATH]
       lcg --help | --version

A local-first context graph server. The current directory is the workspace; everything is kept in
.lcg/ there. Without --mcp-stdio it serves a Unix socket (.lcg/service.sock) until SIGTERM, SIGINT
or knowledge_close. With --connect it opens nothing and serves the graph of a service that is
running; `--connect auto` starts that one too.

sub-commands:
  verify                  compare log, store and search indexes; nothing is changed
  restore                 take a group back to a mark or a line of its log
  mcp-config              print, or write, what an MCP client has to be told
  token                   make, list and remove bearer tokens of --http
  status                  show what the graph holds and how it is doing
  doctor                  look at everything that lcg needs, with a remedy for each problem
  search                  find entities, facts and passages
  ask                     collect what bears on a question, ready to paste
  show                    show one entity with its facts, neighbours and sources
  view                    show the graph in a browser
  groups                  list the groups and what is in each
  marks                   list the marks that restore can go back to
  tail                    show the last lines of the logs, readable
  ingest                  read documents into the graph
  export                  write the graph to a file or folder for other programs
  import                  take rows of a file into the graph
  call                    call any method and write its result as JSON

options:
  --mcp-stdio             serve MCP over stdin and stdout
  --http HOST:PORT        serve MCP over HTTP at /mcp
  --connect auto|PATH     forward every call to the owner, or to the service at PATH
  --allow-remote-close    let knowledge_close stop that service
  --scope LIST            tools to show: read,write,cypher,admin or all (default: all)
  --profile NAME          narrow the tools further: core, all (default: all)
  --embedder-uds PATH     embedder on a Unix socket
  --embedder-http URL     embedder over HTTP
  --extractor builtin     extract with the built-in rules
  --extractor-uds PATH    extractor on a Unix socket
  --extractor-http URL    extractor over HTTP
  --workspace DIR         go to this directory first; it is the workspace
  -h, --help              print this text
  -V, --version           print the version

environment (a flag beats its variable; an empty value counts as unset):
  LCG_SOCKET_PATH                  socket of the service (.lcg/service.sock)
  LCG_DB_PATH                      the store (.lcg/db/liminis.db)
  LIMINIS_WORKSPACE_ROOT           where the ontology and corrections files are (.)
  LCG_ENGINE                       engine of the store (kuzu)
  LCG_AUTO_HYDRATE                 0: a missing or unreadable store is not rebuilt at start
  LCG_CYPHER_ALLOW_FILES           1: Cypher may use files and extensions
  LCG_MIGRATION_KEEP_BACKUP        1: the migration of a workspace keeps .graphiti.bak
  LCG_WAL_DIR                      root of the logs, one directory for each group (.lcg/wal)
  LCG_WAL_MAX_EVENTS_PER_FILE      lines after which a log begins a new file (10000)
  LCG_WAL_MAX_BYTES_PER_FILE       bytes after which it does; 0: no such bound (5242880)
  LCG_REPLAY_FAILURE_SAMPLES       examples of lost lines that a rebuild shows (10)
  LCG_REPLAY_FIDELITY_THRESHOLD    share of lost lines above which a rebuild warns (0)
  LCG_SHUTDOWN_TIMEOUT_MS          bound of a clean end, answers due included (5000)
  LCG_TELEMETRY                    0: no telemetry lines on stderr
  LCG_ATTACHED_CALL_TIMEOUT_MS     silence after which an attached process gives a call up (30000)
  LCG_IDLE_EXIT_SECS               a service that `--connect auto` started ends after so long
                                   without a client (900)
  LCG_HTTP_TOKENS                  file of bearer tokens and their scopes
  LCG_HTTP_HOSTS                   more names by which clients call the HTTP server
  LCG_HTTP_METRICS                 1: /metrics answers in the format of Prometheus
  LCG_HTTP_MAX_REQUEST_BYTES       bytes of the body of an HTTP request (4194304)
  LIMINIS_LLM_COST_TABLE_PATH      prices for telemetry, as JSON
  LCG_EMBEDDING_URL                full URL of a remote embedder
  LCG_EMBEDDING_MODEL              its model (bge-base-en-v1.5)
  LCG_EMBEDDING_DIM                length of its vectors
  LCG_EMBEDDING_API_KEY            its bearer token
  LCG_EMBEDDING_TIMEOUT_MS         bound of one request to it (30000)
  LCG_REEMBED_ON_UPDATE            1: an update of a row also renews its vectors
  LCG_EXTRACTOR                    builtin: extract with the built-in rules
  ANTHROPIC_API_KEY                extract with Anthropic's models
  ANTHROPIC_BASE_URL               where they are, before `/v1/messages` (https://api.anthropic.com)
  LCG_EXTRACTION_LLM               the model of Anthropic (claude-haiku-4-5-20251001)
  LCG_EXTRACTION_URL               full URL of another extractor
  LCG_EXTRACTION_MODEL             its model (local)
  LCG_EXTRACTION_API_KEY           its bearer token
  LCG_EXTRACTION_TIMEOUT_MS        bound of one request to an extractor (300000)
  LCG_EXTRACTION_MAX_TOKENS_CEILING
                                   most tokens of one answer of an extractor (32768)
  LCG_CHUNK_TEXT_ADVISORY_MAX_CHARS
                                   length above which a chunk gets a warning (8000)
  LCG_RECORD_LLM                   file to record requests and answers in
  LCG_REPLAY_LLM                   file to take recorded answers from
  LCG_DEDUP_LLM                    anything: ask the adapter which names mean the same
  LCG_DEDUP_ADAPTER_URL            where the adapter is (http://127.0.0.1:8767)

exit status:
  0  help, version, clean end
  1  fatal start: the workspace has an owner, the socket cannot be bound, no service answers
  2  usage error; stderr says which
"""
"""What `--help` prints."""

MODES: Final = (
    Mode("service", None, None),
    Mode("mcp_stdio", "--mcp-stdio", None),
    Mode("attached", "--connect", "mcp_stdio"),
    Mode("http", "--http", None),
)
"""What the program can be."""

FLAGS: Final = (
    Flag("--mcp-stdio", None, False, (), ("mcp_stdio", "attached"), True, True),
    Flag("--http", None, True, (), ("http",), True, True),
    Flag("--connect", None, True, (), ("attached",), True, True),
    Flag("--allow-remote-close", None, False, (), ("attached",), False, True),
    Flag("--scope", None, True, (), ("mcp_stdio", "attached", "http"), True, True),
    Flag("--profile", None, True, (), ("mcp_stdio", "attached", "http"), True, True),
    Flag("--embedder-uds", None, True, (), ("service", "mcp_stdio", "http"), False, True),
    Flag("--embedder-http", None, True, (), ("service", "mcp_stdio", "http"), False, True),
    Flag("--extractor", None, True, ("builtin",), ("service", "mcp_stdio", "http"), False, True),
    Flag("--extractor-uds", None, True, (), ("service", "mcp_stdio", "http"), False, True),
    Flag("--extractor-http", None, True, (), ("service", "mcp_stdio", "http"), False, True),
    Flag("--workspace", None, True, (), None, True, True),
    Flag("--help", "-h", False, (), None, True, True),
    Flag("--version", "-V", False, (), None, True, True),
)
"""Every flag, with those that this build does not have yet."""

EXCLUSIVE: Final[tuple[tuple[str, ...], ...]] = (
    ("--mcp-stdio", "--http"),
    ("--embedder-uds", "--embedder-http"),
    ("--extractor", "--extractor-uds", "--extractor-http"),
)
"""Sets of flags of which at most one may be given."""

COMMANDS: Final[tuple[str, ...]] = (
    "verify",
    "restore",
    "mcp-config",
    "token",
    "status",
    "doctor",
    "search",
    "ask",
    "show",
    "view",
    "groups",
    "marks",
    "tail",
    "ingest",
    "export",
    "import",
    "call",
)
"""The sub-commands; each stands before everything else."""

CLIENT_ARGUMENTS: Final[tuple[str, ...]] = (
    "--mcp-stdio",
    "--connect",
    "auto",
    "--scope=read,write",
    "--extractor",
    "builtin",
)
"""What an MCP client starts the program with; the workspace comes behind it."""

LOCK_PLACE: Final = ".lcg/lock"
"""Held by the owner of the workspace; it holds that process's id."""

SERVICE_LOG_PLACE: Final = ".lcg/service.log"
"""What a service says that `--connect auto` started; at 5 MB it becomes service.log.1."""

SEARCH_PLACE: Final = ".lcg/search"
"""Full text, vectors and their positions; made anew when it is lost."""

LCG_SOCKET_PATH: Final[Variable[str]] = Variable(
    "LCG_SOCKET_PATH", ".lcg/service.sock", old_name="GRAPHITI_SOCKET_PATH"
)
"""Socket of the service."""

LCG_DB_PATH: Final[Variable[str]] = Variable("LCG_DB_PATH", ".lcg/db/liminis.db", old_name="GRAPHITI_DB_PATH")
"""The store."""

LIMINIS_WORKSPACE_ROOT: Final[Variable[str]] = Variable("LIMINIS_WORKSPACE_ROOT", ".")
"""Where the ontology and corrections files are."""

LCG_ENGINE: Final[Variable[str]] = Variable("LCG_ENGINE", "kuzu", words=("kuzu", "ladybug"))
"""Engine of the store."""

LCG_AUTO_HYDRATE: Final[Variable[bool]] = Variable("LCG_AUTO_HYDRATE", True)
"""0: a missing or unreadable store is not rebuilt at start."""

LCG_CYPHER_ALLOW_FILES: Final[Variable[bool]] = Variable("LCG_CYPHER_ALLOW_FILES", False)
"""1: Cypher may use files and extensions."""

LCG_MIGRATION_KEEP_BACKUP: Final[Variable[bool]] = Variable("LCG_MIGRATION_KEEP_BACKUP", False, words=("true",))
"""1: the migration of a workspace keeps .graphiti.bak."""

LCG_WAL_DIR: Final[Variable[str]] = Variable("LCG_WAL_DIR", ".lcg/wal", old_name="GRAPHITI_WAL_DIR")
"""Root of the logs, one directory for each group."""

LCG_WAL_MAX_EVENTS_PER_FILE: Final[Variable[int]] = Variable("LCG_WAL_MAX_EVENTS_PER_FILE", 10000, minimum=1)
"""Lines after which a log begins a new file."""

LCG_WAL_MAX_BYTES_PER_FILE: Final[Variable[int]] = Variable("LCG_WAL_MAX_BYTES_PER_FILE", 5242880)
"""Bytes after which it does; 0: no such bound."""

LCG_REPLAY_BATCH_SIZE: Final[Variable[int]] = Variable(
    "LCG_REPLAY_BATCH_SIZE", 64, minimum=1, maximum=256, available=False
)
"""Rows of a batch when a log is replayed."""

LCG_REPLAY_FAILURE_SAMPLES: Final[Variable[int]] = Variable("LCG_REPLAY_FAILURE_SAMPLES", 10)
"""Examples of lost lines that a rebuild shows."""

LCG_REPLAY_LOG_INTERVAL_SECS: Final[Variable[int]] = Variable("LCG_REPLAY_LOG_INTERVAL_SECS", 30, available=False)
"""Seconds between the progress lines of a replay."""

LCG_REPLAY_FIDELITY_THRESHOLD: Final[Variable[float]] = Variable(
    "LCG_REPLAY_FIDELITY_THRESHOLD", 0, maximum=1, outside="clamp"
)
"""Share of lost lines above which a rebuild warns."""

LCG_SHUTDOWN_TIMEOUT_MS: Final[Variable[int]] = Variable("LCG_SHUTDOWN_TIMEOUT_MS", 5000, minimum=1)
"""Bound of a clean end, answers due included."""

LCG_TELEMETRY: Final[Variable[bool]] = Variable("LCG_TELEMETRY", True)
"""0: no telemetry lines on stderr."""

LCG_ATTACHED_CALL_TIMEOUT_MS: Final[Variable[int]] = Variable("LCG_ATTACHED_CALL_TIMEOUT_MS", 30000, minimum=1)
"""Silence after which an attached process gives a call up."""

LCG_IDLE_EXIT_SECS: Final[Variable[int]] = Variable("LCG_IDLE_EXIT_SECS", 900, minimum=1)
"""A service that `--connect auto` started ends after so long without a client."""

LCG_HTTP_TOKENS: Final[Variable[str | None]] = Variable("LCG_HTTP_TOKENS", None)
"""File of bearer tokens and their scopes."""

LCG_HTTP_HOSTS: Final[Variable[str | None]] = Variable("LCG_HTTP_HOSTS", None)
"""More names by which clients call the HTTP server."""

LCG_HTTP_METRICS: Final[Variable[bool]] = Variable("LCG_HTTP_METRICS", False)
"""1: /metrics answers in the format of Prometheus."""

LCG_HTTP_MAX_REQUEST_BYTES: Final[Variable[int]] = Variable("LCG_HTTP_MAX_REQUEST_BYTES", 4194304, minimum=1024)
"""Bytes of the body of an HTTP request."""

LIMINIS_LLM_COST_TABLE_PATH: Final[Variable[str | None]] = Variable("LIMINIS_LLM_COST_TABLE_PATH", None)
"""Prices for telemetry, as JSON."""

LCG_EMBEDDING_URL: Final[Variable[str | None]] = Variable("LCG_EMBEDDING_URL", None, old_name="GRAPHITI_EMBEDDING_URL")
"""Full URL of a remote embedder."""

LCG_EMBEDDING_MODEL: Final[Variable[str]] = Variable(
    "LCG_EMBEDDING_MODEL", "bge-base-en-v1.5", old_name="GRAPHITI_EMBEDDING_MODEL"
)
"""Its model."""

LCG_EMBEDDING_DIM: Final[Variable[int | None]] = Variable(
    "LCG_EMBEDDING_DIM", None, minimum=1, old_name="GRAPHITI_EMBEDDING_DIM"
)
"""Length of its vectors."""

LCG_EMBEDDING_API_KEY: Final[Variable[str | None]] = Variable("LCG_EMBEDDING_API_KEY", None)
"""Its bearer token."""

LCG_EMBEDDING_TIMEOUT_MS: Final[Variable[int]] = Variable("LCG_EMBEDDING_TIMEOUT_MS", 30000, minimum=1)
"""Bound of one request to it."""

LCG_REEMBED_ON_UPDATE: Final[Variable[bool]] = Variable("LCG_REEMBED_ON_UPDATE", False)
"""1: an update of a row also renews its vectors."""

LCG_EXTRACTOR: Final[Variable[str | None]] = Variable("LCG_EXTRACTOR", None, words=("builtin",))
"""Builtin: extract with the built-in rules."""

ANTHROPIC_API_KEY: Final[Variable[str | None]] = Variable("ANTHROPIC_API_KEY", None)
"""Extract with Anthropic's models."""

ANTHROPIC_BASE_URL: Final[Variable[str]] = Variable("ANTHROPIC_BASE_URL", "https://api.anthropic.com")
"""Where they are, before `/v1/messages`."""

LCG_EXTRACTION_LLM: Final[Variable[str]] = Variable(
    "LCG_EXTRACTION_LLM", "claude-haiku-4-5-20251001", old_name="GRAPHITI_EXTRACTION_LLM"
)
"""The model of Anthropic."""

LCG_EXTRACTION_URL: Final[Variable[str | None]] = Variable("LCG_EXTRACTION_URL", None)
"""Full URL of another extractor."""

LCG_EXTRACTION_MODEL: Final[Variable[str]] = Variable("LCG_EXTRACTION_MODEL", "local")
"""Its model."""

LCG_EXTRACTION_API_KEY: Final[Variable[str | None]] = Variable("LCG_EXTRACTION_API_KEY", None)
"""Its bearer token."""

LCG_EXTRACTION_TIMEOUT_MS: Final[Variable[int]] = Variable("LCG_EXTRACTION_TIMEOUT_MS", 300000, minimum=1)
"""Bound of one request to an extractor."""

LCG_EXTRACTION_MAX_TOKENS_CEILING: Final[Variable[int]] = Variable(
    "LCG_EXTRACTION_MAX_TOKENS_CEILING", 32768, minimum=4096, outside="default"
)
"""Most tokens of one answer of an extractor."""

LCG_CHUNK_TEXT_ADVISORY_MAX_CHARS: Final[Variable[int]] = Variable(
    "LCG_CHUNK_TEXT_ADVISORY_MAX_CHARS", 8000, minimum=1, outside="default"
)
"""Length above which a chunk gets a warning."""

LCG_RECORD_LLM: Final[Variable[str | None]] = Variable("LCG_RECORD_LLM", None)
"""File to record requests and answers in."""

LCG_REPLAY_LLM: Final[Variable[str | None]] = Variable("LCG_REPLAY_LLM", None)
"""File to take recorded answers from."""

LCG_DEDUP_LLM: Final[Variable[str | None]] = Variable("LCG_DEDUP_LLM", None, old_name="GRAPHITI_DEDUP_LLM")
"""Anything: ask the adapter which names mean the same."""

LCG_DEDUP_ADAPTER_URL: Final[Variable[str]] = Variable(
    "LCG_DEDUP_ADAPTER_URL", "http://127.0.0.1:8767", old_name="GRAPHITI_DEDUP_ADAPTER_URL"
)
"""Where the adapter is."""

LIMINIS_DEDUP_HYBRID_THRESHOLD: Final[Variable[int]] = Variable("LIMINIS_DEDUP_HYBRID_THRESHOLD", 1000, available=False)
"""Entities of a group from which candidates come from the indexes."""

VARIABLES: Final = (
    LCG_SOCKET_PATH,
    LCG_DB_PATH,
    LIMINIS_WORKSPACE_ROOT,
    LCG_ENGINE,
    LCG_AUTO_HYDRATE,
    LCG_CYPHER_ALLOW_FILES,
    LCG_MIGRATION_KEEP_BACKUP,
    LCG_WAL_DIR,
    LCG_WAL_MAX_EVENTS_PER_FILE,
    LCG_WAL_MAX_BYTES_PER_FILE,
    LCG_REPLAY_BATCH_SIZE,
    LCG_REPLAY_FAILURE_SAMPLES,
    LCG_REPLAY_LOG_INTERVAL_SECS,
    LCG_REPLAY_FIDELITY_THRESHOLD,
    LCG_SHUTDOWN_TIMEOUT_MS,
    LCG_TELEMETRY,
    LCG_ATTACHED_CALL_TIMEOUT_MS,
    LCG_IDLE_EXIT_SECS,
    LCG_HTTP_TOKENS,
    LCG_HTTP_HOSTS,
    LCG_HTTP_METRICS,
    LCG_HTTP_MAX_REQUEST_BYTES,
    LIMINIS_LLM_COST_TABLE_PATH,
    LCG_EMBEDDING_URL,
    LCG_EMBEDDING_MODEL,
    LCG_EMBEDDING_DIM,
    LCG_EMBEDDING_API_KEY,
    LCG_EMBEDDING_TIMEOUT_MS,
    LCG_REEMBED_ON_UPDATE,
    LCG_EXTRACTOR,
    ANTHROPIC_API_KEY,
    ANTHROPIC_BASE_URL,
    LCG_EXTRACTION_LLM,
    LCG_EXTRACTION_URL,
    LCG_EXTRACTION_MODEL,
    LCG_EXTRACTION_API_KEY,
    LCG_EXTRACTION_TIMEOUT_MS,
    LCG_EXTRACTION_MAX_TOKENS_CEILING,
    LCG_CHUNK_TEXT_ADVISORY_MAX_CHARS,
    LCG_RECORD_LLM,
    LCG_REPLAY_LLM,
    LCG_DEDUP_LLM,
    LCG_DEDUP_ADAPTER_URL,
    LIMINIS_DEDUP_HYBRID_THRESHOLD,
)
"""Every variable, with those that this build does not use yet."""

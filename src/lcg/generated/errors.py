# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/errors.py.j2
"""Error codes, error kinds and warning types. The classes that carry them are in `lcg.errors`."""

from enum import IntEnum, StrEnum


class ErrorCode(IntEnum):
    """`error.code` of an answer."""

    PARSE_ERROR = -32700
    """The line is no JSON: bad syntax or UTF-8, NaN or Infinity, a number beyond a double, a lone surrogate."""

    INVALID_REQUEST = -32600
    """JSON, but no request of JSON-RPC 2.0: a scalar, a batch, or a member that is missing or mistyped."""

    METHOD_NOT_FOUND = -32601
    """No method of that name; the nearest name is suggested."""

    INVALID_PARAMS = -32602
    """A parameter is missing, unknown, of the wrong type or outside its set; over MCP also a hidden tool."""

    INTERNAL_ERROR = -32603
    """A fault of the service. The message holds a reference under which the log has the details."""

    OPERATION_FAILED = -32000
    """The call was well formed but could not be carried out. The message says what to do next."""

    UNAVAILABLE = -32001
    """The store is not open and will not open on its own: read knowledge_status, run a recovery method."""


class ErrorKind(StrEnum):
    """`error.data.kind`: a stable word for programs, a closed set."""

    NOT_FOUND = "not_found"
    """A record, mark, file or log that the call names does not exist."""

    CONFLICT = "conflict"
    """A name or key is taken already, or two group ids differ by letter case only."""

    PRECONDITION = "precondition"
    """A state or confirmation that the call needs is missing, or the engine refused the query."""

    UNAVAILABLE = "unavailable"
    """The store or the attached service cannot be reached, or the log cannot be trusted now."""

    UNCONFIGURED = "unconfigured"
    """A provider or a setting that the call needs is not configured."""

    PROVIDER_FAILED = "provider_failed"
    """The embedder or the extractor answered with an error, or not at all."""

    CANCELLED = "cancelled"
    """The client or a shutdown stopped the call. What was committed before stays."""

    BUSY = "busy"
    """Another run holds what the call needs; wait for it, then call again."""

    GENERATION_UNKNOWN = "generation_unknown"
    """A position is recorded, but the identity file of the group's log is gone or damaged."""

    LIMIT = "limit"
    """Too large, too many rows, or out of time."""

    IO = "io"
    """The disk or a socket failed."""


class WarningType(StrEnum):
    """`type` of an entry in `warnings` of a result."""

    WAL_AHEAD = "wal_ahead"
    """A group's log holds lines that the graph does not show yet."""

    CHUNK_TEXT_OVERSIZED = "chunk_text_oversized"
    """The text is longer than the advised size of a chunk; it was taken whole."""

    EMBEDDING_MODEL_MISMATCH = "embedding_model_mismatch"
    """The store holds vectors of another model, which this search cannot use."""

    EMBEDDING_UNAVAILABLE = "embedding_unavailable"
    """The embedder did not answer; full text alone was searched, or rows have no vector."""

    VECTORS_MISSING = "vectors_missing"
    """Some rows have no vector of the current model, so meaning alone cannot find them."""

    ATTRIBUTES_NOT_OBJECT = "attributes_not_object"
    """Attributes that are no JSON object were not stored."""

    PURGE_IN_RANGE = "purge_in_range"
    """The replayed range holds a purge, which was applied."""

    PURGE_SKIPPED = "purge_skipped"
    """The last record of the log is a purge; the rebuild stopped before it."""

    UNLOGGED_MUTATIONS = "unlogged_mutations"
    """Cypher changed rows that no log knows of; a rebuild loses those changes."""

    DUPLICATE_NAME = "duplicate_name"
    """Several live entities share the name; the oldest was taken."""

    EDGES_DROPPED = "edges_dropped"
    """Extracted relationships had an end that no entity matches and were not stored."""

    LARGE_RESULT = "large_result"
    """The result is longer than 100,000 characters; ask for fewer rows."""

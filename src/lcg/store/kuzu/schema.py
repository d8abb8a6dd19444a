"""The tables of the store, and the version that says which build can read them.

Bookkeeping tables live in the engine's internal catalog, which only connections that ask for it can see: a pattern
without a label, as in `MATCH (n)`, would otherwise return (and one day delete) the recorded positions.
"""

from lcg.store.kuzu.rows import EDGE, ENTITY, EPISODE, TEXTS, Table

SCHEMA_VERSION = "1"
SCHEMA_VERSION_KEY = "schema_version"

POSITIONS = "_Position"
META = "_Meta"
BOOKKEEPING = frozenset({POSITIONS, META})

SHOW_BOOKKEEPING = "CALL enable_internal_catalog=true"
"""Lets one connection see the bookkeeping tables; whatever table it makes from now on is such a one.

A pattern without a label fails on that connection.
"""


def _node_table(table: Table) -> str:  # type: ignore[type-arg]
    columns = [f"{column.name} {column.type}" for column in table.columns]
    columns += [f"{table.derived} {TEXTS}"] if table.derived else []
    return f"CREATE NODE TABLE IF NOT EXISTS {table.label}({', '.join(columns)}, PRIMARY KEY(uuid))"


GRAPH_TABLES = (
    _node_table(ENTITY),
    _node_table(EPISODE),
    _node_table(EDGE),
    "CREATE REL TABLE IF NOT EXISTS RELATES_TO(FROM Entity TO RelatesToNode_, FROM RelatesToNode_ TO Entity)",
    "CREATE REL TABLE IF NOT EXISTS MENTIONS(FROM Episodic TO Entity, group_id STRING)",
)
BOOKKEEPING_TABLES = (
    f"CREATE NODE TABLE IF NOT EXISTS {POSITIONS}"
    "(group_id STRING, applied_seq INT64, generation STRING, digest STRING, PRIMARY KEY(group_id))",
    f"CREATE NODE TABLE IF NOT EXISTS {META}(key STRING, value STRING, PRIMARY KEY(key))",
)

"""The Kùzu store: schema, statements, transactions, guarded Cypher."""

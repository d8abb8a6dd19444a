"""Reading the log of the reference implementation: Cypher statements in, whole-row operations out."""

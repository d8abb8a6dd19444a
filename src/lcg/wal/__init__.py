"""The append-only JSONL log, which is the truth. Knows nothing of the store."""

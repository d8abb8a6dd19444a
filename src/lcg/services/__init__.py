"""Work that is larger than one handler: ingestion, assertions, long passes."""

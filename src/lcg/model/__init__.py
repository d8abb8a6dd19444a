"""What every layer shares: rows, operations, times, names, identifiers."""

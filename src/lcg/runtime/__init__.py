"""What generated code needs at run time: decoding, group rules, call context, JSON types."""

"""The scenarios of the bench program, one in a module."""

"""DO NOT EDIT: rendered from spec/ by `make gen`."""

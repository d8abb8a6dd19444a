"""One module per category of the registry; each handler turns typed params into a result."""

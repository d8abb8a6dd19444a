"""Graph stores behind one protocol: an in-memory one for tests, and Kùzu."""

"""The clients of other people, each in an environment of its own, against the real program: `make clients`."""

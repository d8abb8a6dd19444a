"""The types that a workspace declares: what they are, how their files are read, and what rows were made by them."""

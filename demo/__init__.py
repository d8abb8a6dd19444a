"""`make demo`: the whole way from documents to answers, through a real MCP client. Not part of the package."""

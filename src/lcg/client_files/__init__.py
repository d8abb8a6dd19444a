"""The configuration files of MCP clients: where they are, what stands in them of this program, how it is put there."""

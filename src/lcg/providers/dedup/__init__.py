"""Asking another program whether two entities are one."""

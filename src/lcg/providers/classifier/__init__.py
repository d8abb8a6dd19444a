"""What chooses types for entities and facts that are stored already."""

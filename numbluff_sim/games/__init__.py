"""The games and their registry."""

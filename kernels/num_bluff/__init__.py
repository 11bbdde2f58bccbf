"""NUM BLUFF in lanes: 64 games at a time."""

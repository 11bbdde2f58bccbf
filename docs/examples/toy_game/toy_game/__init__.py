"""High card: everybody draws a card, the highest wins a point."""

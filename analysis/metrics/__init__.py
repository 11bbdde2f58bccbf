"""What the metrics of all games share: reading tallies, seats, names in words."""

"""What a game gives to the program, and where games are found."""

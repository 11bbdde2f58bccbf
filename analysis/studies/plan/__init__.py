"""How many games an answer needs: what was planned."""

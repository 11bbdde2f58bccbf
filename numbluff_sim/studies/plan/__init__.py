"""`plan`: how many games an answer needs."""

"""Single rounds and games, looked at closely: the rules calculator and replay."""

"""What it brings one player to do something or to leave it: effects, findings, page."""

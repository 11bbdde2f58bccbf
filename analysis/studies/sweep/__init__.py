"""The points of a design: what was found, and its page."""

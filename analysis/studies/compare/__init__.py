"""Differences between configurations on the same deals: what was found, and its page."""

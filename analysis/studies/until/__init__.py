"""Runs that stop themselves: what was asked and reached."""

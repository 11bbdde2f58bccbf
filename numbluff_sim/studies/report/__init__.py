"""`report`: runs and comparisons on one page."""

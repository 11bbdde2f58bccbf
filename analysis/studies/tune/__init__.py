"""The smallest change that meets all targets: what was found, and its page."""

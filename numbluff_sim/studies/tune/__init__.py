"""`tune`: the smallest change within bounds that meets all targets."""

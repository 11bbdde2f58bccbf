"""NUM BLUFF: configuration, rules, engine, rows and words."""

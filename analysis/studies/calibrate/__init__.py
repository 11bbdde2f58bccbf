"""Which rulings and ways of playing agree with given rates: what was found, and its page."""

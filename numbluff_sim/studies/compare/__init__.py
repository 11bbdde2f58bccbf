"""`compare`, `rulings`, `knockout`: variants of a base on the same deals."""

"""`calibrate`: which rulings and ways of playing reproduce given rates."""

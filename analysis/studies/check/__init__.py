"""Claims, and the baselines that hold them."""

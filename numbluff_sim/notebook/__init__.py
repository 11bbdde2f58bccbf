"""What the Python interface hands out: results with data frames, pictures and a look of their own in a notebook."""

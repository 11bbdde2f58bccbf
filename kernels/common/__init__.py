"""What the kernels of all games share: compiler options, lanes, random numbers, dealing."""

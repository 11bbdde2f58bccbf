"""What-ifs measured: paired differences, targets, sensitivity, and their pages. Knows no game."""

"""What-ifs: everything that plays more than one configuration."""

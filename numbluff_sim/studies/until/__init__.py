"""`simulate --until`: runs that stop themselves."""

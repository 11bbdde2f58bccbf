"""`check`: claims against fresh runs."""

"""Studies: everything that plays more than one configuration or asks a question of one, a folder a study."""

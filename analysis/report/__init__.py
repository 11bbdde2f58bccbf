"""Pages, figures and tables of reports; knows no game."""

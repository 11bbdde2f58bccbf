"""What studies over axes share: targets, words, page."""

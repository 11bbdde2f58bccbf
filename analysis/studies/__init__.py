"""What a study found, in numbers, words, figures and a page: a folder a study."""

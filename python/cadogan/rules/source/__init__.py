"""Data about the source of a game: the document, places in it, and lists of phrases."""

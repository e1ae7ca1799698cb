"""The source of a game as values: the document, places in it, and phrases of a value."""

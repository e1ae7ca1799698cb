"""The stage ``read``: from text to a document with the place of every key and value."""

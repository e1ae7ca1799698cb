"""The stage ``validate``: every key must be known, every value must have its type."""

"""Validating: every key known, every value of its type."""

"""Texts in several languages, and the names of piles and rules in them."""

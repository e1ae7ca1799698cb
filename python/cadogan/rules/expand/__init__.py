"""Expanding: roles and phrases written out as core rules."""

"""Compiling: from a rulebook to the tables of the kernel."""

"""Solving: verdicts, shorter lines, the configuration of the search, and how it is tuned."""

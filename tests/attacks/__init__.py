"""Attacks on the server and its files that once succeeded: one test for each, and it must fail."""

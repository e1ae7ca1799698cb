"""Attacks on the server, the database and the command line, and what they must not do."""

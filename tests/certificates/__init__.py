"""Certificates of lost deals: the checker, its arguments, the file, tampering."""

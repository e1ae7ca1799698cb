"""Checking: names resolved, phrases understood; and what looks wrong but can be played."""

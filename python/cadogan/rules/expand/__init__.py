"""The stage ``expand``: replaces roles and phrases by core rules."""

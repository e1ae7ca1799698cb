"""The rulebook: checked core rules, and the relations between cards that they use."""

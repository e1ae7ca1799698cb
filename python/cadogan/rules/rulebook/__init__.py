"""The rulebook: checked core rules, with their relations and classes of cards."""

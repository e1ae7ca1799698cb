"""The stage ``check``: resolves names, parses phrases, and warns about suspicious rules."""

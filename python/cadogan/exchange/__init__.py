"""Exchange with other programs: boards and lines of moves."""

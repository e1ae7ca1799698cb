"""What a stranger might try, and what must hold against it."""

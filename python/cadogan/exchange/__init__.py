"""What other programs read and write: boards, the order in which they deal, lines of moves."""

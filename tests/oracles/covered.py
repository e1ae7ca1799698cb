"""Cards that lie over each other like the tiles of a roof, for the games that are so laid out."""

Pile = tuple[str, ...]
Piles = tuple[Pile, ...]


def uncovered(piles: Piles, covers: dict[int, tuple[int, int]]) -> list[int]:
    """Lists the places whose card nothing covers.

    Args:
        piles: The places, each with one card or none.
        covers: For each place the two places whose cards lie on it; none for the last row.

    Returns:
        The places with a card whose two covers are both gone.
    """
    return [
        place
        for place, cards in enumerate(piles)
        if cards and not any(piles[cover] for cover in covers.get(place, ()))
    ]

"""The shuffles during a game, after docs/deals.md, section "Shuffles during a game"."""

from collections.abc import Sequence

WORD = 2**64
PACK = tuple(rank + suit for rank in "A23456789TJQK" for suit in "CDHS")
"""All cards by their code."""


class Generator:
    """SplitMix64, after docs/deals.md, section "cadogan"."""

    def __init__(self, number: int) -> None:
        self.state = number % WORD

    def draw(self) -> int:
        """Draws the next number of 64 bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) % WORD
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
        return z ^ (z >> 31)

    def below(self, bound: int) -> int:
        """Draws a number below a bound."""
        while True:
            product = self.draw() * bound
            if product % WORD >= (WORD - bound) % bound:
                return product // WORD


def seed_of(deck: Sequence[str]) -> int:
    """Works out the seed of a deal.

    Args:
        deck: The cards in dealing order.

    Returns:
        The seed of all shuffles of the game.
    """
    seed = 0
    for card in deck:
        seed = Generator(seed ^ PACK.index(card)).draw()
    return seed


def shuffled(cards: Sequence[str], seed: int, made: int) -> tuple[str, ...]:
    """Shuffles cards.

    Args:
        cards: The cards, in any order.
        seed: The seed of the deal.
        made: How many shuffles were made before this one.

    Returns:
        The cards in their new order, the one to be dealt first in front.
    """
    in_order = sorted(cards, key=PACK.index)
    generator = Generator(seed + made)
    for last in range(len(in_order) - 1, 0, -1):
        other = generator.below(last + 1)
        in_order[last], in_order[other] = in_order[other], in_order[last]
    return tuple(in_order)

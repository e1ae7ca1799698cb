"""A small table, and what steps do on it: plain Python without the rules or the kernel."""

import itertools
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from cadogan import Position
from cadogan.cards import Card
from cadogan.views import FACE_DOWN

Piles = dict[str, list[str]]
"""The cards of each pile; the last one lies on top, and face-down cards are in small letters."""
Act = Callable[[Piles], None]


class Step(NamedTuple):
    """A step of a script, and what it does."""

    text: str
    act: Act
    fault: str = ""
    """The code of the fault for which it is refused."""


RANKS: Final = "A23456"
LINES: Final = {
    "row": [["row.1", "row.2"], ["row.3", "row.4"]],
    "column": [["row.1", "row.3"], ["row.2", "row.4"]],
}
KINDS: Final[dict[str, Callable[[str], bool]]] = {
    "aces": lambda card: card[0] == "A",
    "red cards": lambda card: card[1] in "DH",
    "sixes": lambda card: card[0] == "6",
    "any card": lambda card: True,
    "spades": lambda card: card[1] == "S",
}
BUILDS: Final[dict[str, Callable[[str, str], bool]]] = {
    "down": lambda a, b: rank(b) - rank(a) == -1,
    "up in suit": lambda a, b: rank(b) - rank(a) == 1 and a[1] == b[1],
    "down in alternate colours": lambda a, b: (
        rank(b) - rank(a) == -1 and (a[1] in "DH") != (b[1] in "DH")
    ),
    "same rank": lambda a, b: a[0] == b[0],
}
"""Whether the second card may lie on the first."""


def rank(card: str) -> int:
    return RANKS.index(card[0])


def laid(card: str, face: str) -> str:
    return {"up": card.upper(), "down": card.lower(), "keep": card}[face]


def is_down(card: str) -> bool:
    return card != card.upper()


def in_turn(cards: Sequence[str], build: str) -> bool:
    return all(itertools.starmap(BUILDS[build], itertools.pairwise(cards)))


def ends_in(cards: Sequence[str], build: str, kind: str, *, whole: bool) -> bool:
    """Whether a pile ends in a face-up sequence that begins with a card of a kind, or is one."""
    for first in range(len(cards)):
        run = cards[first:]
        in_order = not any(map(is_down, run)) and in_turn(run, build)
        if in_order and KINDS[kind](run[0]):
            return True
        if whole:
            return False
    return False


def wants(piles: Piles, card: str) -> str | None:
    """The first foundation on which a card comes next."""
    for name in ("foundations.1", "foundations.2"):
        under = piles[name][-1] if piles[name] else None
        if under is None and card[0] == "A":
            return name
        if under is not None and under[1] == card[1] and rank(card) == rank(under) + 1:
            return name
    return None


class Deal:
    """A deal, word by word."""

    def __init__(self, sources: Sequence[str], to: Sequence[str]) -> None:
        self.sources, self.to = sources, to
        self.each, self.rounds, self.face, self.only = 1, 1, "up", ""
        self.up_to: int | None = None
        self.emptiest = self.replaced = self.whole = False
        self.leaves = ""
        self.apart = self.goes_up = ""
        self.passes: tuple[str, str] | None = None

    def one(self, piles: Piles, name: str) -> bool:
        """Deals one card, if there is one."""
        while True:
            source = next((one for one in self.sources if piles[one]), None)
            if source is None:
                return False
            held = piles[source]
            card = held[-1].upper()
            up = wants(piles, card) if self.goes_up and KINDS[self.goes_up](card) else None
            if up is not None:
                piles[up].append(held.pop().upper())
                if self.replaced:
                    continue
                return True
            if self.apart:
                for passed in range(len(held)):
                    card = held[-1 - passed].upper()
                    if not any(BUILDS[self.apart](under.upper(), card) for under in piles[name]):
                        cut = len(held) - passed
                        held[:] = held[cut:] + held[:cut]
                        break
            piles[name].append(laid(held.pop(), self.face))
            return True

    def is_spared(self, cards: Sequence[str]) -> bool:
        return self.passes is not None and ends_in(cards, *self.passes, whole=self.whole)

    def __call__(self, piles: Piles) -> None:
        some = [
            name
            for name in self.to
            if not self.only or (not piles[name]) == (self.only == "vacant")
        ]
        if self.leaves:
            for line in LINES[self.leaves]:
                left = next((name for name in line if not piles[name]), None)
                some = [name for name in some if name != left]
        if self.emptiest:
            assert self.up_to is not None
            while True:
                takers = [
                    n for n in some if len(piles[n]) < self.up_to and not self.is_spared(piles[n])
                ]
                if not takers or not self.one(piles, min(takers, key=lambda n: len(piles[n]))):
                    return
        for _ in range(self.rounds):
            for name in some:
                if self.is_spared(piles[name]):
                    continue
                if self.up_to is not None:
                    turns = max(0, self.up_to - len(piles[name]))
                    # A card that goes up and is not replaced leaves its place empty.
                else:
                    turns = self.each
                for _ in range(turns):
                    if not self.one(piles, name):
                        return


def move(
    piles: Piles, source: str, target: str, many: int, end: str, at: str, face: str, *, turned: bool
) -> None:
    """Moves cards from one end of a pile to an end of another."""
    have = piles[source]
    many = min(many, len(have))
    start = len(have) - many if end == "top" else 0
    block = have[start : start + many]
    del have[start : start + many]
    block = [laid(card, face) for card in (block[::-1] if turned else block)]
    place = len(piles[target]) if at == "top" else 0
    piles[target][place:place] = block


def table(position: Position) -> Piles:
    return {
        name: [
            str(Card(byte % FACE_DOWN)) if byte < FACE_DOWN else str(Card(byte % FACE_DOWN)).lower()
            for byte in packed
        ]
        for name, packed in zip(position.game.pile_names, position._state.piles(), strict=False)
    }

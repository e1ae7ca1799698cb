"""The engine and an oracle beside each other: the same positions, written alike."""

import importlib
from collections.abc import Mapping
from operator import itemgetter
from types import ModuleType
from typing import Any

from cadogan import _kernel
from cadogan.cards import Card
from cadogan.rules import load_rules

GAMES = (
    "amazons",
    "hochzeitszug",
    "the-queens",
    "empress-of-india",
    "besieged-city",
    "flower-garden",
)
"""The games with which the oracles began: they are compared on many decks."""

MORE_GAMES = (
    "accordion",
    "aces-up",
    "bakers-dozen",
    "canfield",
    "churchill",
    "clock",
    "crazy-quilt",
    "crescent",
    "duchess",
    "fifteens",
    "intelligence",
    "interlock",
    "klondike",
    "la-belle-lucie",
    "ladybug",
    "matrimony",
    "montana",
    "monte-carlo",
    "osmosis",
    "poker-square",
    "pyramid",
    "roaming-proils",
    "royal-marriage",
    "royal-parade",
    "scorpion",
    "spider",
    "st-helena",
    "the-four-corners",
    "three-peaks-scored",
    "tri-peaks",
    "tri-peaks-scored",
    "wall",
)
"""The games whose mechanisms the first lack, such as pairs, covered cards, points, or shuffles."""

Table = bytes
"""The cards of all piles, bottom first, parted by the code 63, which no card has."""

BETWEEN = b"\x3f"
BARE = bytes(code & 63 for code in range(256))
"""What lies face down is compared like all else: most oracles do not tell. One with ``FACES`` does,
by a star before the card."""

CARDS = tuple(str(Card(code)) for code in range(52))


def oracle_of(game: str) -> ModuleType:
    return importlib.import_module(f"tests.oracles.{game.replace('-', '_')}")


class Codes(dict[tuple[str, ...], bytes]):
    """The oracles' piles of names as the kernel's piles of codes, each worked out once."""

    def __init__(self) -> None:
        self.card_codes = {name: code for code, name in enumerate(CARDS)}
        self.card_codes |= {f"*{name}": code | 64 for name, code in self.card_codes.items()}

    def __missing__(self, pile: tuple[str, ...]) -> bytes:
        self[pile] = found = bytes(self.card_codes[card] for card in pile)
        return found


class Beside:
    """One game on both sides.

    Attributes:
        game: The name of the game.
        oracle: The module of the oracle.
        variant: The variant, or nothing.
        program: The game for the kernel.
        deck: The codes of the pack.
        names: The names of the piles, in the order of the rules file.
    """

    def __init__(self, game: str, variant: str = "") -> None:
        self.game = game
        self.oracle = oracle_of(game)
        self.variant = variant
        rules = load_rules(f"{game}:{variant}" if variant else game)
        self.program = _kernel.Program(rules.program.to_bytes())
        self.deck = rules.rulebook.deck
        self.names = rules.rulebook.pile_names
        self._groups = [
            (group.first, group.first + group.count, group.name in self.oracle.INTERCHANGEABLE)
            for group in rules.rulebook.groups
        ]
        heaps = getattr(self.oracle, "HEAPS", ())
        self._heaps = [index for index, name in enumerate(self.names) if name in heaps]
        self._goals = [
            pile
            for group in rules.rulebook.groups
            if group.role in ("foundation", "discard")
            for pile in range(group.first, group.first + group.count)
        ]
        self._codes = Codes()
        self._in_order = itemgetter(*self.names)

    def start(self, deck: bytes) -> tuple[_kernel.State, Any]:
        """The first position of a deal on both sides."""
        state = self.program.deal(deck)
        other = self.oracle.start([CARDS[card] for card in deck], self.variant)
        assert self.canonical(self.engine_table(state)) == self.canonical(self.oracle_table(other))
        return state, other

    def engine_table(self, state: _kernel.State) -> Table:
        table = BETWEEN.join(state.piles()[: len(self.names)])
        return table if getattr(self.oracle, "FACES", False) else table.translate(BARE)

    def oracle_table(self, other: Any) -> Table:
        piles: Mapping[str, tuple[str, ...]] = self.oracle.piles(other)
        return BETWEEN.join(map(self._codes.__getitem__, self._in_order(piles)))

    def gone(self, state: _kernel.State) -> int:
        """How many cards lie on foundations or are out of the game."""
        piles = state.piles()
        return sum(len(piles[pile]) for pile in self._goals)

    def canonical(self, table: Table) -> Table:
        """A table with its interchangeable piles sorted, and the heaps whose order is no matter."""
        piles = table.split(BETWEEN)
        for heap in self._heaps:
            piles[heap] = bytes(sorted(piles[heap]))
        return BETWEEN.join(
            pile
            for first, last, even in self._groups
            for pile in (sorted(piles[first:last]) if even else piles[first:last])
        )

    def same(self, table: Table, others: Mapping[Table, Any]) -> Any:
        """The oracle's position that has a table; ``None`` if there is none."""
        if table in others:
            return others[table]
        wanted = self.canonical(table)
        return next((o for t, o in others.items() if self.canonical(t) == wanted), None)

    def successors(self, other: Any) -> dict[Table, Any]:
        """The oracle's successors of a position, by their tables."""
        return {self.oracle_table(after): after for after in self.oracle.successors(other)}

    def difference(self, state: _kernel.State, mine: set[Table], theirs: set[Table]) -> str:
        """What one side has and the other has not, for a person to read."""
        here = self.canonical(self.engine_table(state)).split(BETWEEN)

        def told(table: Table) -> str:
            changed = [
                f"{name}: {words(old)} -> {words(new)}"
                for name, old, new in zip(self.names, here, table.split(BETWEEN), strict=True)
                if old != new
            ]
            return "; ".join(changed)

        return (
            f"only in the engine: {[told(t) for t in list(mine - theirs)[:3]]}; "
            f"only in the oracle: {[told(t) for t in list(theirs - mine)[:3]]}"
        )


def words(pile: bytes) -> str:
    return " ".join(CARDS[code] for code in pile) or "-"

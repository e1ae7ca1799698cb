"""What a player can do in a game, as numbers, and what the player sees, as bytes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, final

import numpy as np
from gymnasium import spaces

from cadogan import _kernel
from cadogan.cards import Card
from cadogan.moves import MoveCode
from cadogan.views import CARDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cadogan.game import Game, Position
    from cadogan.moves import Move

HIDDEN: Final = 53
"""The byte of a card that the player cannot see."""

_SEEN: Final = {
    **{card.code + 1: card for card in CARDS if not card.is_joker},
    HIDDEN: None,
    54: Card.parse("JO"),
}
"""The cards of the bytes; nobody knows which card is hidden."""

_SHOWN: Final = MappingProxyType({"none": 0, "top": 1, "all": 2})


@dataclass(frozen=True, slots=True)
class Action:
    """What an action does in any position.

    Attributes:
        rule: The name of the rule.
        source: The pile that it takes cards from, if the action names one.
        target: The pile that it puts them on, or the last pile of a set.
        count: The number of cards, where the player chooses it.
        piles: For cards that leave the game together: the piles that they lie on, each as often as
            cards of it leave.
    """

    rule: str
    source: str | None
    target: str | None
    count: int | None
    piles: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.piles:
            return f"{self.rule}: {' + '.join(self.piles)}"
        cards = {None: "", 1: " 1 card"}.get(self.count, f" {self.count} cards")
        source = f" from {self.source}" if self.source else ""
        target = f" to {self.target}" if self.target else ""
        where = f"{cards}{source}{target}"
        return f"{self.rule}:{where}" if where else self.rule


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an observation.

    Attributes:
        kind: ``"pile"``: a byte for each card that the pile can hold, top card first; 0 is no card,
            1 to 52 are ``1 + card.code``, 53 is a card that the player cannot see, 54 a joker.
            ``"counter"``: a number that the rules keep; in two bytes, upper byte first, if it can
            exceed 255. ``"closed"``: 1 if the pile takes no more dealt cards. ``"choice"``: three
            bytes, which are 0 unless a forced rule waits for a choice: 1 + the index of the rule,
            and 1 + the index of the source and of the target that are already fixed.
        name: The name of the pile or of the counter; ``"choice"`` for the choice.
        start: Where it begins.
        length: The number of its bytes.
    """

    kind: Literal["pile", "counter", "closed", "choice"]
    name: str
    start: int
    length: int

    @property
    def slice(self) -> slice:
        """Its place in an observation."""
        return slice(self.start, self.start + self.length)


@final
class Spaces:
    """The numbered actions of a game, and the form of its observations.

    Both follow from the rules alone, so they are the same for every deal.

    Args:
        game: The game.

    Raises:
        ValueError: If the rules give the player nothing to do, or more than 262,144 possible
            actions.

    >>> from cadogan import load
    >>> spaces = Spaces(load("golf"))
    >>> [str(action) for action in spaces.actions[-2:]]
    ['build on waste: from tableau.7 to waste', 'deal']
    >>> spaces.parts[0]
    Part(kind='pile', name='tableau.1', start=0, length=5)
    """

    def __init__(self, game: "Game") -> None:
        self.game = game
        shown = bytes(_SHOWN[how] for how in game._shown)
        self._kernel = _kernel.Spaces(game._program, shown)
        self._highest = np.frombuffer(self._kernel.highest(), np.uint8)

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """All actions by their numbers."""
        rules = self.game.rulebook.rules
        piles = self.game.pile_names

        def name(pile: int | None) -> str | None:
            return None if pile is None else piles[pile]

        def action(rule: int, source: int | None, count: int | None, target: int | None) -> Action:
            given = Action(rules[rule].name, name(source), name(target), count)
            if source is None or target is None:
                return given
            set_ = rules[rule].action.transfers(MoveCode(rule, source, count or 0, target))
            if set_ is None:
                return given
            # The count of a set is no number of cards: it says which piles lie between.
            return replace(given, count=None, piles=tuple(piles[pile] for pile, _, _ in set_))

        return tuple(action(*row) for row in self._kernel.actions())

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts of an observation in order."""
        counters = [counter.name for counter in self.game.rulebook.counters]
        piles = self.game.pile_names
        names = {"pile": piles, "closed": piles, "counter": counters, "choice": ("choice",)}
        return tuple(
            Part(kind, names[kind][index], start, length)
            for kind, index, start, length in self._kernel.parts()
        )

    @cached_property
    def action_count(self) -> int:
        """The number of actions."""
        return len(self._kernel.actions())

    @property
    def observation_size(self) -> int:
        """The number of bytes of an observation."""
        return len(self._highest)

    def action_space(self) -> spaces.Discrete:
        """The actions, for Gymnasium."""
        return spaces.Discrete(self.action_count)

    def observation_space(self) -> spaces.Box[np.uint8]:
        """The observations, for Gymnasium: ``uint8``, each byte with its own upper limit."""
        return spaces.Box(np.zeros_like(self._highest), self._highest, dtype=np.uint8)

    def observe(self, position: "Position") -> "NDArray[np.uint8]":
        """The observation of a position of the game.

        Raises:
            ValueError: If the position is one of another game.
        """
        self._check(position)
        return np.frombuffer(bytearray(self._kernel.observe(position._state)), np.uint8)

    def moves(self, position: "Position") -> "dict[int, Move]":
        """The legal moves of a position of the game by the numbers of their actions.

        Raises:
            ValueError: If the position is one of another game.

        >>> from cadogan import load
        >>> position = load("golf").deal("cadogan:1")
        >>> spaces = Spaces(position.game)
        >>> {action: move.text for action, move in spaces.moves(position).items()}
        {4: 'tableau.5 > waste', 7: 'deal'}
        """
        self._check(position)
        by_code = {move.code: move for move in position.moves()}
        return {action: by_code[code] for action, code in self._kernel.legal(position._state)}

    def visible_piles(
        self, observation: "NDArray[np.uint8]"
    ) -> "Mapping[str, tuple[Card | None, ...]]":
        """What an observation shows, as :meth:`cadogan.Position.visible_piles`."""
        piles: dict[str, tuple[Card | None, ...]] = {}
        for part in self.parts:
            if part.kind == "pile":
                cards = [int(byte) for byte in observation[part.slice] if byte]
                seen = (_SEEN[byte] for byte in reversed(cards))
                piles[part.name] = tuple(seen)
        return MappingProxyType(piles)

    def _check(self, position: "Position") -> None:
        if position.game.digest != self.game.digest:
            raise ValueError(
                f"this is a position of {position.game.name}; these are actions of {self.game.name}"
            )

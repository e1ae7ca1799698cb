"""Games of patience in OpenSpiel.

Install ``cadogan[openspiel]``. Importing this module registers the game :data:`NAME` with its
parameters ``game`` (as for :func:`cadogan.load`) and ``max_moves``. ``pyspiel.load_game`` takes the
parameters in a string only if none of them has a comma or brackets; :func:`patience` takes any.

The *deal* is a sequence of chance nodes, one for each card of the pack: the outcomes are the codes
of the cards that are left, with their probabilities. So the game tree is the true one, and
algorithms that handle chance need nothing else. :func:`dealt` plays the chance nodes of a given
deal. The *actions* and *observations* are those of :class:`cadogan.rl.Spaces`; the tensor has the
bytes of the observation as floats. The return is 1 for a won game, otherwise 0; a game of
``max_moves`` moves that is not won is over.

>>> state = dealt(patience("golf"), "cadogan:1")
>>> [state.action_to_string(action) for action in state.legal_actions()]
['tableau.5 > waste', 'deal']
"""

from collections import Counter
from pathlib import Path
from typing import Any, Final, Self

try:
    import pyspiel
except ImportError as error:
    raise ImportError(
        "cadogan.rl.openspiel needs OpenSpiel; install it with: pip install 'cadogan[openspiel]'"
    ) from error
import numpy as np

from cadogan.cards import Card, format_cards
from cadogan.game import Position, load
from cadogan.rl.games import MAX_MOVES
from cadogan.rl.spaces import Spaces

__all__ = ["NAME", "PatienceGame", "PatienceState", "dealt", "patience"]

NAME: Final = "cadogan_patience"
"""The name for ``pyspiel.load_game``."""

_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Cadogan Patience",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=1,
    min_num_players=1,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"game": "", "max_moves": MAX_MOVES},
    # There is no game that everybody means.
    default_loadable=False,
)


class PatienceGame(pyspiel.Game):  # type: ignore[misc]
    """A game of patience. Made by :func:`patience` or ``pyspiel.load_game``.

    Attributes:
        spaces: The actions and the parts of observations.
        max_moves: After so many moves the game is over.
    """

    spaces: Spaces
    max_moves: int

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given: dict[str, Any] = {"game": "", "max_moves": MAX_MOVES, **(params or {})}
        if not given["game"]:
            raise ValueError(f"which game? write, for example, {NAME}(game=NAME)")
        if given["max_moves"] < 1:
            raise ValueError(f"max_moves is {given['max_moves']}, but must be at least 1")
        self.spaces = Spaces(load(given["game"]))
        self.max_moves = given["max_moves"]
        info = pyspiel.GameInfo(
            num_distinct_actions=self.spaces.action_count,
            max_chance_outcomes=max(52, *(card.code + 1 for card in self.spaces.game.pack)),
            num_players=1,
            min_utility=0.0,
            max_utility=1.0,
            max_game_length=self.max_moves,
        )
        super().__init__(_TYPE, info, given)

    def new_initial_state(self) -> "PatienceState":
        """The table before the deal."""
        return PatienceState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> "PatienceObserver":
        """An observer of what the player sees."""
        if params:
            raise ValueError(f"observations have no parameters, but here are some: {params}")
        return PatienceObserver(self.spaces, bool(iig_obs_type and iig_obs_type.perfect_recall))


class _Table:
    """A position, which is immutable, so copies of a state may share it."""

    __slots__ = ("position",)

    def __init__(self, position: Position) -> None:
        self.position = position

    def __deepcopy__(self, memo: object) -> Self:
        return self


class PatienceState(pyspiel.State):  # type: ignore[misc]
    """A deal in progress, or a position."""

    def __init__(self, game: PatienceGame) -> None:
        super().__init__(game)
        self._deck: list[int] = []
        self._table: _Table | None = None
        self._moves = 0
        self._is_over = False
        # What the player has seen and done, in words.
        self._seen: list[str] = []

    @property
    def spaces(self) -> Spaces:
        """The actions and the parts of observations."""
        spaces: Spaces = self.get_game().spaces
        return spaces

    @property
    def position(self) -> Position | None:
        """The position with all its cards; ``None`` before all cards are dealt."""
        return self._table.position if self._table else None

    def current_player(self) -> int:
        """Whose turn it is: chance, the player or nobody."""
        if self._is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self._table is None else 0

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The next card of the pack: each card that is left with its probability."""
        left = Counter(card.code for card in self.spaces.game.pack)
        left.subtract(self._deck)
        total = left.total()
        return [(code, number / total) for code, number in sorted(left.items()) if number]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._is_over

    def returns(self) -> list[float]:
        """1 for a won game, otherwise 0."""
        won = self._table is not None and self._table.position.outcome == "won"
        return [float(won)]

    def _legal_actions(self, player: int) -> list[int]:
        assert self._table is not None
        return sorted(self.spaces.moves(self._table.position))

    def _apply_action(self, action: int) -> None:
        if self._table is None:
            self._deck.append(action)
            game = self.spaces.game
            if len(self._deck) < len(game.pack):
                return
            position = game.deal(deck=[Card(code) for code in self._deck])
            self._seen.append(_seen(position))
        else:
            before = self._table.position
            move = self.spaces.moves(before)[action]
            position = before.play(move)
            self._moves += 1
            self._seen.append(f"{move.text}: {_changes(before, position)}")
        self._table = _Table(position)
        self._is_over = position.outcome is not None or self._moves >= self.get_game().max_moves

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return str(Card(action))
        moves = {} if self._table is None else self.spaces.moves(self._table.position)
        return moves[action].text if action in moves else str(self.spaces.actions[action])

    def __str__(self) -> str:
        if self._table is None:
            return f"dealt: {format_cards([Card(code) for code in self._deck])}".strip()
        piles = self._table.position.piles
        down = self._table.position.face_down
        return "\n".join(
            " ".join(
                [
                    f"{pile}:",
                    *(
                        f"({card})" if lies_down else str(card)
                        for card, lies_down in zip(piles[pile], down[pile], strict=True)
                    ),
                ]
            )
            for pile in piles
        )


class PatienceObserver:
    """What the player sees, for OpenSpiel.

    Args:
        spaces: The parts of observations.
        remembers: Whether strings contain all that was seen and done before; there is no tensor
            then.
    """

    def __init__(self, spaces: Spaces, remembers: bool) -> None:
        self._remembers = remembers
        self.tensor: np.ndarray[Any, np.dtype[np.float32]] | None = None
        self.dict: dict[str, np.ndarray[Any, np.dtype[np.float32]]] = {}
        if not remembers:
            self.tensor = np.zeros(spaces.observation_size, np.float32)
            self.dict = {"observation": self.tensor}

    def set_from(self, state: PatienceState, player: int) -> None:
        """Writes the observation of a state into :attr:`tensor`."""
        if self.tensor is not None:
            position = state.position
            self.tensor[:] = 0 if position is None else state.spaces.observe(position)

    def string_from(self, state: PatienceState, player: int) -> str:
        """The observation of a state in words."""
        if self._remembers:
            return "\n".join(state._seen)
        return _seen(state.position) if state.position else ""


def patience(game: str | Path, max_moves: int = MAX_MOVES) -> PatienceGame:
    """Loads a game for OpenSpiel.

    Args:
        game: The name of a game, with or without variants, or the path of a rules file.
        max_moves: After so many moves the game is over.

    Raises:
        UnknownGameError: If there is no such game.
        RulesError: If the rules file has faults.
        ValueError: If ``max_moves`` is not positive.
    """
    return PatienceGame({"game": str(game), "max_moves": max_moves})


def dealt(game: PatienceGame, deal: str) -> PatienceState:
    """The state after the chance nodes of a deal.

    Args:
        game: The game.
        deal: The name of a deal, ``"cadogan:1"``.

    Raises:
        DealError: If the game has no such deal.
    """
    state = game.new_initial_state()
    for card in game.spaces.game.deal(deal).deck:
        state.apply_action(card.code)
    return state


def _seen(position: Position) -> str:
    """What the player sees of a position."""
    piles = position.visible_piles().items()
    lines = [_pile(name, cards) for name, cards in piles]
    lines += [f"{name} = {value}" for name, value in position.counters.items()]
    lines += [f"{name} is closed" for name in sorted(position.closed_piles)]
    return "; ".join(lines)


def _changes(before: Position, after: Position) -> str:
    """What the player sees of a move."""
    old = _seen(before).split("; ")
    return "; ".join(line for line in _seen(after).split("; ") if line not in old)


def _pile(name: str, cards: tuple[Card | None, ...]) -> str:
    return " ".join([f"{name}:", *("##" if card is None else str(card) for card in cards)])


pyspiel.register_game(_TYPE, PatienceGame)

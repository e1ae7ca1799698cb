"""One game at a time, as a ``gymnasium.Env``."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded

from cadogan.cards import format_cards, parse_cards
from cadogan.game import Game, Position
from cadogan.rl.games import ALL_DEALS, MAX_MOVES, Games, IllegalActionError
from cadogan.rl.rewards import DEFAULT_BUDGET, Rewards

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cadogan.cards import Card
    from cadogan.rl.spaces import Spaces

__all__ = ["IllegalActionError", "PatienceEnv"]

Observation = np.ndarray[Any, np.dtype[np.uint8]]
VERDICTS: Mapping[bool | None, str] = {True: "winnable", False: "unwinnable", None: "unknown"}


class PatienceEnv(gymnasium.Env[Observation, np.int64]):
    """A game of patience.

    A *seed* is a deal: ``reset(seed=1)`` deals ``cadogan:1``. Without a seed, the environment draws
    the number of the deal from ``deals``. ``reset(options={"deal": "ms:617"})`` deals any deal that
    the game has, and ``options={"deck": ...}`` the given cards.

    The *observation* is what the player sees: :attr:`spaces` describes its parts. The *actions* are
    all moves that the rules can ever offer; ``info["action_mask"]`` has a 1 for each that is legal
    now. An illegal action changes nothing but counts as a step, and ``info["illegal"]`` is true;
    with ``illegal="raise"`` it is an :class:`IllegalActionError`.

    An episode *terminates* when the game is won or has no legal move; it is *truncated* after
    ``max_moves`` steps. ``info`` also has ``"won"``, ``"deal"``, and, if ``kept`` is rewarded,
    ``"verdict"``.

    Args:
        game: The name of a game, with or without variants; the path of a rules file; or a game.
        reward: What is rewarded: ``"won"``, ``"cards"`` or ``"kept"``, or several with weights, as
            in ``{"won": 1, "cards": 0.02}``. See :class:`cadogan.rl.Rewards`.
        max_moves: After so many steps the game is truncated: many games can go round in circles.
        illegal: What happens after an illegal action: ``"skip"`` or ``"raise"``.
        budget: The node budget of a search for ``kept``.
        deals: The first and the last number of the deals that resets without a seed choose from.
        render_mode: ``"ansi"``: :meth:`render` returns the visible table as text.

    Raises:
        UnknownGameError: If there is no such game.
        RulesError: If the rules file has faults.
        ValueError: If another parameter is invalid.

    >>> env = PatienceEnv("freecell", reward="cards")
    >>> _, info = env.reset(options={"deal": "ms:617"})
    >>> info["deal"], int(info["action_mask"].sum())
    ('ms:617', 11)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        game: str | Path | Game,
        *,
        reward: str | Mapping[str, float] | Rewards = "won",
        max_moves: int = MAX_MOVES,
        illegal: Literal["skip", "raise"] = "skip",
        budget: int = DEFAULT_BUDGET,
        deals: tuple[int, int] = ALL_DEALS,
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is 'ansi' or None, not {render_mode!r}")
        self.render_mode = render_mode
        self._games = Games(
            game,
            1,
            reward=reward,
            max_moves=max_moves,
            illegal=illegal,
            budget=budget,
            deals=deals,
        )
        self.action_space = self.spaces.action_space()
        self.observation_space = self.spaces.observation_space()
        self._deal = ""
        self._position: Position | None = None
        self._actions: list[int] = []
        self._is_over = True

    @property
    def spaces(self) -> "Spaces":
        """The actions of the game and the parts of its observations."""
        return self._games.spaces

    @property
    def position(self) -> Position:
        """The position with all its cards, hidden ones too.

        Raises:
            ResetNeeded: If nothing was dealt yet.
        """
        if self._position is None:
            raise ResetNeeded("nothing is dealt yet; call reset() first")
        for action in self._actions:
            self._position = self._position.play(self.spaces.moves(self._position)[action])
        self._actions.clear()
        return self._position

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deals.

        Args:
            seed: The number of the deal.
            options: ``"deal"``, the name of a deal, or ``"deck"``, the cards in the order in which
                they leave the pack.

        Raises:
            DealError: If the game has no such deal.
            DeckError: If cards of the deck are unknown, missing or doubled.
            ValueError: If there is another option, or more than one of these.
        """
        super().reset(seed=seed)
        name, deck = _deal_of(options)
        game = self.spaces.game
        if name is None and deck is None:
            number = seed
            if number is None:
                drawn = self.np_random.integers(self._games.deal_count)
                number = self._games.first + int(drawn)
            name = f"cadogan:{number}"
        self._position = game.deal(name, deck=deck)
        self._actions.clear()
        self._games.deal(0, bytes(card.code for card in self._position.deck))
        self._deal = name if name is not None else f"[{format_cards(self._position.deck)}]"
        self._is_over = False
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays an action, with everything that it forces.

        Raises:
            ValueError: If there is no such action.
            IllegalActionError: If the action is illegal and ``illegal="raise"``.
            ResetNeeded: If the game is over.
            RestlessError: If the forced rules of the game never come to rest.
        """
        if self._is_over:
            raise ResetNeeded("the game is over; call reset() before the next step")
        self._games.step(np.array([action], np.int64))
        arrays = self._games.arrays
        if not arrays.illegal[0]:
            self._actions.append(int(action))
        terminated, truncated = bool(arrays.terminated[0]), bool(arrays.truncated[0])
        self._is_over = terminated or truncated
        reward = float(arrays.rewards[0])
        return self._observation(), reward, terminated, truncated, self._info()

    def action_masks(self) -> "NDArray[np.int8]":
        """The mask of the legal actions now, as ``info["action_mask"]``."""
        mask: NDArray[np.int8] = self._games.arrays.masks[0].copy()
        return mask

    def render(self) -> str | None:
        """The visible table as text, a line for each pile, with ``##`` for hidden cards."""
        if self.render_mode is None:
            return None
        if self._position is None:
            raise ResetNeeded("nothing is dealt yet; call reset() first")
        piles = self.spaces.visible_piles(self._games.arrays.observations[0])
        width = max(map(len, piles))
        lines = [
            f"{pile:<{width}}  {' '.join('##' if card is None else str(card) for card in cards)}"
            for pile, cards in piles.items()
        ]
        return "\n".join(line.rstrip() for line in lines)

    def _observation(self) -> Observation:
        observation: Observation = self._games.arrays.observations[0].copy()
        return observation

    def _info(self) -> dict[str, Any]:
        arrays = self._games.arrays
        info = {
            "action_mask": arrays.masks[0].copy(),
            "won": bool(arrays.won[0]),
            "illegal": bool(arrays.illegal[0]),
            "deal": self._deal,
        }
        if self._games.rewards.kept:
            info["verdict"] = VERDICTS[self._games.verdicts()[0]]
        return info


def _deal_of(options: dict[str, Any] | None) -> "tuple[str | None, Iterable[Card | str] | None]":
    """The name of a deal, or a deck, from the options of a reset."""
    given = dict(options or {})
    name, deck = given.pop("deal", None), given.pop("deck", None)
    if given or (name is not None and deck is not None):
        raise ValueError(f"options are 'deal' or 'deck', not {options}")
    return name, parse_cards(deck) if isinstance(deck, str) else deck

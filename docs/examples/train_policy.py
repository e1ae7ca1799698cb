"""Trains a small policy with numpy alone, and compares it with the players of Cadogan.

    python docs/examples/train_policy.py --game klondike --steps 8000000

The policy sees only what a person sees. It gives each legal move a score, the sum of learned
weights of simple features: the rule, the rank of the card, what lies below it, what it lands on,
whether the move takes back the last one, how long nothing went up. It draws the move by the softmax
of the scores. Training is an actor-critic method (A2C) with generalized advantage estimation; the
critic is a sum of weights, too. Nothing here belongs to one game.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cadogan import load
from cadogan.rl import PatienceVectorEnv, Spaces
from cadogan.rl.spaces import HIDDEN
from cadogan.study.players import Player, play
from cadogan.study.statistics import Tally

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FIRST_TRAINING_DEAL = 1_000_000_000
"""Deals below this number are for the comparison."""


class Features:
    """The features of legal moves and of positions, as numbers of weights.

    Args:
        spaces: The actions and the parts of the observations of a game.
        number: The number of games.
    """

    def __init__(self, spaces: Spaces, number: int) -> None:
        self.last_source = np.full(number, -1)
        self.last_target = np.full(number, -1)
        self.stuck = np.zeros(number, np.int64)
        self.best = np.zeros(number, np.int64)
        piles = {part.name: part for part in spaces.parts if part.kind == "pile"}
        order = list(piles)
        rules = sorted({action.rule for action in spaces.actions})
        self.rule = np.array([rules.index(action.rule) for action in spaces.actions])
        # A byte behind the observation stands for piles that an action does not have: always 0.
        nowhere = spaces.observation_size

        def index(name: str | None) -> int:
            return order.index(name) if name in piles else -2

        def start(name: str | None) -> int:
            return piles[name].start if name in piles else nowhere

        count = np.array([action.count or 1 for action in spaces.actions])
        source = np.array([start(action.source) for action in spaces.actions])
        ends = [piles[a.source].slice.stop if a.source in piles else 0 for a in spaces.actions]
        self.source = np.array([index(action.source) for action in spaces.actions])
        self.target = np.array([index(action.target) for action in spaces.actions])
        self.moving = np.where(source == nowhere, nowhere, source + count - 1)
        self.below = np.where(source + count < np.array(ends), source + count, nowhere)
        self.onto = np.array([start(action.target) for action in spaces.actions])
        self.count = np.minimum(count, 13)
        self.pile_starts = np.array([part.start for part in piles.values()])
        self.cards_end = max(part.slice.stop for part in piles.values())
        self.widths = [1, 15, 3 * 15, 8, 16, 2 * 15, 8, 14, 14, 16 * 3]
        self.size = len(rules) * sum(self.widths)
        self.rules = len(rules)
        self.state_size = 60 + 60 + 8

    def moved(self, actions: Ints, placed: Ints, over: NDArray[np.bool_]) -> None:
        """Remembers moves, and the number of cards that are up after them."""
        self.last_source = np.where(over, -1, self.source[actions])
        self.last_target = np.where(over, -1, self.target[actions])
        risen = placed > self.best
        self.stuck = np.where(risen | over, 0, self.stuck + 1)
        self.best = np.where(over, 0, np.maximum(self.best, placed))

    def of_moves(self, seen: NDArray[np.uint8], games: Ints, actions: Ints, placed: Ints) -> Ints:
        """For each legal move the numbers of its weights."""
        padded = np.concatenate([seen, np.zeros((len(seen), 1), np.uint8)], axis=1)
        hidden = np.add.reduceat(seen[:, : self.cards_end] == HIDDEN, self.pile_starts, axis=1)
        moving = _rank(padded[games, self.moving[actions]])
        below = padded[games, self.below[actions]]
        lies_on = np.where(below == 0, 0, np.where(below == HIDDEN, 1, 2))
        onto = _rank(padded[games, self.onto[actions]])
        source, target = self.source[actions], self.target[actions]
        back = (source == self.last_target[games]) & (target == self.last_source[games])
        columns = np.where(source >= 0, hidden[games, np.maximum(source, 0)], 0)
        phase = np.minimum(placed[games] // 4, 13)
        stuck = _bucket(self.stuck[games])
        values = [
            np.zeros_like(games),
            moving,
            lies_on * 15 + moving,
            np.minimum(columns, 7),
            onto,
            back * 15 + moving,
            stuck,
            self.count[actions],
            phase,
            _rank(below) * 3 + np.minimum(stuck // 3, 2),
        ]
        first = self.rule[actions] * sum(self.widths)
        numbers = []
        for width, value in zip(self.widths, values, strict=True):
            numbers.append(first + value)
            first = first + width
        return np.stack(numbers, axis=1)

    def of_states(self, seen: NDArray[np.uint8], placed: Ints) -> Ints:
        """For each game the numbers of the weights of its value."""
        hidden = (seen[:, : self.cards_end] == HIDDEN).sum(axis=1)
        stuck = _bucket(self.stuck)
        parts = [np.minimum(placed, 59), 60 + np.minimum(hidden, 59), 120 + stuck]
        return np.stack(parts, axis=1)


def _rank(cards: NDArray[np.uint8]) -> Ints:
    """0 for no card, 1 to 13 for a rank, 14 for a hidden card."""
    return np.where(cards == 0, 0, np.where(cards == HIDDEN, 14, (cards.astype(int) + 3) // 4))


def _bucket(steps: Ints) -> Ints:
    """0, 1, 2-3, 4-7, ..., 64 and more."""
    return np.minimum(np.log2(steps + 1).astype(int), 7)


class Adam:
    """Stochastic gradient ascent with momentum, for weights in one array."""

    def __init__(self, size: int, rate: float) -> None:
        self.weights = np.zeros(size)
        self.rate, self.steps = rate, 0
        self.mean, self.square = np.zeros(size), np.zeros(size)

    def ascend(self, gradient: Floats) -> None:
        """Takes one step."""
        self.steps += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.001 * (gradient**2 - self.square)
        mean = self.mean / (1 - 0.9**self.steps)
        square = self.square / (1 - 0.999**self.steps)
        self.weights += self.rate * mean / (np.sqrt(square) + 1e-8)


def legal_moves(mask: NDArray[np.int8]) -> tuple[Ints, Ints]:
    """The games and the actions of all legal moves; action 0 for a game that has none."""
    stuck = ~mask.any(axis=1)
    if stuck.any():
        mask = mask.copy()
        mask[stuck, 0] = 1
    return np.nonzero(mask)


def choose(
    scores: Floats, games: Ints, number: int, chance: np.random.Generator
) -> tuple[Floats, Ints]:
    """For each game the softmax of its scores, and the place of a move drawn by it."""
    first = np.searchsorted(games, np.arange(number))
    scores = np.exp(scores - np.maximum.reduceat(scores, first)[games])
    odds = scores / np.add.reduceat(scores, first)[games]
    place = np.searchsorted(np.cumsum(odds), np.arange(number) + chance.random(number))
    return odds, np.clip(place, first, np.append(first[1:], len(games)) - 1)


def train(game: str, wanted: int, seed: int, report: Callable[[str], None]) -> tuple[Floats, int]:
    """Learns the weights of moves with at least a number of steps; returns how many there were."""
    number, length, discount, trace = 512, 16, 0.995, 0.95
    envs = PatienceVectorEnv(
        game,
        number,
        reward={"cards": 1},
        max_moves=600,
        deals=(FIRST_TRAINING_DEAL, 2 * FIRST_TRAINING_DEAL),
        autoreset_mode="SameStep",
        copy=False,
    )
    cards = len(load(game).pack)
    features = Features(envs.spaces, number)
    actor, critic = Adam(features.size, 0.03), Adam(features.state_size, 0.03)
    chance = np.random.default_rng(seed)
    seen, infos = envs.reset(seed=FIRST_TRAINING_DEAL + seed * number)
    placed = np.zeros(number, np.int64)
    steps, ended, won, begun = 0, 0, 0, time.monotonic()
    reported = begun
    while steps < wanted:
        history: list[Any] = []
        for _ in range(length):
            games, actions = legal_moves(infos["action_mask"])
            moves = features.of_moves(seen, games, actions, placed)
            odds, place = choose(actor.weights[moves].sum(axis=1), games, number, chance)
            states = features.of_states(seen, placed)
            taken = actions[place]
            seen, up, terminated, truncated, infos = envs.step(taken)
            over = terminated | truncated
            wins = np.zeros(number, bool)
            if over.any():
                wins = infos["final_info"]["won"] & over
                ended, won = ended + int(over.sum()), won + int(wins.sum())
            history.append((moves, odds, place, games, states, up / cards + wins, over))
            placed = np.where(over, 0, placed + up.astype(int))
            features.moved(taken, placed, over)
        steps += number * length
        after = critic.weights[features.of_states(seen, placed)].sum(axis=1)
        lead = np.zeros(number)
        actor_step, critic_step = np.zeros(features.size), np.zeros(features.state_size)
        leads = []
        for *_, states, gained, over in reversed(history):
            value = critic.weights[states].sum(axis=1)
            surprise = gained + discount * after * ~over - value
            lead = surprise + discount * trace * lead * ~over
            after = value
            leads.append(lead)
            critic_step += np.bincount(
                states.ravel(), np.repeat(lead, states.shape[1]), features.state_size
            )
        scale = np.std(leads) + 1e-6
        for (moves, odds, place, games, *_), lead in zip(history, reversed(leads), strict=True):
            # The gradient of the logarithm of the odds of the chosen move, and of the entropy.
            push = -odds * (lead / scale)[games]
            push[place] += lead / scale
            logs = np.log(odds + 1e-12)
            first = np.searchsorted(games, np.arange(number))
            push -= 0.01 * odds * (logs - np.add.reduceat(odds * logs, first)[games])
            actor_step += np.bincount(moves.ravel(), np.repeat(push, moves.shape[1]), features.size)
        actor.ascend(actor_step / (number * length))
        critic.ascend(critic_step / (number * length))
        if time.monotonic() - reported > 20:
            reported = time.monotonic()
            report(f"{reported - begun:4.0f} s  {steps:>10,} steps  {won} of {ended} games won")
            ended, won = 0, 0
    return actor.weights, steps


def evaluate(game: str, weights: Floats, deals: int, seed: int) -> int:
    """How many of the deals ``cadogan:1``, ``cadogan:2``, ... the policy wins."""
    envs = PatienceVectorEnv(game, deals, reward="cards", max_moves=1_000)
    features = Features(envs.spaces, deals)
    chance = np.random.default_rng(seed)
    seen, infos = envs.reset(seed=1)
    placed = np.zeros(deals, np.int64)
    playing, won = np.ones(deals, bool), np.zeros(deals, bool)
    while playing.any():
        games, actions = legal_moves(infos["action_mask"])
        moves = features.of_moves(seen, games, actions, placed)
        _, place = choose(weights[moves].sum(axis=1), games, deals, chance)
        taken = actions[place]
        seen, up, terminated, truncated, infos = envs.step(taken)
        won |= playing & infos["won"]
        playing &= ~(terminated | truncated)
        placed += up.astype(int)
        features.moved(taken, placed, np.zeros(deals, bool))
    return int(won.sum())


def main() -> None:
    """Trains and compares."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", required=True, help="the name of a game, or a rules file")
    parser.add_argument("--steps", type=int, default=8_000_000, help="how many steps to train")
    parser.add_argument("--deals", type=int, default=10_000, help="how many deals to compare on")
    parser.add_argument("--slow-deals", type=int, default=200, help="how many for the slow players")
    parser.add_argument("--budget", type=int, default=50_000, help="nodes of the solver")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()

    weights, steps = train(
        given.game, given.steps, given.seed, lambda line: print(line, flush=True)
    )
    print(f"\n{given.game}, {steps:,} steps of training\n")
    print("| Player | Deals | Won, % | 95 % interval | Undecided |\n|---|--:|--:|--:|--:|")
    won = evaluate(given.game, weights, given.deals, given.seed)
    show("learned", Tally(won=won, lost=given.deals - won))
    game = load(given.game)
    for name in ("random", "greedy", "fair", "thoughtful"):
        deals = given.slow_deals if name in ("fair", "thoughtful") else given.deals
        player = Player.parse(name)
        played = (
            play(game, f"cadogan:{deal}", player, given.budget) for deal in range(1, deals + 1)
        )
        verdicts = Counter(result.verdict for result in played)
        show(
            name,
            Tally(
                won=verdicts["won"] + verdicts["winnable"],
                lost=verdicts["lost"] + verdicts["unwinnable"],
                undecided=verdicts["unknown"],
            ),
        )


def show(name: str, tally: Tally) -> None:
    """Prints a row of the comparison."""
    interval = tally.interval()
    undecided = f"{tally.undecided:,}" if tally.undecided else "-"
    share = f"{100 * tally.won / tally.deals:.1f}"
    bounds = f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"
    print(f"| {name} | {tally.deals:,} | {share} | {bounds} | {undecided} |", flush=True)


if __name__ == "__main__":
    main()

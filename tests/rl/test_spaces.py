"""Actions are numbered, and observations show what the player sees and nothing else."""

import random
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from cadogan import load
from cadogan.rl import ENVIRONMENT, Action, PatienceEnv
from tests.catalogue import all_readings
from tests.games import write_game
from tests.rl.support import walk

pytestmark = pytest.mark.costly


@pytest.mark.parametrize("game", all_readings())
def test_the_observation_is_what_can_be_seen(game: str) -> None:
    env = PatienceEnv(game)
    for seed in (1, 2):
        for observation, info in walk(env, seed):
            position = env.position
            assert env.spaces.visible_piles(observation) == position.visible_piles()
            assert np.array_equal(observation, env.spaces.observe(position))
            assert observation in env.observation_space
            numbers = {
                part.name: int.from_bytes(bytes(observation[part.slice]))
                for part in env.spaces.parts
                if part.kind == "counter"
            }
            assert numbers == dict(position.counters)
            closed = {
                part.name
                for part in env.spaces.parts
                if part.kind == "closed" and observation[part.start]
            }
            assert closed == position.closed_piles
            assert bool(info["won"]) == (position.outcome == "won")


@pytest.mark.parametrize("game", all_readings())
def test_the_mask_is_the_legal_moves(game: str) -> None:
    env = PatienceEnv(game)
    assert len(set(env.spaces.actions)) == env.spaces.action_count
    for seed in (3, 4):
        for _, info in walk(env, seed):
            moves = env.spaces.moves(env.position)
            assert sorted(moves) == np.flatnonzero(info["action_mask"]).tolist()
            assert list(moves.values()) == env.position.moves()
            for number, move in moves.items():
                action = env.spaces.actions[number]
                assert (action.rule, action.source) == (move.rule, move.source)
                assert action.target in (move.target, None) or move.target is None
                assert action.count in (move.count, None)
                if action.piles:
                    text = move.text.removesuffix(f" ({move.rule})")
                    left = {part.split(" > ")[0] for part in text.split(" + ")}
                    named = set(text.replace(" > ", " + ").split(" + "))
                    assert left <= set(action.piles) <= named


@pytest.mark.parametrize("game", all_readings())
def test_hidden_cards_do_not_show(game: str) -> None:
    """Two deals that have looked alike so far have the same observation and the same mask."""
    first, second = PatienceEnv(game), PatienceEnv(game)
    chance = random.Random(game)
    position = load(game).deal("cadogan:1")
    deck, alike = list(position.deck), first.spaces.observe(position)
    twins = []
    for _ in range(400):
        one, another = chance.sample(range(len(deck)), 2)
        other = list(deck)
        other[one], other[another] = other[another], other[one]
        if other != deck:
            dealt = load(game).deal(deck=other)
            # Kings that go to the bottom, say, may lead to the same table from another deck.
            if dealt.piles != position.piles:
                twins += [other] * np.array_equal(first.spaces.observe(dealt), alike)
    visible = position.visible_piles().values()
    hidden = sum(card is None for pile in visible for card in pile)
    assert bool(twins) == (hidden > 1)
    for other in twins[:8]:
        seen, info = first.reset(options={"deck": deck})
        twin, twin_info = second.reset(options={"deck": other})
        over = False
        while np.array_equal(seen, twin) and not over:
            assert np.array_equal(info["action_mask"], twin_info["action_mask"])
            legal = np.flatnonzero(info["action_mask"])
            if not len(legal):
                break
            action = int(chance.choice(legal))
            seen, reward, over, truncated, info = first.step(action)
            twin, twin_reward, twin_over, _, twin_info = second.step(action)
            if np.array_equal(seen, twin):
                assert (reward, over) == (twin_reward, twin_over)
            over |= truncated


def test_any_rules_file_is_an_environment(tmp_path: Path) -> None:
    game = write_game(tmp_path)
    env = PatienceEnv(game)
    observation, _ = env.reset(seed=1)
    assert observation.shape == (env.spaces.observation_size,)
    assert Action("play to foundations", "row.1", "foundations.1", None) in env.spaces.actions
    check_env(gymnasium.make(ENVIRONMENT, game=game.name).unwrapped)
    with pytest.raises(ValueError, match="position of golf"):
        env.spaces.observe(load("golf").deal("cadogan:1"))

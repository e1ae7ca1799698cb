"""The games as OpenSpiel has them: its own tests, its playthroughs, and the deal as chance nodes.

``UPDATE_GOLDENS=1`` writes the playthroughs.
"""

import copy
import os
import pickle
from pathlib import Path

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.observation import make_observation  # noqa: E402

from cadogan import load  # noqa: E402
from cadogan.rl.openspiel import NAME, dealt, patience  # noqa: E402
from tests.catalogue import GAMES  # noqa: E402
from tests.games import write_game  # noqa: E402
from tests.rl.support import line_of  # noqa: E402

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
PLAYED = ("golf", "klondike:draw-three")


@pytest.mark.costly
@pytest.mark.parametrize("game", GAMES)
def test_openspiel_finds_nothing_wrong(game: str) -> None:
    loaded = pyspiel.load_game(f"{NAME}(game={game},max_moves=30)")
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("game", PLAYED)
def test_playthroughs(game: str) -> None:
    # Its module loads all of OpenSpiel's games, which takes a second.
    playthrough = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough")
    lines = playthrough.playthrough_lines(f"{NAME}(game={game},max_moves=40)", seed=1)
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    path = PLAYTHROUGHS / f"{game.replace(':', '+')}.txt"
    if os.environ.get("UPDATE_GOLDENS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_the_deal_is_a_chance_node_for_each_card() -> None:
    state = patience("spider").new_initial_state()
    outcomes = dict(state.chance_outcomes())
    assert len(outcomes) == 52
    assert sum(outcomes.values()) == pytest.approx(1)
    state.apply_action(5)
    outcomes = dict(state.chance_outcomes())
    assert outcomes[5] == pytest.approx(1 / 103)
    assert outcomes[6] == pytest.approx(2 / 103)
    state = dealt(patience("spider"), "cadogan:3")
    assert state.position == load("spider").deal("cadogan:3")
    assert not state.is_chance_node()


def test_a_won_game_returns_one() -> None:
    state = dealt(patience("golf"), "cadogan:1")
    for move in line_of("golf"):
        action = next(a for a in state.legal_actions() if state.action_to_string(a) == move.text)
        assert state.returns() == [0.0]
        state.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == [1.0]
    state = dealt(patience("golf", max_moves=1), "cadogan:1")
    state.apply_action(state.legal_actions()[0])
    assert state.is_terminal()
    assert state.returns() == [0.0]


def test_copies_and_saved_games_are_equal() -> None:
    game = patience("klondike")
    state = dealt(game, "cadogan:1")
    clone = state.clone()
    state.apply_action(state.legal_actions()[0])
    assert clone.history() != state.history()
    assert str(copy.deepcopy(state)) == str(state)
    again = pickle.loads(pickle.dumps(state))
    assert (str(again), again.history()) == (str(state), state.history())


def test_what_is_observed_is_what_gymnasium_observes() -> None:
    state = dealt(patience("klondike"), "cadogan:1")
    observation = make_observation(state.get_game())
    observation.set_from(state, player=0)
    assert state.position is not None
    assert np.array_equal(observation.tensor, state.spaces.observe(state.position))
    twin = dealt(patience("klondike"), "cadogan:1")
    assert state.information_state_string(0) == twin.information_state_string(0)
    for each in (state, twin):
        each.apply_action(each.legal_actions()[-1])
    assert state.information_state_string(0) == twin.information_state_string(0)
    assert "## " in state.observation_string(0)
    assert "(" not in state.observation_string(0)


def test_bad_parameters_are_reported(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="which game"):
        pyspiel.load_game(NAME)
    with pytest.raises(ValueError, match="max_moves is 0"):
        patience("golf", max_moves=0)
    assert patience(write_game(tmp_path).name).num_distinct_actions() > 0

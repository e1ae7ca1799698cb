"""Reviews: the move that lost a game is the one that searches of each position find."""

import functools

import pytest

from cadogan import Position, _kernel, load, solve
from cadogan.solver.review import LOST, WON, Finding, Review, inferred, line_to, review
from cadogan.study.players import seed_of

BUDGET = 100_000
GAMES = (
    "amazons",
    "bakers-game",
    "beleaguered-castle",
    "black-hole",
    "eight-off",
    "flower-garden",
    "fourteen-out",
    "freecell",
    "nestor",
    "yukon",
)
EACH = 10
LONGEST = 300
"""Moves after which the greedy player ends a game."""


def greedy(game: str, deal: str) -> Position:
    """Where the greedy player ends."""
    position = load(game).deal(deal)
    _, codes, *_ = _kernel.play_out(position._state, "greedy", seed_of(0, deal), LONGEST)
    for code in codes:
        position = position.play(next(move for move in position.moves() if move.code == code))
    return position


@functools.cache
def lost(game: str, number: int) -> Position:
    """The end of the game with this number that the greedy player lost, although it can be won."""
    first = 1 if number == 0 else int((lost(game, number - 1).deal_name or "").split(":")[1]) + 1
    for deal in range(first, first + 100):
        end = greedy(game, f"cadogan:{deal}")
        if solve(end, BUDGET).status != "unwinnable":
            continue
        if solve(line_to(end)[0], BUDGET).status == "winnable":
            return end
    raise AssertionError(f"the greedy player wins {game} too often")


def stuck() -> Position:
    """The end of a game in which no move is left."""
    return next(end for end in map(lost, ["flower-garden"] * EACH, range(EACH)) if end.outcome)


@pytest.mark.sample(8)
@pytest.mark.parametrize("number", range(EACH))
@pytest.mark.parametrize("game", GAMES)
def test_searches_of_each_position_agree_about_the_losing_move(game: str, number: int) -> None:
    end = lost(game, number)
    found = review(end, BUDGET, moves=False)
    loss = found.loss()
    assert loss is not None
    # Nothing is inferred here, and no search knows of another.
    alone = [solve(position, BUDGET).status for position in found.line]
    for mine, theirs in zip(found.findings(), alone, strict=True):
        assert "unknown" in (mine.status, theirs) or mine.status == theirs
    if "unknown" not in alone:
        assert loss.move == alone.index("unwinnable")
        assert alone[: loss.move] == ["winnable"] * loss.move
    assert loss.proof.how in ("search", "rules")


def test_moves_that_would_have_kept_the_win_keep_it_and_the_others_lose() -> None:
    end = greedy("beleaguered-castle", "cadogan:5")
    found = review(end)
    loss = found.loss()
    assert loss is not None
    assert loss.move is not None
    before = found.line[loss.move - 1]
    choices = found.choices(loss.move - 1)
    assert [each.move for each in choices] == before.moves()
    assert [each.is_played for each in choices].count(True) == 1
    for each in choices:
        assert solve(before.play(each.move)).status == each.finding.status
    turn = found.turns()[loss.move - 1]
    kept = [each for each in choices if each.finding.status == "winnable"]
    assert (turn.legal, turn.kept) == (len(choices), len(kept))
    assert turn.kept + turn.lost == turn.legal
    assert kept


def test_a_game_that_was_won_keeps_the_win_at_every_move() -> None:
    position = load("flower-garden").deal("cadogan:1")
    for move in solve(position).line:
        position = position.play(move)
    found = review(position, 2_000, moves=False)
    assert str(found.text()) == "the game was won"
    assert found.loss() is None
    assert found.nodes == 0
    assert [each.left for each in found.findings()] == list(range(position.move_count, -1, -1))


def test_a_deal_that_cannot_be_won_was_lost_by_no_move() -> None:
    position = load("amazons").deal("cadogan:171")
    position = position.play(position.moves()[0])
    found = review(position)
    loss = found.loss()
    assert loss is not None
    assert (loss.first, loss.last, loss.move) == (0, 0, None)
    assert str(found.text()) == "this deal cannot be won"
    assert "positions that can follow were searched" in loss.proof.text()


def test_what_is_not_decided_is_said_to_be_so() -> None:
    end = stuck()
    found = review(end, 5, moves=False)
    statuses = [each.status for each in found.findings()]
    assert "unknown" in statuses
    undecided = found.findings()[statuses.index("unknown")]
    assert str(undecided.text()) == "not decided by a search of 5 positions"
    loss = found.loss()
    assert loss is not None
    assert loss.move is None
    assert loss.first == 0 < loss.last
    assert "not even the deal" in loss.text()


def test_a_game_is_not_reviewed_further_than_asked() -> None:
    end = stuck()
    found = Review(line_to(end), lambda _: None)
    wanted = found.wanted()
    assert wanted is not None
    # The game has ended there, so what comes before it is searched, the middle first.
    assert abs(wanted.position.move_count - end.move_count / 2) <= 1
    for position in found.line:
        found.spend(position, 1, decided=False)
    assert found.wanted() is None


def test_a_result_counts_for_all_positions_before_or_after_it() -> None:
    assert inferred(["unknown", "winnable", "unknown", "unknown"])[:2] == ["winnable"] * 2
    assert inferred([]) == []
    assert WON.text() == "the game is won"
    assert LOST.text() == "no move is left"


@pytest.mark.parametrize(
    ("proof", "text"),
    [
        ("all 1 positions were searched", "the only position that can follow"),
        ("all 12 positions of the game without suits on foundations were searched", "easier game"),
        (
            (
                "all 12 positions were searched, those of easier games among them, except what "
                "follows positions that are lost there"
            ),
            "12 positions were searched, some of them in easier games",
        ),
        ("a pile can never be emptied, since its cards need cards below them", "never be emptied"),
    ],
)
def test_proofs_are_said_in_words(proof: str, text: str) -> None:
    assert text in Finding.searched("unwinnable", proof, 1, 0).text()

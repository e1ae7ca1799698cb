"""Statistics of results: streaks, best and mean, and files for other programs."""

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from cadogan.table.statistics import How, Known, Result, statistics, to_csv, to_json

BEGUN = datetime(2026, 1, 1, tzinfo=UTC)


def result(
    number: int,
    how: How,
    *,
    game: str = "golf",
    verdict: Known = "unknown",
) -> Result:
    begun = BEGUN + timedelta(hours=number)
    ended = begun + timedelta(minutes=5)
    return Result(
        f"table {number}", game, begun, ended, how, 60.0 * (number + 1), 10 + number, None, verdict
    )


def test_streaks_are_counted_in_the_order_of_the_ends() -> None:
    how: list[How] = ["won", "won", "open", "lost", "lost", "lost", "won"]
    (answer,) = statistics(result(number, each) for number, each in enumerate(how))
    assert (answer.played, answer.won, answer.lost, answer.open) == (6, 3, 3, 1)
    # An open table interrupts no streak.
    assert (answer.streak, answer.best_streak, answer.worst_streak) == (1, 2, -3)


def test_times_and_moves_are_those_of_games_that_were_won() -> None:
    (answer,) = statistics([result(0, "lost"), result(1, "won"), result(3, "won")])
    assert (answer.best_time, answer.mean_time) == (120.0, 180.0)
    assert (answer.best_moves, answer.mean_moves) == (11, 12.0)
    (never,) = statistics([result(0, "lost")])
    assert (never.best_time, never.mean_moves) == (None, None)


def test_games_are_apart_and_so_are_verdicts() -> None:
    found = [
        result(0, "won", game="spider", verdict="winnable"),
        result(1, "lost", verdict="winnable"),
        result(2, "lost", verdict="unwinnable"),
        result(3, "open", verdict="winnable"),
    ]
    golf, spider = statistics(found)
    assert (golf.game, spider.game) == ("golf", "spider")
    assert golf.by_verdict == {"winnable": (1, 0), "unwinnable": (1, 0), "unknown": (0, 0)}
    assert spider.by_verdict["winnable"] == (1, 1)
    rows = list(csv.DictReader(io.StringIO(to_csv(found))))
    assert [row["game"] for row in rows] == ["spider", "golf", "golf", "golf"]
    assert [row["result"] for row in rows] == ["won", "lost", "lost", "open"]
    data = json.loads(to_json(found))
    assert [game["played"] for game in data["games"]] == [2, 1]
    assert [each["table"] for each in data["results"]] == [each.table for each in found]


def test_points_are_those_of_games_that_are_over() -> None:
    found = [
        replace(result(0, "lost"), scoring="fewest", points=9),
        replace(result(1, "won"), scoring="fewest", points=0),
        replace(result(2, "open"), scoring="fewest", points=1),
        replace(result(3, "lost"), scoring="fewest"),  # an old one, whose rules have changed
        replace(result(4, "over", game="poker"), scoring="most", points=-3),
        replace(result(5, "over", game="poker"), scoring="most", points=12),
        result(6, "won", game="spider"),
    ]
    golf, poker, spider = statistics(found)
    assert (golf.scoring, golf.scored, golf.best_points, golf.mean_points) == ("fewest", 2, 0, 4.5)
    assert (poker.scored, poker.best_points, poker.mean_points) == (2, 12, 4.5)
    # A game that has only points is neither won nor lost.
    assert (poker.played, poker.won, poker.lost, poker.over, poker.streak) == (2, 0, 0, 2, 0)
    assert poker.by_verdict["unknown"] == (0, 0)
    assert (spider.scoring, spider.scored, spider.best_points) == ("none", 0, None)
    rows = list(csv.DictReader(io.StringIO(to_csv(found))))
    assert [row["points"] for row in rows] == ["9", "0", "1", "", "-3", "12", ""]
    assert [game["best_points"] for game in json.loads(to_json(found))["games"]] == [0, 12, None]


def test_no_cell_is_a_formula() -> None:
    (row,) = csv.DictReader(io.StringIO(to_csv([result(0, "won", game="=1+1")])))
    assert row["game"] == "'=1+1"

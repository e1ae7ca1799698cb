"""Players do not see each other: every query of a store is about one player."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event

from cadogan.rules import UnknownGameError
from cadogan.table import schema
from cadogan.table.intent import Intent
from cadogan.table.library import Library
from cadogan.table.puzzles import Puzzles
from cadogan.table.record import Draft, Event
from cadogan.table.service import NoTableError
from cadogan.table.statistics import results
from cadogan.table.store import Conflict, Store
from cadogan.web.state import AppState
from tests.games import TINY
from tests.table.test_store import Open, older, opened, play
from tests.web.conftest import state

__all__ = ["opened", "state"]
ADA = 617
SCOPED = [table.name for table in schema.metadata.sorted_tables if "player_id" in table.c]
"""The database tables whose rows belong to players."""
ANYBODYS = (
    # By the digest of the text, for a game that was loaded for its player.
    "SELECT rules.text FROM rules WHERE rules.name",
    # Results of a deal are public; who has one, and how many there are.
    "SELECT count(*) AS count_1 FROM daily_results",
    "SELECT daily_results.day",
    # By a key that cannot be guessed; the route hides results.
    "FROM challenges WHERE challenges.id =",
    "FROM challenge_results WHERE challenge_results.challenge",
    # By the hash of a secret.
    "WHERE shown_tables.hash =",
    "WHERE sessions.hash =",
    "DELETE FROM sessions WHERE sessions.until <",
    "FROM invitations",
    "INTO invitations",
)  # fmt: skip
"""Queries that are not about one player, and may be so."""


@contextmanager
def all_queries_scoped(store: Store) -> Iterator[list[str]]:
    """Collects the queries of a block, each of which must say whose rows it is about."""
    seen: list[str] = []

    def look(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        seen.append(" ".join(statement.split()))

    for engine in store.engines:
        event.listen(engine, "before_cursor_execute", look)
    try:
        yield seen
    finally:
        for engine in store.engines:
            event.remove(engine, "before_cursor_execute", look)
    for statement in seen:
        named = set(re.findall(r"\b(?:FROM|JOIN|INTO|UPDATE) (\w+)", statement))
        if named & set(SCOPED) and not any(each in statement for each in ANYBODYS):
            condition = statement.partition(" WHERE ")[2]
            assert "player_id" in (statement if "INTO" in statement else condition), statement


def test_players_do_not_see_the_tables_of_others(opened: Open) -> None:
    first = opened()
    ada = first.of(ADA)
    record = first.deal("golf", "cadogan:1")
    theirs = ada.deal("golf", "cadogan:2")
    record = play(first, record, record.position.moves()[0].text)
    for tables, own, foreign in ((first, record, theirs), (ada, theirs, record)):
        assert [row.id for row, _ in tables.store.tables()] == [own.key]
        assert tables.store.row(foreign.key) is None
        assert (tables.store.version(foreign.key), tables.store.events(foreign.key)) == (0, [])
        assert tables.store.stranded(foreign.key) == 0
        with pytest.raises(Conflict):
            tables.store.append(foreign.key, foreign.version, (), foreign)
        draft = Draft(foreign)
        draft.add(Event("goto", 0, {"how": "goto"}, foreign.begun))
        with pytest.raises(Conflict):
            tables.store.append(foreign.key, foreign.version, draft.events, draft.record())
        with pytest.raises(NoTableError):
            tables.get(foreign.key)
        with pytest.raises(NoTableError):
            tables.put_away(foreign.key, None)
        with pytest.raises(NoTableError):
            tables.deal("golf", "cadogan:1", closes=foreign.key)
        with pytest.raises(NoTableError):
            tables.move(foreign.key, foreign.version, Intent("deal"))
    assert [result.table for result in results(first.store)] == [record.key]
    assert results(ada.store) == []
    # Others on the same database see it so, too: nothing depends on what is in memory.
    again = opened().of(ADA)
    assert again.get(theirs.key).version == theirs.version
    with pytest.raises(NoTableError):
        again.get(record.key)


def test_a_players_own_things_are_theirs_alone(opened: Open) -> None:
    tables = opened()
    mine, hers = tables.store, tables.store.of(ADA)
    mine.set_setting("settings", 1)
    hers.set_setting("settings", 2)
    mine.set_favourite("golf", True)
    hers.set_favourite("golf", True)
    hers.set_favourite("golf", False)
    assert (mine.setting("settings"), hers.setting("settings")) == (1, 2)
    assert (mine.favourites(), hers.favourites()) == ({"golf"}, set())
    puzzles = Puzzles(mine, tables.library)
    wanted = puzzles.next()
    grade = puzzles.standing(wanted)
    assert puzzles.tried(wanted.key, None).counted
    assert not puzzles.tried(wanted.key, None).counted
    ada = puzzles.of(ADA)
    assert (ada.player().tried, puzzles.player().tried) == (0, 1)
    assert ada.is_new(wanted)
    # The rating of a puzzle comes from all who have tried it.
    assert ada.standing(wanted).tried == 1
    assert ada.tried(wanted.key, None).counted
    assert (puzzles.standing(wanted).tried, grade.tried) == (2, 0)
    assert puzzles.player().tried == 1


def test_a_rules_file_is_its_players_own(opened: Open) -> None:
    tables = opened()
    library, hers = tables.library, tables.library.of(ADA)
    name, _ = library.add(TINY)
    assert library.facts(name).game.digest == library.load(name).digest
    assert name in library.names()
    assert name not in hers.names()
    for ask in (hers.load, hers.choose, hers.facts, hers.listed, hers.text, hers.exclusions):
        with pytest.raises(UnknownGameError):
            ask(name)
    with pytest.raises(UnknownGameError):
        hers.remove(name)
    with pytest.raises(UnknownGameError):
        tables.of(ADA).deal(name, "cadogan:1")
    # Once she has it, too, what one of them does with it does not concern the other.
    assert hers.add(TINY)[0] == name
    hers.remove(name)
    assert name in library.names()
    # Searches find the game by its digest.
    own = Library(tables.store.of(5))
    assert own.address(name) == library.address(name)


def test_old_rows_belong_to_the_player_at_the_machine(opened: Open) -> None:
    tables = opened()
    record = tables.deal("golf", "cadogan:1")
    tables.library.add(TINY)
    tables.store.set_setting("settings", {"deck": "large"})
    tables.store.set_favourite("golf", True)
    puzzles = Puzzles(tables.store, tables.library)
    puzzle = puzzles.next()
    puzzles.tried(puzzle.key, None)
    standings = puzzles.player(), puzzles.standing(puzzle)
    rules = tables.store.rules()
    older(tables.store, "0005")
    again = opened()
    assert again.get(record.key).position == record.position
    assert again.store.setting("settings") == {"deck": "large"}
    assert again.store.favourites() == {"golf"}
    assert again.store.rules() == rules
    puzzles = Puzzles(again.store, again.library)
    assert (puzzles.player(), puzzles.standing(puzzle)) == standings
    assert not puzzles.is_new(puzzle)
    assert puzzles.of(ADA).is_new(puzzle)


def test_every_query_says_whose_rows_it_is_about(state: AppState) -> None:
    hers = state.of(ADA)
    assert hers.of(ADA) is hers
    with all_queries_scoped(state.store) as seen:
        for player in (state, hers):
            record = player.tables.deal("golf", "cadogan:1")
            record = play(player.tables, record, record.position.moves()[0].text)
            player.tables.put_away(record.key, None)
            player.daily.hinted(record.key)
            player.puzzles.tried(player.puzzles.next().key, None)
            player.library.add(TINY)
            player.store.set_favourite("golf", True)
            player.store.set_setting("settings", {})
            assert player.settings().deck
            assert player.store.verdicts() == {}
            player.store.set_unscored(record.game.digest)
            assert [result.game for result in results(player.store)] == ["golf"]
            player.daily.calendar("Ada")
    assert len(seen) > 60


def test_the_check_of_queries_finds_one_without_a_player(tmp_path: Path) -> None:
    store = Store(folder=tmp_path)
    with pytest.raises(AssertionError), all_queries_scoped(store), store.engine.connect() as one:
        one.exec_driver_sql("SELECT game FROM favourites").all()
    store.close()

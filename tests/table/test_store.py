"""The store, in SQLite and in a real PostgreSQL: everything is stored once and can be read."""

import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData

from cadogan import MoveError, Position
from cadogan.table import migrations
from cadogan.table.engines import StoreError
from cadogan.table.game_file import read_game, write_game
from cadogan.table.intent import Intent
from cadogan.table.library import Library
from cadogan.table.puzzles import Puzzles
from cadogan.table.record import Draft, Event, Options, Record
from cadogan.table.service import NothingToDoError, StaleError, Tables
from cadogan.table.statistics import add_points, results, statistics
from cadogan.table.store import Conflict, Store

Open = Callable[[], Tables]


@pytest.fixture(params=["sqlite", "postgresql"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Opens the same store again and again, as several servers do."""
    url: str | None = None
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres")
    stores = []

    def another() -> Tables:
        store = Store(url, tmp_path)
        stores.append(store)
        return Tables(store, Library(store))

    yield another
    for store in stores:
        store.close()


def older(store: Store, revision: str) -> None:
    """Turns a database into one of an older version, with the rows that it would have."""
    with store.engine.execution_options(writes=True).begin() as connection:
        there = MetaData()
        there.reflect(connection)
        rows = {
            table.name: [dict(row) for row in connection.execute(table.select()).mappings()]
            for table in there.sorted_tables
        }
        there.drop_all(connection)
    migrations.upgrade(store.engine, revision)
    with store.engine.execution_options(writes=True).begin() as connection:
        there = MetaData()
        there.reflect(connection)
        for table in there.sorted_tables:
            columns = {column.name for column in table.c if column.computed is None}
            for row in rows[table.name] if table.name != "alembic_version" else ():
                chosen = {key: value for key, value in row.items() if key in columns}
                connection.execute(table.insert().values(chosen))


def play(tables: Tables, record: Record, *texts: str) -> Record:
    for text in texts:
        record, _ = tables.move(record.key, record.version, Intent(text))
    return record


def test_the_migrations_make_the_schema(opened: Open) -> None:
    from cadogan.table.schema import metadata

    with opened().store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_a_database_in_the_present_form_is_recognized_without_alembic(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened()
    script = ScriptDirectory(str(migrations.FOLDER))
    assert script.get_current_head() == migrations.HEAD

    def unwanted(*_: object) -> None:
        raise AssertionError("the database is in the present form")

    monkeypatch.setattr("alembic.command.upgrade", unwanted)
    opened()


def test_a_table_is_there_again(opened: Open) -> None:
    tables = opened()
    record = tables.deal("klondike", "cadogan:1", options=Options("thoughtful", autoplay=False))
    record = play(tables, record, "deal", "tableau.5 > tableau.4", "deal")
    record = tables.undo(record.key, record.version)
    record = tables.bookmark(record.key, record.version, 1, "  a   good place ")
    record = play(tables, record, "tableau.7 > tableau.6")
    again = opened().get(record.key)
    assert again is not record
    assert again.position == record.position
    assert again.version == record.version
    assert [node.position for node in again.nodes] == [node.position for node in record.nodes]
    assert [node.name for node in again.nodes] == [node.name for node in record.nodes]
    assert again.nodes[1].name == "a good place"
    assert again.options == record.options
    assert again.seconds == pytest.approx(record.seconds)


def test_undo_and_redo_without_end_and_with_branches(opened: Open) -> None:
    tables = opened()
    record = tables.deal("klondike", "cadogan:1")
    record = play(tables, record, "deal", "deal", "deal")
    for _ in range(3):
        record = tables.undo(record.key, record.version)
    with pytest.raises(NothingToDoError):
        tables.undo(record.key, record.version)
    record = play(tables, record, "tableau.5 > tableau.4")
    with pytest.raises(NothingToDoError):
        tables.redo(record.key, record.version)
    record = tables.go(record.key, record.version, 3)
    assert [node.position.move_count for node in record.nodes] == [0, 1, 2, 3, 1]
    record = tables.restart(record.key, record.version)
    # Redo goes the way that was visited last.
    assert record.ahead() == [1, 2, 3]
    made = tables.redo(record.key, record.version)[1]
    assert [each.move.text for each in made] == ["deal"]


def test_a_move_made_again_makes_no_new_branch(opened: Open) -> None:
    tables = opened()
    record = tables.deal("klondike", "cadogan:1")
    record = play(tables, record, "deal")
    record = tables.undo(record.key, record.version)
    record = play(tables, record, "deal")
    assert len(record.nodes) == 2
    assert record.made == 2


def test_undo_and_redo_go_through_the_same_positions(opened: Open) -> None:
    """Compared with two stacks of positions, over many walks."""
    tables = opened()
    for seed in range(3):
        dice = random.Random(seed)
        record = tables.deal("klondike", f"cadogan:{seed + 1}")
        done, ahead = [record.position], list[Position]()
        for _ in range(40):
            key, version = record.key, record.version
            match dice.choice(["move", "move", "undo", "redo", "restart", "illegal"]):
                case "move" if done[-1].moves():
                    move = dice.choice(done[-1].moves())
                    record = play(tables, record, move.text)
                    if ahead and ahead[-1].last_move == move:
                        assert record.position is ahead.pop()
                    else:
                        # The way played before stays in the record; redo follows the new one.
                        ahead = [record.nodes[node].position for node in record.ahead()][::-1]
                    done.append(record.position)
                case "undo" if len(done) > 1:
                    record = tables.undo(key, version)
                    ahead.append(done.pop())
                case "redo" if ahead:
                    record, _ = tables.redo(key, version)
                    done.append(ahead.pop())
                case "restart" if version:
                    record = tables.restart(key, version)
                    ahead += done[:0:-1]
                    del done[1:]
                case "illegal":
                    with pytest.raises(MoveError):
                        play(tables, record, "tableau.1 > tableau.1")
            assert record.position is done[-1]
            assert [record.nodes[node].position for node in record.ahead()] == ahead[::-1]
        again = opened().get(record.key)
        assert again.position.line == record.position.line
        assert again.ahead() == record.ahead()


def test_two_servers_stay_consistent(opened: Open) -> None:
    one, two = opened(), opened()
    record = one.deal("klondike", "cadogan:1")
    other = two.get(record.key)
    record = play(one, record, "deal")
    with pytest.raises(StaleError) as stale:
        play(two, other, "tableau.5 > tableau.4")
    assert stale.value.record.position == record.position
    play(two, stale.value.record, "tableau.5 > tableau.4")
    assert one.get(record.key).position == two.get(record.key).position
    assert one.get(record.key).version == 2


def test_of_two_events_with_one_number_one_is_refused(opened: Open) -> None:
    one, two = opened(), opened()
    record = one.deal("klondike", "cadogan:1")
    other = two.get(record.key)
    play(one, record, "deal")
    # As if the other had looked a moment too early.
    draft = Draft(other)
    draft.play("deal", "player", other.begun)
    with pytest.raises(Conflict):
        two.store.append(other.key, 0, draft.events, draft.record())
    assert one.store.version(record.key) == 1


def test_of_many_at_the_same_time_one_is_stored(opened: Open) -> None:
    servers = [opened() for _ in range(4)]
    record = servers[0].deal("klondike", "cadogan:1")
    together = threading.Barrier(len(servers))

    def is_stored(tables: Tables, draft: Draft) -> bool:
        after = draft.record()
        together.wait()
        try:
            tables.store.append(after.key, after.version - 1, draft.events, after)
        except Conflict:
            return False
        return True

    for version in range(5):
        draft = Draft(record)
        draft.add(Event("goto", 0, {"how": "goto"}, record.begun))
        with ThreadPoolExecutor() as threads:
            assert sum(threads.map(is_stored, servers, [draft] * len(servers))) == 1
        record = servers[0].get(record.key)
        assert record.version == version + 1
    # The summary is that of the last event.
    ((_, summary),) = servers[1].store.tables()
    assert summary["version"] == 5


def test_what_the_disk_refuses_has_not_happened(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = opened()
    record = tables.deal("klondike", "cadogan:1")
    with monkeypatch.context() as patch:

        def refuse(*_: object) -> None:
            raise OSError(28, "no space left on device")

        patch.setattr(tables.store, "append", refuse)
        with pytest.raises(OSError, match="no space"):
            play(tables, record, "deal")
    now = tables.get(record.key)
    assert now.version == 0
    assert now.position.move_count == 0
    play(tables, now, "deal")


def test_a_game_as_text_is_read_again(opened: Open) -> None:
    tables = opened()
    record = tables.deal("besieged-city", "cadogan:11")
    for _ in range(12):
        record = play(tables, record, record.position.moves()[-1].text)
    record = tables.go(record.key, record.version, 5)
    record = play(tables, record, record.position.moves()[0].text)
    record = tables.bookmark(record.key, record.version, 3, "here: it # turned")
    text = write_game(record)
    again = tables.read(text)
    assert again.position == record.position
    assert sorted(str(node.position) for node in again.nodes) == sorted(
        str(node.position) for node in record.nodes
    )
    assert [node.name for node in again.nodes if node.name] == ["here: it # turned"]
    assert read_game(text).deal == "cadogan:11"
    # Somebody else may have made those moves: they do not count, nor does what comes of them.
    play(tables, again, again.position.moves()[0].text)
    tables.put_away(again.key, None)
    assert [result.table for result in results(tables.store)] == [record.key]


def test_statistics_are_made_of_the_record(opened: Open) -> None:
    tables = opened()
    from cadogan import solve

    won = tables.deal("flower-garden", "cadogan:1")
    won = play(tables, won, *(move.text for move in solve(won.position).line))
    won = tables.undo(won.key, won.version)  # what was won stays won
    lost = tables.deal("flower-garden", "cadogan:2")
    lost = play(tables, lost, lost.position.moves()[0].text)
    tables.put_away(lost.key, None)
    opened_one = tables.deal("flower-garden", "cadogan:3")
    play(tables, opened_one, opened_one.position.moves()[0].text)
    tables.put_away(tables.deal("flower-garden", "cadogan:4").key, None)  # no move: not played
    tables.store.save_verdict(
        lost.game.digest, f"{lost.nodes[0].position.hash:032x}", "unwinnable", 7
    )
    found = results(tables.store)
    assert sorted(result.result for result in found) == ["lost", "open", "won"]
    (answer,) = statistics(found)
    assert (answer.played, answer.won, answer.lost, answer.open) == (2, 1, 1, 1)
    assert (answer.streak, answer.best_streak, answer.worst_streak) == (-1, 1, -1)
    assert answer.best_moves == won.made
    assert answer.by_verdict == {"winnable": (1, 1), "unwinnable": (1, 0), "unknown": (0, 0)}


def scored(tables: Tables, number: int, *, moves: int, closed: bool) -> Record:
    record = tables.deal("golf:scored", f"cadogan:{number}")
    for _ in range(moves):
        record = play(tables, record, record.position.moves()[0].text)
    return tables.put_away(record.key, None) if closed else record


def test_points_are_stored_with_the_summary(opened: Open) -> None:
    tables = opened()
    closed = scored(tables, 1, moves=3, closed=True)
    assert closed.points == closed.position.score
    scored(tables, 2, moves=3, closed=False)
    # Of several ends the best counts, even if the last one is worse.
    played = scored(tables, 3, moves=0, closed=False)
    scores = []
    for choice in (0, -1):
        played = tables.restart(played.key, played.version)
        while played.position.outcome is None:
            played = play(tables, played, played.position.moves()[choice].text)
        scores.append(played.position.score)
    assert len(set(scores)) == 2
    played = tables.restart(played.key, played.version)
    assert (played.points, played.here.outcome) == (min(filter(None, scores)), None)
    tables.put_away(played.key, None)
    assert opened().get(played.key).points == played.points
    found = {result.table: result for result in results(tables.store)}
    assert found[closed.key].points == closed.points
    assert found[played.key].points == played.points
    assert sorted(str(result.points) for result in found.values()).count("None") == 1
    (answer,) = statistics(found.values())
    assert (answer.scoring, answer.scored, answer.played, answer.open) == ("fewest", 2, 2, 1)


def test_a_game_that_has_only_points_is_neither_won_nor_lost(opened: Open, tmp_path: Path) -> None:
    text = (
        'name = "Five rows"\n[stock]\n[hand]\n[row]\nrole = "cell"\npiles = 5\nfrom = "hand"\n'
        '[[rule]]\nname = "turn a card"\nforced = true\nduring = "always"\nwhen = "some row is '
        'vacant"\nfrom = "stock"\nto = "vacant hand"\n[score]\ncards = { row = 2 }\n'
    )
    tables = opened()
    name, _ = tables.library.add(text)
    record = tables.deal(name, "cadogan:1")
    while record.position.outcome is None:
        record = play(tables, record, record.position.moves()[0].text)
    assert record.position.outcome == "over"
    assert [result.result for result in results(tables.store)] == ["open"]
    tables.put_away(record.key, None)
    (found,) = results(tables.store)
    assert (found.result, found.points, found.scoring) == ("over", 10, "most")


DAILY = ("daily_deals", "daily_results", "hinted")


def test_a_database_without_points_gets_them(opened: Open) -> None:
    tables = opened()
    scored(tables, 1, moves=3, closed=True)
    scored(tables, 2, moves=2, closed=False)
    golf = tables.deal("golf", "cadogan:3")
    golf = play(tables, golf, golf.position.moves()[0].text)
    tables.put_away(golf.key, None)
    before, events = results(tables.store), tables.store.events(golf.key)
    older(tables.store, "0002")
    again = opened()
    assert again.store.events(golf.key) == events
    assert [result.points for result in results(again.store)] == [None] * 3
    add_points(again)
    assert results(again.store) == before
    assert {summary["scoring"] for _, summary in again.store.tables()} == {"fewest", "none"}


def test_a_database_without_puzzles_gets_their_tables(opened: Open) -> None:
    tables = opened()
    golf = tables.deal("golf", "cadogan:3")
    older(tables.store, "0003")
    again = opened()
    assert again.get(golf.key).position == golf.position
    puzzles = Puzzles(again.store, again.library)
    assert puzzles.tried(puzzles.next().key, None).counted
    assert puzzles.player().tried == 1


def test_a_database_without_daily_deals_gets_their_tables(opened: Open) -> None:
    tables = opened()
    golf = tables.deal("golf", "cadogan:3")
    older(tables.store, "0004")
    again = opened()
    assert again.get(golf.key).position == golf.position
    with again.store.engine.connect() as connection:
        for table in DAILY:
            assert connection.exec_driver_sql(f"SELECT * FROM {table}").all() == []


def test_a_database_without_jobs_gets_them(opened: Open) -> None:
    tables = opened()
    golf = tables.deal("golf", "cadogan:3")
    tables.store.save_verdict(golf.game.digest, "0" * 32, "winnable", 7)
    older(tables.store, "0006")
    again = opened()
    assert again.get(golf.key).position == golf.position
    assert again.store.verdict(golf.game.digest, "0" * 32) == "winnable"
    with again.store.engine.connect() as connection:
        for table in ("jobs", "searches"):
            assert connection.exec_driver_sql(f"SELECT * FROM {table}").all() == []


def test_settings_favourites_and_rules_are_stored(opened: Open) -> None:
    store = opened().store
    store.set_setting("settings", {"theme": "dark", "page": {"ä": [1]}})
    store.set_favourite("golf", True)
    store.set_favourite("golf", True)
    store.save_rules("own.x.1", "text\n")
    again = opened().store
    assert again.setting("settings") == {"theme": "dark", "page": {"ä": [1]}}
    assert again.favourites() == {"golf"}
    assert again.rules() == {"own.x.1": ("text\n", False)}


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("nonsense", "is invalid"),
        ("oracle://x/y", "unsupported database|is not installed"),
        ("postgresql://nobody@127.0.0.1:9/none", "cannot be opened"),
    ],
)
def test_a_database_that_cannot_be_used_is_reported(
    address: str, told: str, tmp_path: Path
) -> None:
    with pytest.raises(StoreError, match=told):
        Store(address, tmp_path)

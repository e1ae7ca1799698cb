"""Small rules files that once hung, crashed or poisoned the server."""

import errno
import os
import pickle
import signal
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from unittest.mock import Mock

import pytest
from fastapi.testclient import TestClient

from cadogan.deals import RestlessError
from cadogan.game import Game, load, perft
from cadogan.moves import IllegalMoveError
from cadogan.pictures.layout import lay_out
from cadogan.rules import RulesError, catalogue, check_text, load_rules
from cadogan.rules.check.extent import MAX_MOVES, MAX_RELATIONS, most_moves
from cadogan.rules.compile.symmetry import interchangeable
from cadogan.rules.faults.report import Report
from cadogan.rules.pipeline import exclusions, read_rulebook
from cadogan.rules.read.read import read_document
from cadogan.rules.rulebook.rulebook import Rulebook
from cadogan.rules.trial import MOVES
from cadogan.rules.validate.schema import MAX_VARIANTS
from cadogan.solver.solve import solve
from cadogan.storage import CATALOGUE
from cadogan.study.players import Player, play
from cadogan.table import store
from cadogan.table.library import MOST_OWN
from cadogan.table.statistics import results
from cadogan.table.trials import Trials
from cadogan.web.app import create_app
from cadogan.web.state import AppState

pytestmark = pytest.mark.takes_turns(5)

SMALL = """
name = "Small"
aim = "row is empty"
[row]
role = "tableau"
piles = 4
deal = 13
build = "down"
"""
LAYOUT = """
name = "{name}"
aim = "row is empty"
layout = [{{ deal = 26, from = "pack", to = "row" }}]
[row]
role = "tableau"
piles = 2
build = "nothing"
"""
TO_AND_FRO = """
[[rule]]
name = "there"
forced = true
{when}
from = "row.1"
to = "row.2"
[[rule]]
name = "back"
forced = true
{when}
from = "row.2"
to = "row.1"
"""
RESTLESS = LAYOUT.format(name="Restless") + TO_AND_FRO.format(when='during = "always"')
BUTTON = """
[counters.pressed]
cap = {often}
[[rule]]
name = "press"
verb = "press"
add = {{ pressed = 1 }}
steps = [{{ take = 1, from = "row.1", to = "row.2" }}]
"""


def restless_after(moves: int) -> str:
    """A game whose forced rules never end after so many moves."""
    return (
        LAYOUT.format(name="Restless in play")
        + TO_AND_FRO.format(when=f'when = "pressed >= {moves}"')
        + BUTTON.format(often=moves)
    )


RESTLESS_IN_PLAY = restless_after(MOVES + 1)
PACKETS = """
name = "Packets"
packs = 8
aim = "row is empty"
[row]
role = "tableau"
piles = 40
deal = 10
build = "nothing"
[[rule]]
name = "carry"
cards = "a packet"
from = "row"
to = "row"
"""


@pytest.fixture
def state(tmp_path: Path) -> Iterator[AppState]:
    made = AppState(folder=tmp_path, workers=0)
    yield made
    made.close()


@pytest.fixture
def client(state: AppState) -> Iterator[TestClient]:
    with TestClient(create_app(state), base_url="http://127.0.0.1:7617") as made:
        yield made


def book_of(text: str) -> Rulebook:
    document = read_document(text, "a.toml")
    report = Report(document)
    book = read_rulebook(document, "a", (), report)[1]
    assert book is not None, report.render()
    return book


def codes_of(text: str) -> set[str]:
    return {fault.code for fault in check_text(text, "a.toml").errors}


# -- compiling -------------------------------------------------------------------------------------


def chain(links: int, *, ring: bool = False) -> str:
    """Groups that feed one another by two forced rules each."""
    text = 'name = "Chain"\naim = "g0 is empty"\n'
    for index in range(links):
        text += f'[g{index}]\nrole = "tableau"\npiles = 2\nbuild = "nothing"\n'
        text += "deal = 26\n" if index == 0 else ""
    for index in range(links if ring else links - 1):
        for half in "ab":
            text += f'[[rule]]\nname = "{index}{half}"\nforced = true\nwhen = "g0 is empty"\n'
            text += 'cards = "a complete sequence down in suit"\n'
            text += f'from = "g{index}"\nto = "vacant g{(index + 1) % links}"\n'
    return text


@pytest.mark.timeout(60)
def test_groups_that_feed_one_another_are_asked_once_each() -> None:
    book = book_of(chain(45))
    known: dict[str, bool] = {}
    assert [interchangeable(group, book, known) for group in book.groups][-1] is True
    assert check_text(chain(45), "a.toml").ok


@pytest.mark.timeout(60)
def test_groups_that_feed_each_other_in_a_ring_are_not_interchangeable() -> None:
    for links in (2, 3, 45):
        book = book_of(chain(links, ring=True))
        assert not any(interchangeable(group, book) for group in book.groups)
        assert check_text(chain(links, ring=True), "a.toml").ok


# -- variants --------------------------------------------------------------------------------------


def variants(number: int, body: str = "") -> str:
    return SMALL + "".join(f"[variants.v{n}]\n{body.format(n=n)}" for n in range(number))


def test_there_is_a_limit_of_variants() -> None:
    assert check_text(variants(MAX_VARIANTS), "a.toml").ok
    begin = time.process_time()
    assert codes_of(variants(MAX_VARIANTS + 1)) == {"too-many"}
    assert codes_of(variants(3800)) == {"too-many"}
    # All of them were read before, which took 50 seconds.
    assert time.process_time() - begin < 5


def test_a_large_file_has_few_variants() -> None:
    remarks = "remarks = [" + 1000 * "'why', " + "]"
    assert codes_of(remarks + variants(40)) == {"too-costly"}
    assert codes_of(remarks + variants(5)) == set()


def test_what_excludes_each_other_is_found_in_one_pass() -> None:
    begin = time.process_time()
    assert exclusions(variants(MAX_VARIANTS), "a") == {}
    answer = exclusions(variants(MAX_VARIANTS, "row.piles = {n}\n"), "a")
    assert len(answer) == MAX_VARIANTS * (MAX_VARIANTS - 1) // 2
    assert exclusions(variants(MAX_VARIANTS, 'n{n}.role = "cell"\n'), "a") == {}
    # A hundred empty ones took 31 seconds.
    assert time.process_time() - begin < 10


def test_pairs_that_are_not_sound_are_found_still() -> None:
    text = SMALL.replace("deal = 13", "deal = 10") + "[stock]\ndeals = '1 to waste'\n[waste]\n"
    for name in ("one", "two"):
        text += f"[variants.{name}.{name}]\nrole = 'reserve'\ndeal = 8\n"
    assert check_text(text, "a.toml").ok
    assert "not sound" in exclusions(text, "a")["one", "two"]


@pytest.mark.parametrize("name", ["klondike:", "klondike:+++", "klondike:+draw-three"])
def test_a_name_with_empty_variants_is_refused(name: str, client: TestClient) -> None:
    with pytest.raises(RulesError, match="there is no variant"):
        load_rules(name)
    for answer in (
        client.post("/api/tables", json={"game": name, "deal": "cadogan:1"}),
        client.post("/api/searches", json={"game": name}),
        client.get(f"/api/games/{name}"),
    ):
        assert answer.status_code == 422, answer.text


def test_a_variant_named_twice_is_refused(client: TestClient) -> None:
    name = "klondike:draw-three+draw-three"
    with pytest.raises(RulesError, match="is named twice"):
        load_rules(name)
    assert client.post("/api/tables", json={"game": name}).status_code == 422


def test_a_game_has_one_name_whatever_the_order_of_its_variants(
    client: TestClient, state: AppState
) -> None:
    name, other = "klondike:draw-three+no-return", "klondike:no-return+draw-three"
    for asked in (name, other):
        wish = {"game": asked, "deal": "cadogan:1"}
        table = client.post("/api/tables", json=wish).json()
        assert state.tables.get(table["id"]).game.name == name
    # Where the order makes another game, it stays.
    assert state.library.choose("freecell:two-cells+three-cells").name.endswith("three-cells")
    # Older tables have such names and continue.
    assert state.library.load(other).name == other
    assert state.library.load("klondike:+draw-three+").name == "klondike:draw-three"


# -- limits of the kernel --------------------------------------------------------------------------


def test_the_limit_of_relations_is_reported_by_check() -> None:
    rules = "".join(
        f'[[rule]]\nname = "r{n}"\nfrom = "row"\nto = "row"\nwhich = "the ace of spades"\n'
        f'cards = "a sequence adding to {n % 24 + 3} in {"suit" if n < 24 else "colour"}"\n'
        f'build = ["adding to {n % 24 + 3} in another suit", "adding to {n // 24 + 5} in suit"]\n'
        for n in range(96)
    )
    report = check_text(SMALL.replace("piles = 4", "piles = 2").replace("13", "26") + rules, "a")
    (fault,) = report.errors
    assert fault.code == "too-many"
    assert str(MAX_RELATIONS) in fault.title


def test_a_position_has_a_limit_of_moves() -> None:
    assert codes_of(PACKETS) == {"too-many-moves"}
    assert codes_of(PACKETS.replace("packs = 8", "packs = 1").replace("10", "1")) == set()
    hundred = PACKETS.replace("piles = 40", "piles = 100").replace("deal = 10", "deal = 4")
    assert codes_of(hundred) == {"too-many-moves"}


@pytest.mark.parametrize("name", catalogue())
def test_the_games_of_the_catalogue_are_far_from_the_limit(name: str) -> None:
    plain = load(name)
    for chosen in ("", *(f":{variant.name}" for variant in plain.variants)):
        game = load(name + chosen)
        most = most_moves(game.rulebook)
        forced = [rule.forced for rule in game.rulebook.rules]
        assert (
            sum(n for n, by_itself in zip(most, forced, strict=True) if not by_itself) < MAX_MOVES
        )
        position = game.deal("cadogan:1")
        for _ in range(20):
            moves = position.moves()
            for index, rule in enumerate(game.rulebook.rules):
                made = sum(move.code >> 24 == index for move in moves)
                assert made <= most[index], (rule.name, made)
            if not moves:
                break
            position = position.play(moves[len(moves) // 2])


def test_the_bound_of_moves_holds_where_vacancies_take_any_card(tmp_path: Path) -> None:
    """Forty-eight cards and four vacancies, as in Gaps."""
    text = SMALL.replace("piles = 4", "piles = 52").replace('"down"', '"nothing"')
    text = text.replace("deal = 13", f"deal = [{'1, ' * 48}0, 0, 0, 0]")
    text += '[[rule]]\nname = "fill"\nfrom = "row"\nto = "vacant row"\n'
    # A rule of one pile alone: the others are not to be interchanged with it.
    text += "".join(
        f'[[rule]]\nname = "r{n}"\nfrom = "row.{n}"\nto = "row.{n + 1}"\nwhich = "aces"\n'
        for n in range(1, 52)
    )
    file = tmp_path / "gaps.toml"
    file.write_text(f'without = "aces"\n{text}')
    game = load(file)
    moves = game.deal("cadogan:1").moves()
    assert 4 * 48 == len(moves) <= sum(most_moves(game.rulebook)) <= MAX_MOVES


# -- forced rules that never come to rest ----------------------------------------------------------


def test_a_layout_that_never_rests_is_reported_with_its_rules() -> None:
    (fault,) = check_text(RESTLESS, "a.toml").errors
    assert fault.code == "restless"
    lines = {RESTLESS.splitlines()[label.span.line - 1] for label in fault.labels}
    assert lines == {"[[rule]]"}
    assert len(fault.labels) == 2


def test_a_deal_that_never_rests_is_refused_in_words(tmp_path: Path) -> None:
    file = tmp_path / "restless.toml"
    file.write_text(RESTLESS)
    with pytest.raises(RestlessError, match="do not come to rest"):
        load(file).deal("cadogan:1")


def test_a_move_after_which_nothing_rests_is_refused_in_words(
    client: TestClient, tmp_path: Path
) -> None:
    file = tmp_path / "in-play.toml"
    file.write_text(RESTLESS_IN_PLAY)
    position = load(file).deal("cadogan:1")
    assert check_text(RESTLESS_IN_PLAY, "a.toml").ok
    for _ in range(MOVES):
        position = position.play("press")
    reason = "would not come to rest: 'there' and 'back' trigger each other endlessly"
    with pytest.raises(IllegalMoveError, match=reason):
        position.play("press")
    with pytest.raises(IllegalMoveError, match=reason):
        position.steps(position.moves()[0])
    with pytest.raises(RestlessError, match="endlessly") as caught:
        perft(position, 2)
    assert caught.value.rules == ("there", "back")
    assert pickle.loads(pickle.dumps(caught.value)).rules == ("there", "back")
    verdict = solve(position)
    assert (verdict.status, verdict.stop_reason) == ("unknown", "restless")
    for player in ("random", "greedy", "fair"):
        with pytest.raises(RestlessError):
            play(load(file), "cadogan:1", Player.parse(player), 0)
    name = client.post("/api/rules", json={"text": RESTLESS_IN_PLAY}).json()["game"]["name"]
    table = client.post("/api/tables", json={"game": name, "deal": "cadogan:1"}).json()
    moves = f"/api/tables/{table['id']}/moves"
    for _ in range(MOVES):
        version = client.get(f"/api/tables/{table['id']}").json()["version"]
        assert client.post(moves, json={"version": version, "text": "press"}).is_success
    answer = client.post(moves, json={"version": version + 1, "text": "press"})
    assert answer.status_code == 422, answer.text
    assert "'there' and 'back'" in answer.json()["message"]["text"]
    assert client.get(f"/api/tables/{table['id']}").json()["version"] == version + 1


def test_forced_rules_that_never_rest_after_an_early_move_are_reported() -> None:
    (fault,) = check_text(restless_after(1), "a.toml").errors
    assert fault.code == "restless"
    assert "after a move" in fault.title


# -- the library -----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [RESTLESS, PACKETS, chain(45, ring=True) + "x = 1"])
def test_what_cannot_be_played_is_not_stored(text: str, client: TestClient) -> None:
    assert client.post("/api/rules/check", json={"text": text}).json()["ok"] is False
    assert client.post("/api/rules", json={"text": text}).status_code == 422
    games = client.get("/api/games").json()
    assert {game["origin"] for game in games} == {"catalogue"}


def test_a_faulty_game_is_listed_and_can_be_removed(client: TestClient, state: AppState) -> None:
    for name, text in (
        ("own.restless.01234567", RESTLESS),
        ("own.broken.01234568", 'name = "Broken"\nnonsense = 1\n'),
        ("own.not-toml.01234569", '\nname = "No TOML\n'),
    ):
        state.store.save_rules(name, text)
    games = {game["name"]: game for game in client.get("/api/games?lang=de").json()}
    assert set(catalogue()) < set(games)
    assert [game["fault"] for game in games.values()].count(None) == len(catalogue())
    assert "Zwangsregeln" in games["own.restless.01234567"]["fault"]["text"]
    assert games["own.broken.01234568"]["title"] == "Broken"
    assert games["own.not-toml.01234569"]["title"] == "not-toml"
    for name in games:
        if name.startswith("own."):
            assert client.get(f"/api/games/{name}/file").status_code == 200
            assert client.post("/api/tables", json={"game": name}).status_code == 422
            assert client.delete(f"/api/rules/{name}").status_code == 204
    assert len(client.get("/api/games").json()) == len(catalogue())


def test_a_game_that_breaks_cadogan_itself_hides_no_other(
    client: TestClient, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = client.post("/api/rules", json={"text": SMALL}).json()["game"]["name"]
    state.library._facts.clear()

    def broken(wanted: str) -> Game:
        if wanted == name:
            raise RecursionError
        return load(wanted)

    monkeypatch.setattr(state.library, "load", broken)
    fresh = {game["name"]: game for game in client.get("/api/games").json()}
    assert "RecursionError" in fresh[name]["fault"]["text"]
    assert fresh["golf"]["fault"] is None


def test_a_file_that_takes_too_long_is_refused_and_its_process_ended() -> None:
    trials = Trials(seconds=60)
    assert trials.check(SMALL).ok
    process = trials._process
    assert process is not None
    # No file is known that hangs; a process that is stopped hangs, too.
    assert process.pid is not None
    trials._seconds = 0.5
    os.kill(process.pid, signal.SIGSTOP)
    report = trials.check(SMALL)
    assert [fault.code for fault in report.errors] == ["too-costly"]
    assert not process.is_alive()
    trials._seconds = 60
    assert trials.check(SMALL).ok
    trials.close()


def _goes_away(pipe: Connection) -> None:
    pipe.close()


@pytest.mark.parametrize("how", ["no process", "broken process"])
def test_no_file_is_blamed_if_none_can_be_tried(
    how: str, client: TestClient, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "own.small.01234567"
    state.store.save_rules(name, SMALL)
    with monkeypatch.context() as broken:
        if how == "no process":
            full = OSError(errno.ENOMEM, "Cannot allocate memory")
            broken.setattr(SpawnProcess, "start", Mock(side_effect=full))
        else:
            broken.setattr("cadogan.table.trials.work", _goes_away)
        for answer in (
            client.post("/api/rules", json={"text": SMALL}),
            client.post("/api/rules/check", json={"text": SMALL}),
            client.post("/api/tables", json={"game": name}),
        ):
            assert answer.status_code == 503, answer.text
            problem = answer.json()
            assert problem["code"] == "unavailable"
            assert "cannot try rules files now" in problem["message"]["text"]
            assert problem["hint"]
        games = {game["name"]: game for game in client.get("/api/games").json()}
        assert "cannot try rules files now" in games[name]["fault"]["text"]
        assert games["golf"]["fault"] is None
    # Nothing of it is remembered.
    games = {game["name"]: game for game in client.get("/api/games").json()}
    assert games[name]["fault"] is None
    assert client.post("/api/tables", json={"game": name}).status_code == 201


def test_a_process_that_was_ended_meanwhile_is_replaced() -> None:
    trials = Trials(seconds=60)
    assert trials.check(SMALL).ok
    assert trials._process is not None
    trials._process.kill()
    trials._process.join()
    assert trials.check(SMALL).ok
    trials.close()


def test_the_end_of_the_server_is_not_held_up_by_a_trial() -> None:
    trials = Trials(seconds=60)
    assert trials.check(SMALL).ok
    assert trials._process is not None
    assert trials._process.pid is not None
    os.kill(trials._process.pid, signal.SIGSTOP)
    answers: list[Report] = []
    waiting = threading.Thread(target=lambda: answers.append(trials.check(SMALL)))
    waiting.start()
    time.sleep(0.2)
    trials.close()
    waiting.join(20)
    assert [report.errors[0].code for report in answers] == ["too-costly"]


def test_variants_are_answered_to_many_at_once(client: TestClient) -> None:
    text = variants(MAX_VARIANTS, 'n{n}.role = "cell"\n')
    name = client.post("/api/rules", json={"text": text}).json()["game"]["name"]
    begin = time.monotonic()
    threads = [
        threading.Thread(target=client.get, args=(f"/api/games/{name}/variants",))
        for _ in range(40)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - begin < 60
    answer = client.get(f"/api/games/{name}/variants").json()
    assert len(answer) == MAX_VARIANTS


def test_old_versions_do_not_count(client: TestClient, state: AppState) -> None:
    for number in range(MOST_OWN + 20):
        state.store.save_rules(f"own.small.{number:08x}", f"{SMALL}# {number}")
        state.store.hide_rules(f"own.small.{number:08x}")
    answer = client.post("/api/rules", json={"text": SMALL})
    assert answer.status_code == 201, answer.text


def test_versions_that_no_table_uses_go(
    client: TestClient, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.post("/api/rules", json={"text": SMALL}).json()["game"]["name"]
    table = client.post("/api/tables", json={"game": first, "deal": "cadogan:1"}).json()["id"]
    second = client.post(
        "/api/rules", json={"text": SMALL + "# 2", "replaces": first}
    ).json()["game"]["name"]  # fmt: skip
    third = client.post(
        "/api/rules", json={"text": SMALL + "# 3", "replaces": second}
    ).json()["game"]["name"]  # fmt: skip
    # A page that has it open may still deal it.
    assert set(state.store.rules()) == {first, second, third}
    monkeypatch.setattr(store, "_HIDDEN_STAY", timedelta(0))
    state.store.drop_unused_rules()
    assert set(state.store.rules()) == {first, third}
    assert client.get(f"/api/tables/{table}").status_code == 200


def test_the_name_of_a_rules_file_has_the_bits_of_its_text(
    client: TestClient, state: AppState
) -> None:
    name = client.post("/api/rules", json={"text": SMALL}).json()["game"]["name"]
    assert len(name.split(".")[2]) == 32
    # The same file under a name of before is not there twice.
    old = f"own.small.{name.split('.')[2][:8]}"
    state.store.hide_rules(name)
    state.store.save_rules(old, SMALL)
    assert client.post("/api/rules", json={"text": SMALL}).json()["game"]["name"] == old


def test_a_file_of_more_than_64_kib_is_too_large(client: TestClient) -> None:
    just = SMALL + "#" * (65536 - len(SMALL))
    assert client.post("/api/rules/check", json={"text": just}).json()["ok"]
    answer = client.post("/api/rules/check", json={"text": just + "#"})
    assert answer.status_code == 413
    assert "64 KiB" in answer.json()["message"]["text"]


# -- what rules in all sizes cost ------------------------------------------------------------------


def test_rules_from_everywhere_to_everywhere_are_read_in_no_time() -> None:
    groups = "".join(
        f'[n{n}]\nrole = "tableau"\nbuild = "down in suit"\nmoves = "sequences"\n'
        for n in range(90)
    )
    begin = time.process_time()
    check_text(f"{SMALL}{groups}[variants.a]\nrow.piles = 5\n", "a.toml")
    assert time.process_time() - begin < 3


def test_thousands_of_piles_are_refused_in_no_time() -> None:
    group = '[n{}]\nrole = "tableau"\npiles = 20\nbuild = "down"\nalong = "neighbours"\n'
    text = "".join(group.format(number) for number in range(150))
    begin = time.process_time()
    report = check_text('name = "Wide"\n' + text, "a.toml")
    assert "too-many" in {fault.code for fault in report.errors}
    assert time.process_time() - begin < 1


def test_many_faults_on_a_long_line_are_reported_in_no_time() -> None:
    rules = ", ".join(f'{{ name = "r{n}", from = "nowhere{n}", to = "row" }}' for n in range(99))
    report = check_text(f"rule = [{rules}]\n{SMALL}", "a.toml")
    assert len(report.errors) > 50
    begin = time.process_time()
    report.render()
    assert time.process_time() - begin < 1


def test_a_picture_of_a_part_of_a_group_leaves_no_pile_without_a_place() -> None:
    text = (CATALOGUE / "beleaguered-castle.toml").read_text(encoding="utf-8")
    book = book_of(text.replace("packs", 'picture = "foundations.3"\npacks', 1))
    places = lay_out(book).places
    assert len({(place.row, place.column) for place in places}) == len(book.pile_names)


def test_statistics_of_a_game_are_together_whatever_its_tables_called_it(
    client: TestClient, state: AppState
) -> None:
    for name in ("klondike:no-return+draw-three", "klondike:draw-three+no-return"):
        # As a server of before dealt it.
        first = state.library.load(name).deal("cadogan:1")
        record = state.tables.begin(first)
        move = first.moves()[0].text
        client.post(f"/api/tables/{record.key}/moves", json={"version": 0, "text": move})
    (game,) = {result.game for result in results(state.store)}
    assert game == "klondike:draw-three+no-return"

"""Expansion: what roles stand for, and that core rules define the same game."""

import random
from pathlib import Path
from typing import Any

import pytest

from cadogan import load
from cadogan.rules import expand_text, load_rules
from cadogan.rules.expand.expand import _Expansion, expand
from cadogan.rules.expand.write import write_core
from cadogan.rules.faults.report import Report
from cadogan.rules.read.read import read_document
from cadogan.rules.source.reading import Reading
from cadogan.rules.validate.role_keys import ROLE_KEYS
from cadogan.rules.validate.schema import GROUP_KEYS
from cadogan.rules.validate.validate import validate
from tests.catalogue import all_readings
from tests.rules.reading import book_of


def core_of(text: str) -> dict[str, Any]:
    document = read_document(text, "a.toml")
    report = Report(document)
    core = expand(validate(Reading("a", (), document.data), report), report).data
    assert report.ok, report.render()
    return core


def rules_of(text: str) -> list[dict[str, Any]]:
    rules: list[dict[str, Any]] = core_of(f'name = "A"\n{text}')["rule"]
    return rules


@pytest.mark.parametrize("name", all_readings())
def test_the_expansion_is_the_same_game(name: str, tmp_path: Path) -> None:
    text = expand_text(name)
    path = tmp_path / "expanded.toml"
    path.write_text(text, encoding="utf-8")
    assert expand_text(str(path)) == text
    assert load_rules(str(path)).program.to_bytes() == load_rules(name).program.to_bytes()


def test_odd_texts_come_through(tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    source = r'''
        name   = "A \"quoted\" \\ name"
        source = "tab\there, \u0001, 漢"
        remarks = ["one\ntwo", ""]
        picture = """
         T1 T2
        """
        names = { "pt-BR" = "Jogo", "a b" = "c" }
        [tableau]
        piles = 2
        mark  = "T"
        deal  = 26
        build = "nothing"
        [foundations]
        piles = 4
        base  = "ace"
        build = "up in suit"
    '''
    path.write_text(source, encoding="utf-8")
    text = expand_text(str(path))
    again = tmp_path / "again.toml"
    again.write_text(text, encoding="utf-8")
    assert expand_text(str(again)) == text
    first, second = load_rules(str(path)).rulebook, load_rules(str(again)).rulebook
    assert (first.name, first.source, first.remarks, first.names, first.picture) == (
        second.name,
        second.source,
        second.remarks,
        second.names,
        second.picture,
    )


def test_every_key_of_a_group_belongs_to_a_role() -> None:
    assert {key for keys in ROLE_KEYS.values() for key in keys} == set(GROUP_KEYS)


def test_a_tableau_builds_from_all_that_is_open() -> None:
    rules = rules_of(
        """
        tableau = { piles = 2, build = "down", space = "kings" }
        reserve = {}
        cells = {}
        waste = {}
        foundations = { base = "ace", build = "up in suit" }
        """
    )
    names = [rule["name"] for rule in rules]
    assert names == ["build on tableau", "keep in cells", "play to foundations"]
    assert rules[0]["from"] == ["tableau", "reserve", "cells", "waste"]
    assert rules[0]["space"] == "kings"
    assert rules[1]["to"] == "vacant cells"


def test_a_tableau_that_is_not_built_takes_nothing() -> None:
    assert rules_of('tableau = { build = "nothing" }') == []
    (rule,) = rules_of('tableau = { piles = 2, build = "nothing", space = "any card" }')
    assert rule["to"] == "vacant tableau"
    (rule,) = rules_of('tableau = { piles = 2, build = "down", space = "nothing" }')
    assert rule["to"] == "occupied tableau"


@pytest.mark.parametrize(
    ("moves", "cards"),
    [
        ("single cards", None),
        ("sequences", "a sequence down in suit or else up"),
        ("sequences down", "a sequence down"),
        ("packets", "a packet"),
    ],
)
def test_what_moves_together(moves: str, cards: str | None) -> None:
    (rule,) = rules_of(f'tableau = {{ build = ["down in suit", "up"], moves = "{moves}" }}')
    assert rule.get("cards") == cards


def test_redeals_are_counted() -> None:
    core = core_of(
        """
        name = "A"
        tableau = { build = "nothing" }
        stock = { deals = "3 to waste", redeals = 2 }
        waste = {}
        """
    )
    deal, redeal = core["rule"]
    assert deal["steps"] == [{"deal": 3, "from": "stock", "to": "waste"}]
    assert redeal["when"] == ["stock is empty", "waste is not empty", "redeals < 2"]
    assert redeal["add"] == {"redeals": 1}
    assert core["counters"]["redeals"]["cap"] == 2


def test_the_deal_goes_round() -> None:
    text = 'name = "A"\n[tableau]\npiles = 3\nbuild = "nothing"\n'
    rounds = core_of(f"{text}deal_down = [0, 1, 2]\ndeal = 1")["layout"]
    assert [(step["to"], step.get("face", "up")) for step in rounds] == [
        ("tableau.1", "up"),
        (["tableau.2", "tableau.3"], "down"),
        ("tableau.2", "up"),
        ("tableau.3", "down"),
        ("tableau.3", "up"),
    ]
    assert core_of(f"{text}deal = 4")["layout"] == [
        {"deal": 1, "from": "pack", "to": "tableau", "rounds": 4}
    ]
    packets = core_of(f'{text}deal = 4\ndealt = "in packets"')["layout"]
    assert packets == [{"deal": 4, "from": "pack", "to": "tableau"}]


def test_rules_of_the_file_stand_where_the_first_is_written() -> None:
    rules = rules_of(
        """
        [foundations]
        base  = "ace"
        build = "up"
        [[rule]]
        name = "one"
        from = "tableau"
        to   = "foundations"
        [tableau]
        build = "down"
        [[rule]]
        name = "two"
        from = "tableau"
        to   = "foundations"
        """
    )
    names = [rule["name"] for rule in rules]
    assert names == ["play to foundations", "one", "two", "build on tableau"]


def test_an_aim_may_be_left_to_the_foundations() -> None:
    assert core_of('name = "A"\nfoundations = { base = "ace", build = "up" }')["aim"] == [
        "foundations is complete"
    ]
    spider = 'foundations = { piles = 2, takes = "complete sequences down" }'
    assert core_of(f'name = "A"\n{spider}')["aim"] == ["no foundations is vacant"]


@pytest.mark.parametrize(("plays", "forced"), [("", True), ("forced", True), ("free", None)])
def test_complete_sequences_may_wait(plays: str, forced: bool | None) -> None:
    keys = "base = 'king'\ntakes = 'complete sequences down'\n"
    keys += f"plays = '{plays}'\n" if plays else ""
    (rule,) = rules_of(f"[tableau]\nbuild = 'nothing'\n[foundations]\n{keys}")
    assert rule["cards"] == "a complete sequence down"
    assert rule.get("forced") == forced


def test_paths_lead_back_to_what_was_written() -> None:
    document = read_document('name = "A"\ntableau = { from = ["a", "tableau", "b"] }', "a.toml")
    report = Report(document)
    data = validate(Reading("a", (), document.data), report).data
    data["tableau"] |= {"build": "down", "moves": "sequences"}
    expansion = _Expansion(data, report)
    assert [rule["from"] for rule in expansion.core["rule"]] == [["tableau"], ["a", "b"]]
    assert expansion.back(("rule", 0, "from", 0)) == ("tableau", "from", 1)
    assert expansion.back(("rule", 1, "from", 1)) == ("tableau", "from", 2)
    assert expansion.back(("rule", 0, "cards")) == ("tableau", "build")
    assert expansion.back(("rule", 0, "name")) == ("tableau", "moves")
    assert expansion.back(("packs",)) == ("packs",)


def test_two_groups_with_dealt_bases_do_not_share_one() -> None:
    core = core_of(
        """
        name = "A"
        [red-home]
        role  = "foundation"
        base  = "dealt"
        build = "up in suit, round the corner"
        [black-home]
        role  = "foundation"
        piles = 2
        base  = "dealt"
        build = "up in suit, round the corner"
        """
    )
    assert set(core["counters"]) == {"base-red-home", "base-black-home"}
    assert [step.get("base", step.get("to")) for step in core["layout"]] == [
        "red-home", "base-red-home", "black-home.1", "base-black-home",
    ]  # fmt: skip
    book = book_of(write_core(core))
    assert [group.build_order.base for group in book.groups if group.build_order is not None] == [
        0,
        1,
    ]


def test_points_of_a_rule_are_given_for_each_use(tmp_path: Path) -> None:
    file = tmp_path / "points.toml"
    file.write_text(
        """
name = "Points"
aim  = "tableau is empty"
[tableau]
piles = 7
deal  = 5
build = "nothing"
space = "nothing"
[stock]
[waste]
deal = 1
[[rule]]
name   = "lay off"
from   = "tableau"
to     = "waste"
build  = "up or down"
points = 5
[[rule]]
name   = "turn"
from   = "stock"
to     = "waste"
points = -2
[score]
start = 10
""",
        encoding="utf-8",
    )
    position = load(str(file)).deal("cadogan:1")
    chance, points = random.Random(1), 10
    while moves := position.moves():
        assert position.score == points
        move = chance.choice(moves)
        points += 5 if move.source != "stock" else -2
        position = position.play(move)
    assert position.score == points

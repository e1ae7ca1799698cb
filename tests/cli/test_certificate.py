"""solve --certificate and check-certificate."""

import json
from pathlib import Path

import pytest

from cadogan import load
from tests.cli.conftest import Run
from tests.games import TINY

LOST = ("fan", "--deal", "cadogan:9")


def test_a_certificate_is_written_and_checked(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "fan.json"
    written = run("solve", *LOST, "--certificate", str(file))
    assert written.status == 0
    assert written.out.startswith("unwinnable")
    assert "'cadogan check-certificate' checks it" in written.err
    checked = run("check-certificate", str(file))
    assert checked.status == 0
    assert checked.out.splitlines() == [
        "fan cadogan:9: unwinnable, proved",
        "332 positions: 73 by moves, 63 by safe play, 196 by dead end",
    ]
    facts = json.loads(run("check-certificate", "-", "--json", stdin=file.read_text()).out)
    assert (facts["ok"], facts["positions"], facts["moves"]) == (True, 332, 403)


def test_a_position_after_moves_has_a_certificate(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "fan.json"
    move = load("fan").deal("cadogan:9").moves()[0].text
    written = run("solve", *LOST, "--moves", move, "--certificate", str(file), "--json")
    assert json.loads(written.out)["certified"] is True
    assert "after 1 move: unwinnable" in run("check-certificate", str(file)).out


def test_a_changed_certificate_proves_nothing(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "fan.json"
    run("solve", *LOST, "--certificate", str(file))
    file.write_text(file.read_text().replace("cadogan:9", "cadogan:8"))
    result = run("check-certificate", str(file))
    assert (result.status, result.out, result.err) == (
        1,
        "not proved: seal: the file was changed or damaged\n",
        "",
    )
    facts = json.loads(run("check-certificate", str(file), "--json").out)
    assert facts == {"ok": False, "place": "seal", "fault": "the file was changed or damaged"}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("fan", "--deal", "cadogan:1"), "can be won"),
        ((*LOST, "--budget", "1"), "was not proved to be lost"),
        (("golf", "--deal", "cadogan:11", "--budget", "60000"), "more than 60,000 positions"),
    ],
)
def test_there_may_be_no_certificate(
    run: Run, tmp_path: Path, words: tuple[str, ...], why: str
) -> None:
    file = tmp_path / "none.json"
    result = run("solve", *words, "--certificate", str(file))
    assert result.status == 1
    assert "no certificate: " in result.err
    assert why in result.err
    assert not file.exists()


def test_a_game_of_ones_own_must_be_named(run: Run, tmp_path: Path) -> None:
    rules, file = tmp_path / "tiny.toml", tmp_path / "tiny.json"
    rules.write_text(TINY, encoding="utf-8")
    deck = "AH 2H AS 3S 2S 3H"
    for number in range(720):
        cards = deck.split()
        order = []
        for left in range(6, 0, -1):
            number, at = divmod(number, left)
            order.append(cards.pop(at))
        written = run("solve", str(rules), "--deck", " ".join(order), "--certificate", str(file))
        if written.status == 0:
            break
    result = run("check-certificate", str(file))
    assert result.status == 1
    assert "name its rules file with --game" in result.out
    assert run("check-certificate", str(file), "--game", str(rules)).status == 0
    other = run("check-certificate", str(file), "--game", "fan")
    assert "the rules of fan are not those of the certificate" in other.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("no-such-file.json",), "no-such-file.json"),
        (("x.json", "--positions", "0"), "give 1 to"),
    ],
)
def test_what_cannot_be_asked(run: Run, words: tuple[str, ...], told: str) -> None:
    result = run("check-certificate", *words)
    assert (result.status, result.out) == (2, "")
    assert told in result.err
    assert "Traceback" not in result.err

"""The checker rejects tampered certificates, even where the seal is computed again."""

import base64
import random
import subprocess
import sys
import zlib
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from cadogan import load
from cadogan.cards import format_cards
from cadogan.certificates import Certificate, CertificateError, check
from cadogan.certificates.checker import ALL_MOVES, DEAD_END, LOCKED, SAFE_PLAY
from cadogan.certificates.file import read, write
from cadogan.deals import deck_for
from cadogan.rules.pipeline import load_rules
from cadogan.solver.certificate import certify
from tests.documents import ROOT

pytestmark = pytest.mark.takes_turns(2)

SAMPLES = (
    ("fan", "cadogan:9"),
    ("fan", "cadogan:25"),
    ("freecell:one-cell", "cadogan:3"),
    ("freecell:one-cell", "cadogan:4"),
    ("streets-and-alleys", "cadogan:13"),
    ("amazons", "cadogan:171"),
    ("the-queens", "cadogan:1"),
    ("beleaguered-castle", "cadogan:14"),
)
DAILY, ALL = 60, 1_000


@cache
def sample(game: str, deal: str) -> str:
    return certify(load(game).deal(deal))


@cache
def sound(game: str, deal: str) -> Certificate:
    return check(sample(game, deal)).certificate


@cache
def legal_moves(game: str, deal: str) -> tuple[int, ...]:
    return tuple(move.code for move in load(game).deal(deal).moves())


def flip(text: str, chance: random.Random) -> str:
    """Another letter somewhere in the file."""
    at = chance.randrange(len(text))
    return text[:at] + chr(ord(text[at]) ^ 1 << chance.randrange(7)) + text[at + 1 :]


def forge(found: Certificate, chance: random.Random) -> tuple[str, Certificate]:
    """A certificate that claims something else, by the name of what was done to it."""
    arguments = bytearray(found.arguments)
    at = chance.randrange(len(arguments))
    ways = ["deal", "deck", "game", "line", "position", "groups", "suits", "cards", "set"]
    ways += ["drop", "add", "claim", "argument", "swap"]
    way = chance.choice(ways)
    if way == "deal":
        deal = f"cadogan:{chance.randrange(1, 1 << 32)}"
        deck = found.deck
        if chance.random() < 0.5:
            deck = format_cards(deck_for(deal, load_rules(found.game).rulebook))
        return way, replace(found, deal=deal, deck=deck)
    if way == "deck":
        cards = found.deck.split()
        one, other = chance.sample(range(len(cards)), 2)
        if cards[one] == cards[other]:
            return way, found
        cards[one], cards[other] = cards[other], cards[one]
        return way, replace(found, deal=None, deck=" ".join(cards))
    if way == "game":
        game = chance.choice(["fan:even", "freecell", "klondike", "beleaguered-castle", "golf"])
        program = load_rules(game).digest if chance.random() < 0.5 else found.program
        return way, replace(found, game=game, program=program)
    if way == "line":
        moves = legal_moves(found.game, found.deal or "")
        code = chance.choice([*moves, chance.randrange(1 << 32)])
        return way, replace(found, line=(code,))
    if way == "position":
        number = max(1, found.positions + chance.choice([-2, -1, 1, 5]))
        return way, replace(found, positions=number)
    if way == "groups":
        names = [pile["name"] for pile in load_rules(found.game).program.data["piles"]]
        group = tuple(chance.sample(names, 2))
        rest = tuple(g for g in found.interchange if not set(g) & set(group))
        return way, replace(found, interchange=chance.choice([rest, (*rest, group)]))
    if way == "suits":
        return way, replace(found, suits_below=chance.choice([None, 1, 2, 3, 5, 8, -1]))
    if way == "cards":
        group = tuple(chance.sample(found.deck.split(), 2))
        return way, replace(found, equal_cards=chance.choice([(), (group,)]))
    if way == "set":
        digits = list(found.closed_set)
        digits[chance.randrange(64)] = chance.choice("0123456789abcdef")
        return way, replace(found, closed_set="".join(digits))
    if way == "drop":
        del arguments[at]
    elif way == "add":
        arguments.insert(at, chance.choice([ALL_MOVES, DEAD_END, LOCKED, SAFE_PLAY]))
    elif way == "claim":
        arguments[at] = chance.choice([DEAD_END, LOCKED, SAFE_PLAY + chance.randrange(20)])
    elif way == "argument":
        arguments[at] = chance.randrange(256)
    else:
        other = chance.randrange(len(arguments))
        arguments[at], arguments[other] = arguments[other], arguments[at]
    forged = replace(found, arguments=bytes(arguments), positions=max(1, len(arguments)))
    return way, forged


def rejections(number: int, seed: int) -> Counter[str]:
    """Forges certificates until so many differ from the true ones; all must be rejected."""
    chance = random.Random(seed)
    done: Counter[str] = Counter()
    while done.total() < number:
        game, deal = chance.choice(SAMPLES)
        text, true = sample(game, deal), sound(game, deal)
        if chance.random() < 0.2:
            way, forged = "flip", flip(text, chance)
        else:
            way, changed = forge(true, chance)
            forged = write(changed)
        if forged == text:
            continue
        try:
            check(forged)
        except CertificateError:
            done[way] += 1
        else:
            pytest.fail(f"{way}: accepted {forged}")
    return done


def test_tampered_certificates_are_rejected() -> None:
    assert rejections(DAILY, seed=1).total() == DAILY


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_thousand_tampered_certificates_are_rejected() -> None:
    done = rejections(ALL, seed=2)
    assert len(done) == 15, done
    assert min(done.values()) >= 10, done


@pytest.mark.parametrize(("game", "deal"), SAMPLES[:6])
def test_no_false_argument_is_accepted(game: str, deal: str) -> None:
    """The rules find a false claim at its position; no digest is needed for that."""
    true = sound(game, deal)
    for at in range(0, true.positions, max(1, true.positions // 12)):
        if true.arguments[at] != ALL_MOVES:
            continue
        claims = [LOCKED, DEAD_END, SAFE_PLAY, SAFE_PLAY + 4, SAFE_PLAY + 9, 77]
        for claim in claims:
            arguments = bytearray(true.arguments)
            arguments[at] = claim
            with pytest.raises(CertificateError) as found:
                check(write(replace(true, arguments=bytes(arguments))))
            assert found.value.place == f"position {at + 1}"


def test_a_bomb_is_not_unpacked() -> None:
    text = sample("fan", "cadogan:9")
    true = sound("fan", "cadogan:9")
    packed = base64.b64encode(zlib.compress(bytes(50_000_000), 9)).decode()
    old = base64.b64encode(zlib.compress(true.arguments, 9)).decode()
    assert old in text
    with pytest.raises(CertificateError, match="seal"):
        check(text.replace(old, packed))
    with pytest.raises(CertificateError, match="one for each position"):
        check(write(replace(true, arguments=bytes(5_000_000))))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "file"),
        ("[]", "file"),
        ("{" * 100_000, "file"),
        ('{"format": ' + "9" * 5_000 + "}", "file"),
        ('{"format": 1, "format": 1}', "file"),
        ('{"format": true}', "format"),
        ('{"format": 2}', "format"),
        ('{"format": 1}', "game"),
        ("x" * (9 << 20), "file"),
    ],
)
def test_what_is_no_certificate(text: str, place: str) -> None:
    with pytest.raises(CertificateError) as found:
        check(text)
    assert found.value.place == place


def test_a_certificate_has_limits() -> None:
    with pytest.raises(CertificateError, match="332 positions, but 1 to 100 are allowed"):
        check(sample("fan", "cadogan:9"), max_positions=100)


@pytest.mark.parametrize("game", ["../fan", "/etc/passwd", "fan.toml", "C:\\x.toml"])
def test_a_certificate_names_no_file(game: str) -> None:
    with pytest.raises(CertificateError, match="--game"):
        check(write(replace(sound("fan", "cadogan:9"), game=game)))


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"game": "fen"}, "game"),
        ({"game": "fan:no-such-variant"}, "game"),
        ({"game": "x" * 100_000}, "game"),
        ({"deal": "x" * 100_000}, "deal"),
        ({"deal": "cadogan:x"}, "deal"),
        ({"deal": None, "deck": "AS" * 100_000}, "deck"),
        ({"deal": None, "deck": ""}, "deck"),
        ({"interchange": (("no", "such"),)}, "interchange"),
        ({"interchange": (("fans.1", "foundations.1"),)}, "interchange"),
        ({"equal_cards": (("AS", "1X"),)}, "equal_cards"),
        ({"equal_cards": (("AS", "AC"),)}, "equal_cards"),
        ({"suits_below": -1}, "suits_below"),
        ({"line": (0,)}, "line, move 1"),
        ({"line": (0,) * 10_001}, "line"),
    ],
)
def test_a_wrong_field_is_named(changed: dict[str, Any], place: str) -> None:
    with pytest.raises(CertificateError) as found:
        check(write(replace(sound("fan", "cadogan:9"), **changed)))
    assert found.value.place == place
    assert len(str(found.value)) < 500


def test_the_checker_needs_neither_the_search_nor_the_kernel(tmp_path: object) -> None:
    """In a process that has no kernel at all. The deal is given by its cards."""
    text = write(replace(sound("fan", "cadogan:9"), deal=None))
    program = (
        "import sys\n"
        "sys.modules['cadogan._kernel'] = None\n"
        "from cadogan.certificates import check\n"
        "print(check(sys.stdin.read()).certificate.positions)\n"
        "assert 'cadogan.solver' not in sys.modules\n"
        "assert 'cadogan.game' not in sys.modules\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
        check=False,
    )
    assert (ran.stdout, ran.stderr) == ("332\n", "")


def test_reading_is_the_inverse_of_writing() -> None:
    for game, deal in SAMPLES:
        assert read(sample(game, deal)) == sound(game, deal)
        assert write(sound(game, deal)) == sample(game, deal)

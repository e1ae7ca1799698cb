"""``covered``, ``open``, ``along`` and ``beside``: places of the picture."""

import random
import re
from collections.abc import Callable, Sequence
from typing import Final

from cadogan import Position
from cadogan.rules.rulebook.rulebook import Rulebook
from tests.rules.composed.reading import MANY, NUMBERS, RANKS, chance, dealt, read_game, sentence
from tests.rules.composed.test_sets import clauses, compose, layouts

Place = tuple[int, float]
Picture = dict[str, Place]
"""Where each place lies: row and column; a place may be shifted by half."""

SIDES: Final = ("above", "below", "left", "right")


def draw_picture(
    draw: random.Random, marks: dict[str, int], *, halves: bool
) -> tuple[str, Picture]:
    """A picture of places in some rows, with gaps, and where each of them lies."""
    names = [f"{mark}{number + 1}" for mark, count in marks.items() for number in range(count)]
    draw.shuffle(names)
    rows: list[str] = []
    picture: Picture = {}
    width = draw.choice((2, 3, 4))
    while names:
        column, words = 0.0, []
        if halves and draw.random() < 0.5:
            column, words = 0.5, ["/"]
        for _ in range(width):
            if names and draw.random() < 0.85:
                name = names.pop()
                picture[name] = (len(rows), column)
                words.append(name)
            else:
                words.append(".")
            column += 1
        rows.append(" ".join(words))
    return "\n".join(rows), picture


def on_side(picture: Picture, name: str, side: str, *, whole: bool) -> set[str]:
    """The places on one side of a place that touch it, or all up to the edge."""
    row, column = picture[name]
    found = set()
    for other, (at, across) in picture.items():
        down, right = float(at - row), across - column
        if side in ("above", "below"):
            far, in_line = (down if side == "below" else -down), abs(right) < 1
        else:
            far, in_line = (right if side == "right" else -right), down == 0
        if in_line and (far > 0 if whole else far == 1):
            found.add(other)
    return found


COVERING: Final = '''
name = "Covering"
aim  = "upper is empty"
picture = """
{picture}
"""

[upper]
role  = "reserve"
mark  = "U"
piles = 6
deal  = 1
{key}

[other]
role  = "tableau"
mark  = "O"
piles = 4
deal  = 1
build = "nothing"

[gone]
role  = "discard"
mark  = "G"
piles = 2

[rest]
role = "discard"
deal = 42

[[rule]]
name = "take"
from = ["upper", "other"]
to   = "gone.1"
'''


def open_places(picture: Picture, held: set[str], sides: list[str], *, whole: bool) -> set[str]:
    """The upper places whose cards may be used: on one of the sides no card is in the way."""
    found = set()
    for name in picture:
        if name[0] == "U" and name in held:
            ways = [on_side(picture, name, side, whole=whole) for side in sides]
            if any(not {other for other in way if other[0] in "UO"} & held for way in ways):
                found.add(name)
    return found


def marks_of(position: Position) -> set[str]:
    return {
        f"{pile[0].upper()}{pile.partition('.')[2]}"
        for pile, cards in position.piles.items()
        if cards and pile[0] in "uo"
    }


def test_places_that_cover_and_that_lie_in_the_way() -> None:
    draw, read = chance("places"), 0
    for _ in range(120 * MANY):
        drawn, picture = draw_picture(draw, {"U": 6, "O": 4, "G": 2}, halves=draw.random() < 0.6)
        covered = draw.random() < 0.5
        number = draw.choice((None, None, "one", "two", "three"))
        whole, words = draw.random() < 0.4, "the place"
        if covered:
            side, whole = draw.choice(SIDES[:2]), False
            sides = [side]
            cards = draw.choice(("", " cards", " places"))
            phrase = f"by {draw.choice(('the ', ''))}{number or 'those'}{cards} {side}"
            key = f'covered = "{phrase}"'
        else:
            number = None
            sides = draw.sample(SIDES, draw.choice((1, 1, 2, 3)))
            words = "all places" if whole else draw.choice(("the place", "a place"))
            named = [side if side in SIDES[:2] else f"to the {side}" for side in sides]
            phrase = f"while {words} {' or '.join(named)} {'are' if whole else 'is'} vacant"
            key = f'open = "{phrase}"'
        found = read_game(COVERING.format(picture=drawn, key=key))
        case = f"{key}\n{drawn}"

        upper = [name for name in picture if name[0] == "U"]
        near = {
            name: [
                {o for o in on_side(picture, name, side, whole=False) if o[0] in "UO"}
                for side in sides
            ]
            for name in upper
        }
        wanted = None if number is None else NUMBERS.index(number)
        wrong = not any(any(ways) for ways in near.values()) or (
            wanted is not None and any(ways[0] and len(ways[0]) != wanted for ways in near.values())
        )
        if not covered and not whole:
            wrong = wrong or any(
                len(way) > 1 for ways in near.values() if all(ways) for way in ways
            )
        assert isinstance(found, list) == wrong, f"{case}: {found}"
        if isinstance(found, list):
            assert set(found) <= {"not-in-picture", "wrong-count"}, case
            continue
        read += 1
        game, book = found
        said, said_whole, said_number = told_covering(book)
        assert set(said) == set(sides), case
        assert said_whole == (whole and not covered), case
        assert said_number == wanted, case
        position = game.deal(f"cadogan:{draw.randrange(1, 1000)}")
        while True:
            held = marks_of(position)
            played = {
                str(move).partition(" ")[0].replace("upper.", "U")
                for move in position.moves()
                if str(move).startswith("upper")
            }
            assert played == open_places(picture, held, sides, whole=whole), f"{case}\n{held}"
            moves = position.moves()
            if not moves:
                break
            position = position.play(draw.choice(moves))
    assert read > 30


def told_covering(book: Rulebook) -> tuple[list[str], bool, int | None]:
    """The sides, whether whole lines count, and how many places cover, from the explanation."""
    if words := sentence(book, "is covered by"):
        match = re.search(
            r"Each card of the upper(?: piles)? is covered by (?P<number>those|the (?P<word>\w+)) "
            r"(?P<side>above|below) it, as in the picture, until (?:that is|these are) gone\.",
            words,
        )
        assert match is not None, words
        number = NUMBERS.index(match["word"]) if match["word"] else None
        return [match["side"]], False, number
    words = sentence(book, "only while")
    match = re.search(
        r"A card of the upper(?: piles)? may be used only while (?P<places>.+) (?:is|are) vacant\.",
        words,
    )
    assert match is not None, words
    found, whole = [], set()
    for part in re.split(r", or |, | or ", match["places"]):
        place = re.fullmatch(
            r"(?P<which>the place|all places) (?:to its |)(?P<side>above|below|left|right)(?: it)?",
            part,
        )
        assert place is not None, part
        found.append(place["side"])
        whole.add(place["which"] == "all places")
    assert len(whole) == 1
    return found, whole.pop(), None


# Neighbours.

WHERE: Final = (
    "the left neighbour",
    "the right neighbour",
    "the neighbour above",
    "the neighbour below",
    "the second to the left",
    "the third to the right",
    "the place before",
    "the place after",
)
TOUCHING: Final = ("neighbours", "neighbours and corners")
TOLD: Final = {
    "next to it, touching at a side or a corner": "neighbours and corners",
    "next to it, touching at a side": "neighbours",
    "the next one to the left": "the left neighbour",
    "the next one to the right": "the right neighbour",
    "the next one above": "the neighbour above",
    "the next one below": "the neighbour below",
    "the next one before, row after row": "the place before",
    "the next one after, row after row": "the place after",
    "the second to the left": "the second to the left",
    "the third to the right": "the third to the right",
}
"""What the words of the explanation mean."""


def beside(picture: Picture, name: str, where: str) -> set[str]:
    """The places that lie beside a place of the same picture, as a phrase says."""
    row, column = picture[name]
    if where in ("the place before", "the place after"):
        group = sorted((place, other) for other, place in picture.items() if other[0] == name[0])
        at = [other for _, other in group].index(name) + (1 if where.endswith("after") else -1)
        return {group[at][1]} if 0 <= at < len(group) else set()
    ways: set[Place] = set()
    if where in TOUCHING:
        ways = {(0, 1), (0, -1), (1, 0), (-1, 0)}
        # Places that are shifted by half touch two of the next row.
        ways |= {(down, right) for down in (1, -1) for right in (0.5, -0.5)}
        if where.endswith("corners"):
            ways |= {(1, 1), (1, -1), (-1, 1), (-1, -1)}
    elif "neighbour" in where:
        far = {"left": (0, -1), "right": (0, 1), "above": (-1, 0), "below": (1, 0)}
        ways = {next(way for side, way in far.items() if side in where)}
    else:
        far_ = 2 if "second" in where else 3
        ways = {(0, far_ if where.endswith("right") else -far_)}
    there = {(row + down, column + right) for down, right in ways}
    return {other for other, place in picture.items() if place in there}


TOUCH: Final = '''
name = "Touching"
aim  = "field is empty"
picture = """
{picture}
"""

[field]
role  = "reserve"
mark  = "F"
piles = 9
deal  = 1

[other]
role  = "reserve"
mark  = "O"
piles = 3
deal  = 1

[rest]
role = "discard"
deal = 40

[[rule]]
name  = "take"
pair  = ["field", "other"]
match = "any card"
along = "{along}"
to    = "rest"
'''


def test_places_whose_cards_leave_together() -> None:
    draw = chance("touching")
    for _ in range(80 * MANY):
        drawn, picture = draw_picture(draw, {"F": 9, "O": 3}, halves=draw.random() < 0.3)
        some = draw.sample((*WHERE, *TOUCHING), draw.choice((1, 1, 2)))
        along = " or ".join(some)
        found = read_game(TOUCH.format(picture=drawn, along=along))
        assert not isinstance(found, list), found
        game, book = found
        words = sentence(book, "may go to the rest together")
        match = re.search(
            r"Two top cards (?:that touch at (?P<touch>a side or a corner|a side)|"
            r"of which one is (?P<one>.+?)), each of",
            words,
        )
        assert match is not None, words
        said = match["one"] or f"next to it, touching at {match['touch']}"
        told = []
        while said:
            known = next(one for one in TOLD if said.startswith(one))
            told.append(TOLD[known])
            said = said[len(known) :].removeprefix(",").removeprefix(" or ")
        assert sorted(told) == sorted(some), words
        position = game.deal("cadogan:1")
        played = {
            frozenset(
                f"{pile[0].upper()}{pile.partition('.')[2]}" for pile in str(move).split(" + ")
            )
            for move in position.moves()
        }
        naive = {
            frozenset((one, other))
            for one in picture
            for where in some
            for other in beside(picture, one, where)
        }
        assert played == naive, f"{along}\n{drawn}"


GAPS: Final = '''
name = "Gaps"
aim  = "field is empty"
picture = """
{picture}
"""

[field]
role   = "tableau"
mark   = "F"
piles  = 9
deal   = {deal}
build  = "nothing"
beside = [{beside}]
space  = "{space}"

[rest]
role = "discard"
deal = {rest}
'''
SPACES: Final = {"any card": RANKS, "aces": "A", "kings": "K", "nothing": ""}
AT: Final = {
    "at its left": "the left neighbour",
    "at its right": "the right neighbour",
    "above it": "the neighbour above",
    "below it": "the neighbour below",
    "in the place before it": "the place before",
    "in the place after it": "the place after",
    "as the second to the left of it": "the second to the left",
    "as the third to the right of it": "the third to the right",
}
_AT: Final = f"(?P<where>{'|'.join(AT)})"
_UNDER: Final = "a king|a black queen"
_FITS: Final = (
    rf"(?:, or |or )?is any card, as long as there is a card {_AT}",
    rf"(?:, or |or )?is (?P<one>an ace|a red card) and the card {_AT} is (?P<other>{_UNDER})",
    rf"(?:, or |or )?is (?P<fits>.+?),? (?:as|compared with) the card {_AT}",
)
Fits = Callable[[tuple[str, ...]], bool]


def told_beside(words: str) -> tuple[list[tuple[Fits, str]], str]:
    """Of what the words let a vacancy take: the relations, where, and the ranks at the edge."""
    words = words.replace("card of the field, as", "card of the field, if it is any card, as")
    match = re.search(
        r"any card of the field, if it (?P<how>[^;]+?)(?:; where there is no place (?P<ends>.+), "
        r"(?P<edge>any card|no card|only an ace|only a king) may go there)?\.",
        words,
    )
    assert match is not None, words
    found: list[tuple[Fits, str]] = []
    rest = match["how"]
    while rest := rest.strip():
        at = next(filter(None, (re.match(way, rest) for way in _FITS)), None)
        assert at is not None, f"{rest!r} of {words!r}"
        asked = at.groupdict()
        if asked.get("fits"):
            (clause,) = clauses(f"one, compared with the other, is {asked['fits']}")
            found.append((clause.lies_in_turn, AT[at["where"]]))
        elif asked.get("one"):
            (clause,) = clauses(f"one is {asked['one']} and the other is {asked['other']}")
            found.append((clause.lies_in_turn, AT[at["where"]]))
        else:
            found.append((lambda cards: True, AT[at["where"]]))
        rest = rest[at.end() :]
    if match["ends"] is None:
        return found, ""
    ends = {AT[end] for end in re.findall("|".join(AT), match["ends"])}
    assert ends == {where for _, where in found}, words
    edges = {"any card": RANKS, "no card": "", "only an ace": "A", "only a king": "K"}
    return found, edges[match["edge"]]


def test_what_vacancies_take_beside_cards() -> None:
    draw, read = chance("beside"), 0
    while read < 80 * MANY:
        drawn, picture = draw_picture(draw, {"F": 9}, halves=False)
        phrases = [
            (phrases[0], draw.choice(WHERE)) for phrases, _ in compose(f"{draw.random()}", 2)
        ][: draw.choice((1, 2))]
        space = draw.choice([*SPACES])
        deal = [1] * 6 + [0] * 3
        draw.shuffle(deal)
        keys = ", ".join(f'"{phrase.text} of {where}"' for phrase, where in phrases)
        found = read_game(
            GAPS.format(picture=drawn, deal=deal, beside=keys, space=space, rest=52 - 6)
        )
        case = f"beside = [{keys}], space = {space}\n{drawn}\n{deal}"
        nothing = any(phrase.says_nothing(2, 2) for phrase, _ in phrases)
        assert isinstance(found, list) == nothing, f"{case}: {found}"
        if isinstance(found, list):
            continue
        read += 1
        game, book = found
        if any(beside(picture, name, where) for name in picture for _, where in phrases):
            spoken, edge = told_beside(sentence(book, "A vacancy in the field"))
        else:
            spoken, edge = [], SPACES[space]
        for cards in layouts(case, 3):
            position = dealt(game, cards[:6])
            tops = {
                f"F{pile.partition('.')[2]}": str(cards_[-1])
                for pile, cards_ in position.piles.items()
                if cards_ and pile.startswith("field")
            }
            played = {
                tuple(part.replace("field.", "F") for part in str(move).split(" > "))
                for move in position.moves()
            }
            naive = filled(picture, tops, [(p.lies, w) for p, w in phrases], SPACES[space])
            assert played == naive, f"{case}\n{tops}"
            told = [(lambda below, above, fits=fits: fits((below, above)), w) for fits, w in spoken]
            assert filled(picture, tops, told, edge) == naive, f"{case}\n{tops}"


def filled(
    picture: Picture,
    tops: dict[str, str],
    phrases: Sequence[tuple[Callable[[str, str], bool], str]],
    edge: str,
) -> set[tuple[str, ...]]:
    """The moves of cards to vacancies: what lies beside a vacancy decides, or the edge."""
    found: set[tuple[str, ...]] = set()
    for vacancy in picture.keys() - tops.keys():
        near = [
            (lies, other) for lies, where in phrases for other in beside(picture, vacancy, where)
        ]
        for name, card in tops.items():
            if near:
                fits = any(other in tops and lies(tops[other], card) for lies, other in near)
            else:
                fits = card[0] in edge
            if fits:
                found.add((name, vacancy))
    return found

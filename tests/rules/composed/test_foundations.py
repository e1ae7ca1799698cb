"""``base``, ``build``, ``order``, ``suits`` and ``misplaced``: what foundations take."""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Final

import pytest

from cadogan.rules.explain import explain
from tests.rules.composed.reading import MANY, NUMBERS, RANKS, chance, dealt, read_game
from tests.rules.composed.table import Piles, table

GAME: Final = """
name  = "Foundations"
aim   = "heap is empty"
packs = 2
ranks = "{ranks}"

[foundations]
{keys}

[row]
role  = "reserve"
piles = 10
deal  = 3

[heap]
role = "discard"
deal = 1

[stock]

[counters.probed]

{probes}
"""
SUITS: Final[dict[str, Callable[[str, str], bool]]] = {
    "": lambda a, b: True,
    "in suit": lambda a, b: a[1] == b[1],
    "in alternate colours": lambda a, b: (a[1] in "DH") != (b[1] in "DH"),
    "in colour": lambda a, b: (a[1] in "DH") == (b[1] in "DH"),
    "in another suit": lambda a, b: a[1] != b[1],
    "in the next suit of hearts, clubs and spades": lambda a, b: a[1] + b[1] in ("HC", "CS", "SH"),
}
"""Whether the second card may follow the first."""
ENGLISH: Final = (
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
)
GERMAN: Final = ("ass", "zwei", "drei", "vier", "fünf", "sechs", "sieben")
Moves = set[tuple[str, str]]


@dataclass
class Course:
    """What the foundations of a group take, read from a phrase or from an explanation.

    Attributes:
        ranks: The ranks of the game.
        names: The foundations.
        base: The rank with which all of them begin.
        later: Whether that rank is known only when the first of them has a card.
        own: Whether each may begin with a rank of its own.
        order: The ranks one after the other, in place of steps.
        goes_round: How often the order goes round from any of its ranks.
        steps: How many ranks the next card may be above the last; 0 stands for any rank.
        corner: Whether the highest rank and the lowest follow each other.
        begun: Whether the second card decides: of ``"each"`` foundation, or of ``"all"``.
        by_first: Whether the step is as long as the value of the first card.
        size: How many cards a foundation takes, if that is said.
        one_suit_each: Whether no two may begin with the same suit.
        waits: Whether cards that do not begin a foundation wait on it.
    """

    ranks: str
    names: list[str]
    base: str = ""
    later: bool = False
    own: bool = False
    order: Sequence[str] = ()
    goes_round: int = 0
    steps: tuple[int, ...] = ()
    corner: bool = False
    begun: str = ""
    by_first: bool = False
    suit: str = ""
    size: int = 0
    one_suit_each: bool = False
    waits: bool = False

    def begins(self, piles: Piles, name: str, card: str) -> bool:
        """Whether a card may be the first of a foundation, whatever lies there."""
        others = [piles[other] for other in self.names if other != name and piles[other]]
        if self.one_suit_each and any(held[0][1] == card[1] for held in others):
            return False
        if self.order:
            return card[0] in self.order if self.goes_round else card[0] == self.order[0]
        if self.later:
            return all(held[0][0] == card[0] for held in others)
        return self.own or card[0] == self.base

    def is_waiting(self, piles: Piles, name: str) -> bool:
        held = piles[name]
        return self.waits and len(held) == 1 and not self.begins(piles, name, held[0])

    def takes(self, piles: Piles, name: str, card: str) -> bool:
        held = piles[name]
        if not held:
            return self.begins(piles, name, card)
        if self.is_waiting(piles, name) or len(held) >= (self.size or self._length()):
            return False
        last = held[-1]
        if not SUITS[self.suit](last, card):
            return False
        if self.order and not self.goes_round:
            return card[0] == self.order[len(held)]
        if self.order:
            place = self.order.index(last[0]) + 1
            return card[0] == self.order[place % len(self.order)]
        gap, around = self._gap(last, card), len(self.ranks)
        steps = [self._place(held[0]) + 1] if self.by_first else self._ways(piles, held)
        return any(
            step == 0 or gap == step or (self.corner and (gap - step) % around == 0)
            for step in steps
        )

    def _place(self, card: str) -> int:
        return self.ranks.index(card[0])

    def _gap(self, below: str, above: str) -> int:
        return self._place(above) - self._place(below)

    def _ways(self, piles: Piles, held: list[str]) -> Sequence[int]:
        """The steps that are left, where the second card decides."""
        decided = [held] if self.begun == "each" else [piles[name] for name in self.names]
        for cards in decided if self.begun else ():
            if len(cards) > 1:
                gap = self._gap(*cards[:2])
                return [step for step in self.steps if (gap - step) % len(self.ranks) == 0]
        return self.steps

    def _length(self) -> int:
        """Until its order ends, or the next rank does not exist or has been there."""
        if self.order:
            return len(self.order) * max(1, self.goes_round)
        if not self.base or 0 in self.steps:
            return len(self.ranks)
        seen = [self.ranks.index(self.base)]
        while True:
            following = seen[-1] + self.steps[0]
            following = following % len(self.ranks) if self.corner else following
            if following in seen or not 0 <= following < len(self.ranks):
                return len(seen)
            seen.append(following)

    def moves(self, piles: Piles) -> Moves:
        sources = [name for name in piles if name.startswith("row") and piles[name]]
        sources += [name for name in self.names if self.is_waiting(piles, name)]
        return {
            (source, name)
            for source in sources
            for name in self.names
            if name != source and self.takes(piles, name, piles[source][-1])
        }


def compose(draw: random.Random) -> tuple[str, Course]:
    """The keys of a group of foundations, and what they say."""
    ranks = RANKS[: draw.choice((5, 7))]
    number = draw.choice((1, 2, 3, 4))
    names = [f"foundations.{n}" for n in range(1, number + 1)] if number > 1 else ["foundations"]
    course = Course(ranks, names, suit=draw.choice([*SUITS]))
    keys = f"piles = {number}\n"
    kind = draw.choice(("fixed", "fixed", "fixed", "later", "own", "order", "ring"))
    word = dict(zip(RANKS, ENGLISH, strict=True))
    dealt, each = draw.random() < 0.5, ", each its own"
    how = "dealt" if dealt else "chosen"
    if kind in ("order", "ring"):
        course.order = draw.choice((ranks, ranks * 2, draw.choices(ranks, k=4)))
        build = course.suit
        if kind == "ring":
            course.order, course.goes_round = draw.sample(ranks, len(ranks)), draw.choice((1, 2))
            again = " two times" if course.goes_round > 1 else ""
            build = f"{course.suit}, round the corner{again}".lstrip(", ")
            keys += f'base = "{how}{each if number > 1 else ""}"\n'
        keys += f'order = "{" ".join(course.order)}"\n'
    else:
        way = draw.choice(("up", "down", "up", "down", "up or down", "any rank"))
        length = draw.choice((1, 1, 2, 3)) if way != "any rank" else 1
        course.steps = {"up": (1,), "down": (-1,), "up or down": (1, -1), "any rank": (0,)}[way]
        course.steps = tuple(step * length for step in course.steps)
        course.corner = way != "any rank" and (kind != "fixed" or draw.random() < 0.5)
        begun = ""
        if way == "up or down":
            course.corner, course.begun = True, draw.choice(("each", "all"))
            begun = ", as begun" if course.begun == "each" else ", all as begun"
        course.by_first = kind == "own" and way == "up" and length == 1 and draw.random() < 0.5
        long = {1: "", 2: " by twos", 3: " by threes"}[length]
        long = " by its first card" if course.by_first else long
        build = " ".join(part for part in (f"{way}{long}", course.suit) if part)
        build += f"{', round the corner' if course.corner else ''}{begun}"
        course.later, course.own = kind == "later", kind == "own"
        if kind == "fixed":
            course.base = draw.choice(ranks)
            keys += f'base = "{word[course.base]}"\n'
        else:
            rank = ", all of its rank" if dealt and draw.random() < 0.5 else ""
            keys += f'base = "{how}{each if course.own else rank}"\n'
    keys += f'build = "{build}"\n' if build else ""
    if number > 1 and draw.random() < 0.3:
        course.one_suit_each = True
        keys += 'suits = "one each"\n'
    elif kind in ("fixed", "order") and draw.random() < 0.3:
        course.waits = True
        keys += 'misplaced = "wait"\ndeal = 1\n'
    return keys, course


# What the words of the explanation say, read without the phrase.

_GERMAN_NUMBERS: Final = (
    *("null", "eine", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"),
    *("elf", "zwölf"),
)
_RANK: Final = "|".join((*ENGLISH, *map(str.capitalize, GERMAN)))
_ALIKE: Final = dict(zip(
    ("aces", "twos", "threes", "fours", "fives", "sixes", "sevens",
     "Asse", "Zweien", "Dreien", "Vieren", "Fünfen", "Sechsen", "Sieben"),
    RANKS[:7] * 2, strict=True,
))  # fmt: skip
_LIST: Final = rf"(?P<list>(?:(?:{_RANK})(?:, )?)+)"
_MANY: Final = rf"(?P<size>{'|'.join((*NUMBERS, *_GERMAN_NUMBERS))}|\d+) (?:cards?|Karten?)"
_TOLD_SUITS: Final = {
    ",? ?whatever the suits,?|,? ?gleich in welchen Farben,?|jeder Farbe": "",
    ",? ?in suit,?|in der Farbe|einer Farbe|derselben Farbe": "in suit",
    r",? ?in alternate colours,?|in wechselnder Farbe \(rot und schwarz\)": "in alternate colours",
    ",? ?in one colour,?|nur rot oder nur schwarz": "in colour",
    ",? ?with a change of suit at every card,?|jedes Mal in einer anderen Farbe": "in another suit",
    r",? ?with the next suit at every card \(hearts, then clubs, then spades, and then hearts again"
    r"\),?|jedes Mal in der nächsten Farbe \(Herz, dann Kreuz, dann Pik und dann wieder Herz\)": (
        "in the next suit of hearts, clubs and spades"
    ),
}
_SUIT: Final = rf"(?P<suit>(?:{'|'.join(_TOLD_SUITS)}))"
_FIRST: Final = (
    rf"(?P<first>an? (?:{_RANK})|eine[rm] (?:{_RANK})|a card of the base rank|einer Karte vom "
    "Grundwert|the card dealt to it|der Karte, die er bekommen hat,?|der Karte dort|any card|any of"
    " these cards|einer beliebigen Karte|einer beliebigen dieser Karten)"
)
_CORNER: Final = (
    r"(?:,? ?(?:round the corner|über die Ecke) \((?P<corner>"
    rf"the (?P<next>{_RANK}) (?:following|is next above) the (?P<last>{_RANK})|"
    rf"d(?:er|ie|as) (?P<nächst>{_RANK}) folgt auf d(?:en|ie|as) (?P<letzt>{_RANK}))\))?,? ?"
)
_AGAIN: Final = "(?P<again>, twice over|, zweimal hintereinander)?"
_DECIDES: Final = (
    "(?P<begun>; (?:the second card (?:on each|of the first of them that has two) decides which way"
    "(?P<all>, for all of them)?|die zweite Karte (?:auf jedem|des ersten, auf dem zwei liegen,) "
    "bestimmt, auf welche Weise(?P<alle>, und zwar für alle)?))?"
)
_SHARE: Final = r"(?:; there are \w+ for each suit|; für jede Farbe gibt es \w+)?"
_SHAPES: Final = (
    rf"and is built (?P<way>(?:up|down).*?){_SUIT}{_CORNER}until it holds {_MANY}",
    rf"und wird,? ?{_SUIT} (?P<way>[^,]*wärts) gebaut,{_CORNER}bis {_MANY} darauf liegen",
    (
        rf"and is built{_SUIT} in steps as long as the value of its first card, "
        rf"(?P<by_first>round the corner) \(.+?\), until it holds {_MANY}"
    ),
    (
        rf"und wird,? ?{_SUIT} in Schritten gebaut, die so groß sind wie der Wert der ersten "
        rf"Karte, (?P<by_first>über die Ecke) \(.+?\), bis {_MANY} darauf liegen"
    ),
    rf"and (?:takes|goes on with) cards of (?P<any>any rank){_SUIT} {_MANY} in all",
    rf"und nimmt dann Karten {_SUIT}, (?P<any>gleich welchen Wertes), zusammen {_MANY}",
    (
        rf"and goes on{_SUIT} in this order, in which (?P<ring>the first rank follows the last)"
        rf"{_AGAIN}: {_LIST}; {_MANY} in all"
    ),
    (
        rf"und geht,? ?{_SUIT} in dieser Folge weiter, in der "
        rf"(?P<ring>der erste Wert auf den letzten folgt){_AGAIN}: {_LIST}; zusammen {_MANY}"
    ),
    rf"and is built (?P<way>up|down) ?{_SUIT} to the (?P<end>{_RANK}), {_MANY} in all",
    (
        rf"und wird,? ?{_SUIT} (?P<way>aufwärts|abwärts) bis zu[rm] (?P<end>{_RANK}) gebaut, "
        rf"zusammen {_MANY}"
    ),
    rf"(?:takes|nimmt) (?:an?|eine?) (?P<only>{_RANK}) (?:and nothing else|und sonst nichts)",
    rf"(?:takes|nimmt) (?P<size>\w+) (?P<alike>\w+),? ?{_SUIT}",
    rf"(?:takes|nimmt) {_MANY},? ?{_SUIT},? in (?:this order|dieser Folge){_AGAIN}: {_LIST}",
)
_ONE_EACH: Final = (
    "A suit may be begun on one of them only.",
    "Eine Farbe darf nur auf einem davon begonnen werden.",
)
_WAITS: Final = (
    "nothing is laid on it. A card that belongs there stays.",
    "auf sie wird nichts gelegt. Was dorthin gehört, bleibt liegen.",
)


def rank_of(word: str) -> str:
    return RANKS[(ENGLISH.index(word) if word in ENGLISH else GERMAN.index(word.lower()))]


def number_of(word: str) -> int:
    if word.isdigit():
        return int(word)
    return NUMBERS.index(word) if word in NUMBERS else _GERMAN_NUMBERS.index(word)


def told(text: str, ranks: str, names: list[str]) -> Course:
    """What the explanation says of the foundations."""
    words = re.search(
        r"(?:Each of the foundations|The foundation|Jeder Grundstapel|Der Grundstapel) "
        r"((?:begins|takes|beginnt|nimmt).+?)\.(?= [A-Z])",
        text,
    )
    assert words is not None, text
    shapes = (
        rf"(?:(?:begins with|beginnt mit) {_FIRST} )?{shape}{_SHARE}{_DECIDES}" for shape in _SHAPES
    )
    match = next((match for shape in shapes if (match := re.fullmatch(shape, words[1]))), None)
    assert match is not None, words[1]
    said = {key: value for key, value in match.groupdict().items() if value is not None}
    course = Course(ranks, names)
    course.one_suit_each = any(words in text for words in _ONE_EACH)
    course.waits = any(words in text for words in _WAITS)
    if "size" in said:
        course.size = number_of(said["size"])
    if "only" in said:
        course.order = [rank_of(said["only"])]
        return course
    if "alike" in said:
        course.order = [_ALIKE[said["alike"]]] * course.size
    course.suit = next(s for words, s in _TOLD_SUITS.items() if re.fullmatch(words, said["suit"]))
    first = said.get("first", "").rstrip(",")
    word = first.rpartition(" ")[2]
    course.later = word in ("rank", "Grundwert")
    if word in ENGLISH or word.lower() in GERMAN:
        course.base = rank_of(word)
    else:
        course.own = not course.later
    if "list" in said:
        course.order = [rank_of(word) for word in re.findall(_RANK, said["list"])]
        again = 2 if "again" in said else 1
        if "ring" in said:
            course.goes_round = again
        else:
            course.order = [*course.order] * again
    course.by_first = "by_first" in said
    course.corner = course.by_first or "corner" in said
    if "any" in said:
        course.steps = (0,)
    far = {"": 1, "two": 2, "three": 3, "Zweier": 2, "Dreier": 3}
    for way in re.split(" or | oder ", said.get("way", "")):
        if found := re.fullmatch(
            r"(?:in (?P<weit>\w+)schritten )?(?P<way>up|down|\w+wärts)(?: by (?P<far>\w+?)s)?",
            way,
        ):
            step = far[found["weit"] or found["far"] or ""]
            course.steps += (step if found["way"] in ("up", "aufwärts") else -step,)
    if "begun" in said:
        course.begun = "all" if "all" in said or "alle" in said else "each"
    check_ends(course, said)
    return course


def check_ends(course: Course, said: dict[str, str]) -> None:
    """Whether the explanation is right about the last rank and the corner."""
    if "end" in said:
        step = course.steps[0] * (course.size - 1)
        assert rank_of(said["end"]) == course.ranks[course.ranks.index(course.base) + step]
    if "corner" in said and not course.by_first:
        one = rank_of(said.get("next") or said["nächst"])
        other = rank_of(said.get("last") or said["letzt"])
        assert {one, other} == {course.ranks[0], course.ranks[-1]}
        if "following" in said["corner"]:
            gap = course.ranks.index(one) - course.ranks.index(other)
            assert [(gap - step) % len(course.ranks) for step in course.steps] == [0]


def test_foundations_that_are_composed_take_what_is_told() -> None:
    draw, some = chance("foundations"), 0
    for _ in range(24 * MANY):
        keys, course = compose(draw)
        probes = "".join(
            f'[[rule]]\nname = "probe {name}"\nset = {{ probed = {number} }}\n'
            f'when = "top of {name} is the ace of clubs"\n'
            for number, name in enumerate(course.names, 1)
        )
        ranks = " ".join(course.ranks)
        found = read_game(GAME.format(ranks=ranks, keys=keys, probes=probes))
        if isinstance(found, list):
            assert found == ["base-needs-corner"], f"{keys}: {found}"
            assert not comes_round(course), keys
            continue
        assert comes_round(course), keys
        game, book = found
        texts = [" ".join(explain(book, language).split()) for language in ("en", "de")]
        readings = [course, *(told(text, course.ranks, course.names) for text in texts)]
        pack = [str(card) for card in game.pack]
        for _ in range(2):
            draw.shuffle(pack)
            position = game.deal(deck=pack)
            for _ in range(20):
                piles = table(position)
                own = [move for move in position.moves() if str(move.rule).startswith("play")]
                played = {(str(move.source), str(move.target)) for move in own}
                for reading in readings:
                    assert reading.moves(piles) == played, f"{keys}{texts}\n{piles}"
                if not own:
                    break
                some += len(own)
                position = position.play(draw.choice(own))
    assert some > 80


def comes_round(course: Course) -> bool:
    """Whether building comes round to all ranks, if the base is not known before the deal."""
    around = len(course.ranks)
    return bool(course.base or course.order) or all(
        not step or (course.corner and gcd(step, around) == 1) for step in course.steps
    )


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ('base = "chosen"\nbuild = "up, round the corner"\ndeal = 1', "key-does-not-fit"),
        ('base = "two"\nbuild = "up"\nsuits = "one each"\nmisplaced = "wait"', "key-does-not-fit"),
        ('base = "two"\nbuild = "up or down, as begun"', "unknown-build"),
    ],
)
def test_what_cannot_be_told_is_refused(keys: str, fault: str) -> None:
    text = GAME.format(ranks="A 2 3 4 5", keys=f"piles = 2\n{keys}", probes="")
    assert read_game(text) == [fault]


@pytest.mark.parametrize(
    ("build", "english", "german"),
    [
        ("down by twos", "the ace is next above the five", "das Ass folgt auf die Fünf"),
        ("down", "the five following the ace", "die Fünf folgt auf das Ass"),
        ("up", "the ace following the five", "das Ass folgt auf die Fünf"),
        ("any rank", "cards of any rank, whatever the suits", "Karten jeder Farbe, gleich welchen"),
    ],
)
def test_the_corner_is_told_as_it_is_built(build: str, english: str, german: str) -> None:
    corner = "" if build == "any rank" else ", round the corner"
    keys = f'piles = 2\nbase = "chosen"\nbuild = "{build}{corner}"'
    found = read_game(GAME.format(ranks="A 2 3 4 5", keys=keys, probes=""))
    assert not isinstance(found, list)
    assert english in " ".join(explain(found[1]).split())
    assert german in " ".join(explain(found[1], "de").split())


def test_an_order_that_goes_round_begins_each_suit_once() -> None:
    keys = (
        'piles = 2\nbase = "chosen, each its own"\norder = "A 3 2"\nbuild = "round the corner"\n'
        'suits = "one each"'
    )
    found = read_game(GAME.format(ranks="A 2 3 4 5", keys=keys, probes=""))
    assert not isinstance(found, list)
    game, _ = found
    below = [rank + suit for rank in "A23" for suit in "CDS"] * 2 + ["3H", "3H"]
    tops = ["AH", "2H", *(rank + suit for rank in "45" for suit in "CDHS")]
    position = dealt(game, [*below, *tops])
    assert {str(move.source) for move in position.moves()} == {"row.1", "row.2"}
    after = position.play(position.moves()[0])
    # The two of hearts may begin no other foundation; the card below the ace may.
    assert {str(move.source) for move in after.moves()} == {"row.1"}

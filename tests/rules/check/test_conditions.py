"""Conditions: phrases after "when" and "aim"."""

import pytest

from cadogan.rules.compile.symmetry import interchangeable
from cadogan.rules.explain import explain
from cadogan.rules.rulebook.condition import Condition
from tests.rules.reading import BASE, book_of, codes_of, faults_of, rule_codes, rule_of

MOVE = 'from = "garden"\nto = "waste"\n'
NAMES = book_of(BASE).pile_names


def condition(phrase: str) -> Condition:
    (found,) = rule_of(f'{MOVE}when = "{phrase}"').when
    return found


def piles(found: Condition) -> list[str]:
    assert found.piles is not None
    return [NAMES[pile] for pile in found.piles.piles]


@pytest.mark.parametrize(
    ("phrase", "kind", "number", "count"),
    [
        ("stock is empty", "vacant", 1, 1),
        ("stock is vacant", "vacant", 1, 1),
        ("the stock is not empty", "filled", 1, 1),
        ("stock and waste are empty", "vacant", 2, 2),
        ("stock, waste and garden are not empty", "filled", 1, 8),
        ("all of stock and waste are empty", "vacant", 2, 2),
        ("not all of stock and waste are empty", "filled", 1, 2),
        ("no garden is vacant", "filled", 6, 6),
        ("no garden is empty", "filled", 6, 6),
        ("some garden is vacant", "vacant", 1, 6),
        ("some garden is not empty", "filled", 1, 6),
        ("garden.1 and garden.2 are empty", "vacant", 2, 2),
    ],
)
def test_vacancies(phrase: str, kind: str, number: int, count: int) -> None:
    found = condition(phrase)
    assert (found.kind, found.number, len(piles(found))) == (kind, number, count)
    assert found.text == phrase


def test_cards_held() -> None:
    found = condition("stock and waste hold  red cards")
    assert (found.kind, found.compare, found.number) == ("holds", "at-least", 1)
    assert piles(found) == ["stock", "waste"]
    found = condition("stock holds no red cards")
    assert (found.kind, found.compare, found.number) == ("holds", "below", 1)
    found = condition("the top of waste is a queen")
    assert found.cards is not None
    assert (found.kind, piles(found), found.cards.text) == ("top", ["waste"], "a queen")
    assert condition("top of waste is no card").cards is not None


@pytest.mark.parametrize(
    ("phrase", "compare", "number"),
    [
        ("passes < 2", "below", 2),
        ("passes <= 2", "below", 3),
        ("passes = 2", "equal", 2),
        ("passes==2", "equal", 2),
        ("passes >= 2", "at-least", 2),
        ("passes > 2", "at-least", 3),
    ],
)
def test_counters(phrase: str, compare: str, number: int) -> None:
    found = condition(phrase)
    assert (found.kind, found.counter, found.compare, found.number) == (
        "counter",
        0,
        compare,
        number,
    )


@pytest.mark.parametrize(
    ("phrase", "rank"), [("base is a queen", 11), ("the base is the ace", 0), ("base is 10", 9)]
)
def test_a_counter_that_is_a_rank(phrase: str, rank: int) -> None:
    text = BASE.replace('base  = "ace"', 'base = "dealt"').replace(
        '"up in suit"', '"up in suit, round the corner"'
    )
    book = book_of(f'{text}[[rule]]\nname = "x"\n{MOVE}when = "{phrase}"\n')
    (found,) = book.rules[-1].when
    assert (found.kind, found.compare, found.number) == ("counter", "equal", rank)
    name = {0: ("an ace", "ein Ass"), 9: ("a ten", "eine Zehn"), 11: ("a queen", "eine Dame")}
    assert f"the base rank is {name[rank][0]}" in explain(book)
    assert f"der Grundwert {name[rank][1]} ist" in explain(book, "de")


def test_a_number_of_cards_is_no_class() -> None:
    for phrase, hint in (
        ("garden holds 3 cards", 'say "threes"'),
        ("garden holds two cards", 'say "twos"'),
        ("garden.1 holds 1 card", "from_holds and to_holds"),
        ("garden.1 holds 14 cards", "from_holds and to_holds"),
    ):
        (fault,) = faults_of(f'{BASE}[[rule]]\nname = "x"\n{MOVE}when = "{phrase}"\n')
        assert fault.code == "unknown-cards"
        assert fault.hint is not None
        assert fault.hint.startswith(hint)


@pytest.mark.parametrize(
    ("phrase", "title"),
    [
        ("at least 0 of garden are vacant", "always holds"),
        ("at most 6 of garden are not vacant", "always holds"),
        ("garden holds at least 0 kings", "always holds"),
        ("garden holds fewer than 0 kings", "never holds"),
        ("passes >= 0", "always holds"),
        ("passes < 0", "never holds"),
    ],
)
def test_counts_that_say_nothing(phrase: str, title: str) -> None:
    (fault,) = faults_of(f'{BASE}[[rule]]\nname = "x"\n{MOVE}when = "{phrase}"\n')
    assert (fault.code, fault.title) == ("out-of-range", f'"{phrase}" {title}')


def test_hints_name_the_piles_of_the_game() -> None:
    (fault,) = faults_of(f'{BASE}[[rule]]\nname = "x"\n{MOVE}when = "it is Sunday"\n')
    assert fault.hint == (
        'say "no garden is vacant", "stock is empty", "stock holds red cards", '
        '"top of stock is a queen", "passes < 2" or "no \'play to foundations\' is possible"'
    )


def test_one_of_several_conditions() -> None:
    found = condition("either top of waste is a king or queen or only one garden is occupied")
    assert [each.text for each in found.any_of] == [
        "top of waste is a king or queen",
        "only one garden is occupied",
    ]


def test_complete_foundations() -> None:
    assert piles(condition("foundations are complete")) == [f"foundations.{i}" for i in range(1, 5)]
    assert piles(condition("foundations.2 is complete")) == ["foundations.2"]


def test_rules_that_are_not_possible() -> None:
    found = condition("no 'play to foundations' is possible")
    assert (found.kind, found.rules, found.piles) == ("blocked", (0,), None)
    found = condition("no 'play to foundations' from garden.1 and waste is possible")
    assert piles(found) == ["garden.1", "waste"]
    named = '[[rule]]\nname = "don\'t"\nfrom = "waste"\nto = "garden"\n'
    asking = f'{named}[[rule]]\nname = "y"\n{MOVE}when = "no \'don\'t\' is possible"'
    assert book_of(f"{BASE}{asking}").rules[-1].when[0].rules == (1,)


def test_all_of_a_list_must_hold() -> None:
    rule = rule_of(f'{MOVE}when = ["stock is empty", "passes < 2"]')
    assert [found.kind for found in rule.when] == ["vacant", "counter"]
    assert rule_of(f"{MOVE}when = []").when == ()


@pytest.mark.parametrize(
    ("phrase", "codes"),
    [
        ("", ["unknown-condition"]),
        ("it is Sunday", ["unknown-condition"]),
        ("garden is emtpy", ["unknown-condition"]),
        ("no garden is not vacant", ["unknown-condition"]),
        ("gardn is empty", ["unknown-group"]),
        ("garden and garden.1 are empty", ["said-twice"]),
        ("garden.9 is empty", ["unknown-pile"]),
        ("top of garden is a queen", ["one-pile-wanted"]),
        ("top of waste is a jester", ["unknown-cards"]),
        ("waste holds jesters", ["unknown-cards"]),
        ("garden is complete", ["not-a-foundation"]),
        ("paces < 2", ["unknown-counter"]),
        ("passes < 99999", ["out-of-range"]),
        ("no 'dance' is possible", ["unknown-rule"]),
        ("no 'x' is possible", ["cannot-be-asked"]),
    ],
)
def test_faults(phrase: str, codes: list[str]) -> None:
    assert rule_codes(f'{MOVE}when = "{phrase}"') == codes


def test_there_is_a_limit() -> None:
    phrases = ", ".join(['"stock is empty"'] * 61)
    assert rule_codes(f"{MOVE}when = [{phrases}]") == ["too-many"]


def test_the_nearest_word_is_reported() -> None:
    (fault,) = faults_of(BASE.replace("[stock]", '[stock]\ndeals = "1 to wsate"'))
    assert fault.hint == 'did you mean "waste"?'
    (fault,) = faults_of(f'aim = "garden is empyt"\n{BASE}')
    assert (fault.hint, fault.labels[0].span.column) == ('did you mean "empty"?', 18)


def test_an_aim_is_a_condition() -> None:
    assert [found.kind for found in book_of(BASE).aim] == ["complete"]
    assert [found.kind for found in book_of(f'aim = "stock is empty"\n{BASE}').aim] == ["vacant"]
    assert codes_of(f"aim = []\n{BASE}") == ["no-aim"]


def test_cards_in_order() -> None:
    found = condition("garden holds complete sequences down in suit")
    assert (found.kind, found.number, found.along) == ("ordered", 13, None)
    assert [len(line) for line in found.lines] == [1] * 6
    assert found.relation is not None
    assert found.relation.texts == ("down in suit",)
    found = condition("garden.1 and garden.2 lie in order up or down")
    assert (found.kind, found.number, piles(found)) == ("ordered", 0, ["garden.1", "garden.2"])


def test_lines_that_are_read_as_one() -> None:
    aim = "columns of tableau together lie in order up in suit or else aces on queens, from aces"
    (found,) = book_of(PICTURE.format(aim=aim)).aim
    assert (found.joined, found.along, found.lines) == (True, "columns", ((3, 2, 0, 1),))
    assert found.relation is not None
    assert found.relation.texts == ("up in suit", "aces on queens")
    assert found.cards is not None
    assert found.cards.mask == 0b1111
    for phrase, codes in (
        ("rows of tableau together lie in order up, from asses", ["unknown-cards"]),
        ("rows of tableau together lie in order up or else aces on quens", ["unknown-build"]),
        ("rows of tableau together lie in order, from aces", ["unknown-condition"]),
    ):
        assert codes_of(PICTURE.format(aim=phrase)) == codes


def test_a_base_that_is_known() -> None:
    text = BASE.replace('"ace"', '"chosen"').replace("up in suit", "up, round the corner")
    rule = '[[rule]]\nname = "x"\nfrom = "garden"\nto = "garden"\nwhen = "{when}"\n'
    known, unknown = (
        book_of(text + rule.format(when=when)).rules[-1].when[0]
        for when in ("base is known", "the base is not known")
    )
    assert [(c.kind, c.compare, c.number) for c in (known, unknown)] == [
        ("counter", "below", 13),
        ("counter", "at-least", 13),
    ]
    dealt = text.replace('"chosen"', '"dealt"')
    assert codes_of(dealt + rule.format(when="base is known")) == ["unknown-condition"]
    assert codes_of(text + rule.format(when="bass is known")) == ["unknown-counter"]


PICTURE = """
name    = "Lines"
aim     = "{aim}"
picture = \"\"\"
 .  T3 T1
 T4 .  T2
\"\"\"

[tableau]
piles = 4
mark  = "T"
deal  = 13
build = "up in suit"
"""


@pytest.mark.parametrize(
    ("aim", "along", "number", "lines"),
    [
        ("rows of tableau lie in order up in suit", "rows", 0, ((2, 0), (3, 1))),
        ("the columns of tableau lie in order up", "columns", 0, ((3,), (2,), (0, 1))),
        ("rows of tableau hold complete sequences up", "rows", 13, ((2, 0), (3, 1))),
        ("rows of tableau together lie in order up, from aces", "rows", 0, ((2, 0, 3, 1),)),
    ],
)
def test_lines_of_the_picture(
    aim: str, along: str, number: int, lines: tuple[tuple[int, ...], ...]
) -> None:
    book = book_of(PICTURE.format(aim=aim))
    (found,) = book.aim
    assert (found.kind, found.along, found.number) == ("ordered", along, number)
    assert found.lines == lines
    # Places that follow one another are not alike.
    assert not interchangeable(book.groups[0], book)

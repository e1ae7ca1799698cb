"""Names of piles, links between them and the picture of the table."""

import pytest

from cadogan.rules.kinds import Move
from tests.rules.reading import BASE, book_of, codes_of, faults_of, rule_codes, rule_of

PICTURE = '''
picture = """
 F1 F2 F3 F4
 .  G1 G2 stock
 -  G3 G4
"""
'''
DRAWN = PICTURE + BASE.replace("[foundations]", '[foundations]\nmark = "F"').replace(
    "[garden]", '[garden]\nmark = "G"'
).replace("piles = 6", "piles = 4")
NAMES = book_of(BASE).pile_names


def move(source: str, target: str) -> Move:
    action = rule_of(f"from = {source}\nto = {target}").action
    assert isinstance(action, Move)
    return action


def sources(phrase: str) -> list[list[str]]:
    lanes = move(phrase, '"waste"').from_
    return [[NAMES[pile] for pile in lane.piles] for lane in lanes]


@pytest.mark.parametrize(
    ("phrase", "lanes"),
    [
        ('"stock"', [["stock"]]),
        ('"the stock"', [["stock"]]),
        ('"garden.3"', [["garden.3"]]),
        ('"garden.2 to 4"', [[f"garden.{i}"] for i in (2, 3, 4)]),
        ('"garden.5 to garden.6 and waste"', [["garden.5"], ["garden.6"], ["waste"]]),
        ('"garden.1 to 3 from last to first"', [[f"garden.{i}"] for i in (3, 2, 1)]),
        ('"garden.1 and garden.2, and stock"', [["garden.1"], ["garden.2"], ["stock"]]),
        ('["garden.2", "garden.1"]', [["garden.2"], ["garden.1"]]),
        ('"stock or garden.1 or garden.2"', [["stock", "garden.1", "garden.2"]]),
        ('["stock or garden.1", "garden.2"]', [["stock", "garden.1"], ["garden.2"]]),
        ('"garden from last to first"', [[f"garden.{i}"] for i in range(6, 0, -1)]),
        ('" garden.1   and\\tstock "', [["garden.1"], ["stock"]]),
    ],
)
def test_sources(phrase: str, lanes: list[list[str]]) -> None:
    assert sources(phrase) == lanes


@pytest.mark.parametrize(
    ("phrase", "count", "holds", "first"),
    [
        ('"garden"', 6, (0, 65535), False),
        ('"vacant garden"', 6, (0, 0), False),
        ('"first vacant garden"', 6, (0, 0), True),
        ('"occupied garden and waste"', 7, (1, 65535), False),
        ('["vacant garden.1", "vacant garden.2"]', 2, (0, 0), False),
    ],
)
def test_targets(phrase: str, count: int, holds: tuple[int, int], first: bool) -> None:
    found = move('"stock"', phrase)
    assert (len(found.to.piles), found.to_holds, found.first_vacant) == (count, holds, first)


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ('from = "stok"\nto = "waste"', ["unknown-group"]),
        ('from = "garden.0"\nto = "waste"', ["unknown-pile"]),
        ('from = "garden.99999999999999"\nto = "waste"', ["unknown-pile"]),
        ('from = "garden.3 to 7"\nto = "waste"', ["unknown-pile"]),
        ('from = "garden.3 to 2"\nto = "waste"', ["unknown-phrase"]),
        ('from = "garden.3 to 3"\nto = "waste"', ["unknown-phrase"]),
        ('from = ["garden", "garden.1"]\nto = "waste"', ["said-twice"]),
        ('from = "stock"\nto = "waste and waste"', ["said-twice"]),
        ('from = ""\nto = "waste"', ["no-piles"]),
        ('from = []\nto = "waste"', ["no-piles"]),
        ('from = "stock"\nto = []', ["no-piles"]),
        ('from = "stock and"\nto = "waste"', ["unknown-phrase"]),
        ('from = "stock or garden"\nto = "waste"', ["one-pile-wanted"]),
        ('from = "vacant garden"\nto = "waste"', ["unknown-phrase"]),
        ('from = "stock"\nto = "waste or garden"', ["unknown-phrase"]),
        ('from = "stock"\nto = ["vacant garden", "waste"]', ["mixed-targets"]),
        ('from = "stock"\nto = ["foundations", "waste"]', ["mixed-targets"]),
        ('from = "garden"\nto = "foundations"\nalong = "same place"', ["uneven-groups"]),
        ('from = "garden"\nto = "foundations"\nalong = "lines"', ["not-in-picture"]),
        ('from = "garden"\nto = "foundations"\nprefer = "garden"', ["one-pile-wanted"]),
    ],
)
def test_faults(keys: str, codes: list[str]) -> None:
    assert rule_codes(keys) == codes


def test_an_unknown_name_is_reported_once() -> None:
    rules = "".join(f'[[rule]]\nname = "{n}"\nfrom = "gardn"\nto = "waste"\n' for n in "abc")
    (fault,) = faults_of(BASE + rules)
    assert [label.text for label in fault.labels] == ["", "and here", "and here"]
    assert fault.hint == 'did you mean "garden"?'


def test_what_follows_from_a_misspelt_group_is_not_told() -> None:
    rules = '[[rule]]\nname = "x"\nfrom = "gardens"\nto = "gardens.3"\nwhen = "gardens is empty"'
    text = BASE.replace('role  = "tableau"\n', "").replace("[garden]", "[gardenss]")
    assert codes_of(f"{text}\n{rules}") == ["missing-role"]
    many = BASE.replace("piles = 6", 'piles = "six"')
    assert codes_of(f"{many}\n{rules.replace('gardens', 'garden')}") == ["wrong-type"]


def test_links_of_the_same_place() -> None:
    rule = rule_of('from = "garden.1, garden.2"\nto = "foundations.2"')
    assert isinstance(rule.action, Move)
    text = BASE.replace("piles = 6", "piles = 4")
    linked = rule_of('from = "garden"\nto = "foundations"\nalong = "same place"', text).action
    assert isinstance(linked, Move)
    assert linked.along.targets == {4: (0,), 5: (1,), 6: (2,), 7: (3,)}


def test_links_of_lines() -> None:
    linked = rule_of('from = "garden"\nto = "foundations"\nalong = "lines"', DRAWN).action
    assert isinstance(linked, Move)
    # The second column of the picture has F2, G1 and G3; the third F3, G2 and G4.
    assert linked.along.targets == {4: (1,), 5: (2,), 6: (1,), 7: (2,)}


def test_a_pile_does_not_serve_itself() -> None:
    found = move('"garden"', '"garden"')
    assert all(source not in targets for source, targets in found.along.targets.items())


def test_the_picture() -> None:
    picture = book_of(DRAWN).picture
    assert {place: book_of(DRAWN).pile_names[pile] for place, pile in picture.items()} == {
        **{(0, column): f"foundations.{column + 1}" for column in range(4)},
        (1, 1): "garden.1",
        (1, 2): "garden.2",
        (1, 3): "stock",
        (2, 1): "garden.3",
        (2, 2): "garden.4",
    }


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("G4", "G5", ["unknown-pile"]),
        ("G4", "G0", ["unknown-pile"]),
        ("G4", "G3", ["said-twice"]),
        ("G4", "H4", ["unknown-mark"]),
        ("G2 stock", "G2 stock2", ["unknown-pile"]),
        ("G2 stock", "G2 ?!", ["unknown-mark"]),
        ('mark = "G"', 'mark = "F"', ["said-twice"]),
        ('mark = "G"', 'mark = "5"', ["unknown-choice"]),
    ],
)
def test_faults_of_the_picture(old: str, new: str, codes: list[str]) -> None:
    assert sorted(set(codes_of(DRAWN.replace(old, new)))) == codes


def test_one_stock_of_one_pile() -> None:
    assert codes_of(BASE.replace("[stock]", "[stock]\npiles = 2")) == ["several-stocks"]
    assert codes_of(BASE + '[heap]\nrole = "stock"') == ["several-stocks"]
    assert book_of(BASE.replace("[stock]", "")).source_pile == 11


@pytest.mark.parametrize("name", ["Garden", "jardín", "two words", "a.b", "3", "vacant", "x" * 31])
def test_names(name: str) -> None:
    group = f'["{name}"]\nrole = "cell"\n'
    assert codes_of(BASE + group) == ["bad-name"]

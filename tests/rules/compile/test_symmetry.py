"""Piles that may be interchanged: which ones, and that interchanging them changes nothing."""

import random
from pathlib import Path

import pytest

from cadogan import _kernel
from cadogan.rules import catalogue, load_rules
from cadogan.rules.compile.symmetry import interchangeable
from cadogan.rules.kinds import Beat, Joint, Move, Pair, Script, Stretch, Swap, TurnUp
from cadogan.rules.pipeline import Rules
from cadogan.rules.rulebook.rulebook import Rulebook
from tests.goldens import UPDATE, golden


def even_groups(book: Rulebook) -> list[str]:
    return sorted(group.name for group in book.groups if interchangeable(group, book))


@pytest.mark.parametrize("game", catalogue())
def test_which_groups_are_even(game: str) -> None:
    text = "".join(f"{name}\n" for name in even_groups(load_rules(game).rulebook))
    path = golden("symmetry", game)
    if UPDATE:
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("game", catalogue())
def test_the_kernel_reads_and_writes_all_piles_of_an_even_group_or_none(game: str) -> None:
    rules = load_rules(game)
    book = rules.rulebook
    footprints = _kernel.Program(rules.program.to_bytes()).footprints()
    assert len(footprints) == len(book.rules)
    even = [frozenset(g.piles) for g in book.groups if interchangeable(g, book)]
    uneven = [
        (rule.name, what, sorted(piles & group))
        for rule, footprint in zip(book.rules, footprints, strict=True)
        if not (rule.forced and rule.during == "layout")
        for what, piles in footprint.items()
        if not what.startswith("counters")
        for group in even
        if 0 < len(piles & group) < len(group)
    ]
    assert uneven == []


@pytest.mark.parametrize("game", catalogue())
def test_the_kernel_takes_cards_from_where_the_rulebook_does(game: str) -> None:
    rules = load_rules(game)
    footprints = _kernel.Program(rules.program.to_bytes()).footprints()
    for rule, footprint in zip(rules.rulebook.rules, footprints, strict=True):
        action = rule.action
        if isinstance(action, Move):
            assert footprint["takes"] == {*action.sources}
            assert footprint["plays"] | footprint["builds"] == {*action.to.piles}
        elif isinstance(action, Joint):
            assert footprint["takes"] == {p for part in action.together for p in part.from_.piles}
            assert footprint["plays"] == {*action.to.piles}
        elif isinstance(action, Pair | Stretch):
            assert footprint["takes"] == {*action.piles.piles}
            assert footprint["deals"] == {action.to}
        elif isinstance(action, Beat):
            assert footprint["takes"] == {*action.beat.piles, *action.with_.piles}
            assert footprint["deals"] == {action.to}
        elif isinstance(action, Swap):
            assert footprint["takes"] == footprint["deals"] == {*action.exchange.piles}
        elif isinstance(action, TurnUp):
            assert footprint["turns"] == {*action.turn_up.piles}
        else:
            assert isinstance(action, Script)
            steps = action.steps
            named = [each for s in steps for each in (s.from_, s.to, s.piles, s.partners, s.until)]
            named += [each for s in steps for way in s.ways for each in (way.to, way.overflow)]
            named += [s.goes_up.to for s in steps if s.goes_up is not None]
            piles = {pile for some in named if some is not None for pile in some.piles}
            touched = ("reads", "measures", "takes", "deals", "closes")
            asked = {p for c in rule.when if c.piles is not None for p in c.piles.piles}
            found = frozenset[int]().union(*(footprint[what] for what in touched))
            assert found - asked == piles - asked
        assert footprint["counters_written"] >= {effect.counter for effect in rule.effects}


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        ("freecell:two-cells", ["cells", "foundations", "tableau"]),
        ("freecell:no-cells+four-piles", ["foundations", "tableau"]),
        ("simple-simon:card-by-card", ["foundations", "tableau"]),
        ("besieged-city:forced-play", ["foundations"]),
        ("besieged-city:one-transposition", ["foundations"]),
        ("klondike:no-return", ["foundations", "tableau"]),
        ("the-queens:running-key", ["foundations", "shutter"]),
        ("amazons:skip-now", []),
    ],
)
def test_which_groups_of_variants_are_even(name: str, groups: list[str]) -> None:
    assert even_groups(load_rules(name).rulebook) == groups


def dealt_places(book: Rulebook) -> list[tuple[int, int]] | None:
    """For each card of a deck the pile and height it is dealt to.

    ``None`` if rules deal, too, or if the order of the deck says more than who gets which card.
    """
    if book.is_shuffled or any(step.apart for step in book.layout):
        return None
    places: list[tuple[int, int]] = []
    heights: dict[int, int] = {pile: 1 for _, pile in book.preset}
    for step in book.layout:
        if step.kind == "base":
            continue
        if step.kind != "deal" or step.to is None or not step.is_plain:
            return None
        for pile in step.to.piles:
            for _ in range(step.each):
                if len(places) < len(book.deck):
                    places.append((pile, heights.get(pile, 0)))
                    heights[pile] = heights.get(pile, 0) + 1
    while len(places) < len(book.deck):
        places.append((book.source_pile, len(places)))
    return places


def permuted(book: Rulebook, deck: list[int], chance: random.Random) -> list[int] | None:
    """A deck that deals the same piles, those of even groups in another order."""
    places = dealt_places(book)
    if places is None:
        return None
    renamed = {pile: pile for pile, _ in places}
    for group in book.groups:
        if not interchangeable(group, book):
            continue
        sizes: dict[int, list[int]] = {}
        for pile in group.piles:
            if pile in renamed:
                sizes.setdefault(sum(place[0] == pile for place in places), []).append(pile)
        for piles in sizes.values():
            renamed |= dict(zip(piles, chance.sample(piles, len(piles)), strict=True))
    where = {place: index for index, place in enumerate(places)}
    other = [deck[where[renamed[pile], height]] for pile, height in places]
    return other if other != deck else None


HIDDEN = """
name = "Klondike with piles of one size"
foundations = { piles = 4, base = "ace", build = "up in suit", worrying_back = true }
stock = { deals = "3 to waste", redeals = 1 }
waste = {}
[tableau]
piles = 6
deal_down = 3
deal  = 2
build = "down in alternate colours"
moves = "sequences"
space = "kings"
"""
RUNS = """
name = "Spider without a stock"
ranks = "A 2 3"
packs = 3
[tableau]
piles = 6
deal_down = 3
deal  = 3
build = "down"
moves = "sequences down in suit"
[foundations]
piles = 12
base  = "three"
takes = "complete sequences down in suit"
"""
REFILLED = """
name = "The row is filled by itself"
foundations = { piles = 4, base = "ace", build = "up in suit" }
reserve = { piles = 3, deal = 6 }
stock = { deals = "1 to waste", redeals = "unlimited" }
waste = {}
[row]
role   = "tableau"
piles  = 5
deal   = 1
build  = "down"
refill = ["reserve", "waste"]
choose = "card"
"""


def successors_that_differ(rules: Rules, seeds: int, steps: int) -> int:
    """Plays games with interchanged piles side by side.

    Returns:
        How many positions differed in nothing but the order of their piles.
    """
    program = _kernel.Program(rules.program.to_bytes())
    compared = 0
    for seed in range(seeds):
        chance = random.Random(f"{rules.rulebook.name} {seed}")
        deck = list(rules.rulebook.deck)
        chance.shuffle(deck)
        other = permuted(rules.rulebook, deck, chance)
        if other is None:
            continue
        one, two = program.deal(bytes(deck)), program.deal(bytes(other))
        if sorted(map(bytes, one.piles())) != sorted(map(bytes, two.piles())):
            continue  # The deal turns up other cards of each pile.
        for _ in range(steps):
            assert one == two
            assert one.hash128() == two.hash128()
            assert one.outcome() == two.outcome()
            ones = {state.hash128(): state for state in (one.play(m)[0] for m in one.moves())}
            twos = {state.hash128(): state for state in (two.play(m)[0] for m in two.moves())}
            assert ones.keys() == twos.keys()
            compared += one.piles() != two.piles()
            if not ones:
                break
            chosen = chance.choice(sorted(ones))
            one, two = ones[chosen], twos[chosen]
    return compared


@pytest.mark.parametrize("game", catalogue())
def test_interchanged_piles_of_a_game_have_the_same_successors(game: str) -> None:
    successors_that_differ(load_rules(game), seeds=3, steps=20)


@pytest.mark.parametrize(
    "name",
    [
        *("flower-garden", "flower-garden:sequences", "flower-garden:worrying-back", "freecell"),
        *("beleaguered-castle", "golf", "canfield", "freecell:two-cells", HIDDEN, RUNS, REFILLED),
    ],
)
def test_interchanged_piles_have_the_same_successors(name: str, tmp_path: Path) -> None:
    if "\n" in name:
        path = tmp_path / "a.toml"
        path.write_text(name)
        name = str(path)
    # Some games end soon, and moves may undo the difference.
    assert successors_that_differ(load_rules(name), seeds=12, steps=40) > 50


GAME = """
name = "A"
[foundations]
piles = 4
base  = "ace"
build = "up in suit"
{foundations}
[garden]
role  = "tableau"
piles = 4
deal  = 5
build = "down"
{garden}
[stock]
deals = "{deals}"
[waste]
{rules}
"""


@pytest.mark.parametrize(
    ("keys", "even"),
    [
        ({}, ["foundations", "garden"]),
        ({"foundations": 'along = "same place"\nfrom = "garden"'}, []),
        ({"foundations": 'prefer = "garden.1"'}, ["foundations"]),
        ({"foundations": 'plays = "forced"'}, ["foundations"]),
        ({"foundations": 'plays = "forced"\nchoose = "any"'}, ["foundations", "garden"]),
        ({"garden": 'when = "garden.2 is empty"'}, ["foundations"]),
        ({"garden": 'when = "no garden is vacant"'}, ["foundations", "garden"]),
        ({"garden": 'refill = "waste"'}, ["foundations", "garden"]),
        ({"garden": "deal_down = 2"}, ["foundations", "garden"]),
        ({"deals": "1 to each of garden"}, ["foundations"]),
        ({"garden": 'from = ["garden.1", "waste"]'}, ["foundations"]),
        ({"rules": '[[rule]]\nname = "x"\nexchange = "garden"'}, ["foundations", "garden"]),
        ({"rules": '[[rule]]\nname = "x"\nexchange = "garden.1 and garden.2"'}, ["foundations"]),
        (
            {
                "garden": "deal_down = 2",
                "foundations": 'plays = "forced"\nfrom = "waste"',
            },
            ["foundations"],
        ),
    ],
)
def test_what_makes_piles_uneven(
    keys: dict[str, str], even: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    values = {"foundations": "", "garden": "", "deals": "1 to waste", "rules": "", **keys}
    path = tmp_path_factory.mktemp("rules") / "a.toml"
    path.write_text(GAME.format_map(values))
    assert even_groups(load_rules(str(path)).rulebook) == even

"""Scripts: the steps of rules and of the layout."""

import pytest

from cadogan.rules.kinds import Script
from cadogan.rules.rulebook.step import Step
from tests.rules.reading import BASE, book_of, codes_of, rule_codes, rule_of

NAMES = book_of(BASE).pile_names


def step(keys: str) -> Step:
    action = rule_of(f"steps = [{{ {keys} }}]").action
    assert isinstance(action, Script)
    (found,) = action.steps
    return found


def piles(found: Step, name: str) -> list[str]:
    return [NAMES[pile] for pile in getattr(found, name).piles]


def test_deal() -> None:
    found = step('deal = 2, from = "stock", to = "waste", rounds = 3')
    assert (found.kind, found.each, found.face) == ("deal", 2, "up")
    assert piles(found, "to") == ["waste"] * 3
    found = step('deal = 1, from = "stock", to = ["garden from last to first", "waste"]')
    assert piles(found, "to") == [*(f"garden.{i}" for i in range(6, 0, -1)), "waste"]
    twice = step('deal = 1, from = "stock", to = ["waste", "garden.1", "waste"], face = "down"')
    assert (piles(twice, "to"), twice.face) == (["waste", "garden.1", "waste"], "down")


def test_take() -> None:
    found = step('take = 3, from = "waste", end = "bottom", to = "stock", at = "top"')
    assert (found.end, found.at, found.turned, found.face) == (
        "bottom",
        "top",
        False,
        "keep",
    )
    assert found.number is not None
    assert (found.number.kind, found.number.number) == ("fixed", 3)


@pytest.mark.parametrize(
    ("take", "kind", "number", "text"),
    [
        ("all", "all", 0, None),
        ("3 * passes", "times", 3, None),
        ("3*passes", "times", 3, None),
        ("2 * red queens in waste", "held", 2, "red queens"),
        ("3 * passes of all but queens", "until", 3, "all but queens"),
    ],
)
def test_numbers_of_cards(take: str, kind: str, number: int, text: str | None) -> None:
    found = step(f'take = "{take}", from = "waste", to = "stock"').number
    assert found is not None
    assert (found.kind, found.number) == (kind, number)
    assert (found.cards.text if found.cards else None) == text


def test_other_steps() -> None:
    found = step('gather = ["garden.2", "garden.1"], to = "stock", turned = true')
    assert (piles(found, "piles"), found.turned) == (["garden.2", "garden.1"], True)
    route = '[{ cards = "red cards", to = "garden", overflow = "waste" }]'
    found = step(f'route = {route}, from = "stock", until = "garden"')
    assert [way.cards.text for way in found.ways] == ["red cards"]
    assert found.until is not None
    found = step('close = "garden.1 and garden.2", when_complete = "foundations.3, foundations.4"')
    assert (piles(found, "piles"), piles(found, "partners")) == (
        ["garden.1", "garden.2"],
        ["foundations.3", "foundations.4"],
    )
    assert step('base = "passes", of = "foundations.1"').counter == 0


def test_the_layout_may_settle() -> None:
    layout = 'layout = [{ deal = 1, from = "stock", to = "garden" }, { settle = true }]'
    assert [found.kind for found in book_of(f"{layout}\n{BASE}").layout] == ["deal", "settle"]


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ("", ["unclear-step"]),
        ('from = "stock"', ["unclear-step"]),
        ('deal = 1, take = 2, from = "stock", to = "waste"', ["unclear-step"]),
        ('deal = 1, from = "stock"', ["missing-key"]),
        ("deal = 1", ["missing-key", "missing-key"]),
        ('deal = 0, from = "stock", to = "waste"', ["out-of-range"]),
        ('take = 0, from = "stock", to = "waste"', ["out-of-range"]),
        ('take = "some", from = "stock", to = "waste"', ["unknown-phrase"]),
        ('take = "2 * paces", from = "stock", to = "waste"', ["unknown-counter"]),
        ('take = "2 * pigs in waste", from = "stock", to = "waste"', ["unknown-cards"]),
        ('take = "2 * aces in garden", from = "stock", to = "waste"', ["one-pile-wanted"]),
        ('deal = 1, from = "pack", to = "waste"', ["unknown-group"]),
        ('deal = 1, from = "garden", to = "waste"', ["one-pile-wanted"]),
        ('deal = 1, from = "nowhere", to = "waste"', ["unknown-group"]),
        ('deal = 1, from = "stock", to = ["stock", "waste"]', ["onto-itself"]),
        ('gather = "garden and stock", to = "stock"', ["onto-itself"]),
        ('gather = "garden and garden", to = "stock"', ["said-twice"]),
        ('route = [], from = "stock"', ["out-of-range"]),
        ('route = [{ overflow = "waste" }], from = "stock"', ["missing-key"]),
        ('close = "garden", when_complete = "foundations"', ["uneven-groups"]),
        ('close = "waste", when_complete = "stock"', ["not-a-foundation"]),
        ('base = "x", of = "waste"', ["unknown-counter"]),
        ("settle = true", ["key-does-not-fit"]),
        ("settle = false", ["wrong-type"]),
        ('deal = 1, from = "stock", to = "waste", turned = true', ["key-does-not-fit"]),
        ('deal = 1, form = "stock", to = "waste"', ["unknown-key"]),
        ('deal = "1", from = "stok", to = "waste"', ["unknown-phrase", "unknown-group"]),
        ('deal = 1, from = "stock", to = "garden", rounds = 400', ["too-many"]),
    ],
)
def test_faults(keys: str, codes: list[str]) -> None:
    assert rule_codes(f"steps = [{{ {keys} }}]") == codes


def test_there_are_limits() -> None:
    steps = ", ".join(["{ settle = true }"] * 1001)
    assert codes_of(f"layout = [{steps}]\n{BASE}") == ["too-many"]
    deal = '{ deal = 1, from = "stock", to = "garden", rounds = 300 }'
    assert "too-many" in codes_of(f"layout = [{', '.join([deal] * 20)}]\n{BASE}")


def test_no_more_is_dealt_than_there_is() -> None:
    layout = 'layout = [{ deal = 9, from = "stock", to = "garden" }]'
    assert codes_of(f"{layout}\n{BASE}") == ["too-few-cards"]
    assert book_of(f"packs = 2\n{layout}\n{BASE}").layout
    assert codes_of(f"ranks = 3\n{layout}\n{BASE}") == ["wrong-type"]
    back = '{ take = "all", from = "garden.1", to = "stock" }'
    assert book_of(f"{layout.replace('= [', f'= [{back}, ')}\n{BASE}").layout

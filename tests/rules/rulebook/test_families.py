"""Families, other titles, kin and books of games."""

from pathlib import Path

import pytest

from cadogan.rules import catalogue, check_text, load_rules
from cadogan.rules.explain import explain
from cadogan.rules.rulebook.families import BOOKS, FAMILIES, OTHERS
from tests.games import TINY

SHELF = """
family  = "golf"
aliases = ["Wee", "Klein"]
kin     = ["golf"]
book    = "lady-cadogan"
"""


def on_the_shelf() -> str:
    return TINY.replace('name  = "Tiny"\n', f'name  = "Tiny"\n{SHELF}')


def test_the_families_of_what_is_left_over_come_last() -> None:
    assert tuple(FAMILIES)[-len(OTHERS) :] == OTHERS


@pytest.mark.parametrize("game", catalogue())
def test_every_game_of_the_catalogue_has_a_family_and_tidy_titles(game: str) -> None:
    book = load_rules(game).rulebook
    assert book.family in FAMILIES
    assert book.book in ("", *BOOKS)
    others = [book.name, *book.aliases]
    assert len({*others}) == len(others)
    for title in (*others, *book.names.values()):
        assert title == title.strip()
        assert title[:1].isupper() or title[:1].isdigit(), title


def test_a_rulebook_has_what_its_file_says() -> None:
    report = check_text(on_the_shelf(), "tiny.toml")
    assert report.ok, report.render()


def test_it_is_explained_and_changes_nothing_in_play(tmp_path: Path) -> None:
    plain, shelved = tmp_path / "plain.toml", tmp_path / "shelved.toml"
    plain.write_text(TINY)
    shelved.write_text(on_the_shelf())
    rules = load_rules(str(shelved))
    book = rules.rulebook
    assert (book.family, book.aliases, book.kin, book.book) == (
        *("golf", ("Wee", "Klein"), ("golf",)),
        "lady-cadogan",
    )
    assert rules.digest == load_rules(str(plain)).digest
    assert "\n\nAlso called Wee and Klein. Family: Golf and Black Hole.\n" in explain(book)
    assert "Auch „Wee“ und „Klein“ genannt. Familie: Golf und Black Hole." in explain(book, "de")


def test_a_variant_may_have_titles_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "tiny.toml"
    path.write_text(f'{on_the_shelf()}\n[variants.up]\nwhy = "up"\naliases = ["Big"]\n')
    assert load_rules(f"{path}:up").rulebook.aliases == ("Big",)


@pytest.mark.parametrize(
    ("line", "title", "hint"),
    [
        (
            'family = "golff"',
            '"family" must be a family such as "klondike"',
            'did you mean "golf"?',
        ),
        ('aliases = "Wee"', '"aliases" must be a list of texts of 1 to 80 characters', None),
        ('aliases = [""]', '"aliases" must be a list of texts of 1 to 80 characters', None),
        ("kin = [3]", '"kin" must be a list of names of games', "text goes in quotes"),
        ('book = "hoyle"', '"book" must be a book such as "lady-cadogan"', None),
    ],
)
def test_slips_are_reported(line: str, title: str, hint: str | None) -> None:
    (fault,) = check_text(f"{line}\n{TINY}", "tiny.toml").faults
    assert (fault.title, fault.hint) == (title, hint)


def test_a_family_that_resembles_none_is_answered_with_all() -> None:
    (fault,) = check_text(f'family = "xyz"\n{TINY}', "tiny.toml").faults
    assert fault.hint is not None
    assert fault.hint.startswith("known are klondike, raglan, freecell, ")
    assert all(family in fault.hint for family in FAMILIES)

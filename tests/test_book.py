"""The shelf of Lady Cadogan's book: its 47 titles, and the page that lists them."""

import os
import re
import textwrap
from pathlib import Path
from typing import Any, Final

from cadogan.rules import catalogue, load_rules

PAGE = Path(__file__).parents[1] / "docs" / "lady-cadogan.md"
TITLES = (
    "La Belle Lucie", "Napoleon at St. Helena", "The Fifteen", "The Salic Law",
    "The Four Corners", "The Mill", "The Shah", "The Blockade", "The Clock", "Fortress",
    "The Fourteenth", "The Sultan", "La Nivernaise", "The Empress of India", "The Besieged City",
    "The Flower Garden", "The Hemispheres", "Napoleon's Square", "The Constitution", "The Zodiac",
    "The Kings", "Babette", "Nestor", "Light and Shade", "The Labyrinth",
    "Spenser's Fairie Queen", "The Terrace", "General Sedgewick", "The Queens",
    "The Herring-bone", "The Olga", "Cæsar", "Red and Black", "The Square", "Margarethe",
    "Mount Olympus", "The Wheel", "Two Rings", "The Nation", "The Carpet", "The Fish-bone",
    "The Congress", 'The "Louis" Patience', "Sly", "The Great Thirteen", "Canfield or Klondike",
    "Anna",
)  # fmt: skip
"""The titles, in the order of the book."""

WIDTH: Final[dict[str, Any]] = {
    "width": 116,
    "subsequent_indent": "  ",
    "break_long_words": False,
    "break_on_hyphens": False,
}

FURTHER = ("The House in the Wood", "The House on the Hill")
"""Games that the book describes without a title of their own, with La Belle Lucie."""


def shelf() -> dict[str, str]:
    """The games of the book by their titles and other titles."""
    found: dict[str, str] = {}
    for name in catalogue():
        book = load_rules(name).rulebook
        if book.book == "lady-cadogan":
            found |= dict.fromkeys((book.name, *book.aliases), name)
    return found


def listing() -> str:
    """The games as a list in Markdown, each with its variants and remarks."""
    games = shelf()
    lines: list[str] = []
    for title in (TITLES[0], *FURTHER, *TITLES[1:]):
        if title not in games:
            continue
        name = games[title]
        book = load_rules(name).rulebook
        packs = "one pack" if book.packs == 1 else f"{book.packs} packs"
        lines += textwrap.wrap(f"- **{title}**: `{name}`, {packs}", **WIDTH)
        under = [f"`{variant.name}`: {variant.why}" for variant in book.variants]
        under += [f"Remark: {remark}" for remark in book.remarks]
        for text in under:
            lines += [f"  {line}" for line in textwrap.wrap(f"- {text}", **WIDTH)]
    return "\n".join(lines)


def test_every_game_of_the_shelf_has_a_title_of_the_book() -> None:
    games = shelf()
    titled = {games[title] for title in (*TITLES, *FURTHER) if title in games}
    assert set(games.values()) == titled
    assert len(set(TITLES)) == 47


def test_the_page_lists_the_games() -> None:
    page = PAGE.read_text(encoding="utf-8")
    pattern = r"(<!-- begin: games -->\n).*?(<!-- end: games -->)"
    listed = listing()
    written = re.sub(
        pattern, lambda found: f"{found[1]}{listed}\n{found[2]}", page, flags=re.DOTALL
    )
    if os.environ.get("UPDATE_GOLDENS") == "1":
        PAGE.write_text(written, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == written

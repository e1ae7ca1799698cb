"""What lists show of the games of the catalogue, without their rules being checked.

Reading hundreds of rules files takes longer than everything else that a list needs, so the index is
in the user's cache until a file changes.
"""

import functools
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from cadogan.i18n.text import FOLDER, GAMES, LANGUAGES, term, translate
from cadogan.rules.rulebook.families import OTHERS
from cadogan.storage import CATALOGUE, cached, stamp_of

_RULES: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Entry:
    """A game in the index.

    Attributes:
        name: Its name in the catalogue: ``"canfield"``.
        title: Its title.
        names: Its titles in other languages.
        aliases: Its other titles.
        family: Its family; empty if none is named.
        kin: The names of games that are like it.
        book: The book on whose shelf it stands; empty if none is named.
        source: The source of the rules.
        packs: The number of packs.
        variants: The names of its variants.
        titled: Titles of variants, and the variants.
    """

    name: str
    title: str
    names: Mapping[str, str]
    aliases: tuple[str, ...]
    family: str
    kin: tuple[str, ...]
    book: str
    source: str
    packs: int
    variants: tuple[str, ...]
    titled: Mapping[str, str]

    @property
    def titles(self) -> tuple[str, ...]:
        """All titles of the game, without those of its variants."""
        return tuple(dict.fromkeys((self.title, *self.names.values(), *self.aliases)))

    def matches(self, text: str) -> bool:
        """Whether a text is part of its name, or of a title of it or of one of its variants.

        >>> entries()["clock"].matches("hidden"), entries()["clock"].matches("klondike")
        (True, False)
        """
        wanted = plain(text)
        titles = (self.name, *self.titles, *self.titled, *self.variants)
        return any(wanted in plain(title) for title in titles)


@functools.cache
def entries() -> Mapping[str, Entry]:
    """All games of the catalogue, by name.

    >>> entries()["flower-garden"].title
    'The Flower Garden'
    """
    rows = cached("games.json", stamp(), lambda: [asdict(_entry(path)) for path in _files()])
    return {row["name"]: _of_row(row) for row in rows}


@functools.cache
def stamp() -> list[Any]:
    """What changes when a game of the catalogue does, or what the index says of a game."""
    words = sorted(FOLDER.glob(f"*/LC_MESSAGES/{GAMES}.mo"))
    return [[field.name for field in fields(Entry)], *stamp_of([*_files(), *words])]


@functools.cache
def sources() -> list[list[Any]]:
    """A stamp of the sources of this package. They do not change while the program runs.

    Raises:
        OSError: If they cannot be found.
    """
    return [
        [path.relative_to(_RULES).as_posix(), *stamp_of([path])[0][1:]]
        for path in sorted(_RULES.rglob("*.py"))
    ]


def _files() -> list[Path]:
    return sorted(CATALOGUE.glob("*.toml"), key=lambda path: path.stem)


def _of_row(row: dict[str, Any]) -> Entry:
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in row.items()
    }
    return Entry(**values)


def _entry(path: Path) -> Entry:
    """Reads only the TOML, without the modules that check rules."""
    import tomllib

    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    variants = raw.get("variants", {})
    title = raw.get("name", path.stem)
    words = {language: translate(term(title), language) for language in LANGUAGES}
    names = {language: word for language, word in words.items() if word != title}
    return Entry(
        name=path.stem,
        title=title,
        names=names | raw.get("names", {}),
        aliases=tuple(raw.get("aliases", ())),
        family=raw.get("family", ""),
        kin=tuple(raw.get("kin", ())),
        book=raw.get("book", ""),
        source=raw.get("source", ""),
        packs=raw.get("packs", 1),
        variants=tuple(variants),
        titled={
            title: variant
            for variant, changes in variants.items()
            for title in changes.get("aliases", ())
        },
    )


def plain(title: str) -> str:
    """A title without case, accents, punctuation and leading article, to compare with others.

    >>> plain("The Flower-Garden"), plain("Bäckerdutzend"), plain("King's Audience")
    ('flower garden', 'backerdutzend', 'kings audience')
    """
    letters = unicodedata.normalize("NFKD", title.casefold())
    letters = "".join(letter for letter in letters if not unicodedata.combining(letter))
    words = re.sub(r"[^\w]+", " ", re.sub(r"['’]", "", letters)).split()  # noqa: RUF001
    return " ".join(words[1:] if len(words) > 1 and words[0] in _ARTICLES else words)


_ARTICLES = ("the", "der", "die", "das", "la", "le", "les")


def titled(title: str) -> list[str]:
    """The games with a title; a title in the list of games counts more than an alias.

    Args:
        title: The title, in any language, without regard to case and punctuation.

    Returns:
        Their names, with a variant if the title is that of a variant.

    >>> titled("hidden cards"), titled("baker's dozen"), titled("nothing of the kind")
    (['clock'], ['bakers-dozen'], [])
    """
    wanted = plain(title)
    games = entries().values()
    return (
        [game.name for game in games if wanted in (plain(game.title), plain(game.name))]
        or [game.name for game in games if wanted in map(plain, game.titles)]
        or [
            f"{game.name}:{variant}"
            for game in games
            for name, variant in game.titled.items()
            if wanted == plain(name)
        ]
    )


def every_title() -> Iterable[str]:
    """All names and titles, for guesses at what was meant."""
    for game in entries().values():
        yield game.name
    for game in entries().values():
        yield from game.titles
        yield from game.titled


def kin_of(name: str, most: int = 5) -> list[str]:
    """The games that are like another: those that name each other, then its family.

    Args:
        name: A game of the catalogue.
        most: How many are wanted.

    >>> "giza" in kin_of("pyramid", most=100)
    True
    """
    game = entries()[name]
    others = [other for other in entries().values() if other.name != name]
    named = [other.name for other in others if other.name in game.kin or name in other.kin]
    # Of a family without another bond, those with as many packs come first.
    bond = None if game.family in ("", *OTHERS) else game.family
    relatives = [other for other in others if other.family == bond]
    relatives.sort(key=lambda other: abs(other.packs - game.packs))
    return list(dict.fromkeys([*named, *(other.name for other in relatives)]))[:most]

"""The index of the catalogue: titles, families, kin, and names by which games are found."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import cadogan
from cadogan.rules import UnknownGameError, catalogue, expand_text, load_rules
from cadogan.rules import index as module
from cadogan.rules.cache import compiled
from cadogan.rules.files import AmbiguousGameError, resolve
from cadogan.rules.index import entries, kin_of, plain, titled
from cadogan.rules.rulebook.families import OTHERS

FILES = {
    "one": 'name = "The One"\nfamily = "golf"\naliases = ["Shared", "Uno"]\nkin = ["three"]\n',
    "two": 'name = "Deux"\nfamily = "golf"\npacks = 2\nnames = { de = "Zwei" }\n'
    'aliases = ["Shared", "One"]\n[variants.big]\nwhy = "big"\naliases = ["Large Two"]\n',
    "three": 'name = "Three"\nfamily = "golf"\n',
    "four": 'name = "Four"\nfamily = "one-pack"\n',
    "five": 'name = "Five"\nfamily = "one-pack"\n',
}


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small catalogue."""
    folder = tmp_path / "catalogue"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / f"{name}.toml").write_text(text)
    monkeypatch.setattr(module, "CATALOGUE", folder)
    monkeypatch.setattr("cadogan.rules.files.catalogue", lambda: tuple(sorted(FILES)))
    forget()
    return folder


def forget() -> None:
    entries.cache_clear()
    module.stamp.cache_clear()


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """No test sees the index of another."""
    yield
    forget()


def test_the_index_has_all_games() -> None:
    assert list(entries()) == list(catalogue())


@pytest.mark.parametrize("name", catalogue())
def test_the_index_says_what_the_rules_say(name: str) -> None:
    entry, book = entries()[name], load_rules(name).rulebook
    assert (entry.name, entry.title, entry.packs) == (book.slug, book.name, book.packs)
    assert (entry.aliases, entry.family, entry.kin) == (book.aliases, book.family, book.kin)
    assert (entry.book, entry.source) == (book.book, book.source)
    assert entry.variants == tuple(variant.name for variant in book.variants)
    assert entry.names.items() >= book.names.items()
    assert {*book.kin} <= {*catalogue()} - {name}


def test_german_titles_of_the_catalogue_of_messages_are_titles() -> None:
    assert entries()["forty-thieves"].names["de"] == "Die vierzig Räuber"
    assert resolve("vierzig räuber") == "forty-thieves"


def test_a_game_is_found_by_any_of_its_titles(shelf: Path) -> None:
    for name in ("one", "The One", "the one", "UNO", " uno "):
        assert resolve(name) == "one"
    assert resolve("zwei") == resolve("Deux") == "two"
    assert resolve("Large Two") == "two:big"
    assert resolve("uno:a+b") == "one:a+b"
    assert resolve("large two:more") == "two:big+more"
    assert resolve("nothing") == "nothing"
    assert resolve("uno.toml") == "uno.toml"


def test_a_title_that_several_games_have_is_not_guessed(shelf: Path) -> None:
    with pytest.raises(AmbiguousGameError) as caught:
        resolve("shared")
    assert str(caught.value) == 'several games are called "shared": "one" and "two"'
    assert caught.value.games == ("one", "two")
    assert isinstance(caught.value, UnknownGameError)


def test_a_title_counts_more_than_an_alias(shelf: Path) -> None:
    assert titled("one") == ["one"]


def test_loading_knows_titles() -> None:
    game = cadogan.load("Hidden Cards")
    assert game.name == "clock"
    assert game is cadogan.load("clock")
    assert load_rules("hidden cards").name == "clock"
    assert compiled("travellers").rulebook.slug == "clock"
    assert expand_text("Sundial") == expand_text("clock")
    assert str(cadogan.load("fascination:draw-three").deal("cadogan:1")).startswith(
        "klondike:draw-three"
    )


def test_an_unknown_name_is_compared_with_titles_too() -> None:
    with pytest.raises(UnknownGameError, match='did you mean "klondike"') as caught:
        cadogan.load("klondyke")
    assert caught.value.hint == "klondike"
    with pytest.raises(UnknownGameError, match='did you mean "Hidden Cards"'):
        cadogan.load("hiden cards")


@pytest.mark.parametrize(
    ("title", "same"),
    [
        ("The Flower-Garden", "flower garden"),
        ("FLOWER  GARDEN", "flower garden"),
        ("Baker’s Dozen", "bakers dozen"),  # noqa: RUF001
        ("Die", "die"),
        ("Napoléon à Sainte-Hélène", "napoleon a sainte helene"),
        ("!", ""),
    ],
)
def test_titles_are_compared_without_what_is_no_letter(title: str, same: str) -> None:
    assert plain(title) == same


def test_kin_are_those_named_and_then_the_family(shelf: Path) -> None:
    assert kin_of("one") == ["three", "two"]
    assert kin_of("three") == ["one", "two"], "one names three, so they are kin"
    assert kin_of("two") == ["one", "three"]
    assert kin_of("one", most=1) == ["three"]
    assert kin_of("four") == [], "what is left over is no family"
    assert "one-pack" in OTHERS


def test_the_index_is_cached_until_a_file_changes(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CADOGAN_CACHE", raising=False)
    monkeypatch.setenv("CADOGAN_HOME", str(tmp_path / "home"))
    cache = tmp_path / "home" / "cache" / "games.json"
    assert entries()["five"].title == "Five"
    assert '"Five"' in cache.read_text()
    stored = json.loads(cache.read_text())
    stored["data"][0]["title"] = "From the cache"
    cache.write_text(json.dumps(stored))
    forget()
    assert "From the cache" in [entry.title for entry in entries().values()]
    (shelf / "five.toml").write_text('name = "Cinq"\n')
    forget()
    assert entries()["five"].title == "Cinq"
    for damaged in ("", "{", "[]", '{"stamp": []}', "\x00"):
        cache.write_text(damaged)
        forget()
        assert entries()["five"].title == "Cinq"
    cache.unlink()
    cache.mkdir()
    forget()
    assert entries()["five"].title == "Cinq"

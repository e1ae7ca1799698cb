"""The file format of saved games.

A saved game has the name and the digest of the rules, the deal, the line of moves as texts (forced
ones begin with ``*``) and the hash of the final position. Nothing in it is trusted: to read a file
means to deal again, to replay every move of the player and to compare everything else.
"""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, Self, TypeVar

from cadogan.cards import Card, format_cards
from cadogan.moves import Move

FORMAT: Final = 1
"""The version of the format."""

_FORCED = "* "
_RULES_FILE: Final = re.compile(r"\.toml(:[\w+-]*)?\Z")
_KEYS: Final = {"format": int, "game": str, "digest": str, "line": list, "hash": str}


class SavedGameError(ValueError):
    """A saved game that cannot be continued; the message says what differs."""


class Replayable(Protocol):
    """What a saved game needs of a :class:`cadogan.Position`."""

    @property
    def deal_name(self) -> str | None:
        """The name of the deal."""

    @property
    def deck(self) -> tuple[Card, ...]:
        """The cards dealt."""

    @property
    def line(self) -> tuple[Move, ...]:
        """All moves so far."""

    @property
    def hash(self) -> int:
        """The hash of the position."""

    def play(self, move: Move | str) -> Self:
        """Makes a move."""

    def line_since(self, earlier: Self) -> tuple[Move, ...]:
        """The moves since an earlier position."""


_Position = TypeVar("_Position", bound=Replayable)
_Dealt = TypeVar("_Dealt", bound=Replayable, covariant=True)


class Dealer(Protocol[_Dealt]):
    """What a saved game needs of a :class:`cadogan.Game`."""

    name: str
    digest: str

    def deal(self, deal: str | None = None, *, deck: Sequence[str] | None = None) -> _Dealt:
        """Deals the cards."""


def dump(position: Replayable, game: Dealer[Replayable]) -> str:
    """Writes a game as JSON, one move per line."""
    data: dict[str, Any] = {"format": FORMAT, "game": game.name}
    data["digest"] = game.digest
    if position.deal_name is not None:
        data["deal"] = position.deal_name
    else:
        data["deck"] = format_cards(position.deck)
    data["line"] = [_marked(move) for move in position.line]
    data["hash"] = f"{position.hash:032x}"
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def read(
    text: str,
    load: Callable[[str], Dealer[_Position]],
    game: Dealer[_Position] | None = None,
) -> _Position:
    """Replays a saved game.

    Args:
        text: The text that :func:`dump` returned.
        load: Loads a game by its name.
        game: The game, if it should not be loaded by the saved name.

    Raises:
        SavedGameError: If the text is damaged or the rules have changed.
    """
    data = _checked(text)
    game = _loaded(data["game"], load) if game is None else game
    if data["digest"] != game.digest:
        raise SavedGameError(
            f"the rules of {game.name} have changed since the game was saved: their digest was "
            f"{data['digest'][:16]} and is {game.digest[:16]}"
        )
    position = _dealt(data, game)
    done = list(map(_marked, position.line))
    _compare(data["line"][: len(done)], done, 0, "the layout")
    place = len(done)
    while place < len(data["line"]):
        entry = data["line"][place]
        if entry.startswith(_FORCED):
            raise SavedGameError(f"entry {place + 1} of the line, {entry!r}, is not forced here")
        try:
            after = position.play(entry)
        except ValueError as error:
            raise SavedGameError(
                f"entry {place + 1} of the line cannot be played: {error}"
            ) from error
        done = [_marked(move) for move in after.line_since(position)]
        _compare(data["line"][place : place + len(done)], done, place, f"after {entry!r} the rules")
        place += len(done)
        position = after
    if data["hash"] != f"{position.hash:032x}":
        raise SavedGameError(
            f"the line does not lead to the saved position: its hash was {data['hash']} "
            f"and is {position.hash:032x}"
        )
    return position


def _checked(text: str) -> dict[str, Any]:
    """The data, after a check of keys and types."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits is a ValueError
        raise SavedGameError(f"not a saved game: {error}") from None
    if not isinstance(data, dict):
        raise SavedGameError("not a saved game: it is not a JSON object")
    for key, kind in _KEYS.items():
        if key not in data:
            raise SavedGameError(f"incomplete: {key!r} is missing")
        if type(data[key]) is not kind:
            raise SavedGameError(f"damaged: {key!r} is {data[key]!r}, not a {kind.__name__}")
    if data["format"] != FORMAT:
        raise SavedGameError(
            f"saved in format {data['format']}, but this version of Cadogan reads format {FORMAT}"
        )
    wrong = [entry for entry in data["line"] if not isinstance(entry, str)]
    if wrong:
        raise SavedGameError(f"damaged: {wrong[0]!r} in the line is not a move")
    if ("deal" in data) == ("deck" in data):
        raise SavedGameError("damaged: it must have either a 'deal' or a 'deck'")
    if not isinstance(data.get("deal", data.get("deck")), str):
        raise SavedGameError("damaged: the deal is not a string")
    return data


def _loaded(name: str, load: Callable[[str], Dealer[_Position]]) -> Dealer[_Position]:
    from cadogan.rules import RulesError  # It is slow to import and rarely needed.

    # The file may come from a stranger: error messages must not reveal the content of other files.
    if ("/" in name or "\\" in name) and _RULES_FILE.search(name) is None:
        raise SavedGameError(f"{name!r} is not a rules file: their names end in .toml")
    try:
        return load(name)
    except RulesError:
        raise SavedGameError(
            f"the rules of {name!r} have faults; 'cadogan check' shows them"
        ) from None
    except (LookupError, ValueError, OSError) as error:
        raise SavedGameError(f"the rules of {name!r} cannot be read: {error}") from error


def _dealt(data: dict[str, Any], game: Dealer[_Position]) -> _Position:
    try:
        if "deal" in data:
            return game.deal(data["deal"])
        return game.deal(deck=data["deck"].split())
    except ValueError as error:
        raise SavedGameError(f"damaged: the deal cannot be dealt: {error}") from error


def _compare(saved: list[str], done: list[str], place: int, what: str) -> None:
    for index, move in enumerate(done):
        entry = saved[index] if index < len(saved) else None
        if entry is None or entry.removeprefix(_FORCED) != move.removeprefix(_FORCED):
            found = "the file ends" if entry is None else f"the file says {entry!r}"
            raise SavedGameError(f"entry {place + index + 1} of the line: {found}, {what} {move!r}")
        if entry != move:
            raise SavedGameError(f"entry {place + index + 1} of the line should read {move!r}")


def _marked(move: Move) -> str:
    return f"{_FORCED}{move.text}" if move.forced else move.text

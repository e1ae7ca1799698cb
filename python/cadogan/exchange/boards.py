"""Reads and writes boards of other programs: tables that are listed card by card.

There are two formats. Solvitaire's deals are JSON: an object with ``"tableau piles"``,
``"reserve"``, ``"stock"`` and so on. Freecell Solver, PySolFC and similar programs use lines of
text: one line per column, from the bottom card to the top card. Optional lines before them are
``Foundations: H-A C-2``, ``Freecells: QD - 3S -`` and ``Talon: ...``, whose first card is dealt
next. ``docs/deals.md`` describes both in full.

A board that is read stands for a deal: it is the table before the first move. :func:`deck_of` finds
the deck from which our rules lay out this table.

    >>> from cadogan import load
    >>> game = load("freecell")
    >>> board = read_board(write_lines(game.deal("ms:617")))
    >>> game.deal(deck=deck_of(board, game)) == game.deal("ms:617")
    True
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cadogan.cards import RANKS, SUITS, Card, CardError, quoted
from cadogan.deals import DealError
from cadogan.layouts import deal_slots, match_piles

if TYPE_CHECKING:
    from cadogan.game import Game, Position
    from cadogan.rules.rulebook.group import Role


class BoardError(DealError):
    """A board cannot be read, does not fit the game, or cannot be written.

    The message is for people.

    Attributes:
        place: The place in the text, ``"line 3, column 7"``; empty if there is no single place.
    """

    def __init__(self, message: str, *, place: str = "") -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.place = place


@dataclass(frozen=True)
class Board:
    """The cards of a table.

    Attributes:
        piles: The piles of each role, in order, each from its bottom card to its top card.
    """

    piles: "Mapping[Role, tuple[tuple[Card, ...], ...]]"

    def cards(self, role: "Role") -> list[Card]:
        """Returns all cards of a role, pile after pile."""
        return [card for pile in self.piles.get(role, ()) for card in pile]


# ---- Reading -------------------------------------------------------------------------------------


_HEADS: "Final[dict[str, Role]]" = {
    "foundations": "foundation",
    "founds": "foundation",
    "freecells": "cell",
    "fc": "cell",
    "talon": "stock",
}
_HEAD = re.compile(r"(?P<word>[^\W\d_][\w ]*):")
_BUILT = re.compile(r"(?P<suit>[A-Za-z])-(?P<rank>\w+)")
_EMPTY: Final = "-"
_HOW: Final = "write rank and suit, as in TC"


def is_board(text: str) -> bool:
    """Whether a text is certainly a board, not a list of cards.

    Plain lines of cards may be either. A heading, a leading colon or a brace makes it a board.

    >>> is_board("Freecells: QD"), is_board(": QD 3S"), is_board("QD 3S")
    (True, True, False)
    """
    if text.lstrip().startswith("{"):
        return True
    lines = [line.strip() for line in text.splitlines()]
    return any(line.startswith(":") or _HEAD.match(line) for line in lines if line[:1] != "#")


def read_board(text: str) -> Board:
    r"""Reads a board in either format.

    Args:
        text: A JSON object, or lines.

    Raises:
        BoardError: If the text is not a board; the message says where, and what was expected.

    >>> read_board("Freecells: - QD\n3S 2H").piles["tableau"]
    ((Card('3S'), Card('2H')),)
    >>> read_board("3S 2H\n4S 1X")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    cadogan.exchange.boards.BoardError: line 2, column 4: '1X' is not a card: ...
    """
    return read_solvitaire(text) if text.lstrip().startswith("{") else read_lines(text)


def read_lines(text: str) -> Board:
    """Reads a board of Freecell Solver or PySolFC: lines of cards, and headings.

    Raises:
        BoardError: If the text is not such a board.
    """
    columns: list[tuple[Card, ...]] = []
    others: dict[Role, tuple[tuple[Card, ...], ...]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        head = _HEAD.match(line, len(line) - len(line.lstrip()))
        if head is None:
            start = line.index(":") + 1 if line.lstrip().startswith(":") else 0
            columns.append(tuple(_line_cards(line, number, start)))
            continue
        word = head["word"].rstrip()
        role = _HEADS.get(word.lower())
        if role is None:
            raise BoardError(
                f"unknown heading {quoted(word + ':')}: a line begins with Foundations:, "
                "Freecells: or Talon:, or it is a column",
                place=_at(number, head.start("word")),
            )
        if role == "foundation":
            others[role] = tuple(_built(line, number, head.end()))
            continue
        cards = list(_line_cards(line, number, head.end(), empty=True))
        # The next card of the stock comes first; it is the top card of the pile.
        others[role] = (tuple(reversed(cards)),) if role == "stock" else tuple((c,) for c in cards)
    if not columns:
        raise BoardError("the board has no columns: write one per line, as in 4C 2C 9C")
    return Board({**others, "tableau": tuple(columns)})


def read_solvitaire(text: str) -> Board:
    """Reads a deal of Solvitaire.

    Raises:
        BoardError: If the text is not such a deal.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        place = _at(error.lineno, error.colno - 1)
        raise BoardError(f"this is not JSON: {error.msg.lower()}", place=place) from None
    except RecursionError:
        raise BoardError("this is not a deal: its lists are nested too deeply") from None
    if not isinstance(data, dict):
        raise BoardError(f"a deal is an object {{...}}, not {_kind(data)}")
    piles: dict[Role, tuple[tuple[Card, ...], ...]] = {}
    for key, value in data.items():
        role = _KEYS.get(key)
        if role is None:
            raise BoardError(
                f"unknown key {quoted(key)} in this kind of deal: it may have "
                + ", ".join(map(repr, _KEYS))
            )
        piles[role] = piles.get(role, ()) + tuple(_json_piles(key, value))
    if not piles.get("tableau"):
        raise BoardError("the deal has no 'tableau piles': give a list of cards for each pile")
    return Board(piles)


_KEYS: "Final[dict[str, Role]]" = {
    "tableau piles": "tableau",
    "foundations": "foundation",
    "cells": "cell",
    "reserve": "reserve",
    "stock": "stock",
    "waste": "waste",
    "hole": "waste",
}
_ONE_PILE: Final = ("stock", "waste")


def _json_piles(key: str, value: Any) -> Iterator[tuple[Card, ...]]:
    """The piles of a key: a list of cards for each pile, or one list of all cards."""
    if key == "hole" or not isinstance(value, list):
        yield tuple(_json_pile(repr(key), [value] if key == "hole" and value else value))
    elif key in _ONE_PILE:
        yield tuple(_json_pile(repr(key), value))
    else:
        for number, pile in enumerate(value, 1):
            place = f"{key!r}, pile {number}"
            loose = key != "tableau piles" and isinstance(pile, str) and bool(pile)
            yield tuple(_json_pile(place, [pile] if loose else pile))


def _json_pile(place: str, value: Any) -> Iterator[Card]:
    if value == "":  # Solvitaire writes an empty list like this.
        return
    if not isinstance(value, list):
        raise BoardError(f"expected a list of cards, not {_kind(value)}", place=place)
    for number, word in enumerate(value, 1):
        here = f"{place}, card {number}"
        if not isinstance(word, str):
            raise BoardError(f"expected a card, as in '10H', not {_kind(word)}", place=here)
        yield _card(word, here)


def _card(word: str, place: str) -> Card:
    """Reads a card as other programs write it: <7H> lies face down, and ranks may be numbers."""
    plain = word.strip()
    if plain.startswith("<") and plain.endswith(">"):
        plain = plain[1:-1]
    if plain == "##":
        raise BoardError("this card is hidden, so the deal is not known", place=place)
    if plain[:-1].isascii() and plain[:-1].isdecimal() and 1 <= int(plain[:-1][:9]) <= len(RANKS):
        plain = RANKS[int(plain[:-1]) - 1] + plain[-1]
    try:
        return Card.parse(plain)
    except CardError:
        raise BoardError(f"{quoted(word)} is not a card: {_HOW}", place=place) from None


def _line_cards(line: str, number: int, start: int, *, empty: bool = False) -> Iterator[Card]:
    for match in re.compile(r"\S+").finditer(line, start):
        if not (empty and match[0] == _EMPTY):
            yield _card(match[0], _at(number, match.start()))


def _built(line: str, number: int, start: int) -> Iterator[tuple[Card, ...]]:
    """Reads foundations: each is built up in suit to a rank, or is a single card."""
    for match in re.compile(r"\S+").finditer(line, start):
        place = _at(number, match.start())
        if match[0] == _EMPTY:
            continue
        built = _BUILT.fullmatch(match[0])
        if built is None:
            yield (_card(match[0], place),)
            continue
        if built["rank"] == "0":
            if built["suit"].upper() not in SUITS:
                _card("A" + built["suit"], place)
            continue
        top = _card(built["rank"] + built["suit"], place)
        yield tuple(Card(rank * len(SUITS) + top.suit) for rank in range(top.rank + 1))


def _at(line: int, column: int) -> str:
    return f"line {line}, column {column + 1}"


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


# ---- A deal of it --------------------------------------------------------------------------------


def deck_of(board: Board, game: "Game") -> list[Card]:
    """Finds the deck from which a game lays out the table of a board.

    Columns may be in another order than ours if their lengths identify them.

    Args:
        board: The table before the first move.
        game: The game.

    Returns:
        The cards in dealing order, for ``game.deal(deck=...)``, which checks them.

    Raises:
        BoardError: If the game does not begin with such a table.
    """
    book = game.rulebook
    slots = deal_slots(book)
    if slots is None:
        raise BoardError(
            f"the deal of {game.title} depends on the cards: give its deck, not a table"
        )
    preset: dict[int, list[Card]] = {}
    for code, pile in book.preset:
        preset.setdefault(pile, []).append(Card(code))
    table: dict[int, list[Card]] = {}
    loose = {role: board.cards(role) for role in board.piles if role != "tableau"}
    if not any(group.role == "foundation" for group in book.groups):
        loose["waste"] = [*loose.get("waste", []), *loose.pop("foundation", [])]
    heights = [len(preset.get(pile, ())) for pile in range(len(game.pile_names) + 1)]
    for slot in slots:
        heights[slot.pile] += 1
    for role in dict.fromkeys(book.role_of(pile) for pile in range(len(heights))):
        piles = [pile for pile in range(len(heights)) if book.role_of(pile) == role]
        if role == "tableau":
            table |= _columns(board.piles.get("tableau", ()), piles, heights)
            continue
        cards = loose.pop(role, [])
        if role == "foundation":
            cards = _without([card for pile in piles for card in preset.get(pile, ())], cards)
            piles = [pile for pile in piles if heights[pile] > len(preset.get(pile, ()))]
        wanted = sum(heights[pile] for pile in piles)
        if len(cards) != wanted:
            raise BoardError(_miscounted(role, len(cards), wanted))
        for pile in piles:
            table[pile], cards = cards[: heights[pile]], cards[heights[pile] :]
    for role, cards in loose.items():
        if cards:
            raise BoardError(f"{game.title} has no {_PLURALS[role]}, but the board has cards there")
    for pile, beneath in preset.items():
        if pile in table and table[pile][: len(beneath)] != beneath:
            cards_beneath = ", ".join(map(str, beneath))
            raise BoardError(
                f"in {game.title} the first cards of {game.pile_names[pile]} are always "
                f"{cards_beneath}"
            )
    return [table[slot.pile][slot.depth] for slot in slots]


_PLURALS: "Final[dict[Role, str]]" = {
    "foundation": "foundations",
    "tableau": "columns",
    "reserve": "reserve",
    "cell": "cells",
    "stock": "stock",
    "waste": "waste",
    "hand": "hand",
}


def _columns(
    found: Sequence[tuple[Card, ...]], piles: list[int], heights: Sequence[int]
) -> dict[int, list[Card]]:
    wanted = [heights[pile] for pile in piles]
    given = [*found, *[()] * (len(piles) - len(found))]
    order = match_piles(wanted, list(map(len, given)))
    if order is None:
        raise BoardError(
            "the columns do not fit: in this game they hold "
            f"{_listed(wanted)} cards before the first move, not {_listed(map(len, found))}"
        )
    return {piles[place]: list(column) for place, column in zip(order, given, strict=True)}


def _without(taken: list[Card], cards: list[Card]) -> list[Card]:
    left = list(cards)
    for card in taken:
        if card in left:
            left.remove(card)
    return left


def _miscounted(role: "Role", found: int, wanted: int) -> str:
    where = _PLURALS[role]
    if not wanted:
        return (
            f"there {_are(found)} in the {where}, but this game deals none there: "
            "only a table before the first move is a deal"
        )
    return f"there {_are(found)} in the {where}, but this game deals {wanted} there"


def _are(number: int) -> str:
    return "is 1 card" if number == 1 else f"are {number} cards"


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


# ---- Writing -------------------------------------------------------------------------------------


def write_solvitaire(position: "Position") -> str:
    """Writes a position as a deal of Solvitaire; face-down cards have a lower-case suit.

    Raises:
        BoardError: If cards lie in places that the format does not have.

    >>> from cadogan import load
    >>> print(write_solvitaire(load("klondike").deal("ms:1")).splitlines()[3])
        ["2d", "5H"],
    """
    lists: dict[str, list[Any]] = {}
    for name, role, pile, down in _piles_of(position):
        words = [_solvitaire(card, hidden) for card, hidden in zip(pile, down, strict=True)]
        if role == "tableau":
            lists.setdefault("tableau piles", []).append(words)
        elif words and role in ("cell", "hand"):
            raise BoardError(f"a deal of Solvitaire cannot show the cards on {name}")
        elif role == "waste" and not _has(position, "foundation"):
            lists["hole"] = words[-1:]
        elif words:
            key: str = "foundations" if role == "foundation" else role
            lists.setdefault(key, []).extend(word.upper() for word in words)
    lines = []
    for key, value in lists.items():
        if key == "tableau piles":
            inner = ",\n".join(f"    {json.dumps(column)}" for column in value)
            lines.append(f"  {json.dumps(key)}: [\n{inner}\n  ]")
        elif value:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value[0] if key == 'hole' else value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write_lines(position: "Position") -> str:
    """Writes a position as lines for Freecell Solver and PySolFC; face-down cards as ``<7H>``.

    Raises:
        BoardError: If cards lie in places that the format does not have.

    >>> from cadogan import load
    >>> print(write_lines(load("freecell").deal("ms:24")).splitlines()[1])
    4C 2C 9C 8C QS 4S 2H
    """
    columns: list[str] = []
    cells: list[str] = []
    heads: list[str] = []
    tops: dict[int, str] = {}
    for name, role, pile, down in _piles_of(position):
        words = [
            f"<{card}>" if hidden else str(card) for card, hidden in zip(pile, down, strict=True)
        ]
        if role == "tableau":
            columns.append(" ".join(words) or ":")
        elif role == "cell":
            cells.append(" ".join(words) or _EMPTY)
        elif not pile:
            continue
        elif role == "stock":
            heads.append("Talon: " + " ".join(str(card) for card in reversed(pile)))
        elif role == "waste" and not _has(position, "foundation"):
            heads.append(f"Foundations: {pile[-1]}")
        elif role == "foundation" and _is_built(pile) and pile[-1].suit not in tops:
            tops[pile[-1].suit] = f"{str(pile[-1])[1]}-{str(pile[-1])[0]}"
        else:
            raise BoardError(f"a board of lines cannot show the cards on {name}")
    if tops:
        suits = sorted(tops, key=lambda suit: "HCDS".index(SUITS[suit]))
        heads.append("Foundations: " + " ".join(tops[suit] for suit in suits))
    if cells:
        heads.append("Freecells: " + " ".join(cells))
    return "".join(f"{line}\n" for line in (*heads, *columns))


def _piles_of(
    position: "Position",
) -> "Iterator[tuple[str, Role, tuple[Card, ...], tuple[bool, ...]]]":
    """Every pile with its name, its role, its cards and whether they lie face down."""
    piles, downs = position.piles, position.face_down
    for group in position.game.rulebook.groups:
        for index in range(group.count):
            name = group.pile_name(index)
            yield name, group.role, piles[name], downs[name]


def _has(position: "Position", role: "Role") -> bool:
    return any(group.role == role for group in position.game.rulebook.groups)


def _is_built(pile: Sequence[Card]) -> bool:
    """Whether a pile is built from the ace up in one suit."""
    return [(card.rank, card.suit) for card in pile] == [
        (rank, pile[0].suit) for rank in range(len(pile))
    ]


def _solvitaire(card: Card, hidden: bool) -> str:
    word = str(card).replace("T", "10")
    return word[:-1] + word[-1].lower() if hidden else word

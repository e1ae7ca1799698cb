"""A picture to share: a board with its game, its deal and its result below it.

It has the size that previews of links have, so it serves as one, too.
"""

from html import escape
from typing import TYPE_CHECKING, Final

from cadogan.i18n.names import variant_label
from cadogan.i18n.text import Translatable, ngettext, term, translate
from cadogan.pictures import cards
from cadogan.pictures.board import FELT, inner
from cadogan.pictures.cards import number

if TYPE_CHECKING:
    from cadogan.game import Game, Position

WIDTH: Final = 1200
HEIGHT: Final = 630
_EDGE: Final = 24.0
_FOOT: Final = 118.0
"""The height of the band with the texts."""
_LARGEST: Final = 2.2
"""Cards grow to this at most: a table of few piles would look odd otherwise."""
_LETTER: Final = 0.7
"""The width of a letter, in sizes of the font: a bound for most texts."""


def share_picture(
    position: "Position", language: str = "en", *, given_up: bool = False, result: bool = True
) -> str:
    """Draws a position as a picture to share.

    Args:
        position: The position.
        language: The language of the texts.
        given_up: Whether the game was given up there.
        result: Whether the picture says how the game ended, or how far it is.

    Returns:
        An SVG element. Hidden cards are not in it.

    >>> from cadogan import load
    >>> picture = share_picture(load("klondike").deal("cadogan:1"), "de")
    >>> "Klondike" in picture, 'width="1200"' in picture
    (True, True)
    """
    drawn, width, height = inner(position)
    room = HEIGHT - _FOOT - _EDGE
    scale = min((WIDTH - 2 * _EDGE) / width, room / height, _LARGEST)
    left, top = (WIDTH - scale * width) / 2, _EDGE + max(0.0, room - scale * height) / 2
    name = title_in(position.game, language)
    what = result_in(position, language, given_up=given_up) if result else ""
    # The result stands at the right; the title has what it leaves.
    right = len(what) * 36 * _LETTER
    size = min(44.0, (WIDTH - 3 * _EDGE - right) / (_LETTER * max(len(name), 1)))
    line = HEIGHT - _FOOT + 52
    texts = [
        _text(name, _EDGE, line, size, "#fff"),
        _text(what, WIDTH - _EDGE, line, 36, "#ffe08a", "end"),
        _text(position.deal_name or "", _EDGE, line + 42, 24, "#ffffffbf"),
        _text("Cadogan", WIDTH - _EDGE, line + 42, 24, "#ffffffbf", "end"),
    ]
    said = escape(" · ".join(filter(None, (name, what))), quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" aria-label="{said}" font-family="{cards.FONT}" '
        f'font-weight="600"><rect width="{WIDTH}" height="{HEIGHT}" fill="{FELT}"/>'
        f'<rect y="{number(HEIGHT - _FOOT)}" width="{WIDTH}" height="{number(_FOOT)}" '
        f'fill="#0005"/><g transform="translate({number(left)} {number(top)}) scale({scale:.4f})">'
        f"{drawn}</g>{''.join(texts)}</svg>"
    )


def title_in(game: "Game", language: str) -> str:
    """The title of a game with its variants, in a language.

    >>> from cadogan import load
    >>> title_in(load("klondike:draw-three"), "de")
    'Klondike (drei Karten auf einmal)'
    """
    book = game.rulebook
    name = book.names.get(language) or translate(term(book.name), language)
    chosen = [translate(variant_label(each), language) for each in game.active_variants]
    return f"{name} ({', '.join(chosen)})" if chosen else name


def result_in(position: "Position", language: str, *, given_up: bool = False) -> str:
    """What came of a game so far, in a language; nothing if it has not begun.

    >>> from cadogan import load
    >>> position = load("klondike").deal("cadogan:1")
    >>> result_in(position, "en"), result_in(position.play("deal"), "en", given_up=True)
    ('', 'given up after 1 move')
    """
    moves = position.move_count
    made: Translatable | None = None
    match position.outcome:
        case "won":
            made = ngettext("won in {number} move", "won in {number} moves", number=moves)
        case "lost":
            made = ngettext("lost after {number} move", "lost after {number} moves", number=moves)
        case "over":
            made = ngettext("over after {number} move", "over after {number} moves", number=moves)
        case _ if given_up:
            made = ngettext(
                "given up after {number} move", "given up after {number} moves", number=moves
            )
        case _ if moves:
            made = ngettext("{number} move so far", "{number} moves so far", number=moves)
    parts = [] if made is None else [translate(made, language)]
    if position.score is not None and parts:
        points = ngettext("{number} point", "{number} points", number=position.score)
        parts.insert(0, translate(points, language))
    return ", ".join(parts)


def _text(text: str, x: float, y: float, size: float, colour: str, anchor: str = "start") -> str:
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{colour}" '
        f'text-anchor="{anchor}">{escape(text, quote=False)}</text>'
    )

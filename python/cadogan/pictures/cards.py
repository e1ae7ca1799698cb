"""Cards and empty places as SVG. A picture needs no file and no style sheet."""

from typing import Final

from cadogan.cards import Card

WIDTH: Final = 60.0
HEIGHT: Final = 84.0
CORNER: Final = 5.0

RED: Final = "#c01526"
BLACK: Final = "#1a1a1a"
BACK: Final = "#2b4f86"
SELECTED: Final = "#ffd23e"
GOAL: Final = "#59d4ff"
FONT: Final = "'DejaVu Sans','Segoe UI',system-ui,sans-serif"

_PIPS: Final = {
    "C": "M5 .4a2.2 2.2 0 0 1 1.7 3.6a2.2 2.2 0 1 1-1.2 3.2l.8 2.4H3.7l.8-2.4a2.2 2.2 0 1 1-1.2-3.2"
    "A2.2 2.2 0 0 1 5 .4Z",
    "D": "M5 .3Q6.7 3 8.7 5Q6.7 7 5 9.7Q3.3 7 1.3 5Q3.3 3 5 .3Z",
    "H": "M5 9.6C.9 6.2.6 4.6.6 3.4A2.3 2.3 0 0 1 5 2.5A2.3 2.3 0 0 1 9.4 3.4"
    "C9.4 4.6 9.1 6.2 5 9.6Z",
    "S": "M5 .4C1.4 3.4.8 4.7.8 5.7A2.1 2.1 0 0 0 4.6 6.9Q4.5 8.6 3.7 9.6H6.3Q5.5 8.6 5.4 6.9"
    "A2.1 2.1 0 0 0 9.2 5.7C9.2 4.7 8.6 3.4 5 .4Z",
    "O": "M5 .4L6.2 3.6L9.6 3.7L6.9 5.8L7.8 9.1L5 7.2L2.2 9.1L3.1 5.8L.4 3.7L3.8 3.6Z",
}
"""The suits, and the star of a joker, in a square of ten units."""


def number(value: float) -> str:
    """Writes a coordinate briefly.

    >>> number(12.0), number(3.14159), number(-0.5)
    ('12', '3.1', '-0.5')
    """
    return f"{value:.1f}".removesuffix(".0")


def face(card: Card, x: float, y: float, *, covered: str = "") -> str:
    """Draws a card face up.

    Args:
        card: The card.
        x: Its left edge.
        y: Its upper edge.
        covered: ``"down"`` or ``"right"`` if cards of a fan in that direction lie on it: then only
            its edge is seen.
    """
    text = str(card)
    rank, suit = "10" if text[0] == "T" else text[0], text[1]
    colour = RED if suit in "DH" else BLACK
    parts = [_sheet(x, y, "#fff", "#0006")]
    if covered == "right":
        # The rank stands above the suit, since the edge that is seen is narrow.
        parts.append(_text(rank, x + 9.5, y + 17, 15, colour, middle=True))
        parts.append(_pip(suit, x + 4, y + 21, 11, colour))
    else:
        parts.append(_text(rank, x + 4, y + 16.5, 16, colour))
        wide = {"10": 21, "J": 7}.get(rank, 11)
        parts.append(_pip(suit, x + 6 + wide, y + 4.5, 12.5, colour))
    if not covered:
        parts.append(_pip(suit, x + 21, y + 45, 34, colour))
    return "".join(parts)


def back(x: float, y: float) -> str:
    """Draws a card face down."""
    lines = "".join(
        f"M{number(x + a)} {number(y + b)}L{number(x + c)} {number(y + d)}"
        for a, b, c, d in _LATTICE
    )
    return (
        _sheet(x, y, "#fff", "#0006")
        + _sheet(x + 3, y + 3, BACK, "none", WIDTH - 6, HEIGHT - 6)
        + f'<path d="{lines}" stroke="#fff" stroke-opacity=".3" fill="none"/>'
    )


def blank(x: float, y: float) -> str:
    """Draws a card that lies face up, but that other cards hide."""
    return _sheet(x, y, "#f0ede4", "#0006")


def slot(x: float, y: float, text: str = "", *, size: float = 17) -> str:
    """Draws the place of an empty pile.

    Args:
        x: Its left edge.
        y: Its upper edge.
        text: What stands in it.
        size: The size of the text.
    """
    frame = _sheet(x, y, "#0000001f", "#ffffff99")
    if not text:
        return frame
    middle = x + WIDTH / 2
    return frame + _text(text, middle, y + HEIGHT / 2 + 6, size, "#ffffffbf", middle=True)


def wanted(cards: tuple[Card, ...], x: float, y: float) -> str:
    """Draws an empty foundation and the card that it wants; only the rank if there are several."""
    if not cards:
        return slot(x, y)
    rank = "10" if str(cards[0])[0] == "T" else str(cards[0])[0]
    if len(cards) > 1:
        return slot(x, y, rank, size=20)
    pip = _pip(str(cards[0])[1], x + WIDTH / 2 + 1, y + HEIGHT / 2 - 8, 16, "#ffffffbf")
    text = _text(rank, x + WIDTH / 2 - 1, y + HEIGHT / 2 + 6, 20, "#ffffffbf", end=True)
    return slot(x, y) + text + pip


def badge(count: int, x: float, y: float) -> str:
    """Draws the number of cards of a squared pile, in its lower left corner."""
    text = str(count)
    wide = 8 + 7 * len(text)
    top = y + HEIGHT - 19
    return (
        f'<rect x="{number(x + 3)}" y="{number(top)}" width="{wide}" height="16" rx="8" '
        f'fill="#000a"/>' + _text(text, x + 3 + wide / 2, top + 12, 11, "#fff", middle=True)
    )


def mark(first: tuple[float, float], last: tuple[float, float], colour: str) -> str:
    """Draws a frame around cards of a fan; clicks go through it.

    Args:
        first: The upper left corner of the first card.
        last: That of the last card.
        colour: The colour of the frame.
    """
    (x, y), (right, bottom) = first, last
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(right - x + WIDTH)}" '
        f'height="{number(bottom - y + HEIGHT)}" rx="{number(CORNER)}" fill="none" '
        f'stroke="{colour}" stroke-width="3" pointer-events="none"/>'
    )


def caption(text: str, x: float, y: float) -> str:
    """Writes a line of text on the table."""
    return _text(text, x, y, 12, "#ffffffd9")


def _sheet(
    x: float, y: float, fill: str, stroke: str, width: float = WIDTH, height: float = HEIGHT
) -> str:
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" '
        f'rx="{number(CORNER)}" fill="{fill}" stroke="{stroke}"/>'
    )


def _pip(suit: str, x: float, y: float, size: float, colour: str) -> str:
    place = f"translate({number(x)} {number(y)}) scale({size / 10:.2f})"
    return f'<path d="{_PIPS[suit]}" transform="{place}" fill="{colour}"/>'


def _text(
    text: str,
    x: float,
    y: float,
    size: float,
    colour: str,
    *,
    middle: bool = False,
    end: bool = False,
) -> str:
    anchor = ' text-anchor="middle"' if middle else ' text-anchor="end"' if end else ""
    safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{colour}"'
        f"{anchor}>{safe}</text>"
    )


def _lattice(step: float = 12.0, inset: float = 3.0) -> list[tuple[float, float, float, float]]:
    """Diagonal lines on the back of a card, cut off at its edge."""
    left, top, right, bottom = inset, inset, WIDTH - inset, HEIGHT - inset
    lines = []
    offset = left - bottom + step / 2
    while offset < right - top:
        # The line x - y = offset, and its mirror image.
        a, c = max(left, top + offset), min(right, bottom + offset)
        lines.append((a, a - offset, c, c - offset))
        lines.append((WIDTH - a, a - offset, WIDTH - c, c - offset))
        offset += step
    return lines


_LATTICE: Final = _lattice()

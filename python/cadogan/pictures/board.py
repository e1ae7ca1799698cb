"""A position as SVG: the piles lie where the table in the browser has them."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from cadogan.cards import Card
from cadogan.pictures import cards
from cadogan.pictures.cards import HEIGHT, WIDTH, number
from cadogan.pictures.layout import Layout, Place, lay_out

if TYPE_CHECKING:
    from cadogan.game import Game, Position
    from cadogan.rules.rulebook.rulebook import Rulebook

GAP: Final = 8.0
PITCH: Final = WIDTH + GAP
STEP_DOWN: Final = 21.0
"""How much is seen of a card in a fan that hangs down."""
STEP_RIGHT: Final = 22.0
FACE_DOWN: Final = 0.5
"""The step of a card that lies face down, in those of others."""
FANNED_WASTE: Final = 4
"""So many cards of a waste are fanned; the others lie squared below them."""
FELT: Final = "#2c7552"
SHOWN: Final = 0.5
"""How much is seen of a card that others of the next row cover."""
FOOT: Final = 22.0
"""The height of the caption."""


def board(
    position: "Position",
    *,
    playable: bool = False,
    caption: bool = True,
    selected: tuple[str, int] | None = None,
    goals: Collection[str] = (),
) -> str:
    """Draws what the player can see of a position.

    Args:
        position: The position.
        playable: Whether cards and empty places have attributes that say which they are:
            ``data-pile``, and ``data-count`` for how many cards of the pile lie from there on.
        caption: Whether a line below the table names the game and the deal.
        selected: A pile and how many of its cards are marked as selected.
        goals: The piles whose top cards or empty places are marked.

    Returns:
        An SVG element. Hidden cards are not in it.

    >>> from cadogan import load
    >>> picture = board(load("klondike").deal("cadogan:1"))
    >>> picture[:5], picture.count("<text") < 40
    ('<svg ', True)
    """
    frame, drawn = _drawn(position, playable=playable)
    if selected is not None:
        name, count = selected
        spots = frame.spots[name]
        taken = [spot for index, spot in sorted(spots.items()) if index >= max(spots) + 1 - count]
        drawn.append(cards.mark(taken[0], taken[-1], cards.SELECTED))
    for goal in goals:
        top = max(frame.spots[goal].items())[1]
        drawn.append(cards.mark(top, top, cards.GOAL))
    moves = "1 move" if position.move_count == 1 else f"{position.move_count} moves"
    facts = [title_of(position.game), position.deal_name or "a deck of cards", moves]
    if position.score is not None:
        facts.append("1 point" if position.score == 1 else f"{position.score} points")
    facts += [position.outcome] if position.outcome is not None else []
    return frame.svg("".join(drawn), " · ".join(facts), caption=caption)


def table(game: "Game") -> str:
    """Draws the empty table of a game, with the names of its groups.

    >>> from cadogan import load
    >>> "tableau" in table(load("klondike"))
    True
    """
    layout = lay_out(game.rulebook)
    nothing: dict[str, tuple[Card | None, ...]] = {place.pile: () for place in layout.places}
    frame = _Frame(layout, nothing, {})
    drawn, named = [], set()
    for place in layout.drawn(nothing):
        name = "" if place.group in named else place.group
        named.add(place.group)
        size = min(13.0, 1.6 * (WIDTH - 6) / max(len(name), 1))
        drawn.append(cards.slot(*frame.corner(place), name, size=size))
    return frame.svg("".join(drawn), title_of(game))


def inner(position: "Position") -> tuple[str, float, float]:
    """The drawing of a position for a larger picture: its elements, its width and its height."""
    frame, drawn = _drawn(position)
    return "".join(drawn), frame.width, frame.tops[-1]


def _drawn(position: "Position", *, playable: bool = False) -> "tuple[_Frame, list[str]]":
    """Draws all piles of a position."""
    layout = lay_out(position.game.rulebook)
    frame = _Frame(layout, position.visible_piles(), position.face_down, playable=playable)
    covered = _covered(position.game.rulebook, frame.piles) if layout.overlapping else ()
    drawn = []
    for place in layout.drawn(frame.piles):
        x, y = frame.corner(place)
        pile = frame.piles[place.pile]
        if not pile:
            empty = cards.wanted(position.next_cards(place.pile), x, y)
            frame.spots[place.pile][-1] = x, y
            drawn.append(frame.named(empty, place.pile, 0))
        elif place.fan == "none":
            under = "down" if place.pile in covered else ""
            drawn.append(frame.card(place.pile, len(pile) - 1, x, y, under))
            drawn.append(cards.badge(len(pile), x, y) if len(pile) > 1 else "")
        else:
            drawn.append(frame.fan(place))
    return frame, drawn


def _covered(book: "Rulebook", piles: Mapping[str, Sequence[object]]) -> set[str]:
    """The piles that others cover now."""
    names = book.pile_names
    return {
        names[pile]
        for pile, ways in book.open_when.items()
        if all(any(piles[names[other]] for other in way) for way in ways)
    }


def title_of(game: "Game") -> str:
    """The title of a game with its variants."""
    chosen = f" ({', '.join(game.active_variants)})" if game.active_variants else ""
    return game.title + chosen


class _Frame:
    """Where everything of a table lies, and how large the picture is."""

    def __init__(
        self,
        layout: Layout,
        piles: Mapping[str, Sequence[Card | None]],
        face_down: Mapping[str, Sequence[bool]],
        *,
        playable: bool = False,
    ) -> None:
        self.playable = playable
        self.spots: dict[str, dict[int, tuple[float, float]]] = {
            place.pile: {} for place in layout.places
        }
        """Where each card was drawn; an empty place has the index -1."""
        self.layout = layout
        self.piles = piles
        self.face_down = face_down
        self.first = min(place.column for place in layout.places)
        rooms = [0.0] * layout.rows
        for place in layout.places:
            if place.fan == "down":
                rooms[place.row] = max(rooms[place.row], STEP_DOWN * sum(self.steps(place)))
        self.tops = [GAP]
        for row, room in enumerate(rooms, 1):
            step = HEIGHT * SHOWN if row in layout.overlapping else HEIGHT + room + GAP
            self.tops.append(self.tops[-1] + step)
        last = max(place.column for place in layout.places)
        self.width = GAP + (last - self.first) * PITCH + WIDTH + GAP
        for place in layout.places:
            if place.fan == "right" and self.neighbour(place) is None:
                end = self.corner(place)[0] + WIDTH + STEP_RIGHT * sum(self.steps(place)) + GAP
                self.width = max(self.width, end)

    def corner(self, place: Place) -> tuple[float, float]:
        """The upper left corner of a pile."""
        return GAP + (place.column - self.first) * PITCH, self.tops[place.row]

    def neighbour(self, place: Place) -> float | None:
        """The left edge of the next pile to the right in the same row."""
        others = [
            self.corner(other)[0]
            for other in self.layout.places
            if other.row == place.row and other.column > place.column
        ]
        return min(others, default=None)

    def steps(self, place: Place) -> list[float]:
        """How far each card of a fan lies from the one before, in steps."""
        down = self.face_down.get(place.pile, ())
        squared = len(self.piles[place.pile]) - FANNED_WASTE if place.role == "waste" else 0
        return [
            0.0 if index < squared else FACE_DOWN if down[index] else 1.0
            for index in range(len(self.piles[place.pile]) - 1)
        ]

    def fan(self, place: Place) -> str:
        """Draws the cards of a fan."""
        x, y = self.corner(place)
        steps = self.steps(place)
        step = STEP_DOWN
        if place.fan == "right":
            edge = self.neighbour(place)
            room = (edge if edge is not None else self.width) - GAP - x - WIDTH
            step = min(STEP_RIGHT, max(0.0, room) / max(sum(steps), 1.0))
        drawn = []
        for index in range(len(steps) + 1):
            is_seen = index == len(steps) or steps[index] > 0
            if is_seen:
                covered = place.fan if index < len(steps) else ""
                drawn.append(self.card(place.pile, index, x, y, covered))
            if index < len(steps):
                x += step * steps[index] if place.fan == "right" else 0
                y += step * steps[index] if place.fan == "down" else 0
        return "".join(drawn)

    def card(self, pile: str, index: int, x: float, y: float, covered: str = "") -> str:
        card = self.piles[pile][index]
        self.spots[pile][index] = x, y
        if card is not None:
            drawn = cards.face(card, x, y, covered=covered)
        else:
            drawn = cards.back(x, y) if self.face_down[pile][index] else cards.blank(x, y)
        return self.named(drawn, pile, len(self.piles[pile]) - index)

    def named(self, drawn: str, pile: str, count: int) -> str:
        """Something drawn, with attributes that say what it is, if the picture is playable."""
        if not self.playable:
            return drawn
        return f'<g data-pile="{pile}" data-count="{count}">{drawn}</g>'

    def svg(self, drawn: str, text: str, *, caption: bool = True) -> str:
        """The whole picture: the felt, what was drawn on it, and a line of text."""
        foot = FOOT if caption else 0
        width, height = number(self.width), number(self.tops[-1] + foot)
        label = cards.caption(text, GAP + 2, self.tops[-1] + FOOT - GAP) if caption else ""
        safe = text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" style="max-width:100%;height:auto" role="img" '
            f'aria-label="{safe}" font-family="{cards.FONT}" font-weight="600">'
            f'<rect width="{width}" height="{height}" rx="8" fill="{FELT}"/>{drawn}{label}</svg>'
        )

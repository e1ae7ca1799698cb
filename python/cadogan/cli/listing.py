"""Legal moves as lists: one a line for commands, gathered by their source for the table."""

from itertools import groupby
from typing import TYPE_CHECKING

from rich.text import Text

from cadogan.cli.draw import QUIET, Glyphs, cards

if TYPE_CHECKING:
    from cadogan import Move, Position

MAX_SHOWN = 4
"""Of more cards that go together the first and the last are shown."""


def numbered(position: "Position", glyphs: Glyphs) -> Text:
    """The moves one a line: number, text, and the cards concerned."""
    legal = position.moves()
    digits = len(str(len(legal)))
    longest = max((len(move.text) for move in legal), default=0)
    lines = []
    for number, move in enumerate(legal, 1):
        line = Text()
        line.append(f"{number:>{digits}}  ", QUIET)
        line.append(f"{move.text:<{longest}}  ")
        line.append_text(_told(position, move, glyphs))
        line.rstrip()
        lines.append(line)
    return Text("\n").join(lines)


def gathered(position: "Position", glyphs: Glyphs, width: int) -> Text:
    """The moves gathered by the cards that go, with their numbers before the piles they go to."""
    legal = list(enumerate(position.moves(), 1))
    single = {move.code for _, move in legal if _is_word(move)}
    lines = []
    words = [(number, move) for number, move in legal if move.code in single]
    plain = [(number, move) for number, move in legal if move.code not in single]
    plain.sort(
        key=lambda pair: (position.game.pile_names.index(pair[1].source or ""), pair[1].count)
    )
    leads = {
        (source, count): _lead(position, source or "", count, glyphs)
        for source, count in {(move.source, move.count) for _, move in plain}
    }
    widest = max((lead.cell_len for lead in leads.values()), default=0)
    for key, group in groupby(plain, key=lambda pair: (pair[1].source, pair[1].count)):
        lead = leads[key]
        lead.append(" " * (widest - lead.cell_len))
        lead.append(f" {glyphs.then} ", QUIET)
        lines += _wrapped(lead, [_goal(position, n, move, glyphs) for n, move in group], width)
    if words:
        lead = Text(" " * (widest + 3) if widest else "")
        lines += _wrapped(lead, [_word(n, move) for n, move in words], width)
    return Text("\n").join(lines)


def _is_word(move: "Move") -> bool:
    """Whether a move is told best by its whole text."""
    return move.source is None or move.target is None or ">" not in move.text or "<>" in move.text


def _lead(position: "Position", source: str, count: int, glyphs: Glyphs) -> Text:
    text = Text(source + " ")
    text.append_text(_going(position, source, count, glyphs))
    return text


def _goal(position: "Position", number: int, move: "Move", glyphs: Glyphs) -> Text:
    text = Text()
    text.append(f"{number:>3} ", QUIET)
    text.append(f"{move.target} ")
    top = position.view()[move.target or ""][-1:]
    text.append_text(cards(top, glyphs))
    if move.text.endswith(")"):
        text.append(f" ({move.rule})", QUIET)
    text.rstrip()
    return text


def _word(number: int, move: "Move") -> Text:
    text = Text()
    text.append(f"{number:>3} ", QUIET)
    text.append(move.text)
    return text


def _told(position: "Position", move: "Move", glyphs: Glyphs) -> Text:
    """The cards a move is about, as far as the player sees them: ``9♥ on T♣``."""
    if _is_word(move) or move.source is None or move.target is None:
        return Text()
    text = _going(position, move.source, move.count, glyphs)
    top = position.view()[move.target][-1:]
    if top and text.plain:
        text.append(" on ", QUIET)
        text.append_text(cards(top, glyphs))
    return text


def _going(position: "Position", source: str, count: int, glyphs: Glyphs) -> Text:
    """The cards that go from a pile: the uppermost ones, lowest first."""
    going = position.view()[source][-count:] if count else ()
    if len(going) <= MAX_SHOWN:
        return cards(going, glyphs)
    text = cards(going[:1], glyphs)
    text.append("..", QUIET)
    text.append_text(cards(going[-1:], glyphs))
    return text


def _wrapped(lead: Text, parts: list[Text], width: int) -> list[Text]:
    """A lead and parts beside it, over as many lines as it takes."""
    lines = [lead.copy()]
    used = False
    for part in parts:
        if used and lines[-1].cell_len + 2 + part.cell_len > width:
            lines.append(Text(" " * lead.cell_len))
        lines[-1].append("  " if used else "")
        lines[-1].append_text(part)
        used = True
    return lines

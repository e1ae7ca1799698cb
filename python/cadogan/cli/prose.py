"""Formats paragraphs for a terminal: wrapped lines, bold headings, hanging list items."""

import re
import textwrap
from typing import Final

from rich.text import Text

WIDEST: Final = 88
"""Longer lines are hard to read, however wide the terminal is."""

_HEADING = re.compile(r"#+\s+(?P<text>.*)")
_ITEM = re.compile(r"(?P<lead>\s*(?:[-*]|\d+\.)\s+)(?P<text>.*)", re.DOTALL)


def prose(text: str, width: int) -> Text:
    """Formats paragraphs that are separated by empty lines, with ``#`` headings and ``-`` items.

    A picture, whose lines begin with four spaces, does not change.
    """
    width = min(width, WIDEST)
    lines: list[Text] = []
    for paragraph in re.split(r"\n(?:[ \t]*\n)+", text.strip()):
        if lines:
            lines.append(Text())
        if all(line.startswith("    ") for line in paragraph.splitlines()):
            lines += [Text(line) for line in paragraph.splitlines()]
            continue
        for part in re.split(r"\n(?=[ \t]*(?:[-*]|\d+\.)\s)|\n(?=#)|(?<=#)\n", paragraph):
            lines += _part(part, width)
    return Text("\n").join(lines)


def _part(part: str, width: int) -> list[Text]:
    heading = _HEADING.match(part)
    if heading:
        lines = [Text(heading["text"], "bold")]
        rest = part[heading.end() :].strip()
        return lines + (_part(rest, width) if rest else [])
    item = _ITEM.fullmatch(part)
    lead, body = (item["lead"], item["text"]) if item else ("", part)
    wrapped = textwrap.wrap(
        " ".join(body.split()),
        width,
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_on_hyphens=False,
    )
    return [_stressed(line) for line in wrapped]


def _stressed(line: str) -> Text:
    """A line in which ``**words**`` are bold."""
    text = Text()
    for index, piece in enumerate(line.split("**")):
        text.append(piece, "bold" if index % 2 else "")
    return text

"""Parses the picture of the table: the row and column of each pile."""

import re

from cadogan.i18n.text import gettext
from cadogan.rules.check.piles import Piles, count_piles
from cadogan.rules.faults.report import Report, nearest, one_of
from cadogan.rules.rulebook.group import Group

HALF = "/"
"""What shifts the places after it by half a place."""


def read_picture(text: str | None, piles: Piles, report: Report) -> dict[tuple[int, float], int]:
    """Reads the picture of the table.

    Each line is a row, and each word a place: ``.`` for an empty place, ``/`` for half of one, or a
    group's mark or name and the number of the pile. A mark alone is the group's only pile.

    Returns:
        Pile numbers by (row, column). A column may be a half.
    """
    marks = _marks(piles, report)
    strange: set[str] = set()
    found: dict[tuple[int, float], int] = {}
    seen: set[int] = set()
    text = text or ""
    start = 0
    row = -1
    for line in text.split("\n"):
        if line.strip() or row >= 0:
            row += 1
        halves = 0
        for place, word in enumerate(re.finditer(r"\S+", line)):
            halves += word.group() == HALF
            column = place - halves // 2 if halves % 2 == 0 else place - halves / 2
            within = (start + word.start(), start + word.end())
            pile = _pile(word.group(), within, marks, strange, piles, report)
            if pile is None:
                continue
            if pile in seen:
                report.error(
                    "said-twice",
                    ("picture",),
                    gettext('"{word}" is in the picture twice', word=word.group()),
                    within=within,
                )
            seen.add(pile)
            found[row, column] = pile
        start += len(line) + 1
    return found


def _marks(piles: Piles, report: Report) -> dict[str, Group]:
    marks = {group.name: group for group in piles.groups}
    for group in piles.groups:
        if group.mark is None:
            continue
        other = marks.setdefault(group.mark, group)
        if other is not group:
            report.error(
                "said-twice",
                (group.name, "mark"),
                gettext(
                    'the mark "{mark}" stands for "{name}" already',
                    mark=group.mark,
                    name=other.name,
                ),
                also=[((other.name, "mark" if other.mark else "role"), gettext("here"))],
            )
    return marks


def _pile(
    word: str,
    within: tuple[int, int],
    marks: dict[str, Group],
    strange: set[str],
    piles: Piles,
    report: Report,
) -> int | None:
    """The pile of a word in the picture."""
    if word == HALF or set(word) <= {".", "-"}:
        return None
    match = re.fullmatch(r"(.+?)\.?(\d{1,3})", word)
    group, number = marks.get(word), 1
    if group is None and match is not None:
        group, number = marks.get(match[1]), int(match[2])
    if group is None:
        name = match[1] if match else word
        guess = nearest(name, marks)
        known = one_of((group.mark or group.name for group in piles.groups), 20)
        doubtful = any(report.is_faulty(group.name, "mark") for group in piles.groups)
        if name not in strange and not report.is_faulty(name) and not doubtful:
            report.error(
                "unknown-mark",
                ("picture",),
                gettext('"{word}" in the picture is not a pile', word=word),
                within=within,
                hint=gettext('did you mean "{guess}"?', guess=guess)
                if guess
                else gettext("say {choices}", choices=known),
            )
        strange.add(name)
        report.mark_faulty(("picture",))
        return None
    if not 1 <= number <= group.count:
        if piles.is_certain(group.first):
            report.error(
                "unknown-pile",
                ("picture",),
                gettext(
                    'there is no "{word}": "{name}" has {count}',
                    word=word,
                    name=group.name,
                    count=count_piles(group.count),
                ),
                within=within,
            )
        report.mark_faulty(("picture",))
        return None
    return group.first + number - 1

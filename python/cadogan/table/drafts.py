"""Rules files that are being written: what they look like, and whether their deals can be won.

The functions run in a process of their own (:mod:`cadogan.table.trials`): the files come from
strangers, and were never stored.
"""

import functools
import os
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from cadogan.deals import DealError
from cadogan.game import Game
from cadogan.pictures.board import board
from cadogan.rules.compile.program import Program
from cadogan.rules.explain import explain, german
from cadogan.rules.faults.report import Report
from cadogan.rules.pipeline import Rules, check_text, load_text
from cadogan.rules.rulebook.rulebook import Rulebook
from cadogan.solver.solve import Status, solve

NAME: Final = "rules"
MEMORY: Final = 256 << 20
"""The memory limit of a search, in bytes."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A rules file without errors.

    Attributes:
        title: The name of the game.
        digest: The digest of its compiled rules.
        deal: The name of the deal in the picture.
        picture: The table after that deal, as SVG.
        words: The rules in words, as Markdown.
        complete: Whether all of that is in the language asked for.
        has_win: Whether the game can be won, or has only points.
    """

    title: str
    digest: str
    deal: str
    picture: str
    words: str
    complete: bool
    has_win: bool


def check_and_draw(text: str, deal: str, language: str) -> tuple[Report, Draft | None]:
    """Checks a rules file, and draws the game without variants if there are no errors.

    Args:
        text: The text of the rules file.
        deal: The name of a deal.
        language: The language of the rules in words.

    >>> report, draft = check_and_draw("packs = 0", "cadogan:1", "en")
    >>> report.ok, draft
    (False, None)
    """
    first: list[tuple[Rulebook, Program]] = []

    def keep(book: Rulebook, program: Program) -> None:
        if not first:
            first.append((book, program))

    report = check_text(text, NAME, keep)
    if not report.ok or not first:
        return report, None
    book, program = first[0]
    game = Game(NAME, Rules(book, program, report, text, NAME))
    score = book.score
    return report, Draft(
        title=game.title,
        digest=game.digest,
        deal=deal,
        picture=board(game.deal(deal), caption=False),
        words=explain(book, language),
        complete=language != "de" or german.is_complete(book),
        has_win=score is None or bool(book.aim) or score.won_from is not None,
    )


def decide(text: str, deal: str, budget: int) -> tuple[Status, int]:
    """Searches a deal of a rules file.

    Args:
        text: The text of a rules file without errors.
        deal: The name of the deal.
        budget: The node budget.

    Returns:
        The verdict, and how many nodes were searched.
    """
    try:
        position = _game(text).deal(deal)
    except DealError:  # its forced rules do not come to rest, in this deal
        return "unknown", 0
    verdict = solve(position, budget=budget, memory=MEMORY)
    return verdict.status, verdict.nodes


@functools.lru_cache(maxsize=4)
def _game(text: str) -> Game:
    # Here and not in the process that checks: searches give way to everything else.
    with suppress(AttributeError, OSError):
        os.nice(10 - os.nice(0))
    return Game(NAME, load_text(text, NAME))

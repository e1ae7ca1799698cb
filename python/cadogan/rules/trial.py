"""Tries a game out, to find faults that checks of its text cannot find, such as endless rules.

A game without faults is compiled, dealt a few times in the kernel, and a few of its moves are
played at random. The result is the same on every machine.
"""

import random
from typing import Final

from cadogan import _kernel
from cadogan.i18n.text import gettext
from cadogan.rules.compile.compile import compile_rulebook
from cadogan.rules.compile.program import Program
from cadogan.rules.faults.report import Report
from cadogan.rules.rulebook.rulebook import Rulebook

DEALS: Final = 3
MOVES: Final = 12
SHUFFLES: Final = 1000
"""How many shuffles are tried to find one that the rules do not deal again."""


def try_out(rulebook: Rulebook, report: Report, deals: int = DEALS) -> Program:
    """Deals a game, lists its moves and plays some of them.

    Args:
        rulebook: A game without errors.
        report: Receives the faults: forced rules that never come to rest.
        deals: The number of deals to try.

    Returns:
        The compiled rules.

    >>> from cadogan.rules import load_rules
    >>> from cadogan.rules.read.read import read_document
    >>> report = Report(read_document("", "flower-garden.toml"))
    >>> try_out(load_rules("flower-garden").rulebook, report).digest[:4], report.ok
    ('16cd', True)
    """
    compiled = compile_rulebook(rulebook)
    program = _kernel.Program(compiled.to_bytes())
    for number in range(1, deals + 1):
        try:
            deck = _deck(number, rulebook, program)
            if deck is None:
                report.error(
                    "always-dealt-again",
                    ("deal_again",),
                    gettext("all of {number} shuffles would be dealt again", number=SHUFFLES),
                )
                return compiled
            state = program.deal(deck)
        except RuntimeError as error:
            dealt = gettext("the forced rules do not come to rest when the cards are dealt")
            _report(dealt, error.args[1], rulebook, report)
            return compiled
        chance = random.Random(number)
        for _ in range(MOVES):
            moves = state.moves()
            if not moves:
                break
            try:
                state, _ = state.play(chance.choice(moves))
            except RuntimeError as error:
                played = gettext("the forced rules do not come to rest after a move")
                _report(played, error.args[1], rulebook, report)
                return compiled
    return compiled


def _deck(number: int, rulebook: Rulebook, program: _kernel.Program) -> bytes | None:
    """A deck that is not dealt again, if there is one among some shuffles."""
    for shuffle in range(number, number + SHUFFLES):
        order = _kernel.shuffle(shuffle, len(rulebook.deck))
        deck = bytes(rulebook.deck[index] for index in order)
        if not program.is_dealt_again(deck):
            return deck
    return None


def _report(title: str, rules: list[int], rulebook: Rulebook, report: Report) -> None:
    """Reports forced rules that never come to rest."""
    first, *others = rules
    names = [rulebook.rules[index].name for index in rules]
    report.error(
        "restless",
        ("rule", first),
        title,
        label=gettext('"{name}" never ends', name=names[0])
        if not others
        else gettext("this rule and others trigger each other endlessly"),
        hint=gettext("a forced rule needs a condition that it finally makes false"),
        also=[(("rule", index), gettext("this rule, too")) for index in others[:4]],
    )

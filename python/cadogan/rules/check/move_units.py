"""Rules of building and units of cards: reading the phrases.

A unit is what moves together: ``"one card"``, ``"a sequence down in suit"``, ``"a complete sequence
down in suit"``, ``"a packet"``, ``"up to 4 cards"``, ``"the whole pile"``. In a sequence, several
rules of building are joined by "or else".
"""

import re
from collections.abc import Callable, Sequence

from cadogan.i18n.text import told
from cadogan.rules.check.phrases import report_word
from cadogan.rules.check.piles import Piles
from cadogan.rules.faults.report import Report
from cadogan.rules.rulebook.relations import Relation, Term, parse_term
from cadogan.rules.rulebook.rulebook import Unit
from cadogan.rules.rulebook.words import WordError
from cadogan.rules.source.span import Path
from cadogan.rules.source.values import paths


def read_relation(
    phrases: str | list[str], path: Path, ranks: Sequence[int], piles: Piles, report: Report
) -> Relation | None:
    """Reads a rule of building.

    Args:
        phrases: One phrase, or several of which each is enough.
        path: Where they stand.
        ranks: The game's ranks in order.
        piles: The game's piles, some of which have an order that can be followed.
        report: Where faults go.
    """
    terms: list[Term] = []
    for phrase, place in paths(phrases, path):
        try:
            terms.append(parse_term(phrase, piles.order_ranks))
        except WordError as error:
            error.allowed = error.allowed or tuple(piles.ordered_names())
            report_word(report, "unknown-build", place, phrase, error)
    if not phrases and not report.is_faulty(*path):
        report.error(
            "unknown-build", path, told("no rule of building is given"), hint=told('say "nothing"')
        )
    return Relation(tuple(terms), tuple(ranks)) if terms else None


def read_unit(
    phrase: str,
    path: Path,
    relation: Callable[[str | list[str], Path], Relation | None],
    ranks: Sequence[int],
    report: Report,
) -> Unit:
    """Reads a unit; faults are reported and give a single card."""
    words = " ".join(phrase.lower().split())
    if words in ("one card", "single cards", "the top card"):
        return Unit()
    if words in ("a packet", "packets"):
        return Unit("packet")
    if words == "the whole pile":
        return Unit("all")
    if (match := re.fullmatch(r"up to (\d{1,3}) cards?", words)) and 1 <= int(match[1]) <= 104:
        return Unit("count", most=int(match[1]))
    if match := re.fullmatch(r"a (complete )?sequence(?: (?P<build>.+))?", words):
        if match["build"] is None:
            report.error(
                "unknown-phrase",
                path,
                told("a sequence must say how it runs"),
                hint=told('say "a sequence down in suit"'),
            )
            return Unit()
        if report.is_faulty(*path):
            # The rule of building was not understood where it stands.
            return Unit()
        found = relation(match["build"].split(" or else "), path)
        if found is None:
            return Unit()
        return Unit("run", found, len(ranks), len(ranks)) if match[1] else Unit("run", found)
    report.error(
        "unknown-phrase",
        path,
        told('"{text}" does not say which cards move together', text=" ".join(phrase.split())),
        hint=told(
            'say "one card", "a sequence down in suit", "a packet", "up to 4 cards" '
            'or "the whole pile"'
        ),
    )
    return Unit()

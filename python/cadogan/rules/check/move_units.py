"""Parses relations and units of cards.

A unit is a set of cards that move together: ``"one card"``, ``"a sequence down in suit"``, ``"a
complete sequence down in suit"``, ``"the longest sequence down in suit"``, ``"a packet"``, ``"up to
4 cards"``, ``"exactly 4 cards"``, ``"the whole pile"``, ``"the whole pile, by its top card"``,
``"any card of the pile"``, ``"the sixth card"``, ``"the bottom card"``. In a sequence, several
relations are joined by "or else".
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from cadogan.i18n.english import ordinal
from cadogan.i18n.text import gettext
from cadogan.rules.check.phrases import report_word
from cadogan.rules.check.piles import Piles
from cadogan.rules.faults.report import Report
from cadogan.rules.rulebook.asks import Unit
from cadogan.rules.rulebook.card_sets import CardSet, names_cards, parse_cards, parse_relation
from cadogan.rules.rulebook.neighbours import Neighbours, read_sides
from cadogan.rules.rulebook.relations import Relation, Term, parse_term
from cadogan.rules.rulebook.words import WordError
from cadogan.rules.source.span import Path
from cadogan.rules.source.values import paths

_ORDINALS = tuple(map(ordinal, range(1, 14)))
_PLACE = re.compile(rf"the (?P<place>{'|'.join(_ORDINALS)}) card(?: from the (?P<end>top|bottom))?")
_SOME = re.compile(r"(?:up to|(?P<exactly>exactly)) (?P<number>\d{1,3}) cards?")


def read_relation(
    phrases: str | list[str],
    path: Path,
    ranks: Sequence[int],
    piles: Piles,
    report: Report,
    *,
    use: Literal["building", "order", "comparison"] = "order",
) -> Relation | None:
    """Parses a relation.

    Args:
        phrases: One phrase, or several alternatives.
        path: Their place.
        ranks: The game's ranks in order.
        piles: The game's piles, whose orders a relation may follow.
        report: Receives the faults.
        use: Whether cards are laid on piles, lie in an order, or are only compared.
    """
    terms: list[Term] = []
    for phrase, place in paths(phrases, path):
        try:
            term = parse_term(phrase, piles.order_ranks)
            _check_use(term, use)
            terms.append(term)
        except WordError as error:
            error.allowed = error.allowed or tuple(piles.ordered_names())
            report_word(report, "unknown-build", place, phrase, error)
    if not phrases and not report.is_faulty(*path):
        report.error(
            "unknown-build",
            path,
            gettext("no rule of building is given"),
            hint=gettext('say "nothing"'),
        )
    return Relation(tuple(terms), tuple(ranks)) if terms else None


def _check_use(term: Term, use: str) -> None:
    """Refuses words that say something of building only."""
    if term.begun and use != "building":
        raise _misused(
            term, "as begun", gettext('"as begun" is only for building on piles and on foundations')
        )
    if term.never_on is not None and use == "comparison":
        title = gettext('"never on" says nothing where no card is laid on another')
        raise _misused(term, "never on", title)


def _misused(term: Term, words: str, title: str) -> WordError:
    return WordError(title, words, term.text.lower().find(words), hint=gettext("leave it out"))


def read_match(
    phrases: str | list[str],
    size: tuple[int, int],
    path: Path,
    ranks: Sequence[int],
    piles: Piles,
    report: Report,
) -> tuple[Relation | None, tuple[CardSet, ...]]:
    """Parses which cards belong together.

    Args:
        phrases: One phrase, or several alternatives.
        size: The fewest and the most cards, where a phrase does not say how many.
        path: The place of the phrases.
        ranks: The game's ranks in order.
        piles: The game's piles, whose orders a relation may follow.
        report: Receives the faults.

    Returns:
        The rule of building that two cards meet, if there is one, and all other sets.
    """
    plain: list[tuple[str, Path]] = []
    sets: list[CardSet] = []
    for phrase, place in paths(phrases, path):
        try:
            if names_cards(phrase):
                sets.append(parse_cards(phrase, ranks))
            elif size == (2, 2):
                plain.append((phrase, place))
            else:
                sets.append(parse_relation(phrase, size, ranks, piles.order_ranks))
        except WordError as error:
            report_word(report, "unknown-build", place, phrase, error)
    terms: list[Term] = []
    for phrase, place in plain:
        relation = read_relation(phrase, place, ranks, piles, report, use="comparison")
        terms += () if relation is None else relation.terms
    return (Relation(tuple(terms), tuple(ranks)) if terms else None), tuple(sets)


def read_neighbours(
    phrase: str,
    piles: Sequence[int],
    picture: Mapping[tuple[int, float], int],
    path: Path,
    ranks: Sequence[int],
    known: Piles,
) -> Neighbours | None:
    """Parses how cards are related to those beside them: ``"up in suit of the left neighbour"``.

    Args:
        phrase: The phrase.
        piles: The piles of the cards.
        picture: The piles by row and column of the picture.
        path: The place of the phrase.
        ranks: The game's ranks in order.
        known: The game's piles.
    """
    build, of, where = " ".join(phrase.split()).rpartition(" of ")
    sides = read_sides(where) if of else ()
    if len(sides) != 1 or sides[0].single is None:
        known.report.error(
            "unknown-phrase",
            path,
            gettext('"{text}" does not say what lies beside a card', text=" ".join(phrase.split())),
            hint=gettext('say "up in suit of the left neighbour"'),
        )
        return None
    relation = read_relation(build, path, ranks, known, known.report, use="comparison")
    if relation is None:
        return None
    found = known.beside(piles, sides, picture, path)
    pairs = tuple((pile, other) for pile in piles for other in found.get(pile, ()))
    return Neighbours(sides[0], relation, pairs)


def is_from_under(phrase: str) -> bool:
    """Whether a unit is one card that others may lie on."""
    words = " ".join(phrase.lower().split())
    return words.startswith(("any card", "the bottom card")) or bool(_PLACE.fullmatch(words))


def read_unit(
    phrase: str,
    path: Path,
    relation: Callable[[str | list[str], Path], Relation | None],
    ranks: Sequence[int],
    report: Report,
) -> Unit:
    """Parses a unit; after a fault it is a single card."""
    words = " ".join(phrase.lower().split())
    if words in ("one card", "single cards", "the top card"):
        return Unit()
    if words in ("a packet", "packets"):
        return Unit("packet")
    if words == "the whole pile":
        return Unit("all")
    if words == "the whole pile, by its top card":
        return Unit("all", by_top=True)
    if words in ("any card", "any card of the pile"):
        return Unit("any")
    if words == "the bottom card":
        return Unit("bottom")
    if match := _PLACE.fullmatch(words):
        place = _ORDINALS.index(match["place"]) + 1
        return Unit("any", place=-place if match["end"] == "top" else place)
    if (match := _SOME.fullmatch(words)) and 1 <= int(match["number"]) <= 104:
        number = int(match["number"])
        return Unit("count", least=number if match["exactly"] else 1, most=number)
    if match := re.fullmatch(
        r"(?:a (complete )?|the (longest) )sequence(?: (?P<build>.+))?", words
    ):
        if match["build"] is None:
            report.error(
                "unknown-phrase",
                path,
                gettext("a sequence must say how it runs"),
                hint=gettext('say "a sequence down in suit"'),
            )
            return Unit()
        if report.is_faulty(*path):
            # The relation has a fault that is already reported.
            return Unit()
        found = relation(match["build"].split(" or else "), path)
        if found is None:
            return Unit()
        if match[2]:
            return Unit("longest", found)
        return Unit("run", found, len(ranks), len(ranks)) if match[1] else Unit("run", found)
    report.error(
        "unknown-phrase",
        path,
        gettext('"{text}" does not say which cards move together', text=" ".join(phrase.split())),
        hint=gettext(
            'say "one card", "any card of the pile", "the sixth card", "the bottom card", '
            '"a sequence down in suit", '
            '"a packet", "up to 4 cards", "the whole pile" '
            'or "the whole pile, by its top card"'
        ),
    )
    return Unit()

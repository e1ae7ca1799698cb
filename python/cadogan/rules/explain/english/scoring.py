"""The score in English."""

from cadogan.i18n.english import join, sentence
from cadogan.rules.explain.english.asks import is_plural
from cadogan.rules.explain.english.phrases import Phrases
from cadogan.rules.explain.english.prose import run
from cadogan.rules.rulebook.rulebook import Rulebook
from cadogan.rules.rulebook.score import CRIBBAGE, POKER, Score, ScoreTerm

_LINES = {"rows": "each row", "columns": "each column", "both": "each row and each column"}
_CRIBBAGE = {
    "fifteen": "for cards that add up to fifteen (court cards count as ten)",
    "pair": "for two cards of one rank",
    "run": "for each card of a run of three or more ranks",
    "flush": "for each card of a line in which all cards are of one suit",
    "his nobs": "for a knave of the suit of that card",
    "his heels": "if that card is a knave",
}


def scoring(book: Rulebook, words: Phrases) -> list[str]:
    """What the points are given for, as paragraphs; none if the game is not scored."""
    score = book.score
    if score is None:
        return []
    parts = [aim(score, decides=not book.aim)]
    if score.start:
        parts.append(f"The game begins with {points(score.start)}.")
    counted = [sentence(line) for term in score.terms for line in _term(term, words)]
    return [" ".join(parts), "\n".join(f"- {line}" for line in counted)]


def aim(score: Score, *, decides: bool) -> str:
    """What one tries to do."""
    if decides:
        return (
            "The aim is to make as many points as possible."
            if score.aim == "most"
            else "The aim is to end with as few points as possible."
        )
    better = "more" if score.aim == "most" else "fewer"
    return f"The game is scored, too: the {better} points, the better."


def end(score: Score) -> str:
    """How a game ends that points decide."""
    if score.won_from is None:
        return "The game is over when no move is left."
    limit = f"{points(score.won_from)} or {'more' if score.aim == 'most' else 'fewer'}"
    return f"The game is over when no move is left. It is won with {limit}, and else lost."


def points(number: int) -> str:
    """A number of points.

    >>> points(1), points(5), points(-52)
    ('1 point', '5 points', 'minus 52 points')
    """
    amount = f"{abs(number)} point{'' if abs(number) == 1 else 's'}"
    return f"minus {amount}" if number < 0 else amount


def _term(term: ScoreTerm, words: Phrases) -> list[str]:
    worth = points(term.points[0])
    piles = term.piles.piles if term.piles is not None else ()
    if term.kind == "cards":
        assert term.cards is not None
        mask = term.cards.mask
        card = "card" if words.cards.is_any(mask) else f"card ({words.cards.many(mask)} only)"
        if not words.cards.is_any(mask) and words.lies_hidden(piles):
            card = f"face-up {card}"
        where = join((words.noun(group).within for group in words.groups(piles)), "or")
        return [f"{worth} for each {card} {where}"]
    if term.kind == "counter":
        thing = words.thing(words.book.counters[term.counter])
        if thing.startswith("points ") and abs(term.points[0]) == 1:
            minus = "minus " if term.points[0] < 0 else ""
            return [f"{minus}the {thing}, as counted below"]
        each = f"each of the {thing}" if is_plural(thing) else f"each unit of the {thing}"
        return [f"{worth} for {each}"]
    if term.kind == "runs":
        assert term.runs is not None
        line = "row" if term.runs.along == "rows" else "column"
        cards = words.cards
        first = term.runs.cards.mask
        begin = "" if cards.is_any(first) else f"first {cards.one(first)}, then "
        where = f"at the beginning of its {line} of {words.the(piles)}"
        if not all(map(words.is_single, words.groups(piles))):
            lie = f"whose cards all lie in order {where} ({begin}{run(term.runs.relation)})"
            return [f"{worth} for each pile {lie}"]
        return [
            f"{worth} for each card that lies in order {where} ({begin}{run(term.runs.relation)})"
        ]
    if term.kind == "bonus":
        assert term.when is not None
        return [f"{worth} if {words.condition(term.when)}"]
    lines = f"{_LINES[term.along]} of {words.the(piles)}"
    if term.kind == "poker":
        hands = [
            f"{points(worth)} for {'a ' if name not in _PLAIN else ''}{name}"
            for name, worth in zip(POKER, term.points, strict=True)
            if worth
        ]
        return [f"{lines} is a hand at poker, of which only the best counts: {join(hands)}"]
    with_it = ""
    if term.starter is not None:
        with_it = f" together with the card on {words.the((term.starter,))}"
    hands = [
        f"{points(worth)} {_CRIBBAGE[name]}"
        for name, worth in zip(CRIBBAGE, term.points, strict=True)
        if worth
    ]
    return [f"{lines} counts as at cribbage{with_it}: {join(hands)}"]


_PLAIN = ("two pairs", "three of a kind", "four of a kind")

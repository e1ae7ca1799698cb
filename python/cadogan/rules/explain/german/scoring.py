"""The score in German."""

from cadogan.i18n.german import ACC, DAT, GEN, NOM, Case, join, sentence
from cadogan.rules.explain.german.cards import building
from cadogan.rules.explain.german.phrases import GermanPhrases
from cadogan.rules.rulebook.rulebook import Rulebook
from cadogan.rules.rulebook.score import CRIBBAGE, POKER, Score, ScoreTerm

_LINES = {"rows": "jede Zeile", "columns": "jede Spalte", "both": "jede Zeile und jede Spalte"}
_POKER = {
    "pair": "ein Paar",
    "two pairs": "zwei Paare",
    "three of a kind": "einen Drilling",
    "straight": "eine Straße",
    "flush": "einen Flush",
    "full house": "ein Full House",
    "four of a kind": "einen Vierling",
    "straight flush": "einen Straight Flush",
    "royal flush": "einen Royal Flush",
}
_CRIBBAGE = {
    "fifteen": "für Karten, die zusammen fünfzehn zählen (Bilder zählen zehn)",
    "pair": "für zwei Karten eines Wertes",
    "run": "für jede Karte einer Folge von mindestens drei Werten",
    "flush": "für jede Karte einer Reihe, in der alle Karten von einer Farbe sind",
    "his nobs": "für einen Buben von der Farbe jener Karte",
    "his heels": "wenn jene Karte ein Bube ist",
}


def wertung(book: Rulebook, words: GermanPhrases) -> list[str]:
    """What the points are given for, as paragraphs; none if the game is not scored."""
    score = book.score
    if score is None:
        return []
    parts = [_aim(score, decides=not book.aim)]
    if score.start:
        parts.append(f"Das Spiel beginnt mit {punkte(score.start, DAT)}.")
    counted = [sentence(line) for term in score.terms for line in _term(term, words)]
    return [" ".join(parts), "\n".join(f"- {line}" for line in counted)]


def _aim(score: Score, *, decides: bool) -> str:
    if decides:
        return (
            "Das Ziel sind möglichst viele Punkte."
            if score.aim == "most"
            else "Das Ziel sind am Ende möglichst wenige Punkte."
        )
    better = "mehr" if score.aim == "most" else "weniger"
    return f"Auch Punkte werden gezählt: je {better}, desto besser."


def ende(score: Score) -> str:
    """How a game ends that points decide."""
    if score.won_from is None:
        return "Die Patience ist zu Ende, wenn kein Zug mehr möglich ist."
    limit = "mindestens" if score.aim == "most" else "höchstens"
    return (
        "Die Patience ist zu Ende, wenn kein Zug mehr möglich ist. Aufgegangen ist sie mit "
        f"{limit} {punkte(score.won_from, DAT)}, sonst ist sie verloren."
    )


def punkte(number: int, case: Case = NOM) -> str:
    """A number of points.

    >>> punkte(1), punkte(5), punkte(-52, DAT)
    ('1 Punkt', '5 Punkte', 'minus 52 Punkten')
    """
    many = "en" if case is DAT else "e"
    amount = f"{abs(number)} Punkt{'' if abs(number) == 1 else many}"
    return f"minus {amount}" if number < 0 else amount


def _term(term: ScoreTerm, words: GermanPhrases) -> list[str]:
    worth = punkte(term.points[0])
    piles = term.piles.piles if term.piles is not None else ()
    if term.kind == "cards":
        assert term.cards is not None
        mask = term.cards.mask
        kinds = "" if words.german.is_any(mask) else f" (nur {words.german.some(mask, ACC)})"
        where = join((words.within(group) for group in words.groups(piles)), "oder")
        shown = "offene " if kinds and words.lies_hidden(piles) else ""
        return [f"{worth} für jede {shown}Karte{kinds} {where}"]
    if term.kind == "counter":
        counter = words.book.counters[term.counter]
        if counter.why.startswith("points ") and abs(term.points[0]) == 1:
            number = "abzüglich der Zahl" if term.points[0] < 0 else "die Zahl"
            return [f"{number} {words.held(term.counter)}, wie unten gezählt"]
        return [f"{worth} für jede Einheit: {words.sum_of(words.book.counters[term.counter])}"]
    if term.kind == "runs":
        assert term.runs is not None
        line = "Zeile" if term.runs.along == "rows" else "Spalte"
        first = term.runs.cards.mask
        begin = "" if words.german.is_any(first) else f"zuerst {words.german.single(first)}, dann "
        way = join((building(each) for each in term.runs.relation.terms), "oder")
        where = f"am Anfang ihrer {line} {words.whole(piles, GEN)}"
        if not all(map(words.is_single, words.groups(piles))):
            whose = f"dessen Karten {where} alle in Folge liegen ({begin}{way})"
            return [f"{worth} für jeden Stapel, {whose}"]
        return [f"{worth} für jede Karte, die {where} in Folge liegt ({begin}{way})"]
    if term.kind == "bonus":
        assert term.when is not None
        return [f"{worth}, wenn {words.holds(term.when)}"]
    lines = f"{_LINES[term.along]} {words.whole(piles, GEN)}"
    if term.kind == "poker":
        hands = [
            f"{punkte(worth)} für {_POKER[name]}"
            for name, worth in zip(POKER, term.points, strict=True)
            if worth
        ]
        return [f"{lines} gilt als Pokerblatt, und nur das beste Blatt darin zählt: {join(hands)}"]
    with_it = ""
    if term.starter is not None:
        with_it = f" zusammen mit der Karte auf {words.whole((term.starter,), DAT)}"
    hands = [
        f"{punkte(worth)} {_CRIBBAGE[name]}"
        for name, worth in zip(CRIBBAGE, term.points, strict=True)
        if worth
    ]
    parts = join(hands).replace(" Punkte wenn", " Punkte, wenn")
    return [f"{lines} zählt{with_it} wie beim Cribbage: {parts}"]

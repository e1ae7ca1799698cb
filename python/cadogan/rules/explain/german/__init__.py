"""The rules of a game in German, made from its rulebook alone.

It has the order and the topics of the English text, whose questions to the rulebook it asks; the
sentences are its own, since a language is more than its words. The grammar (cases, articles,
endings, numbers, lists) is that of :mod:`cadogan.i18n.german`, what rules of each kind do is said
in :mod:`cadogan.rules.kinds`::

    cards       classes of cards, what may lie on what
    naming      the piles of a game
    phrases     what moves, conditions, counters
    actions     the steps of scripts, forced rules
    section     what the sections share; table, playing, building, play_sequence: the sections

The names of piles, and whatever an author wrote in English, come from the catalogue of messages;
what it does not know is quoted as it is.
"""

import re
from collections.abc import Sequence

from cadogan.i18n.german import ACC, DAT, NOM, after, join, number
from cadogan.i18n.text import term, translate
from cadogan.rules.explain.german.building import GermanBuilding
from cadogan.rules.explain.german.play_sequence import GermanPlaySequence
from cadogan.rules.explain.german.playing import GermanPlaying
from cadogan.rules.explain.german.scoring import ende, wertung
from cadogan.rules.explain.german.section import GermanSection
from cadogan.rules.explain.german.table import GermanTable
from cadogan.rules.kinds import Move
from cadogan.rules.rulebook.families import FAMILIES, OTHERS
from cadogan.rules.rulebook.rulebook import Rulebook

__all__ = ["explain", "is_complete"]

_COMMAS = re.compile(r" ?,(?: ?,)*")


def explain(rulebook: Rulebook) -> str:
    """Tells the rules of a game in German.

    Args:
        rulebook: The game.

    Returns:
        Markdown, ending in a line break.

    >>> from cadogan.rules import load_rules
    >>> text = explain(load_rules("flower-garden").rulebook)
    >>> print(text.split("## ")[3].strip())
    Das Ziel
    <BLANKLINE>
    Alle 52 Karten sollen auf die Grundstapel kommen.
    """
    return _Explainer(rulebook).text()


def is_complete(rulebook: Rulebook) -> bool:
    """Whether all texts of the author in the rules file are translated into German.

    >>> from cadogan.rules import load_rules
    >>> is_complete(load_rules("the-queens").rulebook)
    True
    """
    written = [
        *rulebook.remarks,
        rulebook.history,
        *(variant.why for variant in rulebook.variants),
        *(rule.why for rule in rulebook.rules),
        *(counter.why for counter in rulebook.counters),
    ]
    return all(translate(term(" ".join(text.split())), "de") != text for text in written if text)


def _joined(text: str) -> str:
    """A text in which a clause that ends in a comma meets what follows it."""
    lines = text.split("\n")
    plain = [line if line.startswith("    ") else _COMMAS.sub(",", line) for line in lines]
    return "\n".join(plain).replace(",.", ".").replace(",;", ";").replace(",)", ")")


class _Explainer(GermanSection):
    def text(self) -> str:
        book = self.book
        table, course = GermanTable(book), GermanPlaySequence(book)
        name = book.names.get("de") or translate(term(book.name), "de")
        lines = [f"# {name}", "", *self._shelf(name)]
        if book.chosen:
            lines += [self._in_force(), ""]
        moves = "Der Talon" if any(g.role == "stock" for g in book.groups) else "Weitere Züge"
        sections = (
            ("Die Karten", table.karten()),
            ("Der Tisch", table.tisch()),
            ("Das Ziel", [*self._ziel(), *wertung(book, self.german)]),
            ("Ablegen auf die Grundstapel", GermanPlaying(book).ablegen()),
            ("Bauen", GermanBuilding(book).bauen()),
            ("Was von selbst geschieht", course.von_selbst()),
            (moves, course.talon()),
            ("Was gezählt wird", course.gezaehlt()),
            ("Das Ende", self._ende()),
            ("Anmerkungen", [self.german.words_of(remark) for remark in book.remarks]),
            ("Varianten", self._varianten()),
            ("Geschichte", [self.german.words_of(book.history)] if book.history else []),
            ("Quelle", [_source(self.german.words_of(book.source))] if book.source else []),
        )
        for title, paragraphs in sections:
            parts = [_joined(paragraph) for paragraph in paragraphs if paragraph]
            if parts:
                lines += [f"## {title}", ""]
                lines += [line for paragraph in parts for line in (paragraph, "")]
        return "\n".join(lines).rstrip() + "\n"

    def _shelf(self, name: str) -> list[str]:
        """The game's other names, and its family."""
        book = self.book
        english = book.names.get("en", "" if book.name == name else book.name)
        parts = [f"Auf Englisch „{english}“."] if english else []
        known = {name, english}
        named = (book.name, *book.names.values(), *book.aliases)
        others = [other for other in named if other not in known]
        if others:
            also = join(f"„{other}“" for other in dict.fromkeys(others))
            parts.append(f"Auch {also} genannt.")
        if book.family and book.family not in OTHERS:
            parts.append(f"Familie: {translate(FAMILIES[book.family], 'de')}.")
        return [" ".join(parts), ""] if parts else []

    def _ziel(self) -> list[str]:
        book, words = self.book, self.german
        if not book.aim:
            return []
        aimed = [
            pile for c in book.aim if c.kind == "complete" and c.piles for pile in c.piles.piles
        ]
        if aimed and all(condition.kind == "complete" for condition in book.aim):
            orders = (book.group_of(pile).build_order for pile in aimed)
            room = sum(len(order.wants) for order in orders if order)
            if room == self.total:
                to = words.whole(aimed, ACC)
                return [f"Alle {self.total} Karten sollen auf {to} kommen."]
            return [f"{_capital(words.whole(aimed, NOM))} vollständig zu machen, ist das Ziel."]
        if len(book.aim) == 1 and book.aim[0].kind == "filled" and book.aim[0].piles is not None:
            piles = book.aim[0].piles.piles
            roles = {group.role for group in words.groups(piles)}
            if book.aim[0].number >= len(piles) and roles == {"foundation"}:
                return [self._sequences(piles)]
        if len(book.aim) == 1 and book.aim[0].kind == "vacant" and book.aim[0].piles is not None:
            piles = book.aim[0].piles.piles
            if book.aim[0].number >= len(set(piles)):
                return [
                    f"Alle Karten sollen {after('von', words.whole(piles, DAT))} abgespielt werden."
                ]
        return [f"Das Ziel ist erreicht, wenn {words.all_that_holds(book.aim)}."]

    def _sequences(self, piles: Sequence[int]) -> str:
        for rule in self.book.rules:
            move = rule.action
            if (
                isinstance(move, Move)
                and set(piles) <= set(move.to.piles)
                and move.cards.kind == "run"
            ):
                one = len(piles) == 1
                many = (
                    "Eine vollständige Folge soll"
                    if one
                    else (f"{_capital(number(len(piles)))} vollständige Folgen sollen")
                )
                return f"{many} auf {self.german.whole(piles, ACC)} kommen."
        return f"Auf jedem Platz soll eine Karte liegen: {self.german.whole(piles, NOM)}."

    def _ende(self) -> list[str]:
        won, score = self.german.all_that_holds(self.book.aim), self.book.score
        parts = [f"Die Patience ist aufgegangen, sobald {won}."]
        if score is not None and not won:
            parts = [ende(score)]
        elif not self.never_lost():
            parts.append("Sie ist verloren, wenn kein Zug mehr möglich ist.")
        endless = [rule for rule in self.free if rule.action.is_endless(rule, self.book)]
        if endless:
            names = join(f"„{self.german.title(rule)}“" for rule in endless)
            parts.append(f"{names} ist beliebig oft erlaubt: wer nicht mehr weiterkommt, gibt auf.")
        return [" ".join(parts)]

    def _in_force(self) -> str:
        by_name = {variant.name: variant for variant in self.book.variants}
        parts = [
            f"„{name}“ ({self.german.words_of(by_name[name].why).rstrip('.')})"
            for name in self.book.chosen
            if name in by_name
        ]
        many = "den Varianten" if len(parts) > 1 else "der Variante"
        return f"*So spielt man mit {many} {join(parts)}.*"

    def _varianten(self) -> list[str]:
        lines = []
        for variant in self.book.variants:
            here = " Diese Variante gilt hier." if variant.name in self.book.chosen else ""
            lines.append(f"- **{variant.name}**: {self.german.words_of(variant.why)}{here}")
        return ["\n".join(lines)] if lines else []


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _source(text: str) -> str:
    """A source; an address at its beginning does not change."""
    return text[0].lower() + text[1:] if "." in text.split()[0].rstrip(".") else text

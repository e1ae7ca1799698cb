"""The rules of a game in English, section after section."""

from collections.abc import Sequence
from typing import Final

from cadogan.i18n.english import counted, join, sentence
from cadogan.rules.explain.english.building import Building
from cadogan.rules.explain.english.play_sequence import PlaySequence
from cadogan.rules.explain.english.playing import Playing
from cadogan.rules.explain.english.scoring import end, scoring
from cadogan.rules.explain.english.section import Section
from cadogan.rules.explain.english.table import Table
from cadogan.rules.kinds import Move
from cadogan.rules.rulebook.families import FAMILIES, OTHERS
from cadogan.rules.rulebook.group import BuildOrder

_LANGUAGES: Final = {
    "de": "German", "es": "Spanish", "fr": "French", "it": "Italian", "nl": "Dutch",
}  # fmt: skip


class Explainer(Section):
    """The sections of the rules, one after the other."""

    def text(self) -> str:
        """The whole text, as Markdown."""
        book = self.book
        table, course = Table(book), PlaySequence(book)
        lines = [f"# {book.name}", "", *self._shelf()]
        if book.chosen:
            lines += [self._in_force(), ""]
        sections = (
            ("The pack", table.pack()),
            ("The table", table.table()),
            ("The aim", [*self._aim(), *scoring(book, self.words)]),
            ("Playing to the foundations", Playing(book).playing()),
            ("Building on the table", Building(book).building()),
            ("What happens by itself", course.automatic()),
            ("The stock", course.stock()),
            ("What is counted", course.counters()),
            ("The end", self._end()),
            ("Remarks", [sentence(remark) for remark in book.remarks]),
            ("Variants", self._variants()),
            ("History", [sentence(book.history)] if book.history else []),
            ("Source", [_capital(f"{book.source.rstrip('.')}.")] if book.source else []),
        )
        for title, paragraphs in sections:
            parts = [paragraph for paragraph in paragraphs if paragraph]
            if parts:
                if title == "The stock" and not any(g.role == "stock" for g in book.groups):
                    title = "Other moves"
                lines += [f"## {title}", ""]
                lines += [line for paragraph in parts for line in (paragraph, "")]
        return "\n".join(lines).rstrip() + "\n"

    def _shelf(self) -> list[str]:
        """The game's other names, and its family."""
        book = self.book
        abroad = {code: name for code, name in book.names.items() if code in _LANGUAGES}
        others = dict.fromkeys((*book.aliases, *book.names.values()))
        for name in (book.name, *abroad.values()):
            others.pop(name, None)
        parts = [sentence(f"also called {join(others)}")] if others else []
        parts += [
            f"In {_LANGUAGES[code]} “{name}”." for code, name in abroad.items() if name != book.name
        ]
        if book.family and book.family not in OTHERS:
            parts.append(f"Family: {FAMILIES[book.family]}.")
        return [" ".join(parts), ""] if parts else []

    def _aim(self) -> list[str]:
        book = self.book
        if not book.aim:
            return []
        aimed = [
            pile for c in book.aim if c.kind == "complete" and c.piles for pile in c.piles.piles
        ]
        if aimed and all(condition.kind == "complete" for condition in book.aim):
            room = sum(len(order.wants) for pile in aimed if (order := self._order(pile)))
            if room == self.total:
                return [f"The aim is to bring all {self.total} cards to {self.words.the(aimed)}."]
            return [f"The aim is to complete {self.words.the(aimed)}."]
        if len(book.aim) == 1 and book.aim[0].kind == "filled" and book.aim[0].piles is not None:
            piles = book.aim[0].piles.piles
            roles = {group.role for group in self.words.groups(piles)}
            if book.aim[0].number >= len(piles) and roles == {"foundation"}:
                return [self._sequences_aim(piles)]
        if len(book.aim) == 1 and book.aim[0].kind == "vacant" and book.aim[0].piles is not None:
            piles = book.aim[0].piles.piles
            if book.aim[0].number >= len(set(piles)):
                return [f"The aim is to clear {self.words.the(piles)} of all cards."]
        aims = self.words.all_of(book.aim)
        return [f"The aim is reached when {aims}."]

    def _sequences_aim(self, piles: Sequence[int]) -> str:
        for rule in self.book.rules:
            move = rule.action
            if (
                isinstance(move, Move)
                and set(piles) <= set(move.to.piles)
                and move.cards.kind == "run"
            ):
                every = counted(len(piles), "complete sequence")
                return f"The aim is to bring {every} to {self.words.the(piles)}."
        return f"The aim is to have a card on each of {self.words.the(piles)}."

    def _order(self, pile: int) -> BuildOrder | None:
        return self.book.group_of(pile).build_order

    def _end(self) -> list[str]:
        won, score = self.words.all_of(self.book.aim), self.book.score
        parts = [f"The game is won as soon as {won}."]
        endless = [
            f"“{sentence(self.words.label(rule)).rstrip('.')}”"
            for rule in self.free
            if rule.action.is_endless(rule, self.book)
        ]
        if score is not None and not won:
            parts = [end(score)]
        elif not self.never_lost():
            parts.append("It is lost when no move is left.")
        if endless:
            often = "may be repeated without limit: who sees no way on gives up"
            parts.append(f"{join(endless)} {often}.")
        return [" ".join(parts)]

    def _in_force(self) -> str:
        by_name = {variant.name: variant for variant in self.book.variants}
        parts = [f"“{name}” ({by_name[name].why})" for name in self.book.chosen if name in by_name]
        many = "variants" if len(parts) > 1 else "variant"
        return f"*This is the game with the {many} {join(parts)}.*"

    def _variants(self) -> list[str]:
        lines = []
        for variant in self.book.variants:
            here = " This variant is in force here." if variant.name in self.book.chosen else ""
            lines.append(f"- **{variant.name}**: {sentence(variant.why)}{here}")
        return ["\n".join(lines)] if lines else []


def _capital(source: str) -> str:
    """A source as a sentence; an address at its beginning does not change."""
    return source if "." in source.split()[0].rstrip(".") else sentence(source)

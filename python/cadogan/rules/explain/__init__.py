"""The rules of a game in words, made from its rulebook alone.

What comes out is Markdown, in the order in which a card book tells a game: the pack, the table, the
aim, what may be played and built, what happens by itself, the stock, the end. Rules that say the
same of several groups are told once; a condition, a counter or a limit is told in words.

::

    prose       English: numbers, lists, classes of cards, what may lie on what
    naming      the piles of a game
    wording     what moves, conditions, counters
    doings      what rules do: scripts, forced rules, cards that go together
    section     what the sections share; table, playing, building, course: the sections
    german      the same in German, from the same rulebook
"""

from collections.abc import Sequence

from cadogan.rules.explain.english.building import Building
from cadogan.rules.explain.english.phrases import label
from cadogan.rules.explain.english.play_sequence import Course
from cadogan.rules.explain.english.playing import Playing
from cadogan.rules.explain.english.prose import counted, join, sentence
from cadogan.rules.explain.english.section import Section
from cadogan.rules.explain.english.table import Table
from cadogan.rules.rulebook.rulebook import Move, Order, Rule, Rulebook, Script

__all__ = ["explain"]


def explain(rulebook: Rulebook, language: str = "en") -> str:
    """Tells the rules of a game.

    Args:
        rulebook: The game.
        language: In which language, one of ``cadogan.i18n.text.LANGUAGES``.

    Returns:
        Markdown, ending in a line break.

    Raises:
        ValueError: If the rules cannot be told in that language.

    >>> from cadogan.rules import load_rules
    >>> text = explain(load_rules("flower-garden").rulebook)
    >>> print(text.split("## ")[3].strip())
    The aim
    <BLANKLINE>
    The aim is to bring all 52 cards to the foundations.
    """
    if language == "de":
        from cadogan.rules.explain import german  # It is built upon the English telling.

        return german.explain(rulebook)
    if language != "en":
        raise ValueError(f"the rules are told in en and de, not in {language!r}")
    return _Explainer(rulebook).text()


class _Explainer(Section):
    def text(self) -> str:
        book = self.book
        table, course = Table(book), Course(book)
        others = list(book.names.values())
        lines = [f"# {book.name}", ""]
        if others:
            lines += [sentence(f"also called {join(others)}"), ""]
        if book.chosen:
            lines += [self._in_force(), ""]
        sections = (
            ("The pack", table.pack()),
            ("The table", table.table()),
            ("The aim", self._aim()),
            ("Playing to the foundations", Playing(book).playing()),
            ("Building on the table", Building(book).building()),
            ("What happens by itself", course.automatic()),
            ("The stock", course.stock()),
            ("What is counted", course.counters()),
            ("The end", self._end()),
            ("Remarks", [sentence(remark) for remark in book.remarks]),
            ("Variants", self._variants()),
            ("Source", [f"{book.source.rstrip('.')}."] if book.source else []),
        )
        for title, paragraphs in sections:
            told = [paragraph for paragraph in paragraphs if paragraph]
            if told:
                if title == "The stock" and not any(g.role == "stock" for g in book.groups):
                    title = "Other moves"
                lines += [f"## {title}", ""]
                lines += [line for paragraph in told for line in (paragraph, "")]
        return "\n".join(lines).rstrip() + "\n"

    def _aim(self) -> list[str]:
        book = self.book
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
                and move.unit.kind == "run"
            ):
                every = counted(len(piles), "complete sequence")
                return f"The aim is to bring {every} to {self.words.the(piles)}."
        return f"The aim is to have a card on each of {self.words.the(piles)}."

    def _order(self, pile: int) -> Order | None:
        return self.book.group_of(pile).order

    def _end(self) -> list[str]:
        won = self.words.all_of(self.book.aim)
        told = [f"The game is won as soon as {won}. It is lost when no move is left."]
        endless = [f"“{label(rule)}”" for rule in self.free if self._is_endless(rule)]
        if endless:
            often = "may be repeated without limit: who sees no way on gives up"
            told.append(sentence(f"{join(endless)} {often}"))
        return [" ".join(told)]

    def _is_endless(self, rule: Rule) -> bool:
        if not isinstance(rule.action, Script):
            return False
        stock = {p for group in self.book.groups if group.role == "stock" for p in group.piles}
        renews = any(
            step.to is not None and stock.intersection(step.to.piles) for step in rule.action.steps
        )
        return renews and not any(condition.kind == "counter" for condition in rule.when)

    def _in_force(self) -> str:
        by_name = {variant.name: variant for variant in self.book.variants}
        told = [f"“{name}” ({by_name[name].why})" for name in self.book.chosen if name in by_name]
        many = "variants" if len(told) > 1 else "variant"
        return f"*This is the game with the {many} {join(told)}.*"

    def _variants(self) -> list[str]:
        lines = []
        for variant in self.book.variants:
            here = " This variant is in force here." if variant.name in self.book.chosen else ""
            lines.append(f"- **{variant.name}**: {sentence(variant.why)}{here}")
        return ["\n".join(lines)] if lines else []

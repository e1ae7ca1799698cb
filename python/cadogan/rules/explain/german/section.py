"""What the German sections share."""

from collections.abc import Sequence

from cadogan.i18n.german import number, sentence
from cadogan.rules.explain.english.section import Section
from cadogan.rules.explain.german.actions import GermanActions, straight
from cadogan.rules.explain.german.phrases import GermanPhrases
from cadogan.rules.kinds import Move
from cadogan.rules.rulebook.rulebook import Rule, Rulebook


class GermanSection(Section):
    """A section of the rules in German.

    Attributes:
        german: The names of its piles and conditions.
        does: Tells its actions.
    """

    def __init__(self, book: Rulebook) -> None:
        super().__init__(book)
        self.german = GermanPhrases(book)
        self.does = GermanActions(self.german)

    def fits(self, move: Move) -> str:
        """On which cards a card may be laid, to follow a move."""
        if move.build is None or any(term.anything for term in move.build.terms):
            return ", gleich welche Karten es sind"
        return f", wenn {self.german.german.may_lie(move.build)}"

    def free_rule(self, rule: Rule) -> str:
        """A free rule, other than a move from pile to pile, as sentences."""
        clauses = rule.action.german(self.does, forced=False)
        return self.qualified(rule, ". Dann ".join(straight(clause) for clause in clauses))

    def qualified(self, rule: Rule, text: str) -> str:
        """A sentence on a free rule, with its conditions, its limits and the author's words."""
        when = self.german.wenn(rule.when, of=rule)
        parts = [sentence(f"{text}, aber nur, {when}" if when else text)]
        parts += [sentence(more) for e in rule.effects if (more := self.german.change(rule, e))]
        if often := self.german.often(rule):
            parts.append(often)
        if rule.why:
            parts.append(self.german.words_of(rule.why))
        return " ".join(parts)


def row(numbers: Sequence[int]) -> str:
    """Numbers of cards one by one, none left out: ``"eine, fünf und fünf"``."""
    words = ["keine" if n == 0 else "eine" if n == 1 else number(n) for n in numbers]
    return f"{', '.join(words[:-1])} und {words[-1]}"

"""Which piles may be interchanged without changing the game.

Two piles of a group are interchangeable if every rule that can be used after the layout treats them
alike. Then positions that differ only by permuting such piles are the same position for the solver:
their hashes are equal. The test here is sufficient, not necessary; where it is in doubt it says no.

Proof idea: let s be a permutation of the piles of a group that passes :func:`interchangeable`.
Every condition, link and script is invariant under s, so s maps the legal moves of a position onto
those of its image, and the forced rules carried out after them onto one another (forced rules that
could prefer one pile of the group to another by its number alone are refused below). Hence s is an
automorphism of the graph of positions that keeps won positions won.
"""

from collections.abc import Iterable

from cadogan.rules.rulebook.condition import Condition
from cadogan.rules.rulebook.group import Group
from cadogan.rules.rulebook.rulebook import Rule, Rulebook
from cadogan.rules.rulebook.score import ScoreTerm
from cadogan.rules.rulebook.step import GoesUp, Step


def interchangeable(group: Group, rulebook: Rulebook, known: dict[str, bool] | None = None) -> bool:
    """Whether all piles of a group may be interchanged.

    Args:
        group: The group.
        rulebook: The game.
        known: Answers for groups of this game, by name; new answers are added. Groups may ask for
            each other's answers, so without it the work would double with every such link.
    """
    known = {} if known is None else known
    if group.name not in known:
        # A group whose answer depends on itself finds this one: when in doubt, no.
        known[group.name] = False
        known[group.name] = group.count > 1 and _is_even(group, rulebook, known)
    return known[group.name]


def _is_even(group: Group, rulebook: Rulebook, known: dict[str, bool]) -> bool:
    among = Symmetry(group, rulebook, known)
    for pile, ways in rulebook.open_when.items():
        if pile in among.piles or any(among.piles.intersection(way) for way in ways):
            return False
    terms = rulebook.score.terms if rulebook.score is not None else ()
    return (
        all(among.rule(rule) for rule in among.rules)
        and all(among.condition(condition) for condition in rulebook.aim)
        and all(among.term(term) for term in terms)
    )


class Symmetry:
    """Asks whether rules treat all piles of a group alike.

    Attributes:
        group: The group.
        piles: Its piles.
        book: The game.
        rules: The rules that are in force after the layout.
    """

    def __init__(self, group: Group, book: Rulebook, known: dict[str, bool]) -> None:
        self.group = group
        self.piles = frozenset(group.piles)
        self.book = book
        self.rules = [r for r in book.rules if not (r.forced and r.during == "layout")]
        self._known = known

    def interchangeable(self, group: Group) -> bool:
        """Whether all piles of another group may be interchanged."""
        return interchangeable(group, self.book, self._known)

    def all_or_none(self, some: Iterable[int]) -> bool:
        """Whether all piles of the group are among some piles, or none of them is."""
        inside = self.piles.intersection(some)
        return not inside or inside == self.piles

    def condition(self, condition: Condition) -> bool:
        """Whether a condition looks at all of them alike."""
        if condition.along is not None or condition.shapes:
            # Places of a line follow one another, or count together.
            return not any(self.piles.intersection(line) for line in condition.lines)
        sets = [some for some in (condition.piles, condition.than) if some is not None]
        return all(self.all_or_none(some.piles) for some in sets) and all(
            map(self.condition, condition.any_of)
        )

    def term(self, term: ScoreTerm) -> bool:
        """Whether a part of the score counts all of them alike."""
        if term.starter in self.piles or any(self.piles.intersection(line) for line in term.lines):
            return False
        if term.when is not None and not self.condition(term.when):
            return False
        return bool(term.lines) or term.piles is None or self.all_or_none(term.piles.piles)

    def rule(self, rule: Rule) -> bool:
        """Whether a rule treats all of them alike."""
        return all(self.condition(each) for each in rule.when) and rule.action.is_even(rule, self)

    def is_shuffled(self, step: Step, following: Step) -> bool:
        """Whether two steps gather all of them and shuffle their cards."""
        return (
            step.kind == "gather"
            and step.runs is None
            and following.kind == "shuffle"
            and step.piles is not None
            and step.to is not None
            and following.piles is not None
            and self.piles.issubset(step.piles.piles)
            and step.to.piles == following.piles.piles
        )

    def _goes_up(self, goes_up: GoesUp) -> bool:
        """Whether it is all the same to which of them cards go up."""
        if not self.piles.intersection(goes_up.to.piles):
            return True
        order = self.group.build_order
        # Only to a vacancy; where several are, they are alike.
        return (
            self.all_or_none(goes_up.to.piles)
            and order is not None
            and order.base is None
            and not any(goes_up.cards.mask & wants for wants in order.wants[1:])
        )

    def step(self, step: Step) -> bool:
        """Whether a step treats all of them alike."""
        if step.takes_turns and self.piles.intersection((*step.sources, *step.targets)):
            return False
        if step.goes_up is not None and not self._goes_up(step.goes_up):
            return False
        if step.is_pairwise and self.piles.intersection((*step.sources, *step.targets)):
            return False
        if step.is_loop or step.kind in ("sink", "slip", "turn"):
            return self.all_or_none((*step.sources, *(step.piles.piles if step.piles else ())))
        if step.runs is not None and any(map(self.piles.intersection, step.runs.lines)):
            return False
        single = [step.from_, step.to, step.piles, step.partners]
        if any(some is not None and self.piles.intersection(some.piles) for some in single):
            return False
        for way in step.ways:
            if not self.all_or_none(way.to.piles) or self.piles.intersection(way.overflow.piles):
                return False
        return step.until is None or self.all_or_none(step.until.piles)

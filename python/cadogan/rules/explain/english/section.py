"""What the sections of the rules in words have in common."""

from collections.abc import Sequence

from cadogan.i18n.english import number, sentence
from cadogan.rules.explain.english.actions import Actions
from cadogan.rules.explain.english.phrases import Phrases
from cadogan.rules.kinds import Action, Move
from cadogan.rules.rulebook.rulebook import Rule, Rulebook
from cadogan.rules.rulebook.words import RANK_NAMES


class Section:
    """A section, or several that belong together.

    Attributes:
        book: The rulebook.
        words: The names of its piles and conditions.
        actions: Tells its actions.
        cards: Names its classes of cards.
        total: How many cards take part.
        free: The rules that the player may use.
        by_itself: The forced rules of the play.
        in_layout: The forced rules of the layout.
    """

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.words = Phrases(book)
        self.actions = Actions(self.words)
        self.cards = self.words.cards
        self.total = len(book.deck) + len(book.preset)
        self.free = [rule for rule in book.rules if not rule.forced]
        forced = [rule for rule in book.rules if rule.forced]
        self.by_itself = [rule for rule in forced if rule.during != "layout"]
        self.in_layout = [rule for rule in forced if rule.during != "play"]

    def goes_up(self, action: Action) -> bool:
        """Whether an action plays cards to foundations."""
        return action.goes_up(self.actions)

    def others(self, section: str) -> list[Rule]:
        """The free rules, other than moves from pile to pile, that belong to a section."""
        return [
            rule
            for rule in self.free
            if section == rule.action.SECTION and not isinstance(rule.action, Move)
        ]

    def of_the_stock(self, rule: Rule) -> bool:
        """Whether a move is one of stock, hand and waste among themselves."""
        move = rule.action
        if not isinstance(move, Move):
            return move.SECTION == "stock"
        roles = {group.role for group in self.words.groups((*move.sources, *move.to.piles))}
        from_tables = {g.role for g in self.words.groups(move.sources)} & {
            "tableau",
            "reserve",
            "cell",
        }
        return roles <= {"stock", "hand", "waste"} and not from_tables

    def never_lost(self) -> bool:
        """Whether cards may be gathered and dealt again whenever the player likes."""
        return any(not r.when and r.action.is_endless(r, self.book) for r in self.free)

    def fit_clause(self, move: Move) -> str:
        """On which cards a card may be laid, to follow a move."""
        if move.build is None or any(term.anything for term in move.build.terms):
            return ", whatever the two cards are"
        return f", if it is {self.cards.fits(move.build)}"

    def free_rule(self, rule: Rule) -> str:
        """A free rule, other than a move from pile to pile, as sentences."""
        return self.with_terms(
            rule, ". Then ".join(rule.action.english(self.actions, forced=False))
        )

    def with_terms(self, rule: Rule, text: str) -> str:
        """A sentence on a free rule, with its conditions, its limits and the author's words."""
        when = self.words.when(rule.when, of=rule)
        parts = [sentence(f"{text}, but only {when}" if when else text)]
        parts += [sentence(more) for e in rule.effects if (more := self.words.effect(rule, e))]
        if limits := self.words.limits(rule):
            parts.append(limits)
        if rule.why:
            parts.append(sentence(rule.why))
        return " ".join(parts)


def mask_of(cards: Sequence[int]) -> int:
    """The class of some cards, as a mask."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def plain(numbers: Sequence[int]) -> str:
    """Numbers one by one, none left out: ``"one, five, five and five"``."""
    words = [number(value, "none") for value in numbers]
    return f"{', '.join(words[:-1])} and {words[-1]}"


def rounds(ranks: Sequence[int]) -> tuple[Sequence[int], int]:
    """An order of ranks as one that is repeated: ``([0, 1], 3)`` for ``[0, 1, 0, 1, 0, 1]``."""
    for length in range(1, len(ranks) + 1):
        often, rest = divmod(len(ranks), length)
        if not rest and list(ranks) == list(ranks[:length]) * often:
            return ranks[:length], often
    return ranks, 1


def ranks_in_words(ranks: Sequence[int]) -> str:
    """Ranks one after another: ``"ace, two, three"``."""
    return ", ".join(RANK_NAMES[rank] for rank in ranks)

"""What few moves ask for, in words: ranks told by a counter, places by rank, turns of piles."""

from dataclasses import replace

from cadogan.i18n.english import join, number, times
from cadogan.rules.explain.english.naming import Naming
from cadogan.rules.explain.english.prose import run
from cadogan.rules.kinds import Move
from cadogan.rules.rulebook.asks import Uncovers
from cadogan.rules.rulebook.counter import ByCounter, Effect, Turn
from cadogan.rules.rulebook.group import BuildOrder
from cadogan.rules.rulebook.rulebook import Rule
from cadogan.rules.rulebook.words import RANK_NAMES, SUIT_NAMES
from cadogan.rules.rulebook.worth import values_in_english

UNKNOWN = 13
"""From this value on, a counter holds no rank."""

_STEPS = ("", "ones", "twos", "threes", "fours", "fives", "sixes")


def is_all_face_up(move: Move) -> bool:
    """Whether all face-up cards of a pile move together, and nothing less."""
    plain = Uncovers(nothing=True, hidden=True)
    asked = move.asks.uncovers
    return move.cards.kind == "packet" and asked is not None and replace(asked, texts=()) == plain


def is_plural(why: str) -> bool:
    """Whether what a counter counts is a noun in the plural.

    >>> is_plural("rows that are passed"), is_plural("the hour"), is_plural("whether cards lie")
    (True, False, False)
    """
    first = why.partition(" ")[0]
    return first.endswith("s") and not first.endswith("ss")


class Asking(Naming):
    """The words for what few moves of one rulebook ask for."""

    @staticmethod
    def deciding(move: Move) -> str:
        """The card that must fit, of those that move."""
        if move.cards.is_one:
            return "it"
        return "the uppermost of them" if move.top_decides else "the lowest of them"

    def is_base(self, index: int) -> bool:
        """Whether a counter holds the base rank of foundations."""
        return any(
            g.build_order is not None and g.build_order.base == index for g in self.book.groups
        )

    def holds_rank(self, index: int) -> bool:
        """Whether a counter holds ranks."""
        rules = self.book.rules
        asked = (rule.action.asks.which for rule in rules if isinstance(rule.action, Move))
        return (
            self.is_base(index)
            or any(e.kind == "rank" and e.counter == index for rule in rules for e in rule.effects)
            or any(which is not None and which.counter == index for which in asked)
        )

    def number_of(self, index: int) -> str:
        """A counter as a subject: ``"the number of rows passed"``, ``"the hour called"``."""
        why = " ".join(self.book.counters[index].why.split())
        return f"the number of {why}" if is_plural(why) else self.named(index)

    def named(self, index: int) -> str:
        """What a counter holds, with its article: ``"the hour that is called"``."""
        counter = self.book.counters[index]
        why = " ".join(counter.why.split()) or counter.name.replace("-", " ")
        return why if why.startswith(("the ", "a ", "an ")) else f"the {why}"

    def rank_of(self, asked: ByCounter) -> str:
        """The cards of a rank that a counter tells, to follow "a card" or "cards"."""
        if not self.is_base(asked.counter):
            named = self.named(asked.counter)
            if named.startswith("the rank"):
                return f"of {named}"
            return f"of the rank that the count shows ({named})"
        if not asked.offset:
            return "of the base rank"
        far = abs(asked.offset)
        way = "below" if asked.offset < 0 else "above"
        low, high = (RANK_NAMES[self.book.ranks[place]] for place in (0, -1))
        ring = f" (the {high} being below the {low})" if far == 1 and way == "below" else ""
        return f"{number(far)} rank{'' if far == 1 else 's'} {way} the base rank{ring}"

    def asked_of_card(self, move: Move) -> str:
        """What is asked of the card that moves, after "if it is"; empty for nothing."""
        asks = move.asks
        return f"a card {self.rank_of(asks.which)}" if asks.which is not None else ""

    def uncovered(self, move: Move) -> str:
        """What the cards may leave on their pile, as a clause; empty if it does not matter."""
        asked = move.asks.uncovers
        if asked is None:
            return ""
        found = []
        if asked.whole:
            found.append("no card of the same sequence")
        elif asked.nothing:
            found.append("nothing")
        if asked.hidden:
            found.append("a face-down card")
        if asked.cards is not None:
            found.append(self.cards.one(asked.cards.mask))
        if asked.wanted_by:
            found.append(f"a card that can go to {self.the(asked.wanted_by)}")
        they = "it uncovers" if move.cards.is_one else "they uncover"
        return f"{they} {join(found, 'or')}"

    def longest(self, move: Move) -> str:
        """How long the sequence on the target may be, as a clause; empty if that is no matter."""
        most = move.asks.longest
        if most is None:
            return ""
        how = f"a sequence {run(move.build)}" if move.build is not None else "sequence"
        return f"no more than {number(most)} cards in {how} lie there afterwards"

    def total(self, move: Move) -> str:
        """What the cards of the target count, as a clause; empty if that is no matter."""
        asked = move.asks.total
        if asked is None:
            return ""
        wanted = number(asked.least)
        if not asked.least:
            wanted = f"at most {number(asked.most)}"
        elif asked.most >= 65535:
            wanted = f"at least {number(asked.least)}"
        elif asked.least < asked.most:
            wanted = f"{number(asked.least)} to {number(asked.most)}"
        values = values_in_english(asked.worth, self.cards)
        if asked.wild is not None:
            values = f"{self.cards.many(asked.wild.mask)} count whatever is missing; else {values}"
        return f"the cards there count {wanted} together afterwards ({values})"

    def multiple(self, effect: Effect) -> str:
        """A multiple of a counter: ``"the number of cards laid off"``, ``"five times the ..."``."""
        thing = self.number_of(effect.of)
        return thing if effect.value == 1 else f"{times(effect.value)} {thing}"

    def ranks_in(self, move: Move) -> str:
        """In which pile the rank of the card must lie, as a clause; empty for none."""
        asks = move.asks
        if not asks.ranks_in:
            return ""
        if asks.ranks_text == "the pile before":
            one = self.noun(self.book.group_of(move.to.piles[0])).one
            return (
                f"a card of its rank lies on the {one} before the one it goes to (the first {one} "
                "asks for none)"
            )
        return f"a card of its rank lies {self.on(asks.ranks_in[0])}"

    def on(self, piles: tuple[int, ...]) -> str:
        """Where cards lie: ``"on the first row"``."""
        return f"on {self.the(piles, 'or')}"

    def space(self, move: Move) -> str:
        """The cards that a vacancy takes, in the plural, if a counter tells them."""
        return f"cards {self.rank_of(move.asks.space)}" if move.asks.space is not None else ""

    def one_space(self, move: Move) -> str:
        """The same in the singular."""
        return f"a card {self.rank_of(move.asks.space)}" if move.asks.space is not None else ""

    def place_asked(self, move: Move) -> str:
        """Which of the targets it is, to follow the target."""
        asks = move.asks
        if asks.of_its == "rank":
            first, second = (RANK_NAMES[rank] for rank in self.book.ranks[:2])
            places = f"the first is for the {first}, the second for the {second}, and so on"
            return f"of its rank ({places})"
        if asks.of_its == "suit":
            suits = join(SUIT_NAMES[suit] for suit in self.book.suits)
            return f"of its suit (in this order: {suits})"
        if asks.last_filled:
            return "after which no other holds cards"
        if asks.emptiest:
            return "with the fewest cards (of several, the first)"
        return self.turn(asks.to_turn)

    def turn(self, turn: Turn | None) -> str:
        """Whose turn it is, to follow a pile."""
        if turn is None:
            return ""
        from_end = turn.piles[0] > turn.piles[-1]
        first, end = "nought", "last" if from_end else "first"
        if self.holds_rank(turn.counter):
            first = f"the {RANK_NAMES[self.book.ranks[0]]}"
        elif is_plural(self.book.counters[turn.counter].why):
            return f"whose turn has come{self.whose(turn.counter, from_end=from_end)}"
        return f"that belongs to {self.named(turn.counter)} (the {end} to {first}, and so on)"

    def whose(self, counter: int, *, from_end: bool) -> str:
        """How a counter selects a pile, in brackets."""
        first, way = ("last", "back") if from_end else ("first", "further")
        why = " ".join(self.book.counters[counter].why.split())
        each = f"each of the {why}" if is_plural(why) else f"each unit of {self.named(counter)}"
        return f" (the {first}, then one {way} for {each})"

    def effect(self, rule: Rule, effect: Effect) -> str:
        """A counter that becomes the rank of a card, as a sentence; empty for other changes."""
        if effect.kind != "rank" or not self.is_base(effect.counter):
            return ""
        if effect.once:
            return "The first card that is played there makes the base rank"
        return "Its rank becomes the base rank"

    def ways(self, order: BuildOrder) -> str:
        """How a foundation is built: ``"up or down"``, ``"up by ones or by twos"``."""
        steps = [
            0 if term.neighbours else next(iter(term.steps))
            for relation in order.phrases
            for term in relation.terms
        ]
        if not steps:
            return "up" if order.ranks[1:2] == self.book.ranks[1:2] else "down"
        if 0 in steps:
            return "with cards of any rank,"
        plain = all(abs(step) == 1 for step in steps)
        parts: list[str] = []
        for step in steps:
            way = "up" if step > 0 else "down"
            words = way if plain else f"{way} by {_STEPS[abs(step)]}"
            if parts and words.startswith(f"{parts[-1].split()[0]} by"):
                words = words.removeprefix(f"{way} ")
            parts.append(words)
        return join(parts, "or")

"""Why a move is not allowed, in words for people.

The kernel says for each rule which of its demands a move fails. Here the rule with which the move
came furthest is chosen, and its demand is explained in the words of the rules file::

    the garden builds down: 9H does not go on 5C
    foundations.2 wants 4S next, not 9H
    a vacant tableau pile takes only kings: 9H is not one
    a card is waiting in the hand: 9H

One method of :class:`Refusals` explains one demand.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from cadogan.cards import RANKS, Card
from cadogan.i18n.english import an
from cadogan.i18n.names import pile_label, rule_label
from cadogan.i18n.text import gettext, listed, term
from cadogan.move_text import MovePart, ParsedMove
from cadogan.moves import Move
from cadogan.rules import kinds
from cadogan.rules.rulebook.condition import Condition
from cadogan.rules.rulebook.counter import ByCounter
from cadogan.rules.rulebook.group import Group
from cadogan.rules.rulebook.rulebook import Rule, Rulebook
from cadogan.rules.rulebook.words import RANK_NAMES, SUIT_NAMES, plural
from cadogan.views import FACE_DOWN, WON, next_cards

if TYPE_CHECKING:
    from cadogan import _kernel

REASONS_BY_INFORMATION: Final = (
    "to_holds", "from_holds", "in_place", "when", "yields_to", "from_turn", "cards",
    "face_down", "which", "along", "beaten_by", "to_turn", "takes", "space", "beside", "build",
    "onto", "ranks_in", "longest", "total", "uncovers",
    "build_order", "prefer", "capacity", "same_position", "equivalent_target", "choice",
    "open_when",
)  # fmt: skip
"""The demands of rules that a move may fail, from least to most informative."""


def refusal(
    parsed: ParsedMove, book: Rulebook, state: "_kernel.State", legal: Sequence[Move]
) -> str:
    """Explains why a move is illegal.

    Args:
        parsed: The move as the player wrote it; no legal move fits it.
        book: The rules.
        state: The table.
        legal: The legal moves.

    Returns:
        The reason, without a full stop.
    """
    return Refusals(book, state, legal).reason(parsed)


def choice(book: Rulebook, state: "_kernel.State", legal: Sequence[Move]) -> str | None:
    """Explains what the player has to choose before anything else may happen, if anything.

    Args:
        book: The rules.
        state: The table.
        legal: The moves among which the choice is made.
    """
    rule = state.choosing()
    return None if rule is None else Refusals(book, state, legal).choice(book.rules[rule])


class Refusals:
    """The reasons of one position."""

    def __init__(self, book: Rulebook, state: "_kernel.State", legal: Sequence[Move]) -> None:
        self.book = book
        self.state = state
        self.legal = legal
        self.names = tuple(pile_label(name) for name in book.pile_names)
        self.heaps = self.state.piles()
        self.counters = self.state.counters()

    def reason(self, parsed: ParsedMove) -> str:
        """Why a move is illegal."""
        if self.state.outcome() == WON:
            return gettext("the game is won")
        if (choosing := self.state.choosing()) is not None:
            return self.choice(self.book.rules[choosing])
        if not parsed.parts:
            return self.named(parsed.rules or ())
        # A move could be meant by what other kinds write, so it comes last.
        for kind in sorted(kinds.KINDS, key=lambda kind: kind is kinds.Move):
            if (reason := kind.refusal(parsed, self)) is not None:
                return reason
        raise AssertionError(f"no kind of rule is written like {parsed.text!r}")

    def choice(self, rule: Rule) -> str:
        """A forced rule waits for the player."""
        options = self.legal
        targets = {move.target for move in options}
        sources = {move.source for move in options}
        orders = (group.build_order for group in self.book.groups)
        bases = {order.base for order in orders if order is not None}
        if any(effect.counter in bases for effect in rule.effects):
            return gettext(
                "first choose the base: a card of {piles}",
                piles=listed(pile_label(m.source or "") for m in options),
            )
        if len(targets) == 1:
            (target,) = targets
            return gettext(
                "first {pile} must be filled ({rule}): choose {piles}",
                pile=pile_label(target or ""), rule=rule_label(rule.name),
                piles=listed(pile_label(m.source or "") for m in options),
            )  # fmt: skip
        if len(sources) == 1:
            (source,) = sources
            return gettext(
                "first {pile} must be played ({rule}): choose {piles}",
                pile=pile_label(source or ""), rule=rule_label(rule.name),
                piles=listed(pile_label(m.target or "") for m in options),
            )  # fmt: skip
        moves = listed(move.text for move in options)
        return gettext(
            "first a choice must be made ({rule}): choose {moves}",
            rule=rule_label(rule.name),
            moves=moves,
        )

    # Moves from pile to pile.

    def pair(self, part: MovePart, parsed: ParsedMove) -> str:
        """Cards of one pile to another."""
        targets = part.targets or ()
        if part.sources == targets and len(targets) == 1:
            return gettext("the cards of {pile} lie there already", pile=self.names[targets[0]])
        filled = tuple(source for source in part.sources if self.heaps[source])
        if not filled:
            return self.empty(part.sources)
        most = max(len(self.heaps[source]) for source in filled)
        if part.count is not None and not 1 <= part.count <= most:
            return gettext(
                "{pile} holds {cards}, not {number}",
                pile=self.names[filled[0]], cards=_cards(most), number=part.count,
            )  # fmt: skip
        best: tuple[tuple[int, int], int, str, int, tuple[int, int, int]] | None = None
        for source, count, target in part.tries(self.heaps):
            if source == target:
                continue
            for rule, demand, detail in self.state.refusals(source, count, target):
                if parsed.rules is not None and rule not in parsed.rules:
                    continue
                if demand in ("when", "which") and not self.is_for(rule, target):
                    # What else it demands is of no interest: it is not for this pile anyway.
                    demand = "to_holds"
                far = (self.progress(rule, demand, part), self.relevance(rule, source, target))
                if best is None or far > best[0]:
                    best = (far, rule, demand, detail, (source, count, target))
        if best is None:
            return self.no_rule(filled, targets, parsed)
        _, rule, demand, detail, (source, count, target) = best
        return self.explain(rule, demand, detail, source, count, target)

    def progress(self, rule: int, demand: str, part: MovePart) -> int:
        """How far a move came with a rule: the more informative the reason, the further."""
        action = self.book.rules[rule].action
        assert isinstance(action, kinds.Move)
        if (
            demand == "cards"
            and part.count is None
            and action.cards.kind not in ("run", "packet", "any")
        ):
            # The player did not say how many, so the number is no fault of his.
            return -1
        return REASONS_BY_INFORMATION.index(demand)

    def relevance(self, rule: int, source: int, target: int) -> int:
        """Which of equal failures is most informative: one of a rule that is for such targets."""
        action = self.book.rules[rule].action
        assert isinstance(action, kinds.Move)
        size = len(self.heaps[target])
        if not self.is_for(rule, target):
            return -1
        if action.build_order and self.heaps[source][-1] < FACE_DOWN:
            own = size and self.heaps[target][-1] % 4 == self.heaps[source][-1] % 4
            return 2 if own else int(size == 0)
        return 0

    def is_for(self, rule: int, target: int) -> bool:
        """Whether a target holds as many cards as a rule wants: is vacant, or is not."""
        action = self.book.rules[rule].action
        assert isinstance(action, kinds.Move)
        return action.to_holds[0] <= len(self.heaps[target]) <= action.to_holds[1]

    def explain(
        self, index: int, demand: str, detail: int, source: int, count: int, target: int
    ) -> str:
        """One demand that fails, of a rule that moves cards."""
        rule = self.book.rules[index]
        action = rule.action
        assert isinstance(action, kinds.Move)
        match demand:
            case "when":
                return self.condition(rule, rule.when[detail])
            case "open_when":
                return self.covered(detail) or ""
            case "yields_to":
                return self.yields_to(rule, action, source)
            case "along":
                return self.along(action, source, target)
            case "from_holds":
                return self.size(rule, action.from_holds, source, puts=False)
            case "to_holds":
                return self.to_holds(rule, action, target)
            case "face_down":
                return self.face_down(source, count)
            case "cards":
                return self.unit(action, source, count, target)
            case "which":
                card = self.touching(action, source, count)
                asked = action.asks.which
                if asked is not None and self.rank(asked.counter) is not None:
                    return gettext(
                        "'{rule}' is for {cards} only, {ranks} now: {card} is not one",
                        rule=rule_label(rule.name), cards=term(asked.text), card=card,
                        ranks=self.ranks(asked),
                    )  # fmt: skip
                return gettext(
                    "'{rule}' is for {cards} only: {card} is not one",
                    rule=rule_label(rule.name), card=card,
                    cards=term(action.which.text if asked is None else asked.text),
                )  # fmt: skip
            case "takes":
                card = self.touching(action, source, count)
                place = self.names[target]
                if action.asks.of_its == "suit":
                    return gettext("{pile} is not for the suit of {card}", pile=place, card=card)
                return gettext("{pile} is not for the rank of {card}", pile=place, card=card)
            case "ranks_in":
                card = self.touching(action, source, count)
                others = action.asks.ranks_in[action.to.piles.index(target)]
                return gettext(
                    "no card of the rank of {card} lies on {piles}",
                    card=card, piles=listed(self.names[pile] for pile in others),
                )  # fmt: skip
            case "from_turn" | "to_turn":
                turn = action.asks.from_turn if demand == "from_turn" else action.asks.to_turn
                pile = self.names[source if demand == "from_turn" else target]
                if turn is None and action.asks.emptiest:
                    return gettext("another pile has fewer cards than {pile}, or comes before it",
                                pile=pile)  # fmt: skip
                if turn is None:
                    return gettext("{pile} is not the last one with cards", pile=pile)
                at = self.counters[turn.counter]
                if at < len(turn.piles):
                    due = self.names[turn.piles[at]]
                    return gettext("it is the turn of {other}, not of {pile}", other=due, pile=pile)
                return gettext("it is not the turn of {pile}", pile=pile)
            case "in_place":
                return gettext(
                    "what lies on {pile} belongs there and stays", pile=self.names[source]
                )
            case "space":
                return self.space(action, self.touching(action, source, count), target)
            case "beside":
                return self.beside(action, self.touching(action, source, count), target)
            case "build":
                return self.build(action, self.touching(action, source, count), target)
            case "build_order":
                return self.build_order(self.touching(action, source, count), target)
            case "beaten_by":
                assert action.beaten_by is not None
                return gettext(
                    "no other of these piles shows a card that beats {card} ({how})",
                    how=listed(map(term, action.beaten_by.texts)),
                    card=self.touching(action, source, count),
                )
            case "onto":
                base = action.asks.never_on
                return gettext(
                    "nothing is laid on the base rank ({ranks}): {card} lies on {pile}",
                    ranks="" if base is None else self.ranks(base),
                    card=str(Card(self.heaps[target][-1])), pile=self.names[target],
                )  # fmt: skip
            case "longest":
                return gettext(
                    "the sequence on {pile} would have more than {number} cards",
                    pile=self.names[target], number=action.asks.longest or 0,
                )  # fmt: skip
            case "total":
                return self.total(action, self.touching(action, source, count), target)
            case "uncovers":
                return self.uncovers(action, detail)
            case "prefer":
                card = self.touching(action, source, count)
                pile = self.names[action.prefer or 0]
                return gettext("{card} must be taken from {pile} first", card=card, pile=pile)
            case "capacity":
                return gettext("{pile} is full", pile=self.names[target])
            case "same_position":
                pile = self.names[target]
                return gettext("nothing would change: {pile} is as good a place", pile=pile)
            case "equivalent_target":
                pile, other = self.names[target], self.names[detail]
                return gettext("{pile} is the same as {other}", pile=pile, other=other)
            case "choice":
                return gettext("another choice is open")
            case _:
                raise ValueError(f"the kernel gives a reason without a text: {demand!r}")

    def total(self, action: kinds.Move, card: str, target: int) -> str:
        """The cards of a pile would count too much or too little."""
        asked = action.asks.total
        assert asked is not None
        wanted = str(asked.least)
        if asked.least != asked.most:
            wanted = gettext("at most {number}", number=asked.most)
            if asked.least:
                wanted = gettext("{least} to {most}", least=asked.least, most=asked.most)
                if asked.most >= 65535:
                    wanted = gettext("at least {number}", number=asked.least)
        return gettext(
            "with {card}, the cards of {pile} would not count {wanted}",
            card=card, pile=self.names[target], wanted=wanted,
        )  # fmt: skip

    @staticmethod
    def uncovers(action: kinds.Move, byte: int) -> str:
        """Cards leave on their pile what they may not."""
        asked = action.asks.uncovers
        wanted = listed((term(text) for text in asked.texts), "or") if asked is not None else ""
        if byte >= FACE_DOWN:
            return gettext("these cards may move only if they uncover {wanted}", wanted=wanted)
        return gettext(
            "these cards may move only if they uncover {wanted}, not {card}",
            wanted=wanted, card=str(Card(byte)),
        )  # fmt: skip

    def empty(self, sources: Sequence[int]) -> str:
        """There is nothing to take."""
        if len(sources) == 1:
            return gettext("{pile} is empty", pile=self.names[sources[0]])
        group = self.book.group_of(sources[0])
        if _is_plural(group):
            return gettext("{piles} are empty", piles=_the(group))
        return gettext("{pile} is empty", pile=_the(group))

    def touching(self, action: kinds.Move, source: int, count: int) -> str:
        """The card of a unit that would touch the target; what lies face down stays secret."""
        byte = self.heaps[source][-1 if action.laid_one_by_one else -count]
        return gettext("the card") if byte >= FACE_DOWN else str(Card(byte))

    def condition(self, rule: Rule, condition: Condition) -> str:
        """A rule is not in force."""
        piles = condition.piles.piles if condition.piles is not None else ()
        hand = len(piles) == 1 and self.book.group_of(piles[0]).role == "hand"
        if condition.kind == "vacant" and hand:
            return self.waiting(piles[0])
        if condition.kind != "counter":
            return gettext(
                "'{rule}' is allowed only when {condition}",
                rule=rule_label(rule.name), condition=term(condition.text),
            )  # fmt: skip
        counter = self.book.counters[condition.counter]
        return gettext(
            "'{rule}' is allowed only when {condition}, and {counter} is {value}{why}",
            rule=rule_label(rule.name), condition=term(condition.text), counter=term(counter.name),
            value=self.value(condition),
            why=gettext(" ({why})", why=term(counter.why)) if counter.why else "",
        )  # fmt: skip

    def value(self, condition: Condition) -> object:
        """The value of a counter, as the condition on it is written."""
        value = self.counters[condition.counter]
        return term(an(RANK_NAMES[value])) if condition.is_rank and value < 13 else value

    def waiting(self, pile: int) -> str:
        """The hand is not empty."""
        card = Card(self.heaps[pile][-1] % FACE_DOWN)
        return gettext(
            "a card is waiting in the {pile}: {card}", pile=self.names[pile], card=str(card)
        )

    def covered(self, pile: int) -> str | None:
        """Other cards cover a pile, or lie beside it, so that its own are not open."""
        ways = self.book.open_when.get(pile, ())
        holding = [[other for other in way if self.heaps[other]] for way in ways]
        if not self.heaps[pile] or not holding or not all(holding):
            return None
        covers = self.pile_names(other for way in holding for other in way)
        covering = next(c for c in self.book.coverings if c.group == self.book.group_of(pile).name)
        if covering.covered:
            return gettext("{pile} is covered by {piles}", pile=self.names[pile], piles=covers)
        if sum(map(len, holding)) == 1:
            return gettext(
                "{pile} is not open: {other} holds a card", pile=self.names[pile], other=covers
            )
        return gettext(
            "{pile} is not open: {piles} hold cards", pile=self.names[pile], piles=covers
        )

    def yields_to(self, rule: Rule, action: kinds.Move, source: int) -> str:
        """Other piles come first."""
        lane = next(lane.piles for lane in action.from_ if source in lane.piles)
        first = [self.names[p] for p in lane[: lane.index(source)] if self.heaps[p]]
        return gettext(
            "{piles} must be used before {pile} ({rule})",
            piles=listed(first), pile=self.names[source], rule=rule_label(rule.name),
        )  # fmt: skip

    def along(self, action: kinds.Move, source: int, target: int) -> str:
        """The two piles do not belong together."""
        serves = [self.names[pile] for pile in action.along.targets.get(source, ())]
        if action.along.text == "lines":
            ends = {"pile": self.names[source], "other": self.names[target]}
            if not serves:
                return gettext("{pile} is not in line with {other}", **ends)
            return gettext(
                "{pile} is not in line with {other}, but with {piles}",
                **ends, piles=listed(serves, "and"),
            )  # fmt: skip
        if action.along.sides:
            ends = {"pile": self.names[source], "other": self.names[target]}
            where = term(action.along.text or "")
            return gettext("{other} is not {where} of {pile}", where=where, **ends)
        if not serves:
            return gettext("{pile} has no partner there", pile=self.names[source])
        return gettext("{pile} goes only to {piles}", pile=self.names[source], piles=listed(serves))

    def size(self, rule: Rule, holds: tuple[int, int], pile: int, *, puts: bool) -> str:
        """A pile holds too few or too many cards."""
        least, most = holds
        have = len(self.heaps[pile])
        if least == most:
            wanted = _cards(least)
        elif have < least:
            wanted = gettext("at least {cards}", cards=_cards(least))
        else:
            wanted = gettext("at most {cards}", cards=_cards(most))
        values: dict[str, object] = {
            "rule": rule.name,
            "cards": wanted,
            "pile": self.names[pile],
            "number": have or gettext("none"),
        }
        if puts:
            return gettext(
                "'{rule}' puts cards only on piles of {cards}: {pile} holds {number}", **values
            )
        return gettext("'{rule}' takes only from piles of {cards}: {pile} holds {number}", **values)

    def to_holds(self, rule: Rule, action: kinds.Move, target: int) -> str:
        """The target is not vacant, or is vacant."""
        group = self.book.group_of(target)
        if not self.heaps[target]:
            filling = self.forced_between(to={target})
            place = _vacancy(group)
            if filling:
                return gettext(
                    "{place} takes no cards by hand ({rule})", place=place, rule=filling[0]
                )
            return gettext("{place} takes no cards", place=place)
        if action.to_holds[1] == 0:
            if group.role == "hand":
                return self.waiting(target)
            return gettext("{pile} is occupied", pile=self.names[target])
        if group.holds == len(self.heaps[target]):
            return gettext("{pile} is full", pile=self.names[target])
        return self.size(rule, action.to_holds, target, puts=True)

    def face_down(self, source: int, count: int) -> str:
        """Hidden cards do not move."""
        if self.heaps[source][-1] >= FACE_DOWN:
            return gettext("the top card of {pile} lies face down", pile=self.names[source])
        return gettext(
            "not all of the top {cards} of {pile} lie face up",
            cards=_cards(count), pile=self.names[source],
        )  # fmt: skip

    def unit(self, action: kinds.Move, source: int, count: int, target: int) -> str:
        """The cards do not move together."""
        group = self.book.group_of(target)
        unit = action.cards
        if unit.kind == "top":
            if group.role == "tableau":
                if _is_plural(group):
                    return gettext("{piles} are built one card at a time", piles=_the(group))
                return gettext("{pile} is built one card at a time", pile=_the(group))
            if _is_plural(group):
                return gettext("{piles} take one card at a time", piles=_the(group))
            return gettext("{pile} takes one card at a time", pile=_the(group))
        if unit.kind == "bottom":
            return gettext("only the bottom card of {pile} goes there", pile=self.names[source])
        if unit.place:
            number = len(self.heaps[source]) - unit.place + 1 if unit.place > 0 else -unit.place
            if not 1 <= number <= len(self.heaps[source]):
                return gettext("{pile} has too few cards for that", pile=self.names[source])
            return gettext(
                "only card {number} of {pile}, counted from the top, goes there",
                number=number, pile=self.names[source],
            )  # fmt: skip
        if unit.kind == "longest":
            return gettext(
                "all the top cards of {pile} in sequence go together", pile=self.names[source]
            )
        if unit.kind == "all":
            return gettext("{pile} goes as a whole", pile=self.names[source])
        if unit.kind == "count":
            return gettext(
                "{cards} go at a time, or all there are if fewer", cards=_cards(unit.most)
            )
        if unit.relation is None:
            return gettext("{cards} are too many to go at a time", cards=_cards(count))
        texts = listed(map(term, unit.relation.texts))
        if count < unit.least:
            return gettext(
                "only a sequence {order} of {cards} goes there",
                order=texts, cards=_cards(unit.least),
            )  # fmt: skip
        cards = " ".join(str(Card(code % FACE_DOWN)) for code in self.heaps[source][-count:])
        return gettext("{cards} is not a sequence {order}", cards=cards, order=texts)

    def space(self, action: kinds.Move, card: str, target: int) -> str:
        """A vacancy does not take the card."""
        place = _vacancy(self.book.group_of(target))
        if (asked := action.asks.space) is not None and self.rank(asked.counter) is not None:
            return gettext(
                "{place} takes only {cards}, {ranks} now: {card} is not one",
                place=place, cards=term(asked.text), card=card, ranks=self.ranks(asked),
            )  # fmt: skip
        if not action.space:
            return gettext("{place} takes no cards", place=place)
        return gettext(
            "{place} takes only {cards}: {card} is not one",
            place=place, cards=term(action.space.text), card=card,
        )  # fmt: skip

    def beside(self, action: kinds.Move, card: str, target: int) -> str:
        """The card does not fit beside the neighbours of a vacancy."""
        assert action.beside is not None
        pile, neighbours = self.names[target], action.beside.of(target)
        if not neighbours:
            return gettext(
                "{pile} has no such neighbour and takes only {cards}: {card} is not one",
                pile=pile, cards=term(action.beside.edge.text), card=card,
            )  # fmt: skip
        lying = [(other, each) for other, each in neighbours if self.heaps[other]]
        if not lying:
            others = self.pile_names(other for other, _ in neighbours)
            return gettext("{pile} takes nothing beside the empty {piles}", pile=pile, piles=others)
        tops = (
            f"{self.names[other]} ({Card(self.heaps[other][-1] % FACE_DOWN)})"
            if self.heaps[other][-1] < FACE_DOWN
            else self.names[other]
            for other, _ in lying
        )
        return gettext(
            "{pile} takes a card {order}: {card} does not go beside {piles}",
            pile=pile, order=listed(term(each.text) for _, each in lying), card=card,
            piles=listed(tops),
        )  # fmt: skip

    def rank(self, counter: int) -> int | None:
        """The rank that a counter holds; ``None`` if it holds none yet."""
        value = self.counters[counter]
        return value if value < len(RANK_NAMES) else None

    def ranks(self, asked: ByCounter) -> str:
        """The cards of a rank that a counter tells, by their name: ``"sixes"``."""
        mask = asked.masks()[self.rank(asked.counter) or 0]
        ranks = [rank for rank in range(len(RANK_NAMES)) if mask >> 4 * rank & 1]
        return term(plural(ranks[0])) if ranks else term("no card")

    def build(self, action: kinds.Move, card: str, target: int) -> str:
        """The card may not lie on the target's top card."""
        top = self.heaps[target][-1]
        if top >= FACE_DOWN:
            return gettext("the top card of {pile} lies face down", pile=self.names[target])
        group = self.book.group_of(target)
        assert action.build is not None
        values: dict[str, object] = {
            "order": listed(map(term, action.build.texts)), "card": card, "other": str(Card(top)),
        }  # fmt: skip
        if _is_plural(group):
            return gettext(
                "{piles} build {order}: {card} does not go on {other}", piles=_the(group), **values
            )
        return gettext(
            "{pile} builds {order}: {card} does not go on {other}", pile=_the(group), **values
        )

    def build_order(self, card: str, target: int) -> str:
        """A foundation wants another card."""
        wanted = self.next_cards(target)
        name = self.names[target]
        order = self.book.group_of(target).build_order
        if order is not None and order.one_suit_each and not self.heaps[target]:
            for other in self.book.group_of(target).piles:
                heap = self.heaps[other]
                if heap and str(Card(heap[0] % FACE_DOWN))[1] == card[-1]:
                    suit = term(SUIT_NAMES[heap[0] % 4])
                    return gettext(
                        "the {suit} have begun on {pile}", suit=suit, pile=self.names[other]
                    )
        if not wanted and len(self.heaps[target]) == 1 and order is not None and order.waits:
            return gettext("nothing is laid on a card that waits on {pile}", pile=name)
        if not wanted:
            return gettext("{pile} is complete", pile=name)
        ranks = {other.rank for other in wanted}
        if len(wanted) > 1 and len(ranks) == 1:
            (rank,) = ranks
            rank_name = RANK_NAMES[rank]
            cards: str = term(f"{'an' if rank_name[0] in 'ae' else 'a'} {rank_name}")
        elif len(ranks) < len(wanted):
            cards = gettext("one of {ranks}", ranks=" ".join(RANKS[rank] for rank in sorted(ranks)))
        else:
            cards = listed(map(str, wanted))
        if not self.heaps[target]:
            return gettext(
                "{pile} begins with {cards}, not {card}", pile=name, cards=cards, card=card
            )
        return gettext("{pile} wants {cards} next, not {card}", pile=name, cards=cards, card=card)

    def next_cards(self, pile: int) -> tuple[Card, ...]:
        """The cards that a foundation wants next."""
        return next_cards(self.book, self.state, pile)

    def no_rule(self, sources: Sequence[int], targets: Sequence[int], parsed: ParsedMove) -> str:
        """No rule lets the player move a card from the one to the other."""
        start, end = self.book.group_of(sources[0]), self.book.group_of(targets[0])
        rules = [rule for rule in self.book.rules if rule.during != "layout"]
        others = [rule for rule in rules if not isinstance(rule.action, kinds.Move)]
        # What the player writes with piles comes before what is one word.
        for rule in sorted(others, key=lambda rule: rule.action.word(rule) is not None):
            ends = {"start": _the(start), "end": _the(end)}
            if (how := rule.action.when_stacked({*sources, *targets}, parsed, self)) is not None:
                return how
            if (how := rule.action.instead(rule, set(sources), set(targets), ends)) is not None:
                return how
        if by_itself := self.forced_between(set(sources), set(targets)):
            return gettext("it happens automatically when it is due ({rule})", rule=by_itself[0])
        moves = [
            (set(r.action.sources), set(r.action.to.piles))
            for r in rules
            if isinstance(r.action, kinds.Move) and not r.forced
        ]
        written = (rule.action for rule in others if rule.action.word(rule) is None)
        reached = any(ends & set(targets) for _, ends in moves)
        if not reached and not any(action.puts_on() & set(targets) for action in written):
            filling = self.forced_between(to=set(targets))
            if filling:
                return _take_none_by_hand(end, filling[0])
            if _is_plural(end):
                return gettext("{piles} take no cards", piles=_the(end))
            return gettext("{place} takes no cards", place=_the(end))
        served = {pile for starts, ends in moves if starts & set(sources) for pile in ends}
        if served:
            names = [name for group in self.book.groups for name in self._named(group, served)]
            whole = all(served >= set(g.piles) for g in self.book.groups if served & set(g.piles))
            begin = _the(start) if whole or len(sources) > 1 else self.names[sources[0]]
            return gettext("cards of {pile} go only to {piles}", pile=begin, piles=listed(names))
        ways = [
            _word(rule)
            for rule in others
            if rule.action.word(rule) is not None and rule.action.takes_from() & set(sources)
        ] + self.forced_between(set(sources))
        if ways:
            words = listed(gettext("'{word}'", word=way) for way in ways)
            return gettext(
                "cards of {pile} are moved only by {words}", pile=_the(start), words=words
            )
        return gettext("nothing leaves {pile}", pile=_the(start))

    def _named(self, group: Group, piles: set[int]) -> list[str]:
        """Those of some piles that are of a group: the group, if it is all of them."""
        own = [pile for pile in group.piles if pile in piles]
        return [_the(group)] if len(own) == group.count else [self.names[pile] for pile in own]

    def forced_between(
        self, source: set[int] | None = None, to: set[int] | None = None
    ) -> list[str]:
        """The forced rules of play that move cards from some of these piles to some of those."""
        return [
            rule_label(rule.name)
            for rule in self.book.rules
            if rule.forced and rule.during != "layout" and isinstance(rule.action, kinds.Move)
            if source is None or source & set(rule.action.sources)
            if to is None or to & set(rule.action.to.piles)
        ]

    # Rules without piles to name, cards that go together, cards that change places.

    def cards(self, pile: int) -> list[Card]:
        """The cards of a pile, whichever way they lie."""
        return [Card(byte % FACE_DOWN) for byte in self.heaps[pile]]

    def pile_names(self, piles: Iterable[int]) -> str:
        """Piles in words: ``"garden.1 and garden.2"``."""
        return listed((self.names[pile] for pile in sorted(set(piles))), "and")

    def named(self, rules: Iterable[int]) -> str:
        """A rule that the player named."""
        reason = ""
        for index in rules:
            rule = self.book.rules[index]
            action = rule.action
            if rule.during == "layout":
                reason = reason or gettext(
                    "it happens only while the table is laid out ({rule})",
                    rule=rule_label(rule.name),
                )
                continue
            if rule.forced:
                reason = reason or gettext(
                    "it happens automatically when it is due ({rule})", rule=rule_label(rule.name)
                )
                continue
            if (failed := self.failed(index)) is not None:
                return self.condition(rule, failed)
            if isinstance(action, kinds.Move) and len(action.sources) == len(action.to.piles) == 1:
                part = MovePart(action.sources, action.to.piles)
                return self.pair(part, ParsedMove("", (index,), (part,)))
            reason = gettext("there is nothing that '{word}' could move", word=_word(rule))
        return reason

    def failed(self, rule: int) -> Condition | None:
        """The first condition of a rule that does not hold."""
        failed = self.state.failed_condition(rule)
        return None if failed is None else self.book.rules[rule].when[failed]


def _word(rule: Rule) -> str:
    return rule_label(rule.verb or rule.name)


def _the(group: Group) -> str:
    return gettext("the {group}", group=term(group.name))


def _take_none_by_hand(group: Group, rule: str) -> str:
    if _is_plural(group):
        return gettext("{piles} take no cards by hand ({rule})", piles=_the(group), rule=rule)
    return gettext("{place} takes no cards by hand ({rule})", place=_the(group), rule=rule)


def _is_plural(group: Group) -> bool:
    return group.name.endswith("s") and not group.name.endswith("ss")


def _vacancy(group: Group) -> str:
    """A vacant pile of a group: ``a vacant column``, ``a vacant garden pile``."""
    if group.count == 1:
        return gettext("the empty {group}", group=term(group.name))
    if _is_plural(group):
        return gettext("a vacant {pile}", pile=term(group.name[:-1]))
    return gettext("a vacant {group} pile", group=term(group.name))


def _cards(number: int) -> str:
    return gettext("one card") if number == 1 else gettext("{number} cards", number=number)

"""Why a move is not allowed, in words for people.

The kernel says of each rule how far a move came: which of the rule's demands it fails. Here the
rule that it came furthest with is chosen, and its demand is told in the words of the rules file::

    the garden builds down: 9H does not go on 5C
    foundations.2 wants 4S next, not 9H
    a vacant tableau pile takes only kings: 9H is not one
    a card is waiting in the hand: 9H

One method of :class:`_Refusals` tells one demand.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from cadogan.cards import RANKS, Card
from cadogan.notation import FACE_DOWN, Clause, Wish
from cadogan.rules import rulebook as core
from cadogan.rules.words import RANK_NAMES, SUIT_NAMES

if TYPE_CHECKING:
    from cadogan.game import Position

DEMANDS: Final = (
    "to-size", "from-size", "when", "yields", "unit", "face-down", "lead", "link", "vacant", "onto",
    "ladder", "prefer", "capacity", "same-position", "twin", "choice",
)  # fmt: skip
"""What rules demand of a move; the later in the list a demand is that fails, the more it tells."""


def refusal(wish: Wish, position: "Position") -> str:
    """Tells why a move that cannot be made cannot be made.

    Args:
        wish: The move as the player wrote it; no legal move fits it.
        position: The position.

    Returns:
        The reason, without a full stop.
    """
    return _Refusals(position).reason(wish)


class _Refusals:
    """The reasons of one position."""

    def __init__(self, position: "Position") -> None:
        self.position = position
        self.book = position.game.rulebook
        self.state = position._state
        self.names = position.game.pile_names
        self.heaps = self.state.piles()
        self.counters = self.state.counters()

    def reason(self, wish: Wish) -> str:
        if self.position.outcome == "won":
            return "the game is won"
        if (choosing := self.state.choosing()) is not None:
            return self.choice(self.book.rules[choosing])
        if not wish.clauses:
            return self.named(wish.rules or ())
        if wish.swap:
            return self.swap(wish)
        if len(wish.clauses) > 1 or wish.clauses[0].targets is None:
            return self.joint(wish)
        return self.pair(wish.clauses[0], wish)

    def choice(self, rule: core.Rule) -> str:
        """A forced rule waits for the player."""
        options = self.position.moves()
        targets = {move.target for move in options}
        sources = {move.source for move in options}
        if len(targets) == 1:
            (target,) = targets
            told, listed = f"{target} must be filled", _listed(m.source or "" for m in options)
        elif len(sources) == 1:
            (source,) = sources
            told, listed = f"{source} must be played", _listed(m.target or "" for m in options)
        else:
            told, listed = "a choice must be made", _listed(move.text for move in options)
        return f"first {told} ({rule.name}): choose {listed}"

    # Moves from pile to pile.

    def pair(self, clause: Clause, wish: Wish) -> str:
        """Cards of one pile to another."""
        targets = clause.targets or ()
        if clause.sources == targets and len(targets) == 1:
            return f"the cards of {self.names[targets[0]]} lie there already"
        filled = tuple(source for source in clause.sources if self.heaps[source])
        if not filled:
            return self.empty(clause.sources)
        most = max(len(self.heaps[source]) for source in filled)
        if clause.count is not None and not 1 <= clause.count <= most:
            return f"{self.names[filled[0]]} holds {_cards(most)}, not {clause.count}"
        best: tuple[tuple[int, int], int, str, int, tuple[int, int, int]] | None = None
        for source, count, target in clause.tries(self.heaps):
            if source == target:
                continue
            for rule, demand, detail in self.state.refusals(source, count, target):
                if wish.rules is not None and rule not in wish.rules:
                    continue
                far = (self.distance(rule, demand, clause), self.nearness(rule, source, target))
                if best is None or far > best[0]:
                    best = (far, rule, demand, detail, (source, count, target))
        if best is None:
            return self.no_rule(filled, targets, wish)
        _, rule, demand, detail, (source, count, target) = best
        return self.tell(rule, demand, detail, source, count, target)

    def distance(self, rule: int, demand: str, clause: Clause) -> int:
        """How far a move came with a rule."""
        action = self.book.rules[rule].action
        assert isinstance(action, core.Move)
        if demand == "unit" and clause.count is None and action.unit.kind not in ("run", "packet"):
            # The player did not say how many, so the number is no fault of his.
            return -1
        return DEMANDS.index(demand)

    def nearness(self, rule: int, source: int, target: int) -> int:
        """Which of equal failures tells most: one of a rule that is for such targets."""
        action = self.book.rules[rule].action
        assert isinstance(action, core.Move)
        size = len(self.heaps[target])
        if not action.to_holds[0] <= size <= action.to_holds[1]:
            return -1
        if action.ladder and self.heaps[source][-1] < FACE_DOWN:
            own = size and self.heaps[target][-1] % 4 == self.heaps[source][-1] % 4
            return 2 if own else int(size == 0)
        return 0

    def tell(
        self, index: int, demand: str, detail: int, source: int, count: int, target: int
    ) -> str:
        """One demand that fails, of a rule that moves cards."""
        rule = self.book.rules[index]
        action = rule.action
        assert isinstance(action, core.Move)
        match demand:
            case "when":
                return self.condition(rule, rule.when[detail])
            case "yields":
                return self.yields(rule, action, source)
            case "link":
                return self.link(action, source, target)
            case "from-size":
                return self.size(rule, action.from_holds, source, "takes only from")
            case "to-size":
                return self.to_size(rule, action, target)
            case "face-down":
                return self.face_down(source, count)
            case "unit":
                return self.unit(action, source, count, target)
            case "lead":
                card = self.lead(action, source, count)
                return f"'{rule.name}' is for {action.lead.text} only: {card} is not one"
            case "vacant":
                return self.vacant(action, self.lead(action, source, count), target)
            case "onto":
                return self.onto(action, self.lead(action, source, count), target)
            case "ladder":
                return self.ladder(self.lead(action, source, count), target)
            case "prefer":
                card = self.lead(action, source, count)
                return f"{card} must be taken from {self.names[action.prefer or 0]} first"
            case "capacity":
                return f"{self.names[target]} is full"
            case "same-position":
                return f"nothing would change: {self.names[target]} is as good a place"
            case "twin":
                return f"{self.names[target]} is the same as {self.names[detail]}"
            case _:
                return "another choice is open"

    def empty(self, sources: Sequence[int]) -> str:
        """There is nothing to take."""
        if len(sources) == 1:
            return f"{self.names[sources[0]]} is empty"
        return f"{_the(self.book.group_of(sources[0]))} {_are(self.book, sources[0])} empty"

    def lead(self, action: core.Move, source: int, count: int) -> str:
        """The card of a unit that would touch the target; what lies face down stays secret."""
        byte = self.heaps[source][-1 if action.reverse else -count]
        return "the card" if byte >= FACE_DOWN else str(Card(byte))

    def condition(self, rule: core.Rule, condition: core.Condition) -> str:
        """A rule is not in force."""
        piles = condition.piles.piles if condition.piles is not None else ()
        hand = len(piles) == 1 and self.book.group_of(piles[0]).role == "hand"
        if condition.kind == "vacant" and hand:
            return self.waiting(piles[0])
        told = f"'{rule.name}' is allowed only when {condition.text}"
        if condition.kind == "counter":
            counter = self.book.counters[condition.counter]
            why = f" ({counter.why})" if counter.why else ""
            told += f", and {counter.name} is {self.counters[condition.counter]}{why}"
        return told

    def waiting(self, pile: int) -> str:
        """The hand is not empty."""
        return f"a card is waiting in the {self.names[pile]}: {Card(self.heaps[pile][-1] % 64)}"

    def yields(self, rule: core.Rule, action: core.Move, source: int) -> str:
        """Other piles come first."""
        lane = next(lane.piles for lane in action.lanes if source in lane.piles)
        first = [self.names[p] for p in lane[: lane.index(source)] if self.heaps[p]]
        return f"{_listed(first)} must be used before {self.names[source]} ({rule.name})"

    def link(self, action: core.Move, source: int, target: int) -> str:
        """The two piles do not belong together."""
        serves = [self.names[pile] for pile in action.links.get(source, ())]
        if action.along == "lines":
            told = f"{self.names[source]} is not in line with {self.names[target]}"
            return f"{told}, but with {_listed(serves, 'and')}" if serves else told
        if not serves:
            return f"{self.names[source]} has no partner there"
        return f"{self.names[source]} goes only to {_listed(serves)}"

    def size(self, rule: core.Rule, holds: tuple[int, int], pile: int, what: str) -> str:
        """A pile holds too few or too many cards."""
        least, most = holds
        have = len(self.heaps[pile])
        wanted = _cards(least) if have < least else _cards(most)
        edge = "" if least == most else "at least " if have < least else "at most "
        told = f"'{rule.name}' {what} piles of {edge}{wanted}"
        return f"{told}: {self.names[pile]} holds {have or 'none'}"

    def to_size(self, rule: core.Rule, action: core.Move, target: int) -> str:
        """The target is not vacant, or is vacant."""
        group = self.book.group_of(target)
        if not self.heaps[target]:
            told = f"{_vacancy(group)} takes no cards"
            filling = self.forced_between(to={target})
            return f"{told} by hand ({filling[0]})" if filling else told
        if action.to_holds[1] == 0:
            if group.role == "hand":
                return self.waiting(target)
            return f"{self.names[target]} is occupied"
        return self.size(rule, action.to_holds, target, "puts cards only on")

    def face_down(self, source: int, count: int) -> str:
        """Hidden cards do not move."""
        if self.heaps[source][-1] >= FACE_DOWN:
            return f"the top card of {self.names[source]} lies face down"
        return f"not all of the top {_cards(count)} of {self.names[source]} lie face up"

    def unit(self, action: core.Move, source: int, count: int, target: int) -> str:
        """The cards do not move together."""
        group = self.book.group_of(target)
        unit = action.unit
        if unit.kind == "top":
            if group.role == "tableau":
                return f"{_the(group)} {_are(self.book, target)} built one card at a time"
            return f"{_the(group)} {_verb(group, 'take')} one card at a time"
        if unit.kind == "all":
            return f"{self.names[source]} goes as a whole"
        if unit.kind == "count":
            return f"{_cards(unit.most)} go at a time, or all there are if fewer"
        if unit.relation is None:
            return f"{_cards(count)} are too many to go at a time"
        texts = " or ".join(unit.relation.texts)
        if count < unit.least:
            return f"only a sequence {texts} of {_cards(unit.least)} goes there"
        told = " ".join(str(Card(code % FACE_DOWN)) for code in self.heaps[source][-count:])
        return f"{told} is not a sequence {texts}"

    def vacant(self, action: core.Move, card: str, target: int) -> str:
        """A vacancy does not take the card."""
        place = _vacancy(self.book.group_of(target))
        if not action.space:
            return f"{place} takes no cards"
        return f"{place} takes only {action.space.text}: {card} is not one"

    def onto(self, action: core.Move, card: str, target: int) -> str:
        """The card may not lie on the target's top card."""
        top = self.heaps[target][-1]
        if top >= FACE_DOWN:
            return f"the top card of {self.names[target]} lies face down"
        group = self.book.group_of(target)
        assert action.build is not None
        rule = " or ".join(action.build.texts)
        return f"{_the(group)} {_verb(group, 'build')} {rule}: {card} does not go on {Card(top)}"

    def ladder(self, card: str, target: int) -> str:
        """A foundation wants another card."""
        wanted = self.wanted(target)
        name = self.names[target]
        order = self.book.group_of(target).order
        if order is not None and order.apart and not self.heaps[target]:
            for other, heap in self.position._siblings(target):
                if heap and str(Card(heap[0] % FACE_DOWN))[1] == card[-1]:
                    return f"the {SUIT_NAMES[heap[0] % 4]} have begun on {other}"
        if not wanted:
            return f"{name} is complete"
        ranks = {other.rank for other in wanted}
        if len(wanted) > 1 and len(ranks) == 1:
            (rank,) = ranks
            told = RANK_NAMES[rank]
            told = f"{'an' if told[0] in 'ae' else 'a'} {told}"
        elif len(ranks) < len(wanted):
            told = f"one of {' '.join(RANKS[rank] for rank in sorted(ranks))}"
        else:
            told = _listed(map(str, wanted))
        if not self.heaps[target]:
            return f"{name} begins with {told}, not {card}"
        return f"{name} wants {told} next, not {card}"

    def wanted(self, pile: int) -> tuple[Card, ...]:
        """The cards that a foundation wants next."""
        return self.position.wanted(self.names[pile])

    def no_rule(self, sources: Sequence[int], targets: Sequence[int], wish: Wish) -> str:
        """No rule lets the player move a card from the one to the other."""
        start, end = self.book.group_of(sources[0]), self.book.group_of(targets[0])
        rules = [rule for rule in self.book.rules if rule.during != "layout"]
        for rule in rules:
            if isinstance(rule.action, core.Joint):
                parts = {pile for part in rule.action.parts for pile in part.source.piles}
                if parts & set(sources) and set(rule.action.to.piles) & set(targets):
                    return f"{_the(start)} and {_the(end)}: cards go up only together ({rule.name})"
        for rule in rules:
            if not isinstance(rule.action, core.Script):
                continue
            if _carries(rule.action, set(sources), set(targets)):
                how = "it happens by itself" if rule.forced else f"it is done by '{_word(rule)}'"
                return f"no single card goes from {_the(start)} to {_the(end)}: {how}"
        if by_itself := self.forced_between(set(sources), set(targets)):
            return f"it happens by itself when it is due ({by_itself[0]})"
        moves = [
            (set(r.action.sources), set(r.action.to.piles))
            for r in rules
            if isinstance(r.action, core.Move) and not r.forced
        ]
        joint = {p for r in rules if isinstance(r.action, core.Joint) for p in r.action.to.piles}
        if not any(ends & set(targets) for _, ends in moves) and not joint & set(targets):
            told = f"{_the(end)} {_verb(end, 'take')} no cards"
            filling = self.forced_between(to=set(targets))
            return f"{told} by hand ({filling[0]})" if filling else told
        reached = {pile for starts, ends in moves if starts & set(sources) for pile in ends}
        if reached:
            groups = [f"the {g.name}" for g in self.book.groups if reached & set(g.piles)]
            return f"cards of {_the(start)} go only to {_listed(groups)}"
        ways = [
            _word(r)
            for r in rules
            if isinstance(r.action, core.Script) and _carries(r.action, set(sources), None)
        ] + self.forced_between(set(sources))
        if ways:
            return f"cards of {_the(start)} are moved only by {_listed(map(repr, ways))}"
        return f"nothing leaves {_the(start)}"

    def forced_between(
        self, source: set[int] | None = None, to: set[int] | None = None
    ) -> list[str]:
        """The forced rules of play that move cards from some of these piles to some of those."""
        return [
            rule.name
            for rule in self.book.rules
            if rule.forced and rule.during != "layout" and isinstance(rule.action, core.Move)
            if source is None or source & set(rule.action.sources)
            if to is None or to & set(rule.action.to.piles)
        ]

    # Rules without piles to name, cards that go together, cards that change places.

    def named(self, rules: Iterable[int]) -> str:
        """A rule that the player named."""
        told = ""
        for index in rules:
            rule = self.book.rules[index]
            action = rule.action
            if rule.during == "layout":
                told = told or f"it happens only while the table is laid out ({rule.name})"
                continue
            if rule.forced:
                told = told or f"it happens by itself when it is due ({rule.name})"
                continue
            if (failed := self.failed(rule)) is not None:
                return self.condition(rule, failed)
            if isinstance(action, core.Move) and len(action.sources) == len(action.to.piles) == 1:
                clause = Clause(action.sources, action.to.piles)
                return self.pair(clause, Wish("", (index,), (clause,)))
            blocked = [c for c in rule.when if c.kind == "blocked"]
            if blocked:
                return self.condition(rule, blocked[0])
            told = f"there is nothing that '{_word(rule)}' could move"
        return told

    def failed(self, rule: core.Rule) -> core.Condition | None:
        """The first condition of a rule that does not hold, as far as the table shows it."""
        return next((c for c in rule.when if self.holds(c) is False), None)

    def holds(self, condition: core.Condition) -> bool | None:
        """Whether a condition holds; ``None`` where only the kernel knows."""
        piles = condition.piles.piles if condition.piles is not None else ()
        heaps = [self.heaps[pile] for pile in piles]
        mask = condition.cards.mask if condition.cards is not None else 0
        match condition.kind:
            case "vacant":
                return sum(not heap for heap in heaps) >= condition.number
            case "filled":
                return sum(bool(heap) for heap in heaps) >= condition.number
            case "top":
                return bool(heaps[0]) and bool(mask >> heaps[0][-1] % FACE_DOWN & 1)
            case "complete":
                return all(not self.wanted(pile) for pile in piles)
            case "holds":
                value = sum(mask >> byte % FACE_DOWN & 1 for heap in heaps for byte in heap)
            case "counter":
                value = self.counters[condition.counter]
            case "blocked":
                return None
        number = condition.number
        return {
            "below": value < number,
            "equal": value == number,
            "at-least": value >= number,
        }[condition.compare]

    def joint(self, wish: Wish) -> str:
        """Cards that should go up together."""
        sources = [source for clause in wish.clauses for source in clause.sources[:1]]
        for source in sources:
            if not self.heaps[source]:
                return self.empty((source,))
        picked = set(sources)
        for move in self.position.moves():
            if {source for source, _, _ in self.state.transfers(move.code)} == picked:
                return f"these cards go so: {move.text}"
        told = f"no rule takes cards from {_listed(_names(self.names, picked), 'and')} together"
        for index, rule in enumerate(self.book.rules):
            action = rule.action
            if not isinstance(action, core.Joint) or rule.forced:
                continue
            if wish.rules is not None and index not in wish.rules:
                continue
            parts = _assign(action.parts, sorted(picked))
            if parts is None:
                continue
            if (failed := self.failed(rule)) is not None:
                told = self.condition(rule, failed)
                continue
            wrong = [(p, part.size) for p, part in parts if len(self.heaps[p]) != part.size]
            if wrong:
                pile, size = wrong[0]
                told = self.size(rule, (size, size), pile, "takes only from")
                continue
            return self.unwanted(wish, action, sorted(picked))
        return told

    def unwanted(self, wish: Wish, action: core.Joint, picked: Sequence[int]) -> str:
        """The foundations do not want the cards."""
        for clause in wish.clauses:
            card = Card(self.heaps[clause.sources[0]][-1] % FACE_DOWN)
            if clause.targets is not None and len(clause.targets) == 1:
                (target,) = clause.targets
                if target in action.to.piles and card not in self.wanted(target):
                    return self.ladder(str(card), target)
        cards = [Card(byte % FACE_DOWN) for pile in picked for byte in self.heaps[pile]]
        wanted = {card for pile in action.to.piles for card in self.wanted(pile)}
        missing = [str(card) for card in cards if card not in wanted]
        if not missing and action.only_if_blocked:
            return "one of them can go up alone"
        return f"{_listed(missing or map(str, cards), 'and')} cannot go up now"

    def swap(self, wish: Wish) -> str:
        """Cards that should change places."""
        (clause,) = wish.clauses
        ends = (*clause.sources[:1], *(clause.targets or ())[:1])
        for pile in ends:
            if not self.heaps[pile]:
                return self.empty((pile,))
        for rule in self.book.rules:
            if isinstance(rule.action, core.Swap) and set(ends) <= set(rule.action.piles.piles):
                if (failed := self.failed(rule)) is not None:
                    return self.condition(rule, failed)
                return "nothing would change: the two cards are equal"
        return f"cards of {_listed(_names(self.names, set(ends)), 'and')} do not change places"


def _carries(script: core.Script, sources: set[int], targets: set[int] | None) -> bool:
    """Whether a script moves cards from some piles, to some others or anywhere."""
    for step in script.steps:
        starts = set(step.source.piles if step.source else ())
        if step.kind == "gather" and step.piles is not None:
            starts |= set(step.piles.piles)
        ends = set(step.to.piles if step.to else ())
        for way in step.ways:
            ends |= {*way.vacant.piles, *way.overflow.piles}
        if starts & sources and (targets is None or ends & targets):
            return True
    return False


def _assign(parts: Sequence[core.Part], piles: Sequence[int]) -> list[tuple[int, core.Part]] | None:
    """Piles to the parts of a joint play, or ``None`` if they are not its piles."""
    if len(parts) != len(piles):
        return None
    for order in (piles, piles[::-1]):
        if all(pile in part.source.piles for pile, part in zip(order, parts, strict=True)):
            return list(zip(order, parts, strict=True))
    return None


def _word(rule: core.Rule) -> str:
    return rule.verb or rule.name


def _names(names: Sequence[str], piles: set[int]) -> list[str]:
    return [names[pile] for pile in sorted(piles)]


def _the(group: core.Group) -> str:
    return f"the {group.name}"


def _verb(group: core.Group, verb: str) -> str:
    """A verb in the number of a group's name: the garden builds, the columns build."""
    return verb if _is_plural(group) else f"{verb}s"


def _are(book: core.Rulebook, pile: int) -> str:
    return "are" if _is_plural(book.group_of(pile)) else "is"


def _is_plural(group: core.Group) -> bool:
    return group.name.endswith("s") and not group.name.endswith("ss")


def _vacancy(group: core.Group) -> str:
    """A vacant pile of a group: ``a vacant column``, ``a vacant garden pile``."""
    if group.count == 1:
        return f"the empty {group.name}"
    return f"a vacant {group.name[:-1] if _is_plural(group) else group.name + ' pile'}"


def _cards(number: int) -> str:
    return "one card" if number == 1 else f"{number} cards"


def _listed(words: Iterable[str], last: str = "or") -> str:
    """Words as people list them: ``a, b or c``."""
    items = list(dict.fromkeys(words))
    return f" {last} ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)

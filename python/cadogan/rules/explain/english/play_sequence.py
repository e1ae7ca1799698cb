"""The course of the game: what happens automatically, the stock, what is counted."""

from collections.abc import Sequence

from cadogan.i18n.english import join, number, sentence
from cadogan.rules.explain.english.section import Section
from cadogan.rules.kinds import Move
from cadogan.rules.rulebook.counter import Effect
from cadogan.rules.rulebook.rulebook import Rule
from cadogan.rules.rulebook.words import RANK_NAMES

_FIRST = "from the moment when the table is laid out"

_Change = tuple[str, int, int, bool]
"""What an effect does to its counter: its kind, its value, the other counter, whether it grows."""


class PlaySequence(Section):
    """The course of the game: what happens automatically, the stock, what is counted."""

    def automatic(self) -> list[str]:
        """What is carried out without the player."""
        rules = self.by_itself
        if not rules:
            return []
        parts = []
        chosen = any(isinstance(r.action, Move) and r.action.choose != "none" for r in rules)
        order = ""
        if any(self.may_concern_several(rule) for rule in rules):
            order = " Where it concerns several piles, the first of them comes first."
        titled = [self.actions.forced(rule, titled=self.is_cited(rule)) for rule in rules]
        if len(rules) == 1:
            first = f"This is done before anything else, {_FIRST}."
            parts.append(f"{titled[0]} {first}{order}")
        else:
            parts.append(
                f"The following is done before anything else, {_FIRST}, as often as it applies; "
                f"of two that apply, the first in this list comes first.{order}"
            )
            parts.append("\n".join(f"{i}. {rule}" for i, rule in enumerate(titled, 1)))
        if chosen:
            parts.append(
                "Where the player has a choice, nothing else may be done before it is made; "
                "a choice of one is no choice."
            )
        return parts

    @staticmethod
    def may_concern_several(rule: Rule) -> bool:
        """Whether a forced move may be due from or to several piles at the same time."""
        move = rule.action
        if not isinstance(move, Move) or move.cards.kind == "run":
            return False
        return len(move.to.piles) > 1 or len(move.sources) > 1

    def stock(self) -> list[str]:
        """Turning, dealing, laying off, gathering: what is done with stock, hand and waste."""
        parts = []
        for rule in self.free:
            action = rule.action
            if not isinstance(action, Move) and action.SECTION == "stock":
                parts.append(self._script(rule))
            elif isinstance(action, Move) and self.of_the_stock(rule):
                parts.append(self._turn(rule, action))
        stocks = [group for group in self.book.groups if group.role == "stock"]
        if parts:
            parts.insert(
                0, "What follows is done whenever the player likes, as far as it is allowed."
            )
        if parts and stocks and not self._is_renewed(set(stocks[0].piles)):
            parts.append("There is no redeal: the stock is gone through once.")
        return parts

    def _waits(self, hand: Sequence[int]) -> str:
        """Whether other moves may be made while a card lies in the hand."""
        for rule in self.free:
            move = rule.action
            if not isinstance(move, Move) or set(hand) & set(move.to.piles):
                continue
            if set(move.sources) <= set(hand):
                continue
            emptied = [
                c.piles.piles for c in rule.when if c.kind == "vacant" and c.piles is not None
            ]
            if not any(set(hand) & set(piles) for piles in emptied):
                return "; it may wait there while other moves are made"
        return ""

    def _is_renewed(self, stock: set[int]) -> bool:
        for rule in self.book.rules:
            action = rule.action
            if rule.during == "layout":
                continue
            if stock & action.puts_on():
                return True
        return False

    def _script(self, rule: Rule) -> str:
        when = self.words.when(rule.when, of=rule)
        clauses = rule.action.english(self.actions, forced=False) or self.actions.changes(rule)
        clauses = self.actions.said_once(clauses, rule)
        head = f"**{sentence(self.words.label(rule))}**"
        if not clauses:
            return f"{head} {self.with_terms(rule, 'nothing moves')}"
        first = f"{when}, {clauses[0]}" if when else clauses[0]
        parts = [head, sentence(first), *(f"Then {clause}." for clause in clauses[1:])]
        parts.append(self.words.limits(rule))
        if rule.why:
            parts.append(sentence(rule.why))
        return " ".join(part for part in parts if part)

    def _turn(self, rule: Rule, move: Move) -> str:
        head = f"**{sentence(self.words.label(rule))}**"
        to = self.words.one_of(move.to.piles, "a")
        role = self.book.group_of(move.to.piles[0]).role
        source = self.words.source(move)
        if role == "hand":
            empty = f", when {to} is empty" if move.to_holds[1] == 0 else ""
            text = f"{source} is turned face up into {to}{empty}{self._waits(move.to.piles)}"
        else:
            text = f"{source} may be laid on {to}"
            if move.build is not None:
                text += self.fit_clause(move)
        return f"{head} {self.with_terms(rule, text)}"

    def counters(self) -> list[str]:
        """The counters, except those of how often a rule was used."""
        lines = []
        for index, counter in enumerate(self.book.counters):
            if not self.is_mentioned(index):
                continue
            if done := self.words.done_when(counter):
                when = [(self._event(index, r, e), e.clears) for r, e in self._uses(index)]
                ends = [event for event, clears in when if clears]
                events = [event for event, clears in when if not clears]
                parts = f"it counts that {done}: {join(events, 'or')}"
                parts += f", and no longer {join(ends, 'or')}" if ends else ""
                lines.append(f"- {sentence(parts.replace('whenever', 'as soon as'))}")
                continue
            changes: list[str] = []
            for (kind, value, _, grows), uses, later in self.changes_of(index):
                known = len(changes)
                often = join((self._event(index, r, e) for r, e in uses), "and")
                if kind == "rank":
                    changes.append(f"the rank of the card {often}")
                elif kind == "set":
                    again = " again" if value == counter.start else ""
                    changes.append(f"{number(value, 'nought')}{again} {often}")
                elif kind == "add":
                    changes.append(f"{number(value)} more {often}")
                elif kind == "tally":
                    more = "as many more as " if grows else ""
                    parts = f"{more}{self.words.multiple(uses[0][1])},"
                    changes.append(f"{'twice as many' if uses[0][1].doubles else parts} {often}")
                else:
                    changes += [self._counts(rule, effect) for rule, effect in uses]
                if later:
                    changes[known:] = [f"then {change}" for change in changes[known:]]
            start = number(counter.start, "nought")
            if self.words.holds_rank(index) and counter.start < len(RANK_NAMES):
                start = f"the {RANK_NAMES[counter.start]}"
            thing = sentence(self.words.thing(counter))[:-1]
            lines.append(f"- {thing}: {start} at first; {'; '.join(changes)}.")
        return ["\n".join(lines)] if lines else []

    def changes_of(self, counter: int) -> list[tuple[_Change, list[tuple[Rule, Effect]], bool]]:
        """The changes of a counter, where they happen, and whether after others of a move."""
        uses = self._uses(counter)
        rules = [rule.name for rule, _ in uses]
        changes = sorted({change_of(effect) for _, effect in uses})
        if len(set(rules)) < len(rules):
            # A rule changes it more than once: in this order.
            changes.sort(key=_turn_of)
        parts: list[tuple[_Change, list[tuple[Rule, Effect]], bool]] = []
        seen: set[str] = set()
        for change in changes:
            own = [(rule, effect) for rule, effect in uses if change_of(effect) == change]
            parts.append((change, own, any(rule.name in seen for rule, _ in own)))
            seen |= {rule.name for rule, _ in own}
        return parts

    def is_mentioned(self, counter: int) -> bool:
        """Whether a counter stands among what is counted."""
        hidden = self.words.is_limit(counter) or self.words.is_base(counter)
        return not hidden and bool(self._uses(counter)) and not self.book.is_unread(counter)

    def is_cited(self, rule: Rule) -> bool:
        """Whether what is counted speaks of a rule by its title."""
        parts = [effect for effect in rule.effects if self.is_mentioned(effect.counter)]
        return any(self._is_doubtful(effect.counter, rule, effect) for effect in parts)

    def _uses(self, counter: int) -> list[tuple[Rule, Effect]]:
        rules = self.book.rules
        return [(rule, e) for rule in rules for e in rule.effects if e.counter == counter]

    def _is_doubtful(self, counter: int, rule: Rule, effect: Effect) -> bool:
        """Whether a rule of the same words changes the counter in another way, or not at all."""
        use, change = self.actions.use(rule), change_of(effect)
        for other in self.book.rules:
            changes = [change_of(e) for e in other.effects if e.counter == counter]
            if change not in changes and self.actions.use(other) == use:
                return True
        return False

    def _event(self, counter: int, rule: Rule, effect: Effect) -> str:
        if self._is_doubtful(counter, rule, effect):
            return f"at every “{self.words.label(rule)}”"
        return self.actions.use(rule)

    def _counts(self, rule: Rule, effect: Effect) -> str:
        mask = effect.cards.mask if effect.cards is not None else self.cards.all
        if isinstance(rule.action, Move):
            kind = self.cards.one(mask)
            article, _, rest = kind.partition(" ")
            each = f"each {rest}" if article in ("a", "an") and " or " not in rest else kind
            source = self.words.the(rule.action.sources, "or")
            to = self.words.the(rule.action.to.piles)
            return f"one more with {each} that goes from {source} to {to}"
        kind = self.cards.many(mask)
        return f"one more {self.actions.use(rule)} for each of the {kind} that are moved"


def _turn_of(change: _Change) -> int:
    """When a change is made: first what is set, then what is counted, then what is added."""
    kind, _, _, grows = change
    if kind in ("set", "rank") or (kind == "tally" and not grows):
        return 0
    return 1 if kind == "count" else 2


def change_of(effect: Effect) -> _Change:
    """What an effect does to its counter."""
    return effect.kind, effect.value, effect.of, effect.grows

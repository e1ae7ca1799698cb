"""Playing to the foundations: their order, and what goes there from where."""

from itertools import pairwise

from cadogan.i18n.english import an, counted, held, join, number, sentence, times
from cadogan.rules.explain.english.prose import circle
from cadogan.rules.explain.english.section import Section, ranks_in_words, rounds
from cadogan.rules.kinds import Move
from cadogan.rules.rulebook.group import BuildOrder, Group
from cadogan.rules.rulebook.relations import circle_of
from cadogan.rules.rulebook.rulebook import Rule
from cadogan.rules.rulebook.words import RANK_NAMES, plural

_SUITS = {
    "in suit": "in suit",
    "in alternate colours": "in alternate colours",
    "in colour": "in one colour",
    "in another suit": "with a change of suit at every card",
}


class Playing(Section):
    """Playing to the foundations: their order, and what goes there from where."""

    def playing(self) -> list[str]:
        """What the foundations take and what may be played to them; empty if there are none."""
        foundations = [group for group in self.book.groups if group.role == "foundation"]
        if not foundations:
            return []
        parts: list[str] = []
        alike: dict[str, list[Group]] = {}
        for group in foundations:
            if group.build_order is not None:
                alike.setdefault(self._programme(group, group.build_order), []).append(group)
        for text, groups in alike.items():
            nouns = [(group, self.words.noun(group)) for group in groups]
            whole = join(
                noun.the if noun.is_plural or group.count == 1 else f"the piles of {noun.the}"
                for group, noun in nouns
            )
            several = any(group.count > 1 for group in groups) or len(groups) > 1
            parts.append(sentence(f"{'each of ' if several else ''}{whole} {text}"))
            if any(
                group.build_order is not None and group.build_order.one_suit_each
                for group in groups
            ):
                parts[-1] += " A suit may be begun on one of them only."
            if any(group.build_order is not None and group.build_order.waits for group in groups):
                parts[-1] += (
                    " A card that lies there but does not belong there waits until it can go "
                    "elsewhere; nothing is laid on it. A card that belongs there stays."
                )
        plays = [r for r in self.free if isinstance(r.action, Move) and self.goes_up(r.action)]
        others = self.others("playing")
        forced = [rule for rule in self.by_itself if self.goes_up(rule.action)]
        parts += self._plays(plays)
        parts += [self.free_rule(rule) for rule in others]
        taken = {pile for rule in others for pile in rule.action.takes_from()}
        if taken and self.actions.only_together(taken):
            parts.append(
                "Two cards that lie on one another are inseparable: "
                "they can leave their pile only together."
            )
        last = []
        if forced and not plays and not others:
            last.append("Cards go to the foundations only by themselves: see below.")
        elif not plays and not others:
            pass
        elif forced:
            last.append("Some cards go up by themselves: see below.")
        else:
            last.append("Nobody is obliged to play a card.")
        if plays or others:
            last.append(self._not_played())
        last.append(self._returns(foundations))
        parts.append(" ".join(part for part in last if part))
        return parts

    def _not_played(self) -> str:
        """The groups from which no card ever goes to a foundation."""
        played: set[int] = set()
        for rule in self.book.rules:
            if self.goes_up(rule.action):
                played |= rule.action.takes_from()
        barred = [
            self.words.noun(group).the
            for group in self.book.groups
            if group.role not in ("foundation", "stock") and not played.intersection(group.piles)
        ]
        return f"No card is played from {join(barred, 'or')}." if barred else ""

    def _programme(self, group: Group, order: BuildOrder) -> str:
        cards = counted(len(order.wants))
        suit = self._in_suits(order)
        how = suit or "whatever the suits"
        share = self._share(group, order)
        ring = self.book.ranks
        decides = ""
        if order.ways:
            who = "of the first of them that has two" if order.one_way else "on each"
            decides = f"; the second card {who} decides which way"
            decides += ", for all of them" if order.one_way else ""
        if order.ring:
            begins = "any of these cards" if order.chosen else "the card dealt to it"
            again = f", {times(order.ring)} over" if order.ring > 1 else ""
            return (
                f"begins with {begins} and goes on, {how}, in this order, in which the first "
                f"rank follows the last{again}: {ranks_in_words(order.ranks)}; {cards} in all"
            )
        if order.base is not None or order.own_base or order.ways:
            low, high = RANK_NAMES[ring[0]], RANK_NAMES[ring[-1]]
            ranks = {1: f"the {low} following the {high}", -1: f"the {high} following the {low}"}
            begins = "a card of the base rank"
            if order.own_base:
                begins = "any card" if order.chosen else "the card dealt to it"
            elif order.base is None:
                begins = an(RANK_NAMES[order.ranks[0]])
            if order.by_first:
                following = [RANK_NAMES[rank] for rank in self._steps_of(2)]
                return (
                    f"begins with {begins} and is built, {how}, in steps as long as the value of "
                    f"its first card, round the corner (on {an(RANK_NAMES[ring[2]])} come "
                    f"{join(f'the {rank}' for rank in following)}, and so on), until it "
                    f"holds {cards}{share}"
                )
            way = self.words.ways(order)
            if way.endswith(","):
                return f"begins with {begins} and goes on {way} {how}, {cards} in all{share}"
            comes = ranks.get(self._step_of(order), f"the {low} is next above the {high}")
            corner = f", round the corner ({comes})" if self._is_ring(order) else ""
            return (
                f"begins with {begins} and is built {way} {how}{corner}, until it holds "
                f"{cards}{share}{decides}"
            )
        if self.words.ways(order).endswith(","):
            first = an(RANK_NAMES[order.ranks[0]])
            return f"begins with {first} and takes cards of any rank, {how}, {cards} in all{share}"
        places = [ring.index(rank) if rank in ring else -99 for rank in order.ranks]
        steps = {b - a for a, b in pairwise(places)}
        first, last = RANK_NAMES[order.ranks[0]], RANK_NAMES[order.ranks[-1]]
        begins = f"begins with {an(first)}"
        if len(steps) == 1 and steps <= {1, -1}:
            way = "up" if steps == {1} else "down"
            return f"{begins} and is built {way} {how} to the {last}, {cards} in all{share}"
        once, often = rounds(order.ranks)
        if len(order.ranks) == 1:
            return f"takes {an(RANK_NAMES[once[0]])} and nothing else{share}"
        if len(once) == 1 < often:
            return f"takes {number(often)} {plural(once[0])}, {how}{share}"
        listed = ranks_in_words(once)
        again = f", {times(often)} over" if often > 1 else ""
        return f"takes {cards}, {how}, in this order{again}: {listed}{share}"

    def _steps_of(self, place: int) -> list[int]:
        """The ranks that follow a first card of a certain place, in steps of its value."""
        ring = self.book.ranks
        return [ring[(place + step * (place + 1)) % len(ring)] for step in range(1, 6)]

    @staticmethod
    def _in_suits(order: BuildOrder) -> str:
        """How the suits follow one another; empty if they do not matter."""
        clause = order.relation.terms[0].suit if order.relation is not None else ""
        if circle_of(clause):
            return f"with the next suit at every card ({circle(clause)})"
        return _SUITS.get(clause, "")

    @staticmethod
    def _is_ring(order: BuildOrder) -> bool:
        """Whether a foundation is built round the corner."""
        known = order.base is None and not order.own_base
        return not known or any(t.corner for relation in order.phrases for t in relation.terms)

    def _step_of(self, order: BuildOrder) -> int:
        """How many ranks a foundation rises from card to card; 0 if it does so in several ways."""
        terms = [term for relation in order.phrases for term in relation.terms]
        steps = {step for term in terms for step in term.steps}
        ring = self.book.ranks
        if not steps:
            rises = order.ranks[1:2] == (ring[(ring.index(order.ranks[0]) + 1) % len(ring)],)
            return 1 if rises else -1
        return steps.pop() if len(steps) == 1 else 0

    def _share(self, group: Group, order: BuildOrder) -> str:
        """How many foundations there are in a suit, when there are several."""
        if order.relation is None or order.relation.terms[0].suit != "in suit":
            return ""
        laid = [card % 4 for card, pile in self.book.preset if pile in group.piles]
        suits = set(laid if len(laid) == group.count else self.book.suits)
        if group.count % len(suits) or group.count // len(suits) < 2:
            return ""
        return f"; there are {number(group.count // len(suits))} for each suit"

    def _plays(self, plays: list[Rule]) -> list[str]:
        """Free plays, those alike in all but the foundations together."""
        alike: dict[tuple[object, ...], list[Rule]] = {}
        for rule in plays:
            move = rule.action
            assert isinstance(move, Move)
            key = (
                move.from_, move.along.text, move.to_holds, move.from_holds, move.which.mask,
                move.prefer, move.build_order, move.cards,
                move.build.texts if move.build else None, move.space.mask, move.first_vacant,
                move.asks,
                tuple(self.words.condition(c) for c in rule.when), rule.effects, rule.why,
            )  # fmt: skip
            alike.setdefault(key, []).append(rule)
        parts = []
        for rules in alike.values():
            move = rules[0].action
            assert isinstance(move, Move)
            targets = tuple(
                p for r in rules if isinstance(r.action, Move) for p in r.action.to.piles
            )
            parts.append(self._play(rules[0], move, targets))
        return parts

    def _play(self, rule: Rule, move: Move, targets: tuple[int, ...]) -> str:
        source = self.words.source(move)
        source = f"{source}," if "," in source else source
        if move.to_holds == (0, 0):
            place = self.words.vacancy(targets, "the first" if move.first_vacant else "a")
        elif move.to_holds[0] > 0:
            begun = "has been begun"
            if move.to_holds[0] > 1 or move.to_holds[1] < len(self.book.deck):
                begun = f"holds {held(*move.to_holds)}"
            place = f"{self.words.one_of(targets, 'a')} that {begun}"
        else:
            place = self.words.the(targets, "or")
        if (move.along.text == "same place" and move.to_holds[1]) or move.asks.to_turn:
            place = self.words.one_of(targets, "the")
        linked = self.words.linked(move)
        text = f"{source} may be played to {place} {linked}".rstrip()
        fits = "if it comes next there" if move.build_order and move.to_holds[1] else ""
        if move.along.text == "same place" and move.to_holds[0] > 0:
            fits = "if that has been begun and the card comes next there"
        clauses = f"{fits}{self._fit_end(move)}".strip()
        parts = [self.with_terms(rule, f"{text}, {clauses}" if clauses else text)]
        if move.to_holds[0] == 0 < move.to_holds[1] < 65535:
            parts.append(f"Before that, it may hold {held(*move.to_holds)}.")
        if move.beside is not None:
            parts.append(
                f"An empty one takes only a card that {self.words.fits_beside(move.beside)}."
            )
        if move.prefer is not None:
            pile = self.words.pile(move.prefer)
            parts.append(
                f"Of equal cards that of {pile} comes first: while one lies on top of {pile}, "
                "its double may not be played from elsewhere."
            )
        return " ".join(parts)

    def _fit_end(self, move: Move) -> str:
        if move.build is None or any(term.anything for term in move.build.terms):
            return ""
        lead = " and" if move.build_order else "if it"
        return f"{lead} is {self.cards.fits(move.build)} compared with the card it is laid on"

    def _returns(self, foundations: list[Group]) -> str:
        piles = {
            pile
            for group in foundations
            if group.build_order is None or not group.build_order.waits
            for pile in group.piles
        }
        taking = [rule.action for rule in self.book.rules if piles & rule.action.takes_from()]
        if taking and all(isinstance(action, Move) and self.goes_up(action) for action in taking):
            return "Nothing else leaves a foundation."
        for action in taking:
            back = "Cards may come back from the foundations: see below."
            return back if isinstance(action, Move) else ""
        waits = any(g.build_order is not None and g.build_order.waits for g in foundations)
        return "" if waits else "What lies on a foundation stays there."

"""The steps of scripts, carried out on a position."""

from typing import Any

from cadogan.certificates.interpreter.places import Places
from cadogan.certificates.interpreter.position import CARD, DOWN, Position, piles_of
from cadogan.deals.own import reshuffled


class Scripts(Places):
    """Carries out the scripts of one program."""

    def _transfer(
        self,
        position: Position,
        source: int,
        target: int,
        count: int,
        face: str,
        *,
        source_end: str = "top",
        target_end: str = "top",
        turn: bool = False,
    ) -> bytes:
        """Moves a block of cards, at most as many as there are and as fit; returns the cards."""
        piles = position.piles
        cards = piles[source]
        count = min(count, len(cards), self._room(position, target))
        if count <= 0:
            return b""
        if source_end == "top":
            block, piles[source] = cards[-count:], cards[:-count]
        else:
            block, piles[source] = cards[:count], cards[count:]
        if turn:
            block = block[::-1]
        if face == "up":
            block = bytes(card & CARD for card in block)
        elif face == "down":
            block = bytes(card | DOWN for card in block)
        onto = piles[target]
        piles[target] = onto + block if target_end == "top" else block + onto
        return block

    def _set_counter(self, position: Position, counter: int, value: int) -> None:
        position.counters[counter] = min(value, self.tables.counters[counter].cap)

    def _script_applies(self, position: Position, rule: Any) -> bool:
        """Whether a script would change anything."""
        steps = rule.action.steps
        if any(self._would_change(position, step) for step in steps):
            return True
        if any(
            step.kind in ("deal", "take", "gather", "route", "shuffle", "close-up", "by-counter")
            or step.kind in ("sink", "slip", "pick", "turn")
            for step in steps
        ):
            return False
        for effect in rule.effects:
            value, cap = position.counters[effect.counter], self.tables.counters[effect.counter].cap
            if effect.kind == "set" and value != min(effect.value, cap):
                return True
            if effect.kind == "add" and effect.value > 0 and value < cap:
                return True
            if effect.kind == "tally" and value != min(self._tallied(position, effect), cap):
                return True
        return False

    @staticmethod
    def _tallied(position: Position, effect: Any) -> int:
        """A multiple of a counter, or what another one comes to with it."""
        before = position.counters[effect.counter] if effect.grows else 0
        return int(before + effect.times * position.counters[effect.of])

    def _would_change(self, position: Position, step: Any) -> bool:
        """Whether a step would change the position."""
        if step.kind == "shuffle":
            return bool(position.piles[step.pile])
        after = position.copy()
        self._run_step(after, step)
        if step.kind == "take":
            return bool(after.piles[step.to] != position.piles[step.to])
        return (after.piles, after.counters, after.closed) != (
            position.piles,
            position.counters,
            position.closed,
        )

    def _run_step(self, position: Position, step: Any) -> None:
        piles = position.piles
        if step.kind == "deal":
            self._deal_cards(position, step)
        elif step.kind == "take" and step.source == step.to:
            cards, count = piles[step.to], self._quantity(position, step)
            cut = min(count, len(cards)) if step.end == "bottom" else max(len(cards) - count, 0)
            piles[step.to] = cards[cut:] + cards[:cut]
        elif step.kind == "take":
            self._transfer(
                position,
                step.source,
                step.to,
                self._quantity(position, step),
                step.face,
                source_end=step.end,
                target_end=step.at,
                turn=step.turned,
            )
        elif step.kind == "gather":
            kept = self._kept(position, getattr(step, "keep", None))
            for pile in step.piles:
                count = 0 if pile in kept else len(piles[pile])
                self._transfer(
                    position,
                    pile,
                    step.to,
                    count,
                    step.face,
                    target_end=step.at,
                    turn=step.turned,
                )
        elif step.kind == "route":
            self._route(position, step)
        elif step.kind == "sink":
            for pile in step.piles:
                below = [card for card in piles[pile] if step.cards >> (card & CARD) & 1]
                above = [card for card in piles[pile] if not step.cards >> (card & CARD) & 1]
                piles[pile] = bytes(below + above)
        elif step.kind == "slip":
            for pile in step.piles:
                cards = piles[pile]
                if any(not step.cards >> (card & CARD) & 1 for card in cards):
                    while step.cards >> (piles[pile][-1] & CARD) & 1:
                        piles[pile] = piles[pile][-1:] + piles[pile][:-1]
        elif step.kind == "turn":
            for pile in step.piles:
                cards = piles[pile][::-1] if step.turned else piles[pile]
                if step.face != "keep":
                    down = DOWN if step.face == "down" else 0
                    cards = bytes(card & CARD | down for card in cards)
                piles[pile] = cards
        elif step.kind == "by-counter":
            selected = position.counters[step.counter]
            if selected < len(step.steps):
                self._run_step(position, step.steps[selected])
        elif step.kind == "pick":
            held = piles[step.source]
            fits = [at for at, card in enumerate(held) if step.cards >> (card & CARD) & 1]
            if fits and self._room(position, step.to) > 0:
                at = fits[-1]
                piles[step.source] = held[:at] + held[at + 1 :] + held[at : at + 1]
                self._transfer(position, step.source, step.to, 1, step.face)
        elif step.kind == "close-up":
            closed = [piles[pile] for pile in step.piles if piles[pile]]
            closed += [b""] * (len(step.piles) - len(closed))
            for pile, cards in zip(step.piles, closed, strict=True):
                piles[pile] = cards
        elif step.kind == "close":
            for pile, partner in step.pairs:
                bit = 1 << pile
                closes = self._is_complete(position, partner)
                position.closed = position.closed | bit if closes else position.closed & ~bit
        elif step.kind == "base":
            if piles[step.of]:
                self._set_counter(position, step.counter, (piles[step.of][-1] & CARD) // 4)
        elif step.kind == "shuffle":
            if piles[step.pile]:
                made = position.counters[step.counter]
                cards = (card & CARD for card in piles[step.pile])
                order = reshuffled(cards, position.seed, made)
                piles[step.pile] = bytes(card | DOWN for card in reversed(order))
                self._set_counter(position, step.counter, made + 1)
        elif step.kind != "settle":
            raise ValueError(f"unknown step {step.kind!r}")

    def _kept(self, position: Position, runs: Any) -> set[int]:
        """The piles that are not gathered, because their cards lie in order."""
        kept: set[int] = set()
        for line in runs.lines if runs is not None else ():
            fits = runs.cards
            for pile in line:
                in_order = bool(position.piles[pile])
                for card in position.piles[pile]:
                    in_order &= card == card & CARD and bool(fits >> (card & CARD) & 1)
                    fits = self.relations[runs.relation][card & CARD]
                if not in_order:
                    break
                kept.add(pile)
        return kept

    def _deal_cards(self, position: Position, step: Any) -> None:
        """Deals cards one by one to some piles."""
        piles = position.piles
        lines = getattr(step, "leave", ())
        left = [next((pile for pile in line if not piles[pile]), None) for line in lines]
        if getattr(getattr(step, "terms", None), "emptiest_first", False):
            some = [pile for pile in step.to if self._takes_dealt(position, step, pile)]
            while takers := [
                pile
                for pile in some
                if self._room(position, pile) and self._lacks(position, step, pile)
            ]:
                emptiest = min(takers, key=lambda pile: len(piles[pile]))
                if not self._deal_card(position, step, emptiest):
                    return
            return
        for target in step.to:
            if target in left or not self._takes_dealt(position, step, target):
                continue
            if not self._lacks(position, step, target):
                continue
            for _ in range(step.each):
                if not self._room(position, target) or not self._is_below(position, step, target):
                    break
                if not self._deal_card(position, step, target):
                    return

    def _takes_dealt(self, position: Position, step: Any, pile: int) -> bool:
        """Whether a pile is one of those that get cards."""
        only = getattr(step, "only", "any")
        state = only == "any" or bool(position.piles[pile]) == (only == "occupied")
        return state and not position.closed >> pile & 1 and self._room(position, pile) > 0

    def _lacks(self, position: Position, step: Any, pile: int) -> bool:
        """Whether a pile gets cards, by how many and which cards it holds."""
        ending = getattr(getattr(step, "terms", None), "passes_over", None)
        if ending is not None and self._ends_in(position.piles[pile], ending):
            return False
        return self._is_below(position, step, pile)

    def _is_below(self, position: Position, step: Any, pile: int) -> bool:
        """Whether a pile holds fewer cards than the number up to which it gets any."""
        up_to = getattr(getattr(step, "terms", None), "up_to", None)
        if up_to is None:
            return True
        most = up_to.number if up_to.kind == "fixed" else self._times(position, up_to)
        return len(position.piles[pile]) < int(most)

    def _ends_in(self, cards: bytes, ending: Any) -> bool:
        """Whether a pile ends in a sequence, or is one, that begins with a certain card."""
        length = self._run_at_top(cards, ending.relation)
        begins = cards[len(cards) - length :]
        if ending.whole:
            return 0 < length == len(cards) and bool(ending.cards >> cards[0] & 1)
        return any(ending.cards >> card & 1 for card in begins)

    def _deal_card(self, position: Position, step: Any, target: int) -> bool:
        """Deals a card to a pile that has room, after those that go up instead."""
        piles = position.piles
        goes_up = getattr(getattr(step, "terms", None), "goes_up", None)
        apart = getattr(step, "apart", None)
        while True:
            sources = [pile for pile in (step.source, *getattr(step, "then", ())) if piles[pile]]
            if not sources:
                return False
            source = sources[0]
            card = piles[source][-1] & CARD
            if goes_up is not None and goes_up.cards >> card & 1:
                takers = (
                    pile
                    for pile in goes_up.to
                    if self._room(position, pile) > 0 and self.wanted(position, pile) >> card & 1
                )
                taker = next(takers, None)
                if taker is not None:
                    self._transfer(position, source, taker, 1, "up")
                    if goes_up.replaced:
                        continue
                    return True
            if apart is not None:
                table = self.relations[apart]
                barred = [table[under & CARD] for under in piles[target]]
                for passed in range(len(piles[source])):
                    card = piles[source][-1 - passed] & CARD
                    if not any(cards >> card & 1 for cards in barred):
                        cut = len(piles[source]) - passed
                        piles[source] = piles[source][cut:] + piles[source][:cut]
                        break
            self._transfer(position, source, target, 1, step.face)
            return True

    def _times(self, position: Position, number: Any) -> int:
        """A multiple of a counter."""
        return int(number.factor * position.counters[number.counter])

    def _route(self, position: Position, step: Any) -> None:
        """Deals top cards by class, each to the first empty pile of its way."""
        piles = position.piles
        stops = piles_of(step.until)
        while piles[step.source] and (not stops or any(not piles[pile] for pile in stops)):
            card = piles[step.source][-1] & CARD
            way = next((way for way in step.ways if way.cards >> card & 1), None)
            if way is None:
                return
            vacant = (p for p in way.to if not piles[p] and self._room(position, p) > 0)
            if not self._transfer(position, step.source, next(vacant, way.overflow), 1, "up"):
                return
            if not stops:
                return

    def _quantity(self, position: Position, step: Any) -> int:
        """How many cards to take."""
        number = step.number
        cards = position.piles[step.source]
        if number.kind == "all":
            return len(cards)
        if number.kind == "fixed":
            return int(number.number)
        if number.kind == "held":
            return int(number.factor * self._count(position.piles[number.pile], number.cards))
        product = self._times(position, number)
        if number.kind == "times":
            return product
        # The fewest cards that include so many of the class.
        taken = found = 0
        for card in reversed(cards) if step.end == "top" else cards:
            if found == product:
                break
            found += self._count((card,), number.cards)
            taken += 1
        return taken

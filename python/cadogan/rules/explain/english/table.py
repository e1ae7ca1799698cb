"""The pack and the table: what there is, and how it is laid out."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import groupby, pairwise

from cadogan.i18n.english import an, counted, join, number, ordinal, sentence
from cadogan.rules.explain.english.section import Section, mask_of, plain, ranks_in_words
from cadogan.rules.kinds import Move
from cadogan.rules.rulebook.group import Covering, Group
from cadogan.rules.rulebook.step import Step
from cadogan.rules.rulebook.words import JOKER, RANK_NAMES, SUIT_NAMES, counted_cards, plural


class Table(Section):
    """The pack and the table: what there is, and how it is laid out."""

    def pack(self) -> list[str]:
        """The cards, those withdrawn, those taken out, and how they rank."""
        book = self.book
        whole = 52 * book.packs
        packs = counted(book.packs, "pack")
        used = len(book.ranks) * len(book.suits) * book.packs
        jokers = f" and {counted(book.jokers, 'joker')}" if book.jokers else ""
        every = used + book.jokers
        parts = []
        if used == whole:
            cards = f", {every} cards in all" if book.packs > 1 or jokers else ""
            parts.append(f"{packs} of 52 cards{jokers}{cards}")
        else:
            parts.append(
                f"{packs} of 52 cards, of which only {self._used()} are used{jokers and ','}"
                f"{jokers}: {every} cards"
            )
        withdrawn = every - self.total
        if book.without:
            left = f"; {self.total} cards take part" if withdrawn else ""
            some = self.copies(self.withdrawn())
            if some:
                verb = "is" if withdrawn == 1 else "are"
                parts.append(f"{some} {verb} withdrawn before play{left}")
            else:
                kinds = join(self.cards.many(cards.mask) for cards in book.without)
                out = f"the {kinds} ({counted(withdrawn)})"
                if withdrawn == len(book.without):
                    out = join(f"the {_card(card)}" for card in self.withdrawn())
                parts.append(f"{out} are withdrawn before play{left}")
        if book.preset:
            parts += self._bases()
        parts.append(self._ranking())
        return [" ".join(sentence(text) for text in parts)]

    def _used(self) -> str:
        book = self.book
        suits = join(SUIT_NAMES[suit] for suit in book.suits)
        if len(book.ranks) == 13:
            return f"the {suits}"
        ranks = join(self.cards.many(0b1111 << rank * 4) for rank in sorted(book.ranks))
        return f"the {ranks}" + ("" if len(book.suits) == 4 else f" of {suits}")

    def withdrawn(self) -> list[int]:
        """The cards that take no part."""
        book = self.book
        used = (rank * 4 + suit for rank in book.ranks for suit in book.suits)
        whole = Counter(dict.fromkeys(used, book.packs))
        here = Counter([*book.deck, *(card for card, _ in book.preset)])
        return sorted((whole - here).elements())

    def has_other_copies(self, cards: Sequence[int]) -> bool:
        """Whether the packs have more copies of some of these cards."""
        return any(number < self.book.packs for number in Counter(cards).values())

    def copies(self, cards: Sequence[int]) -> str:
        """Names cards by number, if other copies of them take part; else nothing."""
        if not self.has_other_copies(cards):
            return ""
        named = []
        for count, mask, each in counted_cards(cards, self.book.suits):
            one = self.cards.one(mask).partition(" ")[2]
            which = f"one {one}" if count == 1 else f"{number(count)} {self.cards.many(mask)}"
            named.append(which + (" of each suit" if each else ""))
        return join(named)

    def laid_out(self, group: Group) -> list[int]:
        """The cards laid out before the deal on the piles of a group, in the order of these."""
        return [
            card
            for card, pile in sorted(self.book.preset, key=lambda laid: laid[1])
            if pile in group.piles
        ]

    def are_named(self, laid: Sequence[int]) -> bool:
        """Whether several cards laid out are of no common kind, so that each must be named."""
        suits: dict[int, set[int]] = {}
        for card in laid:
            suits.setdefault(card // 4, set()).add(card % 4)
        kinds = (set(self.book.suits), {0, 3}, {1, 2})
        return len(laid) == len(set(laid)) > 1 and any(s not in kinds for s in suits.values())

    def _bases(self) -> list[str]:
        parts: list[str] = []
        for group in self.book.groups:
            laid = self.laid_out(group)
            if laid:
                every = f"the {number(len(laid))} {self.cards.many(mask_of(laid))}"
                if self.are_named(laid):
                    every = join(f"the {_card(card)}" for card in laid)
                if len(laid) == 1:
                    every = f"the {self.cards.one(mask_of(laid)).partition(' ')[2]}"
                some = self.copies(laid)
                single = len(laid) == 1 or (some.startswith("one ") and some.endswith(" each suit"))
                out = "" if parts else " is taken out" if single else " are taken out"
                parts.append(f"{some or every}{out} for {self.words.noun(group).the}")
        return [f"beforehand {join(parts)}", f"the other {len(self.book.deck)} cards are shuffled"]

    def _ranking(self) -> str:
        ranks = self.book.ranks
        if ranks == tuple(range(13)):
            lowest, highest = (RANK_NAMES[rank] for rank in self.cards.extremes())
            return f"the {lowest} is the lowest card, the {highest} the highest"
        return f"the cards rank, from the lowest to the highest: {ranks_in_words(ranks)}"

    def table(self) -> list[str]:
        """The groups of piles, what lies there, and how the cards are dealt."""
        parts: list[str] = []
        if self.book.picture:
            parts += ["The piles lie as in this picture:", self._picture()]
        parts.append("\n".join(self._group_line(group) for group in self.book.groups))
        parts += [self._covering(covering) for covering in self.book.coverings]
        parts.append(self._laying_out())
        forced = self.in_layout
        if any(rule.during == "layout" for rule in forced):
            which = "; of two that apply, the first in this list comes first" * (len(forced) > 1)
            parts.append(
                "While the table is laid out, the following happens by itself, as often as it "
                f"applies{which}:"
            )
            lines = (
                f"{place}. {self.actions.forced(rule)}" for place, rule in enumerate(forced, 1)
            )
            parts.append("\n".join(lines))
        if not self.book.picture and any(group.count > 1 for group in self.book.groups):
            parts.append("In each group the piles are counted from left to right.")
        return parts

    def _picture(self) -> str:
        places = self.book.picture
        cells: dict[tuple[int, float], str] = {}
        marks: dict[str, str] = {}
        for place, pile in places.items():
            group = self.book.group_of(pile)
            mark = group.mark or group.name
            cells[place] = mark + (str(pile - group.first + 1) if group.count > 1 else "")
            marks[mark] = self.words.noun(group).the
        rows = [f"    {line}" for line in _grid(cells)]
        ordered = [g.mark or g.name for g in self.book.groups if (g.mark or g.name) in marks]
        key = join(
            f"{mark} {'stands ' if place == 0 else ''}for {marks[mark]}"
            for place, mark in enumerate(ordered)
        )
        there = set(places.values())
        beside = [p for g in self.book.groups for p in g.piles if not there & set(g.piles)]
        if beside:
            key += (
                f"; {self.words.the(beside)} lie{'' if self._several(beside) else 's'} beside them"
            )
        return "\n".join(rows) + f"\n\n{sentence(key)}"

    def _covering(self, covering: Covering) -> str:
        """When the cards of a group may be used."""
        group = next(group for group in self.book.groups if group.name == covering.group)
        cards = f"of {self.words.noun(group).the}"
        is_built_on = self._is_built_on(group)
        if covering.covered:
            covers = "those" if covering.number is None else f"the {number(covering.number)}"
            return (
                f"Each card {cards} is covered by {covers} {covering.sides[0]} it, as in the "
                f"picture, until {'that is' if covering.number == 1 else 'these are'} gone. "
                "A covered card may not be used"
                f"{', and nothing is put on it' if is_built_on else ''}"
                f"{self._dropped_on(group)}."
            )
        if covering.nearest:
            beside = join((_BESIDE[side] for side in covering.sides), "or")
            return (
                f"A card {cards} may be used{', or built on,' if is_built_on else ''} only while "
                f"one of the nearest places {beside} is vacant, as in the picture"
                f"{self._dropped_on(group)}. Where no place lies {_BESIDE[covering.sides[0]]}, "
                "nothing is in its way."
            )
        kind = "all places" if covering.whole else "the place"
        beside = join((f"{kind} {_BESIDE[side]}" for side in covering.sides), "or")
        verb = "are" if covering.whole else "is"
        return (
            f"A card {cards} may be used{', or built on,' if is_built_on else ''} only while "
            f"{beside} {verb} vacant{self._dropped_on(group)}. Where the picture ends, nothing is "
            "in its way."
        )

    def _is_built_on(self, group: Group) -> bool:
        """Whether a rule puts cards on others of a group."""
        piles = set(group.piles)
        moves = [rule.action for rule in self.book.rules if isinstance(rule.action, Move)]
        return any(move.can_stack(piles) for move in moves)

    def is_dropped_on(self, group: Group) -> bool:
        """Whether cards of a group may be built on by what alone covers them."""
        moves = [rule.action for rule in self.book.rules if isinstance(rule.action, Move)]
        return any(move.asks.drops and set(group.piles) & move.puts_on() for move in moves)

    def _dropped_on(self, group: Group) -> str:
        if not self.is_dropped_on(group):
            return ""
        return "; but the one pile in its way may go on it, where the rules of building say so"

    def _several(self, piles: Sequence[int]) -> bool:
        return len(self.words.groups(piles)) > 1 or self.words.are_many(piles)

    def _group_line(self, group: Group) -> str:
        noun = self.words.noun(group)
        name = noun.the.removeprefix("the ")
        return f"- **The {name}**: {self._group_text(group)}."

    def _group_text(self, group: Group) -> str:
        hands = self._dealt(group)
        many = group.count > 1
        kind = "pile"
        if group.role == "foundation" and "foundation" not in self.words.noun(group).the:
            kind = "foundation"
        if group.role == "stock":
            return self._stock_text(group)
        if group.role == "hand":
            return "the place of the card just turned, until it is used or laid off; empty at first"
        if group.role == "cell" and not any(hands):
            places = f"{counted(group.count, 'place')} for one card"
            return f"{places}{' each' if group.count > 1 else ''}, empty at first"
        laid = self.laid_out(group)
        if laid:
            text = f"{counted(group.count, kind)}, {self._laid(group, laid)}"
            others = self._beside(group, hands)
            if others:
                text += f"; the others hold {counted(len(others))} each, {self._faces(others)}"
            elif any(hands):
                on_them = self._heights(hands, many).removeprefix(" of ").lstrip(":; ")
                text += f"; what is dealt on {'them' if many else 'it'}: {on_them}"
        elif self._filled_in_layout(group) and not any(hands):
            text = f"{counted(group.count, kind)}, filled while the table is laid out (see below)"
        else:
            text = f"{counted(group.count, kind)}{self._heights(hands, many)}"
            if self._may_be_short(group):
                text += ", fewer where cards go up while they are dealt"
        return text + self._sight(group, hands) + self._limit(group)

    def _may_be_short(self, group: Group) -> bool:
        """Whether cards go up in place of some that are dealt to a group."""
        return any(
            step.goes_up is not None
            and not step.goes_up.replaced
            and not set(group.piles).isdisjoint(step.to.piles if step.to is not None else ())
            for step in self.book.layout
        )

    def _beside(self, group: Group, hands: list[list[str]]) -> list[str]:
        """What each pile of a group is dealt, if it is dealt to those without a card laid out."""
        laid = {pile for _, pile in self.book.preset}
        others = [hand for pile, hand in zip(group.piles, hands, strict=True) if pile not in laid]
        alike = all(hand == others[0] for hand in others)
        return (
            others[0]
            if others and alike and sum(map(len, hands)) == len(others) * len(others[0])
            else []
        )

    @staticmethod
    def _limit(group: Group) -> str:
        if group.holds is None:
            return ""
        pile = "no pile" if group.count > 1 else "it"
        never = "may ever" if group.count > 1 else "never"
        verb = "hold" if group.count > 1 else "holds"
        return f"; {pile} {never} {verb} more than {counted(group.holds)}"

    def _laid(self, group: Group, laid: list[int]) -> str:
        kind = self.cards.one(mask_of(laid))
        if len(laid) == self.book.packs == 1:
            kind = f"the {_card(laid[0])}"
        if group.count == len(laid) > 1 and self.in_a_row(laid):
            cards = [
                (an if self.book.packs > 1 else "the {}".format)(_card(same[0]))
                if len(same) == 1
                else f"{number(len(same))} {plural(rank)}"
                for rank, same in self.in_a_row(laid)
            ]
            return (
                f"on which, from the first to the last, {join(cards)} are laid out before the deal"
            )
        if group.count == 1:
            every = [*self.book.deck, *(card for card, _ in self.book.preset)]
            if len(laid) == every.count(laid[0]) == 1:
                kind = f"the {kind.partition(' ')[2]}"
            return f"on which {kind} is laid out before the deal"
        if len(laid) < group.count:
            those = "the first" if len(laid) == 1 else f"the first {number(len(laid))}"
            return f"{those} beginning with {kind} that is laid out before the deal"
        return f"each beginning with {kind} that is laid out before the deal"

    def in_a_row(self, laid: Sequence[int]) -> list[tuple[int, list[int]]]:
        """The cards laid out on piles one after another, if each must be named: by rank."""
        if self.are_named(laid):
            return [(card // 4, [card]) for card in laid]
        runs = [(rank, list(same)) for rank, same in groupby(laid, lambda card: card // 4)]
        return runs if len(runs) > 1 and all(len(same) > 2 for _, same in runs) else []

    def _stock_text(self, group: Group) -> str:
        if self.book.source_pile not in group.piles:
            return "one pile, face down, empty at first"
        if group.shown == "none":
            sight = "face down"
        else:
            sight = "face down; what has been turned up may be seen"
        left = self._left()
        if left is None:
            return f"the rest of the cards, {sight}"
        return (
            f"the remaining {counted(left)}, {sight}"
            if left
            else f"one pile, {sight}, empty at first"
        )

    def _left(self) -> int | None:
        """How many cards are left when the table is laid out, if that can be told."""
        kinds = ("deal", "base", "sink", "pick", "settle")
        if any(step.kind not in kinds or not _is_counted(step) for step in self.book.layout):
            return None
        source = self.book.source_pile
        if any(source in r.action.takes_from() | r.action.puts_on() for r in self.in_layout):
            return None
        dealt = sum(len(s.to.piles) * s.each for s in self.book.layout if s.to is not None)
        return max(0, len(self.book.deck) - dealt)

    def _dealt(self, group: Group) -> list[list[str]]:
        """The faces of the cards dealt to each pile of a group, bottom first."""
        faces: dict[int, list[str]] = {pile: [] for pile in group.piles}
        for step in self.book.layout:
            if step.kind == "deal" and step.to is not None and step.only == "any":
                for pile in step.to.piles:
                    if pile in faces:
                        lacks = step.each - (len(faces[pile]) if step.up_to is not None else 0)
                        faces[pile] += [step.face] * lacks
            elif step.rank is not None:
                for pile in step.targets:
                    if pile in faces:
                        faces[pile].append(step.face)
        return list(faces.values())

    def _heights(self, hands: list[list[str]], many: bool) -> str:
        each = " each" if many else ""
        runs = [(len(list(same)), hand) for hand, same in groupby(hands)]
        if len(runs) == 1:
            hand = hands[0]
            if not hand:
                return ", empty at first"
            return f" of {counted(len(hand))}{each}, {self._faces(hand)}"
        if len(runs) <= 3 or any(map(is_mixed, hands)):
            return ": " + "; ".join(self._runs(runs))
        if places := rare_places([tuple(hand) for hand in hands]):
            rare = hands[places[0] - 1]
            common = next(hand for hand in hands if hand != rare)
            who = f"the {join(ordinal(place) for place in places)}"
            parts = [self._hold(who, len(places) > 1, rare), self._hold("the others", True, common)]
            return ": " + "; ".join(parts)
        way = "from the first to the last they hold"
        if [] in hands and hands.index([]) == len(hands) - 1:
            hands = hands[:-1]
            way = "the last is empty; the others hold, from the first to the last,"
        downs, ups = [hand.count("down") for hand in hands], [hand.count("up") for hand in hands]
        if len(set(ups)) == 1 and ups[0]:
            on_them = f"and on them {counted(ups[0])} each, face up"
            return f"; {way} {plain(downs)} face-down {_cards(downs)}, {on_them}"
        if not any(downs):
            return f"; {way} {plain(ups)} {_cards(ups)}, face up"
        on_them = f"and on them, face up, {plain(ups)}"
        if len(set(ups[1:])) == 1:
            first, others = counted(ups[0]), number(ups[1])
            on_them = f"and face up {first} in the first and {others} in each of the others"
        return f"; {way} {plain(downs)} face-down {_cards(downs)}, {on_them}"

    def _runs(self, runs: list[tuple[int, list[str]]]) -> list[str]:
        parts = []
        for place, (count, hand) in enumerate(runs):
            if place == 0:
                who = "the first" if count == 1 else f"the first {number(count)}"
            elif place == len(runs) - 1:
                who = "the last" if count == 1 else f"the other {number(count)}"
            else:
                who = "the next" if count == 1 else f"the next {number(count)}"
            if len(runs) == 2 and place == 1 and runs[0][0] == 1:
                who = "the other" if count == 1 else "the others"
            parts.append(self._hold(who, count > 1, hand))
        return parts

    def _hold(self, who: str, plural: bool, hand: list[str]) -> str:
        """What some piles of a group hold: ``"the first holds one card, face up"``."""
        if not hand:
            return f"{who} {'are' if plural else 'is'} empty"
        held = f"{who} hold{'' if plural else 's'} {counted(len(hand))}{' each' if plural else ''}"
        return f"{held}, {self._faces(hand)}"

    @staticmethod
    def _faces(hand: list[str]) -> str:
        if is_by_turns(hand):
            return f"face down and face up by turns, the top one face {hand[-1]}"
        if is_mixed(hand):
            runs = [(len(list(same)), face) for face, same in groupby(hand)]
            return "from the bottom " + join(f"{number(count)} face {face}" for count, face in runs)
        down, up = hand.count("down"), hand.count("up")
        if not down:
            return "face up"
        if not up:
            return "face down"
        top = "the top one" if up == 1 else f"the top {number(up)}"
        return f"{number(down)} face down and {top} face up"

    def _sight(self, group: Group, hands: list[list[str]]) -> str:
        if group.role in ("foundation", "cell") or self.words.is_single(group):
            return ""
        if group.shown == "top":
            return "; only the top card can be seen"
        if group.shown == "none":
            return (
                "; its cards cannot be seen" if group.count == 1 else "; their cards cannot be seen"
            )
        hidden = any("down" in hand for hand in hands)
        if hidden:
            return "; all face-up cards can be seen"
        if any(len(hand) > 1 for hand in hands):
            return "; all of them can be seen"
        return "; all that comes to lie there can be seen"

    def _filled_in_layout(self, group: Group) -> bool:
        piles = set(group.piles)
        for step in self.book.layout:
            if any(piles.intersection(way.to.piles) for way in step.ways):
                return True
            if step.kind == "pick" and piles.intersection(step.targets):
                return True
            if step.kind in ("take", "gather") and piles.intersection(step.targets):
                emptied = any(piles.intersection(other.sources) for other in self.book.layout)
                return not emptied
        return any(
            isinstance(rule.action, Move) and piles.intersection(rule.action.to.piles)
            for rule in self.in_layout
            if rule.during == "layout" and group.role != "foundation"
        )

    def _laying_out(self) -> str:
        """In which order the cards are dealt."""
        parts: list[str] = []
        dealt: list[tuple[str, list[int]]] = []
        for step in self.book.layout:
            if step.kind == "deal" and step.to is not None and step.is_plain:
                names = [group.name for group in self.words.groups(step.to.piles)]
                visits = [pile for pile in step.to.piles for _ in range(step.each)]
                if dealt and names == [dealt[-1][0]]:
                    dealt[-1][1].extend(visits)
                else:
                    dealt += [
                        (name, [p for p in visits if self.book.group_of(p).name == name])
                        for name in names
                    ]
            elif step.kind != "settle":
                parts += self._deals(dealt, later=bool(parts))
                dealt = []
                parts.append(self.actions.step(step))
        parts += self._deals(dealt, later=bool(parts))
        if self.words.is_pack(self.book.source_pile) and (left := self._left()) is not None:
            parts.append(
                f"the remaining {counted(left)} take no part" if left else "all the cards are dealt"
            )
        if self.book.deal_again:
            ifs = join(self.words.condition(each) for each in self.book.deal_again)
            parts.append(f"if then {ifs}, all the cards are shuffled and dealt again")
        return " ".join(sentence(clause) for clause in parts if clause)

    def _deals(self, dealt: list[tuple[str, list[int]]], *, later: bool) -> list[str]:
        """What is dealt, one group after another; ``later`` if something was dealt before."""
        texts = []
        for name, visits in dealt:
            group = next(group for group in self.book.groups if group.name == name)
            texts.append((group, self._rhythm(group, visits)))
        if not texts:
            return []
        if len(texts) == 1:
            group, rhythm = texts[0]
            noun = self.words.noun(group)
            if not rhythm:
                visits = dealt[0][1]
                if group.count > 1 and len(set(visits)) < min(group.count, 5):
                    cards = counted(len(visits))
                    verb = "is" if len(visits) == 1 else "are"
                    return [f"{cards} {verb} dealt to {self.words.the(visits)}"]
                if not later or len(visits) != group.count:
                    return []
            then = "then " if later else ""
            way = f" {rhythm}" if rhythm else ""
            return [f"{then}{noun.the} {'are' if noun.is_plural else 'is'} dealt{way}"]
        wholes = [
            visits if len(set(visits)) < 5 else group.piles
            for (group, _), (_, visits) in zip(texts, dealt, strict=True)
        ]
        first, *parts = (
            f"{self.words.the(piles)}{f'|, {rhythm}' if rhythm else '|'}"
            for (_, rhythm), piles in zip(texts, wholes, strict=True)
        )
        name, _, way = first.partition("|")
        verb = "are" if self._several(wholes[0]) else "is"
        rest = "; then ".join(part.replace("|", "") for part in parts)
        if later:
            return [f"then {name} {verb} dealt{way}; then {rest}"]
        return [f"{name} {verb} dealt first{way}; then {rest}"]

    @staticmethod
    def _rhythm(group: Group, visits: list[int]) -> str:
        if group.count == 1 or len(visits) == len(set(visits)):
            return ""
        if all(a <= b for a, b in pairwise(visits)):
            return "pile by pile"
        falls = sum(a >= b for a, b in pairwise(visits)) + 1
        if falls > max(Counter(visits).values()):
            return ""  # To and fro, or otherwise; the author of the game says how.
        return "in rounds, one card to a pile at a time"


_BESIDE = {
    "above": "above it",
    "below": "below it",
    "left": "to its left",
    "right": "to its right",
}


def _card(card: int) -> str:
    """A card without its article: ``"ace of spades"``."""
    return "joker" if card == JOKER else f"{RANK_NAMES[card // 4]} of {SUIT_NAMES[card % 4]}"


def _grid(cells: Mapping[tuple[int, float], str]) -> list[str]:
    """Texts at their places in rows and columns; a column may be a half."""
    width = max(len(cell) for cell in cells.values())
    is_shifted = any(column % 1 for _, column in cells)
    # Half of a column with its gap is a whole number of characters.
    pitch = width + 1 + (width + 1) % 2 if is_shifted else width + 1
    lines = []
    for row in range(max(row for row, _ in cells) + 1):
        line = ""
        if not is_shifted:
            last = max(int(column) for _, column in cells)
            line = "".join(
                f"{'.' if (row, c) not in cells else '':<{pitch}}" for c in range(last + 1)
            )
        for (_, column), cell in sorted(item for item in cells.items() if item[0][0] == row):
            start = int(column * pitch)
            line = f"{line[:start]:<{start}}{cell}{line[start + len(cell) :]}"
        lines.append(line.rstrip())
    return lines


def _is_counted(step: Step) -> bool:
    """Whether a deal takes as many cards as it visits piles."""
    replaces = step.goes_up is not None and step.goes_up.replaced
    return step.only == "any" and not (replaces or step.up_to or step.takes_turns)


def is_by_turns(hand: Sequence[str]) -> bool:
    """Whether cards lie face down and face up by turns, three of them or more.

    >>> is_by_turns(["down", "up", "down", "up"]), is_by_turns(["down", "down", "up"])
    (True, False)
    """
    return len(hand) > 2 and all(below != above for below, above in pairwise(hand))


def is_mixed(hand: Sequence[str]) -> bool:
    """Whether a face-down card is dealt on a face-up one."""
    return ("up", "down") in pairwise(hand)


def rare_places(shapes: Sequence[Hashable]) -> list[int]:
    """The places, counted from 1, of the few piles that differ from all others of a group.

    >>> rare_places(["", "up", "up", "", "up", "up"])
    [1, 4]
    """
    found = Counter(shapes).most_common()
    if len(found) != 2 or not found[1][1] < found[0][1] or found[1][1] > 6:
        return []
    return [place for place, shape in enumerate(shapes, 1) if shape == found[1][0]]


def _cards(numbers: list[int]) -> str:
    """The noun behind a row of numbers: ``"two and one card"``."""
    return "card" if numbers[-1] == 1 else "cards"

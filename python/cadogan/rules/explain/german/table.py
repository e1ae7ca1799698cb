"""The pack and the table in German."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from cadogan.i18n.german import (
    ACC,
    DAT,
    GEN,
    NOM,
    PLACE,
    counted,
    join,
    number,
    ordinal,
    sentence,
)
from cadogan.rules.explain.english.section import mask_of
from cadogan.rules.explain.english.table import (
    Table,
    is_by_turns,
    is_mixed,
    rare_places,
)
from cadogan.rules.explain.german.actions import straight
from cadogan.rules.explain.german.cards import RANKS, SUITS, ranks_in_words
from cadogan.rules.explain.german.section import GermanSection, row
from cadogan.rules.rulebook.group import Covering, Group
from cadogan.rules.rulebook.words import counted_cards

_BESIDE: Final = {
    "above": "über ihr",
    "below": "unter ihr",
    "left": "links von ihr",
    "right": "rechts von ihr",
}


class GermanTable(GermanSection, Table):
    """The pack and the table: what there is, and how it is laid out."""

    def karten(self) -> list[str]:
        """The cards, those withdrawn, those taken out, and how they rank."""
        book = self.book
        whole = 52 * book.packs
        packs = "ein Spiel" if book.packs == 1 else f"{number(book.packs)} Spiele"
        used = len(book.ranks) * len(book.suits) * book.packs
        jokers = "ein Joker" if book.jokers == 1 else f"{number(book.jokers)} Joker"
        jokers = f" und {jokers}" if book.jokers else ""
        every = used + book.jokers
        parts = []
        if used == whole:
            cards = f", zusammen {every}" if book.packs > 1 or jokers else ""
            parts.append(f"{packs} zu 52 Karten{jokers}{cards}")
        else:
            parts.append(
                f"{packs} zu 52 Karten, aber nur {self._in_use()} mit{jokers and ','}{jokers}: "
                f"{every} Karten"
            )
        withdrawn = every - self.total
        if book.without:
            left = f"; {self.total} Karten spielen mit" if withdrawn else ""
            some = self.copies(self.withdrawn())
            if some:
                verb = "wird" if withdrawn == 1 else "werden"
                parts.append(f"{some} {verb} vor dem Spiel weggelegt{left}")
            else:
                kinds = join(self.german.german.some(c.mask, NOM, "the") for c in book.without)
                out = f"{kinds} ({counted(withdrawn)})"
                if withdrawn == len(book.without):
                    out = join(self._card(card) for card in self.withdrawn())
                parts.append(f"{out} werden vor dem Spiel weggelegt{left}")
        if book.preset:
            parts += self._taken_out()
        parts.append(self._order_of_ranks())
        return [" ".join(sentence(text) for text in parts)]

    def _in_use(self) -> str:
        book = self.book
        suits = join(SUITS[suit] for suit in book.suits)
        if len(book.ranks) == 13:
            return f"{suits} {'spielt' if len(book.suits) == 1 else 'spielen'}"
        ranks = join(self.german.german.some(0b1111 << rank * 4) for rank in sorted(book.ranks))
        return f"{ranks} spielen" if len(book.suits) == 4 else f"{ranks} in {suits} spielen"

    def copies(self, cards: Sequence[int]) -> str:
        """Names cards by number, if other copies of them take part; else nothing."""
        if not self.has_other_copies(cards):
            return ""
        named = []
        for count, mask, each in counted_cards(cards, self.book.suits):
            kind = self.german.german.single(mask)
            if count > 1:
                kind = f"{number(count)} {self.german.german.some(mask)}"
            named.append(kind + (" jeder Farbe" if each else ""))
        return join(named)

    def _card(self, card: int) -> str:
        """A card with its article: ``"das Pik-Ass"``."""
        return self.german.german.the(1 << card, 1)

    def _taken_out(self) -> list[str]:
        parts: list[str] = []
        single = False
        for group in self.book.groups:
            laid = self.laid_out(group)
            if laid:
                cards = self.copies(laid) or self.german.german.the(mask_of(laid), len(laid))
                if self.are_named(laid) and not self.copies(laid):
                    cards = join(self._card(card) for card in laid)
                place = self.german.called(group).whole("the", ACC)
                single = not parts and cards.startswith(("ein ", "eine ")) and " und " not in cards
                parts.append(f"{cards} für {place}")
        out = "wird" if single or len(self.book.preset) == 1 else "werden"
        return [
            f"zuvor {out} {join(parts)} herausgesucht",
            f"die übrigen {len(self.book.deck)} Karten werden gemischt",
        ]

    def _order_of_ranks(self) -> str:
        ranks = self.book.ranks
        if ranks == tuple(range(13)):
            lowest, highest = (RANKS[rank]("the", NOM) for rank in self.german.german.extremes())
            return f"{lowest} ist die niedrigste Karte, {highest} die höchste"
        return f"die Karten gelten, von der niedrigsten zur höchsten: {ranks_in_words(ranks)}"

    def tisch(self) -> list[str]:
        """The groups of piles, what lies there, and how the cards are dealt."""
        parts: list[str] = []
        if self.book.picture:
            parts += ["Die Stapel liegen wie in diesem Bild:", self._bild()]
        parts.append("\n".join(self._line(group) for group in self.book.groups))
        parts += [self._bedeckt(covering) for covering in self.book.coverings]
        parts.append(self._dealing())
        forced = self.in_layout
        if any(rule.during == "layout" for rule in forced):
            which = "; trifft mehreres zu, so kommt zuerst, was hier zuerst steht"
            parts.append(
                "Beim Auslegen geschieht von selbst, sooft es zutrifft, das Folgende"
                f"{which if len(forced) > 1 else ''}:"
            )
            lines = (
                f"{place}. {self.does.by_itself(rule)}" for place, rule in enumerate(forced, 1)
            )
            parts.append("\n".join(lines))
        if not self.book.picture and any(group.count > 1 for group in self.book.groups):
            parts.append("Gezählt werden die Stapel überall von links nach rechts.")
        return parts

    def _bild(self) -> str:
        drawing, _, _ = self._picture().partition("\n\n")
        there = set(self.book.picture.values())
        marks = {
            group.mark or group.name: self.german.called(group).whole("the", ACC)
            for group in self.book.groups
            if there & set(group.piles)
        }
        key = join(
            f"{mark} {'steht ' if place == 0 else ''}für {words}"
            for place, (mark, words) in enumerate(marks.items())
        )
        beside = [p for g in self.book.groups for p in g.piles if not there & set(g.piles)]
        if beside:
            lie = "liegen" if self._several(beside) else "liegt"
            key += f"; {self.german.whole(beside, NOM)} {lie} daneben"
        return f"{drawing}\n\n{sentence(key)}"

    def _bedeckt(self, covering: Covering) -> str:
        """When the cards of a group may be used."""
        group = next(group for group in self.book.groups if group.name == covering.group)
        cards = self.german.called(group).whole("the", GEN)
        is_built_on = self._is_built_on(group)
        if covering.covered:
            one = covering.number == 1
            covers = {None: "denen", 1: "der einen", 2: "den beiden"}.get(
                covering.number, f"den {number(covering.number or 0)}"
            )
            side = {"above": "über", "below": "unter"}.get(covering.sides[0], "neben")
            return (
                f"Jede Karte {cards} ist von {covers} {side} ihr bedeckt, wie im Bild, bis diese "
                f"{'fort ist' if one else 'fort sind'}. Eine bedeckte Karte darf nicht verwendet "
                f"werden{', und nichts kommt auf sie' if is_built_on else ''}"
                f"{self._dropped_on(group)}."
            )
        if covering.nearest:
            beside = join((_BESIDE[side] for side in covering.sides), "oder")
            return (
                f"Eine Karte {cards} darf nur verwendet werden, solange einer der nächsten Plätze "
                f"{beside} leer ist, wie im Bild"
                f"{'; nur dann wird auf sie gebaut' if is_built_on else ''}"
                f"{self._dropped_on(group)}. Wo kein Platz {_BESIDE[covering.sides[0]]} liegt, ist "
                "ihr nichts im Weg."
            )
        kind = "alle Plätze" if covering.whole else "der Platz"
        beside = " oder ".join(f"{kind} {_BESIDE[side]}" for side in covering.sides)
        return (
            f"Eine Karte {cards} darf nur verwendet werden, solange {beside} leer "
            f"{'sind' if covering.whole else 'ist'}"
            f"{'; nur dann wird auf sie gebaut' if is_built_on else ''}{self._dropped_on(group)}. "
            "Wo das Bild endet, ist ihr nichts im Weg."
        )

    def _dropped_on(self, group: Group) -> str:
        if not self.is_dropped_on(group):
            return ""
        return "; liegt aber nur ein Stapel im Weg, so darf er auf sie, wo es beim Bauen so steht"

    def _line(self, group: Group) -> str:
        name = self.german.called(group).whole("the", NOM)
        return f"- **{name[0].upper()}{name[1:]}**: {self._what_lies(group)}."

    def _what_lies(self, group: Group) -> str:
        hands = self._dealt(group)
        kind = self.german.kind(group)
        if group.role == "stock":
            return self._talon(group)
        if group.role == "hand":
            return (
                "hier liegt die eben umgedrehte Karte, bis sie verwendet oder abgeworfen wird; "
                "zuerst leer"
            )
        if group.role == "cell" and not any(hands):
            places = counted(group.count, PLACE, "Plätze")
            return f"{places} für {'je ' if group.count > 1 else ''}eine Karte, zuerst leer"
        laid = self.laid_out(group)
        if group.role == "cell" or (group.role == "foundation" and not laid and not any(hands)):
            kind = PLACE
        size = counted(group.count, kind, "Plätze" if kind is PLACE else kind.forms[0])
        if laid:
            card = self.german.german.single(mask_of(laid))
            if len(laid) == self.book.packs == 1:
                card = self._card(laid[0])
            with_it = self.german.german.single(mask_of(laid), DAT)
            every = [*self.book.deck, *(card for card, _ in self.book.preset)]
            if len(laid) == every.count(laid[0]) == 1:
                card = self.german.german.the(mask_of(laid), 1)
            few = "der erste" if len(laid) == 1 else f"die ersten {number(len(laid))}"
            each = "jeder" if len(laid) == group.count else few
            text = (
                f"{size}, auf dem vor dem Geben {card} liegt"
                if group.count == 1
                else f"{size}, {each} beginnend mit {with_it}, das vor dem Geben ausgelegt wird"
            )
            if group.count > 1:
                gender = self._gender_of(mask_of(laid))
                text = text.replace(", das vor", f", {gender} vor")
            if group.count == len(laid) > 1 and self.in_a_row(laid):
                text = (
                    f"{size}, auf denen vor dem Geben, vom ersten zum letzten, "
                    f"{join(self._laid_cards(laid))} liegen"
                )
            if others := self._beside(group, hands):
                text += f"; die anderen haben je {counted(len(others))}, {_faces(others)}"
            elif any(hands):
                on_them = self._stacked(hands, group.count > 1).removeprefix(" von ").lstrip(":; ")
                text += f"; darauf {'kommen' if group.count > 1 else 'kommt'}: {on_them}"
        elif self._filled_in_layout(group) and not any(hands):
            text = f"{size}, beim Auslegen gefüllt (siehe unten)"
        else:
            stacked = self._stacked(hands, group.count > 1)
            if kind is PLACE:
                stacked = stacked.replace(" von ", " mit ", 1)
            text = f"{size}{stacked}"
            if self._may_be_short(group):
                text += ", weniger, wo beim Geben Karten auf die Grundstapel kommen"
        return text + self._seen(group, hands) + self._hoechstens(group)

    def _laid_cards(self, laid: Sequence[int]) -> list[str]:
        """The cards laid out on piles one after another."""
        names = self.german.german
        return [
            (names.single(1 << same[0]) if self.book.packs > 1 else self._card(same[0]))
            if len(same) == 1
            else f"{number(len(same))} {names.some(0b1111 << rank * 4)}"
            for rank, same in self.in_a_row(laid)
        ]

    @staticmethod
    def _hoechstens(group: Group) -> str:
        if group.holds is None:
            return ""
        never = "auf keinem" if group.count > 1 else "dort"
        verb = "dürfen" if group.count > 1 else "dürfen nie"
        return f"; {never} {verb} mehr als {counted(group.holds)} liegen"

    def _gender_of(self, mask: int) -> str:
        one = self.german.german.single(mask).rpartition(" oder ")[2]
        if one.startswith("eine "):
            return "die"
        return "das" if one.endswith("Ass") else "der"

    def _talon(self, group: Group) -> str:
        if self.book.source_pile not in group.piles:
            return "ein Stapel, verdeckt, zuerst leer"
        sight = "verdeckt"
        if group.shown != "none":
            sight = "verdeckt; was aufgedeckt worden ist, darf angesehen werden"
        left = self._left()
        if left is None:
            return f"die restlichen Karten, {sight}"
        if not left:
            return f"ein Stapel, {sight}, zuerst leer"
        rest = "die letzte Karte" if left == 1 else f"die übrigen {number(left)} Karten"
        return f"{rest}, {sight}"

    def _stacked(self, hands: list[list[str]], many: bool) -> str:
        runs = [(len(list(same)), hand) for hand, same in groupby(hands)]
        if len(runs) == 1:
            hand = hands[0]
            if not hand:
                return ", zuerst leer"
            each = "je " if many else ""
            return f" von {each}{counted(len(hand), case=DAT)}, {_faces(hand)}"
        if len(runs) <= 3 or any(map(is_mixed, hands)):
            return ": " + "; ".join(self._in_runs(runs))
        if places := rare_places([tuple(hand) for hand in hands]):
            rare = hands[places[0] - 1]
            common = next(hand for hand in hands if hand != rare)
            stems = [ordinal(place) for place in places]
            who = f"der {join(stem if stem.endswith('.') else f'{stem}e' for stem in stems)}"
            parts = [_hold(who, len(places) > 1, rare), _hold("die anderen", True, common)]
            return ": " + "; ".join(parts)
        way = "vom ersten zum letzten sind es"
        if [] in hands and hands.index([]) == len(hands) - 1:
            hands = hands[:-1]
            way = "der letzte ist leer; auf den anderen sind es vom ersten zum letzten"
        downs, ups = [hand.count("down") for hand in hands], [hand.count("up") for hand in hands]
        if len(set(ups)) == 1 and ups[0]:
            on_them = f"und darauf je {row_one(ups[0])} offene"
            return f"; {way} {row(downs)} verdeckte {_cards(downs)} {on_them}"
        if not any(downs):
            return f"; {way} {row(ups)} {_cards(ups)}, offen"
        on_them = f"und darauf offen {row(ups)}"
        if len(set(ups[1:])) == 1:
            on_them = (
                f"und darauf offen im ersten {row_one(ups[0])}, in jedem anderen {row_one(ups[1])}"
            )
        return f"; {way} {row(downs)} verdeckte {_cards(downs)} {on_them}"

    def _in_runs(self, runs: list[tuple[int, list[str]]]) -> list[str]:
        parts = []
        for place, (count, hand) in enumerate(runs):
            if place == 0:
                who = "der erste" if count == 1 else f"die ersten {number(count)}"
            elif place == len(runs) - 1:
                who = "der letzte" if count == 1 else f"die anderen {number(count)}"
            else:
                who = "der nächste" if count == 1 else f"die nächsten {number(count)}"
            if len(runs) == 2 and place == 1 and runs[0][0] == 1:
                who = "der andere" if count == 1 else "die anderen"
            parts.append(_hold(who, count > 1, hand))
        return parts

    def _seen(self, group: Group, hands: list[list[str]]) -> str:
        if group.role in ("foundation", "cell") or self.german.is_single(group):
            return ""
        if group.shown == "top":
            return "; nur die oberste Karte ist zu sehen"
        if group.shown == "none":
            return "; die Karten darin sind nicht zu sehen"
        hidden = any("down" in hand for hand in hands)
        if hidden:
            return "; alle offenen Karten sind zu sehen"
        if any(len(hand) > 1 for hand in hands):
            return "; alle sind zu sehen"
        return "; alles, was dort zu liegen kommt, ist zu sehen"

    def _dealing(self) -> str:
        """In which order the cards are dealt."""
        parts: list[str] = []
        dealt: list[tuple[str, list[int]]] = []
        for step in self.book.layout:
            if step.kind == "deal" and step.to is not None and step.is_plain:
                names = [group.name for group in self.german.groups(step.to.piles)]
                visits = [pile for pile in step.to.piles for _ in range(step.each)]
                if dealt and names == [dealt[-1][0]]:
                    dealt[-1][1].extend(visits)
                else:
                    dealt += [
                        (name, [p for p in visits if self.book.group_of(p).name == name])
                        for name in names
                    ]
            elif step.kind != "settle":
                parts += self._given(dealt, later=bool(parts))
                dealt = []
                parts.append(straight(self.does.doing(step)))
        parts += self._given(dealt, later=bool(parts))
        if self.german.is_pack(self.book.source_pile) and (left := self._left()) is not None:
            rest = (
                "die letzte Karte spielt"
                if left == 1
                else f"die übrigen {number(left)} Karten spielen"
            )
            parts.append(f"{rest} nicht mit" if left else "alle Karten werden ausgelegt")
        if self.book.deal_again:
            ifs = join(self.german.holds(each) for each in self.book.deal_again)
            parts.append(f"wenn dann {ifs}, wird noch einmal gemischt und gegeben")
        return " ".join(sentence(clause) for clause in parts if clause)

    def _given(self, dealt: list[tuple[str, list[int]]], *, later: bool) -> list[str]:
        """What is dealt, one group after another; ``later`` if something was dealt before."""
        texts = []
        for name, visits in dealt:
            group = next(group for group in self.book.groups if group.name == name)
            texts.append((group, self._german_rhythm(group, visits)))
        if not texts:
            return []
        if len(texts) == 1:
            group, rhythm = texts[0]
            if not rhythm:
                visits = dealt[0][1]
                if group.count > 1 and len(set(visits)) < min(group.count, 5):
                    verb = "wird" if len(visits) == 1 else "werden"
                    to = self.german.whole(visits, ACC)
                    return [f"{counted(len(visits))} {verb} auf {to} gegeben"]
                if not later or len(visits) != group.count:
                    return []
            whole = self.german.called(group).whole
            verb = "werden" if whole.is_plural else "wird"
            how, comma, more = rhythm.partition(",")
            name, way = whole("the", NOM), f" {how}" if how else ""
            subject = f"dann {verb} {name}" if later else f"{name} {verb}"
            return [f"{subject}{way} ausgelegt{comma}{more}"]
        wholes = [
            visits if len(set(visits)) < 5 else group.piles
            for (group, _), (_, visits) in zip(texts, dealt, strict=True)
        ]
        parts = [self.german.whole(piles, NOM) for piles in wholes]
        ways = [f", {rhythm}" if rhythm else "" for _, rhythm in texts]
        verb = "werden" if self.german.are_plural(wholes[0]) else "wird"
        rest = "; dann ".join(part + way for part, way in zip(parts[1:], ways[1:], strict=True))
        when = "dann" if later else "zuerst"
        return [f"{when} {verb} {parts[0]} ausgelegt{ways[0]}; dann {rest}"]

    def _german_rhythm(self, group: Group, visits: list[int]) -> str:
        rhythm = self._rhythm(group, visits)
        if not rhythm:
            return ""
        if rhythm == "pile by pile":
            return "Stapel für Stapel"
        return "rundum, je eine Karte auf jeden Stapel"


def _hold(who: str, many: bool, hand: list[str]) -> str:
    """What some piles of a group hold: ``"der erste hat eine Karte, offen"``."""
    if not hand:
        return f"{who} {'sind' if many else 'ist'} leer"
    return f"{who} {'haben je' if many else 'hat'} {counted(len(hand))}, {_faces(hand)}"


def _faces(hand: list[str]) -> str:
    german = {"down": "verdeckt", "up": "offen"}
    if is_by_turns(hand):
        return f"abwechselnd verdeckt und offen, die oberste {german[hand[-1]]}"
    if is_mixed(hand):
        runs = [(len(list(same)), german[face]) for face, same in groupby(hand)]
        return "von unten " + join(f"{row_one(count)} {face}" for count, face in runs)
    down, up = hand.count("down"), hand.count("up")
    if not down:
        return "offen"
    if not up:
        return "verdeckt"
    top = "die oberste" if up == 1 else f"die obersten {number(up)}"
    return f"{row_one(down)} verdeckt und {top} offen"


def row_one(count: int) -> str:
    """A number of cards, without the noun."""
    return "keine" if count == 0 else "eine" if count == 1 else number(count)


def _cards(numbers: Sequence[int]) -> str:
    """The noun behind a row of numbers."""
    return "Karte" if numbers[-1] == 1 else "Karten"

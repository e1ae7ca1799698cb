"""Playing to the foundations in German."""

from itertools import pairwise

from cadogan.i18n.german import (
    ACC,
    DAT,
    GEN,
    NOM,
    after,
    counted,
    join,
    number,
    sentence,
    so_many,
    times,
)
from cadogan.rules.explain.english.playing import Playing
from cadogan.rules.explain.english.section import rounds
from cadogan.rules.explain.german.cards import RANKS, circle, ranks_in_words
from cadogan.rules.explain.german.section import GermanSection
from cadogan.rules.kinds import Move
from cadogan.rules.rulebook.group import BuildOrder, Group
from cadogan.rules.rulebook.relations import circle_of
from cadogan.rules.rulebook.rulebook import Rule

_SUITS = {
    "in suit": "einer Farbe",
    "in alternate colours": "in wechselnder Farbe (rot und schwarz)",
    "in colour": "nur rot oder nur schwarz",
    "in another suit": "jedes Mal in einer anderen Farbe",
}


class GermanPlaying(GermanSection, Playing):
    """Playing to the foundations: their order, and what goes there from where."""

    def ablegen(self) -> list[str]:
        """What the foundations take and what may be played to them; empty if there are none."""
        foundations = [group for group in self.book.groups if group.role == "foundation"]
        if not foundations:
            return []
        parts: list[str] = []
        alike: dict[str, list[Group]] = {}
        for group in foundations:
            if group.build_order is not None:
                alike.setdefault(self._course(group, group.build_order), []).append(group)
        for text, groups in alike.items():
            piles = [pile for group in groups for pile in group.piles]
            every = self.german.some(piles, "any", NOM, last="und")
            parts.append(sentence(f"{every} {text}".replace(" ,", ",")))
            if any(
                group.build_order is not None and group.build_order.one_suit_each
                for group in groups
            ):
                parts[-1] += " Eine Farbe darf nur auf einem davon begonnen werden."
            if any(group.build_order is not None and group.build_order.waits for group in groups):
                parts[-1] += (
                    " Eine Karte, die dort liegt, aber nicht dorthin gehört, wartet, bis sie "
                    "woandershin kann; auf sie wird nichts gelegt. Was dorthin gehört, bleibt "
                    "liegen."
                )
        plays = [r for r in self.free if isinstance(r.action, Move) and self.goes_up(r.action)]
        others = self.others("playing")
        forced = [rule for rule in self.by_itself if self.goes_up(rule.action)]
        parts += self._plays(plays)
        parts += [self.free_rule(rule) for rule in others]
        taken = {pile for rule in others for pile in rule.action.takes_from()}
        if taken and self.does.only_together(taken):
            parts.append(
                "Zwei Karten, die aufeinander liegen, sind unzertrennlich: sie können ihren Stapel "
                "nur gemeinsam verlassen."
            )
        last = []
        if forced and not plays and not others:
            last.append("Karten kommen nur von selbst auf die Grundstapel: siehe unten.")
        elif forced and (plays or others):
            last.append("Manche Karten werden von selbst abgelegt: siehe unten.")
        elif plays or others:
            last.append("Niemand muss eine Karte ablegen.")
        if plays or others:
            last.append(self._barred())
        last.append(_RETURNS.get(self._returns(foundations), ""))
        parts.append(" ".join(part for part in last if part))
        return parts

    def _barred(self) -> str:
        """The groups from which no card ever goes to a foundation."""
        played: set[int] = set()
        for rule in self.book.rules:
            if self.goes_up(rule.action):
                played |= rule.action.takes_from()
        barred = [
            pile
            for group in self.book.groups
            if group.role not in ("foundation", "stock") and not played.intersection(group.piles)
            for pile in group.piles
        ]
        if not barred:
            return ""
        return sentence(
            f"{after('von', self.german.whole(barred, DAT, 'oder'))} wird nichts abgelegt"
        )

    def _course(self, group: Group, order: BuildOrder) -> str:
        cards = counted(len(order.wants))
        suit = self._in_farben(order)
        how = suit or ", gleich in welchen Farben,"
        built = "in der Farbe" if how == "einer Farbe" else how
        share = self._each_suit(group, order)
        ring = self.book.ranks
        decides = ""
        if order.ways:
            who = "des ersten, auf dem zwei liegen," if order.one_way else "auf jedem"
            decides = f"; die zweite Karte {who} bestimmt, auf welche Weise"
            decides += ", und zwar für alle" if order.one_way else ""
        begins = "einer Karte vom Grundwert"
        if order.own_base:
            begins = "einer beliebigen Karte" if order.chosen else "der Karte, die er bekommen hat,"
        elif order.base is None:
            begins = RANKS[order.ranks[0]]("a", DAT)
        if order.ring:
            begins = "einer beliebigen dieser Karten" if order.chosen else "der Karte dort"
            again = f", {times(order.ring)} hintereinander" if order.ring > 1 else ""
            return (
                f"beginnt mit {begins} und geht {how} in dieser Folge weiter, in der der erste "
                f"Wert auf den letzten folgt{again}: {ranks_in_words(order.ranks)}; zusammen "
                f"{cards}"
            )
        if self.words.ways(order).endswith(","):
            kind = "derselben Farbe" if how == "einer Farbe" else suit or "jeder Farbe"
            any_rank = f"nimmt dann Karten {kind}, gleich welchen Wertes, zusammen {cards}{share}"
            return f"beginnt mit {begins} und {any_rank}"
        if order.base is not None or order.own_base or order.ways:
            if order.by_first:
                following = join(RANKS[rank]("", NOM) for rank in self._steps_of(2))
                return (
                    f"beginnt mit {begins} und wird {built} in Schritten gebaut, die so groß sind "
                    f"wie der Wert der ersten Karte, über die Ecke (auf {RANKS[ring[2]]('a', ACC)} "
                    f"folgen {following} und so weiter), bis {cards} darauf liegen{share}"
                )
            up = self._step_of(order) != -1
            low, high = RANKS[ring[0]], RANKS[ring[-1]]
            ranks = (
                f"{low('the', NOM)} folgt auf {high('the', ACC)}"
                if up
                else f"{high('the', NOM)} folgt auf {low('the', ACC)}"
            )
            way = self.german.ways_in_german(order)
            corner = f"über die Ecke ({ranks}), " if self._is_ring(order) else ""
            return (
                f"beginnt mit {begins} und wird {built} {way} gebaut, "
                f"{corner}bis {cards} darauf liegen{share}{decides}"
            )
        places = [ring.index(rank) if rank in ring else -99 for rank in order.ranks]
        steps = {b - a for a, b in pairwise(places)}
        first, last = RANKS[order.ranks[0]], RANKS[order.ranks[-1]]
        if len(steps) == 1 and steps <= {1, -1}:
            way = "aufwärts" if steps == {1} else "abwärts"
            to = after("zu", last("the", DAT))
            return (
                f"beginnt mit {first('a', DAT)} und wird {built} {way} bis {to} gebaut, "
                f"zusammen {cards}{share}"
            )
        once, often = rounds(order.ranks)
        if len(order.ranks) == 1:
            return f"nimmt {RANKS[once[0]]('a', ACC)} und sonst nichts{share}"
        if len(once) == 1 < often:
            kind = self.german.german.some(0b1111 << 4 * once[0], ACC)
            return f"nimmt {number(often)} {kind}, {how.strip(', ')}{share}"
        listed = ranks_in_words(once)
        again = f", {times(often)} hintereinander" if often > 1 else ""
        return f"nimmt {cards} {how} in dieser Folge{again}: {listed}{share}"

    @staticmethod
    def _in_farben(order: BuildOrder) -> str:
        """How the suits follow one another; empty if they do not matter."""
        clause = order.relation.terms[0].suit if order.relation is not None else ""
        if circle_of(clause):
            return f"jedes Mal in der nächsten Farbe ({circle(clause)})"
        return _SUITS.get(clause, "")

    def _each_suit(self, group: Group, order: BuildOrder) -> str:
        """How many foundations there are in a suit, when there are several."""
        if order.relation is None or order.relation.terms[0].suit != "in suit":
            return ""
        laid = [card % 4 for card, pile in self.book.preset if pile in group.piles]
        suits = set(laid if len(laid) == group.count else self.book.suits)
        if group.count % len(suits) or group.count // len(suits) < 2:
            return ""
        return f"; für jede Farbe gibt es {number(group.count // len(suits))}"

    def _play(self, rule: Rule, move: Move, targets: tuple[int, ...]) -> str:
        source = self.german.moving(move)
        if move.to_holds == (0, 0):
            place = self.german.empty(targets, "the first" if move.first_vacant else "a", ACC)
        elif move.to_holds[0] > 0:
            place = self.does.begun(targets)
            if move.to_holds[0] > 1 or move.to_holds[1] < len(self.book.deck):
                place = f"{self.german.some(targets, 'a', ACC)} mit {so_many(*move.to_holds)}"
        else:
            place = self.german.some(targets, "a", ACC)
        if move.along.text == "same place" and move.to_holds[1]:
            place = self.german.some(targets, "the", ACC)
        link = self.german.link(move)
        may = source.verb("darf", "dürfen")
        text = f"{source.closed} {may} auf {place} {link}".rstrip() + " gelegt werden"
        fits = "wenn sie dort die nächste ist" if move.build_order and move.to_holds[1] else ""
        if move.along.text == "same place" and move.to_holds[0] > 0:
            fits = "wenn dieser begonnen und die Karte dort die nächste ist"
        if move.to_holds == (0, 0) and "leer" not in place:
            fits = "wenn dort noch nichts liegt"
        if source.text.startswith("ein "):
            fits = fits.replace("wenn sie dort", "wenn diese Karte dort")
        if source.plural:
            fits = fits.replace("sie dort die nächste ist", "es dort weitergeht")
        if move.build is not None and not any(term.anything for term in move.build.terms):
            on = self.german.german.may_lie(move.build)
            fits = f"{fits} und {on}" if fits else f"wenn {on}"
        parts = [self.qualified(rule, f"{text}, {fits}")]
        if move.to_holds[0] == 0 < move.to_holds[1] < 65535:
            parts.append(f"Vorher dürfen dort höchstens {counted(move.to_holds[1])} liegen.")
        if move.beside is not None:
            only = self.german.taken_beside(move.beside, "sie")
            parts.append(f"Ein leerer Grundstapel nimmt eine Karte nur, wenn {only}.")
        if move.prefer is not None:
            pile = self.german.one_pile(move.prefer, DAT)
            own = self.german.one_pile(move.prefer, GEN)
            parts.append(
                f"Von gleichen Karten kommt die {own} zuerst: solange eine oben auf {pile} liegt, "
                "darf die andere nicht von anderswo abgelegt werden."
            )
        return " ".join(parts)


_RETURNS = {
    "Cards may come back from the foundations: see below.": (
        "Karten dürfen von den Grundstapeln zurückgenommen werden: siehe unten."
    ),
    "Nothing else leaves a foundation.": "Sonst verlässt nichts einen Grundstapel.",
    "What lies on a foundation stays there.": "Was auf einem Grundstapel liegt, bleibt dort.",
}

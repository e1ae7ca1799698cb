"""What few moves ask for, in German."""

from cadogan.i18n.german import ACC, DAT, NOM, PILE, PLACE, Noun, after, join, number, times
from cadogan.i18n.text import inflected, term, translate
from cadogan.rules.explain.english.asks import Asking, is_all_face_up, is_plural
from cadogan.rules.explain.german.cards import RANKS, SUITS, building
from cadogan.rules.explain.german.naming import GermanNaming
from cadogan.rules.kinds import Move
from cadogan.rules.rulebook.asks import Total
from cadogan.rules.rulebook.counter import ByCounter, Counter, Effect, Turn
from cadogan.rules.rulebook.group import BuildOrder
from cadogan.rules.rulebook.rulebook import Rule
from cadogan.rules.rulebook.worth import values_in_german

_STEPS = (
    *("", "einzeln", "in Zweierschritten", "in Dreierschritten", "in Viererschritten"),
    *("in Fünferschritten", "in Sechserschritten"),
)


class GermanAsking(GermanNaming, Asking):
    """The German words for what few moves of one rulebook ask for."""

    def held(self, index: int) -> str:
        """What a counter holds, in the genitive: ``"der Stunde"``."""
        counter = self.book.counters[index]
        if found := inflected("counted", counter.why, "de"):
            return found
        return f"des Zählers „{translate(term(counter.name), 'de')}“"

    @staticmethod
    def decisive(move: Move) -> str:
        """The card that must fit, of those that move."""
        if move.cards.is_one:
            return "sie"
        return "die oberste von ihnen" if move.top_decides else "die unterste von ihnen"

    def worth(self, asked: ByCounter) -> str:
        """The rank that a counter tells, to follow "Karte" or "Karten"."""
        if not self.is_base(asked.counter):
            return f"vom Wert {self.held(asked.counter)}"
        if not asked.offset:
            return "vom Grundwert"
        far = abs(asked.offset)
        way = "unter" if asked.offset < 0 else "über"
        low, high = (RANKS[self.book.ranks[place]] for place in (0, -1))
        ring = ""
        if far == 1 and way == "unter":
            ring = f" ({high('the', NOM)} unter {low('the', DAT)})"
        return f"{'einen Wert' if far == 1 else f'{number(far)} Werte'} {way} dem Grundwert{ring}"

    def is_asked(self, move: Move) -> str:
        """What is asked of the card that moves, as clauses without "wenn"; empty for nothing."""
        asks, clauses = move.asks, []
        if asks.which is not None:
            it = self.decisive(move)
            clauses.append(f"{it} eine Karte {self.worth(asks.which)} ist")
        if asks.ranks_in and asks.ranks_text == "the pile before":
            one = self.called(self.book.group_of(move.to.piles[0])).one or PLACE
            clauses.append(
                f"eine Karte ihres Wertes schon auf {one('the', DAT)} davor liegt (für "
                f"{one('the', ACC, 'erst')} gilt das nicht)"
            )
        elif asks.ranks_in:
            where = self.whole(asks.ranks_in[0], DAT, "oder")
            clauses.append(f"eine Karte ihres Wertes auf {where} liegt")
        if asks.longest is not None:
            terms = move.build.terms if move.build is not None else ()
            how = f"einer Folge {join(map(building, terms), 'oder')}" if terms else "Folge"
            clauses.append(f"dort danach höchstens {number(asks.longest)} Karten in {how} liegen")
        if asks.total is not None:
            clauses.append(self._total_in_german(asks.total))
        if move.asks.uncovers is not None and not is_all_face_up(move):
            clauses.append(self._uncovered_in_german(move))
        return join(clauses)

    def _total_in_german(self, asked: Total) -> str:
        wanted = number(asked.least)
        if not asked.least:
            wanted = f"höchstens {number(asked.most)}"
        elif asked.most >= 65535:
            wanted = f"mindestens {number(asked.least)}"
        elif asked.least < asked.most:
            wanted = f"{number(asked.least)} bis {number(asked.most)}"
        values = values_in_german(asked.worth, self.german)
        if asked.wild is not None:
            wild = self.german.some(asked.wild.mask)
            values = f"{wild} zählen, was gerade fehlt; sonst gilt: {values}"
        return f"die Karten dort danach zusammen {wanted} zählen ({values})"

    def _uncovered_in_german(self, move: Move) -> str:
        asked, found = move.asks.uncovers, []
        assert asked is not None
        if asked.whole:
            found.append("keine Karte derselben Folge")
        elif asked.nothing:
            found.append("nichts")
        if asked.hidden:
            found.append("eine verdeckte Karte")
        if asked.cards is not None:
            found.append(self.german.being(asked.cards.mask))
        if asked.wanted_by:
            found.append(f"eine Karte, die auf {self.whole(asked.wanted_by, ACC)} kommen kann")
        they = "sie" if move.cards.is_one else "diese Karten"
        uncover = "freilegt" if move.cards.is_one else "freilegen"
        comma = "," if asked.wanted_by else ""
        return f"{they} {join(found, 'oder')}{comma} {uncover}"

    def one_space_in_german(self, move: Move) -> str:
        """The card that a vacancy takes, if a counter tells it: in any case but the genitive."""
        return f"eine Karte {self.worth(move.asks.space)}" if move.asks.space is not None else ""

    def place_in_german(self, move: Move) -> str:
        """Which of the targets it is, to follow the target."""
        asks = move.asks
        if asks.of_its == "rank":
            one = self.called(self.book.group_of(move.to.piles[0])).one or PILE
            rank = RANKS[self.book.ranks[0]]("the", ACC)
            return f"ihres Wertes ({one('the', NOM, 'erst')} ist für {rank} und so weiter)"
        if asks.of_its == "suit":
            return f"ihrer Farbe (in dieser Folge: {join(SUITS[suit] for suit in self.book.suits)})"
        if asks.last_filled:
            return "(und zwar den letzten Platz, der belegt ist)"
        if asks.emptiest:
            return "mit den wenigsten Karten (von mehreren den ersten)"
        return self.turn_in_german(asks.to_turn)

    def turn_in_german(self, turn: Turn | None) -> str:
        """Whose turn it is, to follow a pile."""
        if turn is None:
            return ""
        first = "zur Null"
        if self.holds_rank(turn.counter):
            first = after("zu", RANKS[self.book.ranks[0]]("the", DAT))
        one = self.called(self.book.group_of(turn.piles[0])).one or PILE
        from_end = turn.piles[0] > turn.piles[-1]
        counter = self.book.counters[turn.counter]
        if first == "zur Null" and is_plural(counter.why):
            relative = {"m": "der", "n": "das", "f": "die", "p": "die"}[one.gender]
            whose = self.whose_in_german(turn.counter, one, from_end=from_end)
            return f", {relative} an der Reihe ist{whose},"
        end = "letzt" if from_end else "erst"
        whose = f"{one('the', NOM, end)} gehört {first} und so weiter"
        counter = self.book.counters[turn.counter]
        count = f"dem Zähler „{translate(term(counter.name), 'de')}“"
        if found := inflected("counted", counter.why, "de"):
            count = f"{'dem Wert' if self.holds_rank(turn.counter) else 'der Zahl'} {found}"
        return f"entsprechend {count} ({whose})"

    def whose_in_german(self, counter: int, one: Noun, *, from_end: bool) -> str:
        """How a counter selects a pile, in brackets."""
        article = {"m": "der", "n": "das", "f": "die", "p": "die"}[one.gender]
        first, way = ("letzte", "zurück") if from_end else ("erste", "weiter")
        count = self.sum_of(self.book.counters[counter])
        return f" ({article} {first}, und von dort so viele Plätze {way}, wie {count} beträgt)"

    def multiple_of(self, effect: Effect) -> str:
        """A multiple of a counter: ``"die Zahl der Karten"``, ``"fünfmal die Zahl ..."``."""
        thing = self.sum_of(self.book.counters[effect.of])
        return thing if effect.value == 1 else f"{times(effect.value)} {thing}"

    def sum_of(self, counter: Counter) -> str:
        """What a counter counts, in the genitive: ``"die Zahl der ..."``."""
        if found := inflected("counted", counter.why, "de"):
            is_rank = self.holds_rank(self.book.counters.index(counter))
            return f"{'der Wert' if is_rank else 'die Zahl'} {found}"
        return f"der Zähler „{translate(term(counter.name), 'de')}“"

    def change(self, rule: Rule, effect: Effect) -> str:
        """A counter that becomes the rank of a card, as a sentence; empty for other changes."""
        if effect.kind != "rank" or not self.is_base(effect.counter):
            return ""
        if effect.once:
            return "Die erste Karte, die dorthin kommt, bestimmt den Grundwert"
        return "Ihr Wert wird zum Grundwert"

    def ways_in_german(self, order: BuildOrder) -> str:
        """How a foundation is built: ``"aufwärts oder abwärts"``."""
        steps = [next(iter(term.steps)) for relation in order.phrases for term in relation.terms]
        if not steps:
            return "aufwärts" if order.ranks[1:2] == self.book.ranks[1:2] else "abwärts"
        plain = all(abs(step) == 1 for step in steps)
        parts: list[str] = []
        for step in steps:
            way = "aufwärts" if step > 0 else "abwärts"
            words = way if plain else f"{_STEPS[abs(step)]} {way}"
            if parts and parts[-1].endswith(f" {way}"):
                parts[-1] = parts[-1].removesuffix(f" {way}")
            parts.append(words)
        return join(parts, "oder")

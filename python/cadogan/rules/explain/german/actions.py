"""What a rule does, in German: the steps of scripts, and what happens automatically."""

from collections.abc import Sequence
from typing import assert_never

from cadogan.rules.explain.english.actions import Actions, visits
from cadogan.rules.explain.german.grammar import (
    ACC,
    CARD,
    DAT,
    GEN,
    NOM,
    PILE,
    after,
    counted,
    join,
    sentence,
    times,
)
from cadogan.rules.explain.german.phrases import GermanPhrases
from cadogan.rules.rulebook.rulebook import (
    Joint,
    Move,
    Quantity,
    Rule,
    Script,
    Step,
    Swap,
    TurnUp,
    Way,
)


class GermanActions(Actions):
    """Tells the actions of one rulebook in German.

    Args:
        wording: The names of its piles and conditions.
    """

    def __init__(self, wording: GermanPhrases) -> None:
        super().__init__(wording)
        self.german = wording

    # Scripts.

    def clauses(self, script: Script, when: str = "") -> list[str]:
        """The steps of a script, a sentence each; the verb comes before its subject."""
        found: list[str] = []
        before: Step | None = None
        for step in script.steps:
            if before is not None and (more := self._as_before(before, step)):
                found[-1] += more
            elif clause := self.doing(step):
                first = f"{when}, " if when and not found else "dann " if found else ""
                found.append(inverted(clause) if first else clause)
                found[-1] = first + found[-1]
            before = step
        return found

    def _as_before(self, before: Step, step: Step) -> str:
        """The words for a deal that is like the one before it, on other piles."""
        if before.kind != "deal" or step.kind != "deal":
            return ""
        piles, rounds = visits(step)
        like = (before.source, before.each, before.face) == (step.source, step.each, step.face)
        if not like or visits(before)[1] != rounds or len(piles) == 1:
            return ""
        return f", und dann ebenso auf {self._every(piles)}"

    def _every(self, piles: Sequence[int]) -> str:
        """Piles that are dealt to in turn, in the accusative."""
        groups = self.german.groups(piles)
        if len(groups) == 1 and list(piles) == list(groups[0].piles):
            name = self.german.called(groups[0])
            if name.one is not None:
                return name.one("any", ACC)
            return f"{PILE('any', ACC)} {name.whole('the', GEN)}"
        if len(piles) <= 4:
            return f"jeden dieser Stapel: {join(self.german.one_pile(p, NOM) for p in piles)}"
        return f"jeden dieser Stapel: {self.german.ordered(piles)}"

    def doing(self, step: Step) -> str:
        """A step as a main clause, ``Subject|wird rest``; empty if there is nothing to say."""
        match step.kind:
            case "deal":
                return self._deals(step)
            case "take":
                return self._takes(step)
            case "gather":
                return self._gathers(step)
            case "route":
                return self._routes(step)
            case "close":
                return self._closes(step)
            case "base":
                assert step.piles is not None
                pile = self.german.one_pile(step.piles.piles[0], GEN)
                return f"der Wert der obersten Karte {pile}|wird zum Grundwert"
            case "settle":
                return ""
            case _:
                assert_never(step.kind)

    def _deals(self, step: Step) -> str:
        assert step.source is not None
        piles, rounds = visits(step)
        face = {"up": " offen", "down": " verdeckt", "keep": ""}[step.face]
        source = after("von", self.german.whole(step.source.piles, DAT))
        count = step.each * rounds
        verb = "wird" if count == 1 else "werden"
        if len(piles) == 1:
            fewer = " (oder so viele, wie noch da sind)" if count > 1 else ""
            to = self.german.one_pile(piles[0], ACC)
            return f"{counted(count)}|{verb} {source}{face} auf {to} gegeben{fewer}"
        each = self._every(piles)
        group = self.german.groups(piles)[0]
        one = self.german.called(group).one
        way = (
            "von der ersten zur letzten" if one and one.gender == "f" else "vom ersten zum letzten"
        )
        order = "" if ":" in each else f", {way}"
        how = "" if count == 1 else ", Stapel für Stapel"
        if rounds > 1:
            how = f", rundum, je {counted(step.each)} auf jeden Stapel"
        ends = "so weit die Karten reichen"
        given = "" if ":" in each else " gegeben"
        if not given:
            return f"{counted(count)}|{verb} {source}{face} gegeben auf {each}{how}, {ends}"
        return f"{counted(count)}|{verb} {source}{face} auf {each}{given}{order}{how}, {ends}"

    def _takes(self, step: Step) -> str:
        assert step.source is not None
        assert step.to is not None
        assert step.number is not None
        quantity = step.number
        source, to = step.source.piles[0], self.german.one_pile(step.to.piles[0], ACC)
        below = f"unter {to} gelegt" if step.to_end == "bottom" else f"auf {to} gelegt"
        side = "oben" if step.from_end == "top" else "unten"
        end = f"{side} {after('von', self.german.one_pile(source, DAT))}"
        fewer = " (alle, wenn es weniger sind)"
        manner, so_that = self._lying(step)
        if quantity.kind == "all":
            return (
                f"alle Karten {self.german.one_pile(source, GEN)}|werden {manner}{below}{so_that}"
            )
        if quantity.kind == "fixed":
            verb = "wird" if quantity.number == 1 else "werden"
            fewer = "" if quantity.number == 1 else fewer
            joined = "," if manner and not manner.startswith("so, ") else " und"
            joined = joined if quantity.number > 1 else " und"
            return (
                f"{counted(quantity.number)}|{verb} {end} genommen{fewer}{joined} {manner}{below}"
                f"{so_that}"
            )
        if quantity.kind == "until":
            many, like = self._reckoned(quantity)
            until = f"so lange Karten genommen, bis {many} dabei sind{like}"
            return f"{end}|werden {until}{fewer}; sie werden {manner}{below}{so_that}"
        return (
            f"{end}|werden Karten genommen, {''.join(self._reckoned(quantity))}{fewer}; sie werden "
            f"{manner}{below}{so_that}"
        )

    def _reckoned(self, quantity: Quantity) -> tuple[str, str]:
        """A number of cards that is reckoned, and by what."""
        many = "so viele" if quantity.number == 1 else f"{times(quantity.number)} so viele"
        if quantity.kind == "held":
            assert quantity.cards is not None
            kind = self.german.german.some(quantity.cards.mask, NOM)
            where = after("in", self.german.one_pile(quantity.pile, DAT))
            return many, f", wie {where} {kind} liegen"
        thing = self.german.sum_of(self.book.counters[quantity.counter])
        if quantity.cards is not None:
            many += f" {self.german.german.some(quantity.cards.mask, NOM)}"
        return many, f", wie {thing} beträgt"

    def _lying(self, step: Step) -> tuple[str, str]:
        """How cards are put down, and which of them comes first when they are dealt again."""
        assert step.to is not None
        quantity = step.number
        face = {"up": "offen", "down": "verdeckt", "keep": ""}[step.face]
        if quantity is not None and quantity.kind == "fixed" and quantity.number == 1:
            return (f"{face} " if face else ""), ""
        if step.face == "keep":
            lying = (
                "einzeln, in umgekehrter Reihenfolge, " if step.reverse else "so, wie sie liegen, "
            )
            return lying, ""
        turned = step.reverse == (step.face == "down")
        how = "als Ganzes umgedreht" if turned else "in umgekehrter Reihenfolge"
        if self.book.group_of(step.to.piles[0]).role != "stock":
            return f"{how} und {face} ", ""
        first = "unterste" if step.reverse else "oberste"
        return (
            f"{how} und {face}, ohne zu mischen, ",
            f", so dass die {first} von ihnen zuerst wieder gegeben wird",
        )

    def _gathers(self, step: Step) -> str:
        assert step.piles is not None
        assert step.to is not None
        to = self.german.one_pile(step.to.piles[0], ACC)
        face = {"up": " offen", "down": " verdeckt", "keep": ""}[step.face]
        turned = "umgedreht und" if step.reverse and step.face == "down" else ""
        where = "unter" if step.to_end == "bottom" else "auf"
        single = " Karte für Karte" if step.reverse and step.face != "down" else ""
        order = self.german.ordered(step.piles.piles)
        first = ""
        if self.book.group_of(step.to.piles[0]).role == "stock":
            card = "unterste" if step.reverse else "oberste"
            pile = "ersten" if step.to_end == "bottom" else "letzten"
            first = (
                f", so dass von all diesen Karten die {card} des {pile} Stapels zuerst ausgeteilt "
                "wird"
            )
        put = f"wird {turned}{single}{face} {where} {to} gelegt".replace("  ", " ")
        return (
            f"die Stapel|werden einer nach dem anderen aufgenommen, {order}; jeder {put}, ohne zu "
            f"mischen{first}"
        )

    def _routes(self, step: Step) -> str:
        assert step.source is not None
        source = step.source.piles
        ways = "; ".join(self.goes(way) for way in step.ways)
        if step.until is None:
            top = f"{CARD('the', NOM, 'oberst')} {self.german.whole(source, GEN)}"
            return f"{top}|wird umgedreht: {ways}"
        until = self.german.empty(step.until.piles, "no", NOM)
        single = after("von", self.german.whole(source, DAT))
        return f"{single}|wird Karte um Karte aufgedeckt: {ways}; so lange, bis {until} mehr da ist"

    def goes(self, way: Way) -> str:
        """Where a class of dealt cards goes."""
        card = self.german.german.single(way.cards.mask)
        rest = self.german.whole(way.overflow.piles, ACC)
        if not way.vacant.piles:
            return f"{card} kommt auf {rest}"
        vacancy = self.german.empty(way.vacant.piles, "the first", ACC)
        return f"{card} kommt auf {vacancy} oder, wenn keiner da ist, auf {rest}"

    def _closes(self, step: Step) -> str:
        assert step.piles is not None
        assert step.partners is not None
        group = self.german.groups(step.piles.piles)[0]
        partner = self.german.groups(step.partners.piles)[0]
        one = self.german.called(group).one or PILE
        other = self.german.called(partner).one or PILE
        relative = {"m": "dessen", "n": "dessen", "f": "deren", "p": "deren"}[one.gender]
        belongs = f"{one('the', NOM, 'erst')} gehört {after('zu', other('the', DAT, 'erst'))}"
        it = {"m": "der", "n": "das", "f": "die", "p": "die"}[one.gender]
        return (
            f"beim Geben|wird von nun an {one('any', NOM)} übergangen, {relative} "
            f"{other.forms[NOM]} vollständig ist ({belongs} und so weiter)"
        ).replace(f", {it} {it} ", f", {it} ")

    # Rules that are carried out automatically.

    def by_itself(self, rule: Rule) -> str:
        """A forced rule as sentences."""
        action = rule.action
        when = self.german.wenn(rule.when, of=rule)
        told: list[str] = []
        match action:
            case Script():
                told.append(f"**{sentence(self.german.title(rule))}**")
                told += [sentence(straight(clause)) for clause in self.clauses(action, when)]
                text = ""
            case Move():
                text = self._forced_moves(action)
            case Joint():
                text = self.together(action, "gehen")
            case TurnUp():
                of = self.german.some(action.piles.piles, "a", DAT)
                text = f"eine verdeckte Karte, die oben auf {of} zu liegen kommt,|wird aufgedeckt"
            case Swap():
                text = self.exchange(action)
            case _:
                assert_never(action)
        if text:
            told.append(sentence(f"{when}, {inverted(text)}" if when else straight(text)))
        if often := self.german.often(rule):
            told.append(often)
        if rule.why:
            told.append(self.german.words_of(rule.why))
        return " ".join(told)

    def _forced_moves(self, move: Move) -> str:
        choice = {
            "none": "",
            "card": "; welche Karte, wählt der Spieler",
            "place": "; den Platz wählt der Spieler",
            "any": "; welche Karte, und wohin, wählt der Spieler",
        }[move.choose]
        link = self.german.link(move)
        foundations = all(g.role == "foundation" for g in self.german.groups(move.to.piles))
        if move.ladder:
            source = self.german.moving(move, determiner="a")
            place = self._next_place(move, link)
            fits = "" if move.to_holds[1] == 0 else ", sobald sie dort die nächste ist"
            verb = source.verb("kommt", "kommen")
            return f"{source.closed}|{verb} auf {place}{fits}{choice}"
        if foundations:
            source = self.german.moving(move, determiner="a")
            word = "the first" if move.choose not in ("place", "any") else "a"
            if move.to_holds[1] == 0:
                place = self.german.empty(move.to.piles, word, ACC)  # type: ignore[arg-type]
            else:
                place = self.german.some(move.to.piles, "a", ACC)
            whole = " als Ganzes" if move.unit.kind != "top" else ""
            return f"{source.closed}|{source.verb('kommt', 'kommen')}{whole} auf {place}{choice}"
        if move.to_holds == (0, 0):
            vacancy = self.german.empty(move.to.piles, "any", NOM)
            source = self.german.moving(move, DAT, determiner="a")
            face = " offen" if move.face == "up" and self._from_stock(move) else ""
            face = " verdeckt" if move.face == "down" else face
            if move.unit.kind == "count" and move.reverse and move.unit.most > 1:
                face += " und einzeln" if face else " einzeln"
            space = ""
            if not self.german.german.is_any(move.space.mask):
                them = "sie" if move.unit.kind == "top" else "die erste von ihnen"
                space = f", sofern {them} {self.german.german.being(move.space.mask)} ist"
            of_line = f" {link}" if link else ""
            with_it = f"{source.text}{of_line}" if of_line else source.closed
            return f"{vacancy}|wird{face} mit {with_it} gefüllt{space}{choice}"
        source = self.german.moving(move, determiner="a")
        target = self.german.some(move.to.piles, "a", ACC)
        fits = f", wenn {self.german.german.may_lie(move.build)}" if move.build else ""
        of_line = f" {link}" if link else ""
        return (
            f"{source.closed}|{source.verb('kommt', 'kommen')} auf {target}{of_line}{fits}{choice}"
        )

    def _next_place(self, move: Move, link: str) -> str:
        if move.to_holds == (0, 0):
            free = move.choose in ("place", "any") and not move.first_vacant
            place = self.german.empty(move.to.piles, "a" if free else "the first", ACC)
        elif move.to_holds[0] > 0 and move.along == "same place":
            place = self.german.some(move.to.piles, "the", ACC)
            return f"{place} {link}, wenn dieser schon begonnen ist"
        elif move.to_holds[0] > 0:
            place = self.begun(move.to.piles)
        else:
            place = self.german.whole(move.to.piles, ACC)
        return f"{place} {link}".rstrip()

    def begun(self, piles: Sequence[int]) -> str:
        """A foundation on which a card lies, in the accusative."""
        return self.german.some(piles, "a", ACC, "begonnen")

    # What players do.

    def together(self, joint: Joint, may: str = "dürfen") -> str:
        """Cards that go up together."""
        to = self.german.whole(joint.to.piles, ACC)
        parts: list[str] = []
        cards = 0
        for part in joint.parts:
            cards += part.size
            again = bool(parts) and part == joint.parts[0]
            where = self.german.some(part.source.piles, "another" if again else "a", DAT)
            if part.size == 1:
                parts.append(f"eine Karte, die allein in {where} liegt")
            else:
                of = self.german.some(part.source.piles, "another" if again else "a", GEN)
                parts.append(f"die beiden Karten {of}, wenn dort genau zwei liegen")
        none = "keine ohne die andere" if cards == 2 else "keine ohne die anderen"
        blocked = ""
        if joint.only_if_blocked:
            alone = "kein Stapel" if len(parts) > 1 else "keine Karte"
            blocked = f", und nur, wenn {alone} für sich abgelegt werden könnte"
        where = "jede auf einen Grundstapel, auf dem sie die nächste ist"
        who = ", und ".join(parts)
        if may == "dürfen":
            return f"{who},|dürfen zugleich auf {to} abgelegt werden, {none}, {where}{blocked}"
        return f"{who},|kommen zugleich auf {to}, {none}, {where}{blocked}"

    def exchange(self, swap: Swap) -> str:
        """Top cards that change places."""
        groups = self.german.groups(swap.piles.piles)
        where = self.german.whole(swap.piles.piles, GEN)
        if groups and all(self.german.is_single(group) for group in groups):
            return f"zwei beliebige Karten {where}|dürfen die Plätze tauschen"
        return f"die obersten Karten zweier beliebiger Stapel {where}|dürfen die Plätze tauschen"

    def whenever(self, rule: Rule, word: str = "sooft") -> str:
        """A use of a rule: ``"sooft eine Karte auf die Grundstapel kommt"``."""
        action = rule.action
        match action:
            case Script():
                title = self.german.title(rule)
                return f"bei jedem Zug „{title}“" if rule.verb else f"jedes Mal bei „{title}“"
            case Move():
                return f"{word} {self._use(action)}"
            case Joint():
                to = self.german.whole(action.to.piles, ACC)
                return f"{word} Karten gemeinsam auf {to} kommen"
            case Swap():
                return f"{word} zwei Karten die Plätze tauschen"
            case TurnUp():
                return f"{word} eine Karte aufgedeckt wird"
            case _:
                assert_never(action)

    def _use(self, action: Move) -> str:
        to = self.german.whole(action.to.piles, ACC)
        if action.ladder:
            return f"eine Karte auf {to} kommt"
        groups = self.german.groups(action.sources)
        if groups == self.german.groups(action.to.piles) and len(groups) == 1:
            return f"eine Karte {self.german.within(groups[0])} bewegt wird"
        source = after("von", self.german.whole(action.sources, DAT, "oder"))
        return f"eine Karte {source} auf {to} kommt"


def straight(clause: str) -> str:
    """A clause that begins with its subject."""
    return clause.replace("|", " ").replace(", ,", ",")


def inverted(clause: str) -> str:
    """A clause after something that stands before the verb: ``"wird die Karte umgedreht"``."""
    subject, bar, rest = clause.partition("|")
    if not bar:
        return clause
    verb, _, more = rest.partition(" ")
    return f"{verb} {subject} {more}".rstrip()

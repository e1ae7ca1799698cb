"""The course of the game in German: what happens automatically, the stock, what is counted."""

from cadogan.i18n.german import ACC, DAT, NOM, after, join, number, sentence
from cadogan.rules.explain.english.play_sequence import PlaySequence
from cadogan.rules.explain.german.cards import RANKS
from cadogan.rules.explain.german.section import GermanSection
from cadogan.rules.kinds import Move
from cadogan.rules.rulebook.counter import Effect
from cadogan.rules.rulebook.rulebook import Rule

_FIRST = "und schon beim Auslegen"


class GermanPlaySequence(GermanSection, PlaySequence):
    """The course of the game: what happens automatically, the stock, what is counted."""

    def von_selbst(self) -> list[str]:
        """What is carried out without the player."""
        rules = self.by_itself
        if not rules:
            return []
        parts = []
        chosen = any(isinstance(r.action, Move) and r.action.choose != "none" for r in rules)
        order = ""
        if any(self.may_concern_several(rule) for rule in rules):
            order = " Betrifft es mehrere Stapel, so kommt der erste zuerst an die Reihe."
        titled = [self.does.by_itself(rule, titled=self.is_cited(rule)) for rule in rules]
        if len(rules) == 1:
            first = f"Das geschieht vor allem anderen, {_FIRST}."
            parts.append(f"{titled[0]} {first}{order}")
        else:
            parts.append(
                f"Vor allem anderen, {_FIRST}, geschieht, sooft es zutrifft, das Folgende; trifft "
                f"mehreres zu, so kommt zuerst, was hier zuerst steht.{order}"
            )
            parts.append("\n".join(f"{i}. {rule}" for i, rule in enumerate(titled, 1)))
        if chosen:
            parts.append(
                "Hat der Spieler eine Wahl, so darf nichts anderes geschehen, bevor er sie "
                "getroffen hat; gibt es nur eine Möglichkeit, so ist es keine Wahl."
            )
        return parts

    def talon(self) -> list[str]:
        """Turning, dealing, laying off, gathering: what is done with stock, hand and waste."""
        parts = []
        for rule in self.free:
            action = rule.action
            if not isinstance(action, Move) and action.SECTION == "stock":
                parts.append(self._scripted(rule))
            elif isinstance(action, Move) and self.of_the_stock(rule):
                parts.append(self._turned(rule, action))
        stocks = [group for group in self.book.groups if group.role == "stock"]
        if parts:
            parts.insert(
                0,
                "Das Folgende geschieht, wann immer der Spieler will, soweit es erlaubt ist.",
            )
        if parts and stocks and not self._is_renewed(set(stocks[0].piles)):
            name = self.german.called(stocks[0]).whole("the", ACC)
            name = f"{name[0].upper()}{name[1:]}"
            parts.append(f"{name} geht man nur einmal durch.")
        return parts

    def _scripted(self, rule: Rule) -> str:
        when = self.german.wenn(rule.when, of=rule)
        clauses = rule.action.german(self.does, forced=False) or self.does.changing(rule)
        clauses = self.does.said_once(clauses, rule)
        head = f"**{sentence(self.german.title(rule))}**"
        if not clauses:
            return f"{head} {self.qualified(rule, 'nichts bewegt sich')}"
        parts = [head, *self.does.sentences(clauses, when)]
        parts.append(self.german.often(rule))
        if rule.why:
            parts.append(self.german.words_of(rule.why))
        return " ".join(part for part in parts if part)

    def _turned(self, rule: Rule, move: Move) -> str:
        head = f"**{sentence(self.german.title(rule))}**"
        role = self.book.group_of(move.to.piles[0]).role
        source = self.german.moving(move)
        if role == "hand":
            hand = self.german.whole(move.to.piles, ACC)
            empty = ""
            if move.to_holds[1] == 0:
                empty = f", wenn {self.german.whole(move.to.piles, NOM)} leer ist"
            waits = ""
            if self._waits(move.to.piles):
                waits = "; sie darf dort warten, während andere Züge gemacht werden"
            text = f"{source.closed} wird offen {after('in', hand)} genommen{empty}{waits}"
        else:
            to = self.german.some(move.to.piles, "a", ACC)
            may = source.verb("darf", "dürfen")
            text = f"{source.closed} {may} auf {to} gelegt werden"
            if move.build is not None:
                text += self.fits(move)
        return f"{head} {self.qualified(rule, text)}"

    def gezaehlt(self) -> list[str]:
        """The counters, except those of how often a rule was used."""
        lines = []
        for index, counter in enumerate(self.book.counters):
            if not self.is_mentioned(index):
                continue
            if done := self.german.done(counter):
                when = [
                    (self._ereignis(index, r, e, "sobald"), e.clears) for r, e in self._uses(index)
                ]
                ends = [event for event, clears in when if clears]
                events = [event for event, clears in when if not clears]
                parts = f"es gilt, dass {done}, {join(events, 'oder')}"
                parts += f", und nicht mehr, {join(ends, 'oder')}" if ends else ""
                lines.append(f"- {sentence(parts)}")
                continue
            changes: list[str] = []
            for (kind, value, _, grows), uses, later in self.changes_of(index):
                known = len(changes)
                often = join((self._ereignis(index, r, e) for r, e in uses), "und")
                if kind == "rank":
                    changes.append(_at("der Wert der Karte", often))
                elif kind == "set":
                    again = "wieder " if value == counter.start else ""
                    changes.append(_at(f"{again}{number(value)}", often))
                elif kind == "add":
                    changes.append(_at(f"um {number(value)} mehr", often))
                elif kind == "tally":
                    thing = self.german.multiple_of(uses[0][1])
                    parts = f"um {thing} mehr" if grows else thing
                    parts = "doppelt so viel" if uses[0][1].doubles else parts
                    changes.append(_at(parts, often))
                else:
                    changes += [self._adds(rule, effect) for rule, effect in uses]
                if later:
                    changes[known:] = [f"dann {change}" for change in changes[known:]]
            thing = sentence(self.german.sum_of(counter)).rstrip(".")
            start = number(counter.start)
            if self.german.holds_rank(index) and counter.start < len(RANKS):
                start = RANKS[counter.start]("the", NOM)
            lines.append(f"- {thing}: zuerst {start}; {'; '.join(changes)}.")
        return ["\n".join(lines)] if lines else []

    def _ereignis(self, counter: int, rule: Rule, effect: Effect, sooft: str = "sooft") -> str:
        if self._is_doubtful(counter, rule, effect):
            return f"jedes Mal bei „{self.german.title(rule)}“"
        return self.does.use_of(rule, sooft)

    def _adds(self, rule: Rule, effect: Effect) -> str:
        mask = effect.cards.mask if effect.cards is not None else self.german.german.all
        if isinstance(rule.action, Move):
            kind = self.german.german.single(mask)
            source = after("von", self.german.whole(rule.action.sources, DAT, "oder"))
            to = self.german.whole(rule.action.to.piles, ACC)
            return f"um eins mehr, sooft {kind} {source} auf {to} kommt"
        kinds = self.german.german.some(mask, DAT)
        more = _at("um so viel mehr", self.does.use_of(rule))
        return f"{more}, wie dabei an {kinds} bewegt werden"


def _at(told: str, often: str) -> str:
    """What happens, and when; only a clause follows a comma."""
    comma = "" if often.startswith(("bei jedem", "jedes Mal")) else ","
    return f"{told}{comma} {often}"

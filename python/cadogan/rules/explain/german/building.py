"""Building on the table, and what its vacancies take, in German."""

from collections.abc import Iterable, Sequence

from cadogan.i18n.german import (
    ACC,
    DAT,
    GEN,
    NOM,
    Case,
    Determiner,
    after,
    either,
    join,
    sentence,
    so_many,
    stands_open,
)
from cadogan.rules.explain.english.building import Building, _Entry, _Topic, takes_all
from cadogan.rules.explain.german.actions import straight
from cadogan.rules.explain.german.phrases import Words
from cadogan.rules.explain.german.section import GermanSection
from cadogan.rules.kinds import Move
from cadogan.rules.rulebook.neighbours import Beside

_NOT_FILLED = "wird nicht gefüllt"


class GermanBuilding(GermanSection, Building):
    """Building on the table, and what its vacancies take."""

    _NEVER_ON_BASE = "Auf eine Karte vom Grundwert wird nichts gelegt."
    _IF_NOT_BASE = "wenn die Karte dort nicht vom Grundwert ist"

    def bauen(self) -> list[str]:
        """What may be moved on the table, where to, and what becomes of vacancies."""
        return [text.replace("|", " ") for text in self.building()]

    def _leaving(self, entry: _Entry) -> str:
        source = self.german.moving(entry.move)
        to = self.german.whole(entry.move.to.piles, ACC)
        may = source.verb("darf", "dürfen")
        return self.qualified(entry.rule, f"{source.closed} {may} auf {to} gelegt werden")

    # What the English section asks of itself while it goes through the rules.

    def _pairings(self, topics: list[_Topic]) -> list[str]:
        parts = []
        for topic in list(topics):
            for other in list(topics):
                if (
                    topic is other
                    or topic not in topics
                    or len(topic.on_cards) != 1
                    or len(other.on_cards) != 1
                ):
                    continue
                one, two = topic.on_cards[0], other.on_cards[0]
                a, b = one.move, two.move
                crossed = sorted(a.sources) == list(other.piles)
                crossed = crossed and sorted(b.sources) == list(topic.piles)
                if crossed and self._manner(one) == self._manner(two):
                    source = self.german.moving(a)
                    may = source.verb("darf", "dürfen")
                    text = (
                        f"{source.closed} {may} {self._on(a)} gelegt werden oder umgekehrt"
                        f"{self.fits(a)}"
                    )
                    parts.append(self.qualified(one.rule, text))
                    topics.remove(topic)
                    topics.remove(other)
        return parts

    def _on(self, move: Move) -> str:
        if move.to_holds == (1, 1):
            where = self.german.some(move.to.piles, "a", DAT)
            target = f"auf eine Karte, die allein {after('in', where)} liegt,"
        else:
            target = f"auf {self.german.some(move.to.piles, 'a', ACC)}"
        return f"{target} {self.german.link(move)}".rstrip()

    def _topic(self, topic: _Topic) -> list[str]:
        build = topic.build
        whole = [e for e in topic.on_cards if not e.move.cards.is_one]
        entry = topic.on_cards[0]
        alone = len(topic.on_cards) == 1
        own = bool(set(entry.move.sources) & set(topic.piles)) and len(topic.piles) > 1
        where = self.german.some(topic.piles, "another" if alone and own else "a", GEN)
        who = self.german.moving(entry.move) if alone else Words("eine Karte")
        may = who.verb("darf", "dürfen")
        head = f"{who.closed} {may} auf die oberste Karte {where} gelegt werden"
        if build is None or any(term.anything for term in build.terms):
            head += ", gleich welche Karten es sind"
        else:
            it = self.german.decisive(entry.move) if whole and alone else "sie"
            it = "die oberste Karte davon" if entry.move.cards.by_top else it
            head += f", wenn {self.german.german.may_lie(build, it)}"
            which = self.german.which(entry.move) if alone else -1
            instance = self.german.german.instance(build, which)
            if instance and "(" not in instance:
                head += f": zum Beispiel {instance}"
        lines = [sentence(head)]
        if build is not None:
            if whole and not alone:
                first = "die unterste von ihnen"
                if any(each.move.top_decides for each in whole):
                    first = "die, die den Stapel berührt"
                lines.append(f"Werden mehrere Karten zusammen bewegt, so gilt das für {first}.")
            elif build.directions:
                lines.append(
                    "Ein Stapel wird in der Richtung weitergebaut, in der er begonnen wurde; die "
                    "beiden obersten Karten zeigen sie."
                )
            elif len(build.terms) > 1 or any(len(term.steps) > 1 for term in build.terms):
                lines.append(
                    "Es kommt nur auf die beiden Karten an, die sich berühren: all das darf in "
                    "einem Stapel gemischt vorkommen."
                )
            if ends := self.german.german.limits(build):
                lines.append(sentence(ends))
            if topic.is_never_on_base:
                lines.append(self._NEVER_ON_BASE)
        if not whole:
            lines.append("Karten werden einzeln bewegt.")
        parts = [" ".join(lines)]
        if not alone:
            ordered = sorted(topic.on_cards, key=lambda e: self._rank(e, topic))
            listed = ";\n".join(f"- {self._entry(e, topic)}" for e in ordered)
            return [*parts, f"Dorthin darf bewegt werden:\n\n{listed}."]
        terms = self._hedges(entry)
        allowed = _allowed(terms) if terms else ""
        why = self.german.words_of(entry.rule.why) if entry.rule.why else ""
        parts += [sentence(more) for more in (allowed, self.german.often(entry.rule), why) if more]
        return [" ".join(parts)]

    def _hedges(self, entry: _Entry, *, all_never: bool = True) -> list[str]:
        move, rule = entry.move, entry.rule
        terms = []
        if move.asks.never_on is not None and not all_never:
            terms.append(self._IF_NOT_BASE)
        if link := self.german.link(move):
            terms.append(f"auf {self.german.some(move.to.piles, 'a', ACC)} {link}")
        bounded = move.to_holds[0] > 1 or move.to_holds[1] < 65535
        if bounded and not self.german.is_capped(move):
            held = so_many(max(1, move.to_holds[0]), move.to_holds[1])
            terms.append(f"auf Stapel mit {held}")
        if when := self.german.wenn(rule.when, of=rule):
            terms.append(when)
        return terms

    def _entry(self, entry: _Entry, topic: _Topic) -> str:
        move, rule = entry.move, entry.rule
        own = bool(set(move.sources) & set(move.to.piles))
        text = self._sources_in(move, NOM, own).text
        if terms := self._hedges(entry, all_never=topic.is_never_on_base):
            text += f", aber {_only(terms)}"
        notes = [self.german.often(rule).rstrip(".")]
        notes.append(self.german.words_of(rule.why).rstrip(".") if rule.why else "")
        for more in notes:
            if more:
                text += f" ({more[0].lower() + more[1:]})"
        return text

    def _sources_in(
        self,
        move: Move,
        case: Case,
        own: bool,
        one: Determiner = "any",
        other: Determiner = "any other",
    ) -> Words:
        """The sources of a move, "other" said only of piles that are targets too."""
        if not own or any(len(lane.piles) > 1 for lane in move.from_):
            return self.german.moving(move, case, determiner=one)
        targets = set(move.to.piles)
        mine = [pile for pile in move.sources if pile in targets and len(targets) > 1]
        rest = [pile for pile in move.sources if pile not in targets]
        if not mine:
            return self.german.moving(move, case, mine=rest, determiner=other)
        words = self.german.moving(move, case, mine=mine, determiner=other)
        if rest:
            more = self.german.moving(move, case, mine=rest, determiner=one)
            return Words(either([words.text, more.text]), more.plural)
        return words

    def _vacancies(self, moves: list[_Entry]) -> list[str]:
        parts = []
        alike: dict[str, list[int]] = {}
        groups = [
            group for group in self.book.groups if group.role in ("tableau", "reserve", "cell")
        ]
        sets = [tuple(sorted(e.move.to.piles)) for e in moves if e.move.to_holds[0] == 0]
        sets += [tuple(group.piles) for group in groups]
        for piles, mine, too in self._alike(sets, moves):
            if any(self.book.group_of(pile).role in ("waste", "foundation") for pile in piles):
                continue
            if any(set(piles) & set(e.move.to.piles) and e.move.to_holds[0] == 0 for e in mine):
                parts.append(self._vacancy(piles, mine, too))
            else:
                alike.setdefault(self._unfilled(piles), []).extend(piles)
        for text, all_piles in alike.items():
            bare = [g for g in groups if not set(g.piles) <= self._built(moves)]
            if text == _NOT_FILLED:
                # Told with the piles that take nothing at all.
                all_piles = [p for p in all_piles if self.book.group_of(p) not in bare]
            if all_piles:
                ordered = tuple(sorted(all_piles))
                parts.append(sentence(f"{self.german.empty(ordered, 'a', NOM)} {text}"))
        return [text for text in parts if text]

    def _vacancy(self, piles: tuple[int, ...], moves: list[_Entry], too: bool) -> str:
        here = [e for e in moves if set(piles) & set(e.move.to.piles) and e.move.to_holds[0] == 0]
        both = [e for e in here if e.on_both]
        vacancy = self.german.empty(piles, "a", NOM)
        forced = [rule for rule in self.by_itself if self._fills_itself(rule, piles)]
        # Told second, it is "er" or "sie": which, the article says.
        subject = vacancy
        onto = any(set(piles) & set(e.move.to.piles) and e.move.to_holds[0] for e in moves)
        parts: list[str] = []
        if forced:
            whens = [self.german.wenn(rule.when, of=rule) for rule in forced]
            same = len(set(whens)) == 1 and whens[0]
            when = f", {whens[0]}" if same else ", soweit das geht"
            parts.append(f"{vacancy} wird von selbst gefüllt{when} (siehe unten)")
            subject = "sie" if vacancy.startswith("eine ") else "er"
            subject = "es" if vacancy.startswith("ein leeres ") else subject
        before = len(parts)
        spaces = {(e.move.space.mask, self.german.one_space_in_german(e.move)) for e in both}
        if both and len(spaces) == 1:
            mask, by_counter = spaces.pop()
            several = [e.move for e in both if not e.move.cards.is_one]
            first = "oberste" if several and several[0].top_decides else "unterste"
            alone = f", allein oder als {first} von mehreren" if several else ""
            if by_counter:
                parts.append(f"{subject}|nimmt nur {by_counter}{alone}")
            elif self.german.german.is_any(mask) and onto:
                moving = [self.german.moving(e.move, DAT, determiner="a").text for e in both]
                fill = join((f"mit {text}" for text in dict.fromkeys(moving)), "oder")
                parts.append(f"{subject}|darf {fill} gefüllt werden, mit keiner anderen Karte")
            elif self.german.german.is_any(mask):
                fill = f"mit jeder dieser Karten{self._oder_folgen(e.move for e in both)}"
                if not takes_all(both, moves):
                    fill = join((f"mit {self._filled_with(entry)}" for entry in both), "oder")
                parts.append(f"{subject}|darf {fill} gefüllt werden")
            elif not mask & self.german.german.all:
                parts.append(f"{subject}|nimmt keine dieser Karten")
            else:
                kind = self.german.german.some(mask, ACC)
                parts.append(f"{subject}|nimmt nur {kind}{alone}")
        elif both:
            for entry in both:
                by_counter = self.german.one_space_in_german(entry.move)
                kind = by_counter or self.german.german.being(entry.move.space.mask)
                source = self.german.moving(entry.move, DAT, determiner="a")
                whatever = self.german.german.is_any(entry.move.space.mask)
                only = "" if whatever else f", wenn es {kind} ist"
                parts.append(f"{subject}|darf mit {source.closed} gefüllt werden{only}")
        alike: dict[tuple[str, str, str, Beside | None], list[_Entry]] = {}
        for entry in here:
            if entry not in both:
                terms = self.german.wenn(entry.rule.when, of=entry.rule)
                often = self.german.often(entry.rule)
                key = (terms, entry.rule.why, often, entry.move.beside)
                alike.setdefault(key, []).append(entry)
        for (terms, why, often, rule), entries in alike.items():
            sources = join((f"mit {self._filled_with(entry)}" for entry in entries), "oder")
            only = f", aber nur, {terms}" if terms else ""
            if rule is not None:
                only += f", wenn {self.german.taken_beside(rule)}"
            also = "auch " if too else ""
            parts.append(f"{subject}|darf {also}{sources} gefüllt werden{only}")
            if rule is not None and not all(rule.of(pile) for pile in entries[0].move.to.piles):
                parts.append(self.german.taken_at_edge(rule))
            parts += [often, self.german.words_of(why) if why else ""]
        if forced and len(parts) > before:
            one, _, rest = parts[before].partition("|")
            verb, _, more = rest.partition(" ")
            parts[before] = f"sonst {verb} {one} {more}"
        return " ".join(sentence(straight(text)) for text in parts if text)

    @staticmethod
    def _oder_folgen(moves: Iterable[Move]) -> str:
        kinds = {move.cards.kind for move in moves}
        if "packet" in kinds:
            return " samt allen, die auf ihr liegen,"
        return " oder mit Folgen davon" if kinds & {"run", "longest"} else ""

    def _filled_with(self, entry: _Entry) -> str:
        """What a rule puts into a vacancy, in the dative."""
        move = entry.move
        own = bool(set(move.sources) & set(move.to.piles))
        words = self._sources_in(move, DAT, own, "a", "another")
        text = words.text
        if move.cards.kind == "count" and move.face == "up":
            text += ", offen und einzeln," if move.laid_one_by_one else ", offen,"
        if link := self.german.link(move):
            named = move.asks.to_turn or move.asks.of_its
            text += f", aber nur der Platz {link}," if named else f" {link}"
        if by_counter := self.german.one_space_in_german(move):
            text += f", wenn sie {by_counter} ist,"
        elif not self.german.german.is_any(move.space.mask):
            text += f", wenn sie {self.german.german.being(move.space.mask)} ist,"
        return f"{text}," if stands_open(text) else text

    def _unfilled(self, piles: tuple[int, ...]) -> str:
        forced = [rule for rule in self.by_itself if self._fills_itself(rule, piles)]
        if forced:
            at_once = "" if any(rule.when for rule in forced) else "sofort "
            return f"wird {at_once}von selbst gefüllt, wenn das geht (siehe unten)"
        for rule in self.book.rules:
            if not isinstance(rule.action, Move) and set(piles) & rule.action.puts_on():
                dealt = rule.action.deals(set(piles))
                how = "beim Geben" if dealt else "wie unten beschrieben"
                return f"wird nur {how} gefüllt"
        return _NOT_FILLED

    def _unbuilt(self, moves: list[_Entry]) -> list[str]:
        built = self._built(moves)
        filled = {p for e in moves if e.move.to_holds[0] == 0 for p in e.move.to.piles}
        parts: list[str] = []
        for group in self.book.groups:
            if group.role not in ("tableau", "reserve") or built.intersection(group.piles):
                continue
            if self._only_exchanges(group):
                continue
            name = self.german.called(group).whole
            text = f"auf {name('the', DAT)} wird nie gebaut"
            if self._unfilled(tuple(group.piles)) == _NOT_FILLED and not filled & set(group.piles):
                left = "leere Plätze bleiben leer" if group.count > 1 else _stays_empty(name.gender)
                text = f"auf {name('the', ACC)} wird nie etwas gelegt; {left}"
            parts.append(sentence(text))
        return parts


def _only(terms: Sequence[str]) -> str:
    """What a move asks for, each after "nur": a place, or a clause."""
    return " und ".join(f"nur {t}" if t.startswith("auf ") else f"nur, {t}" for t in terms)


def _allowed(terms: Sequence[str]) -> str:
    """That a move is allowed only as it asks for, as a clause."""
    places = " und ".join(f"nur {term}" for term in terms if term.startswith("auf "))
    clauses = [f"nur, {term}" for term in terms if not term.startswith("auf ")]
    if places:
        return " und ".join([f"das ist {places} erlaubt", *clauses])
    first, *rest = clauses
    return " und ".join([f"das ist nur erlaubt{first.removeprefix('nur')}", *rest])


def _stays_empty(gender: str) -> str:
    it = {"m": "er", "f": "sie", "n": "es"}.get(gender, "sie")
    return f"ist {it} einmal leer, so bleibt {it} es"

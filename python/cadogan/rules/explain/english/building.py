"""Building on the table, and what its vacancies take."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cadogan.i18n.english import held, join, sentence
from cadogan.rules.explain.english.section import Section
from cadogan.rules.kinds import Move
from cadogan.rules.rulebook.group import Group
from cadogan.rules.rulebook.neighbours import Beside
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.rulebook import Rule

_NOT_FILLED = "is not filled"


@dataclass(slots=True)
class _Entry:
    """Cards that may be put on the piles of a topic: by which rule."""

    rule: Rule
    move: Move

    @property
    def on_both(self) -> bool:
        """Whether they may be put on cards as well as into vacancies."""
        return self.move.to_holds[1] > 0 and self.move.beside is None


@dataclass(slots=True)
class _Topic:
    """Piles on which cards may be put, in one way of building.

    Attributes:
        piles: The piles.
        build: The relation asked for, if any.
        on_cards: Rules for piles that hold cards.
    """

    piles: tuple[int, ...]
    build: Relation | None
    on_cards: list[_Entry] = field(default_factory=list)

    @property
    def is_never_on_base(self) -> bool:
        """Whether no rule lays anything on the base rank."""
        return all(entry.move.asks.never_on is not None for entry in self.on_cards)


class Building(Section):
    """Building on the table, and what its vacancies take."""

    _NEVER_ON_BASE = "Nothing is laid on a card of the base rank."
    _IF_NOT_BASE = "if the card there is not of the base rank"

    def building(self) -> list[str]:
        """What may be moved on the table, where to, and what becomes of vacancies."""
        moves = [
            _Entry(rule, rule.action)
            for rule in self.free
            if isinstance(rule.action, Move)
            and not self.goes_up(rule.action)
            and not self.of_the_stock(rule)
        ]
        topics: list[_Topic] = []
        leaving = [entry for entry in moves if self._leaves(entry.move)]
        moves = [entry for entry in moves if entry not in leaving]
        for entry in moves:
            if entry.move.to_holds[1] == 0:
                continue
            piles = tuple(sorted(entry.move.to.piles))
            texts = entry.move.build.texts if entry.move.build is not None else None
            for topic in topics:
                if topic.piles == piles and texts == (topic.build.texts if topic.build else None):
                    topic.on_cards.append(entry)
                    break
            else:
                topics.append(_Topic(piles, entry.move.build, [entry]))
        parts: list[str] = []
        parts += self._pairings(topics)
        for topic in topics:
            parts += self._topic(topic)
        parts += self._vacancies(moves)
        parts += [self.free_rule(rule) for rule in self.others("building")]
        parts += [self._leaving(entry) for entry in leaving]
        parts += self._unbuilt([*moves, *leaving])
        return parts

    def _leaves(self, move: Move) -> bool:
        """Whether cards leave the game by a move, and nothing is asked of the discard."""
        groups = self.words.groups(move.to.piles)
        return (
            all(group.role == "discard" for group in groups)
            and move.build is None
            and move.to_holds == (0, 65535)
        )

    def _leaving(self, entry: _Entry) -> str:
        """A move by which cards leave the game."""
        to = self.words.the(entry.move.to.piles)
        source = self.words.source(entry.move)
        return self.with_terms(
            entry.rule, f"{source}{',' if entry.move.beaten_by else ''} may go to {to}"
        )

    def _pairings(self, topics: list[_Topic]) -> list[str]:
        """Moves that go both ways between two groups are described in one sentence."""
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
                    text = f"{self._onto(a)}, or the other way round{self.fit_clause(a)}"
                    parts.append(self.with_terms(one.rule, text))
                    topics.remove(topic)
                    topics.remove(other)
        return parts

    @staticmethod
    def _manner(entry: _Entry) -> tuple[object, ...]:
        """All that a move asks for but where it goes from and to."""
        move, rule = entry.move, entry.rule
        build = move.build.texts if move.build is not None else None
        return (
            build, move.from_holds, move.to_holds, move.cards, move.along.text, move.which.mask,
            move.space.mask, move.beside, move.asks, rule.when, rule.effects,
        )  # fmt: skip

    def _onto(self, move: Move) -> str:
        target = self.words.one_of(move.to.piles, "a")
        if move.to_holds == (1, 1):
            target = f"a card that lies alone in {target}"
        linked = self.words.linked(move)
        return f"{self.words.source(move)} may be put on {target} {linked}".rstrip()

    def _topic(self, topic: _Topic) -> list[str]:
        build = topic.build
        whole = [e for e in topic.on_cards if not e.move.cards.is_one]
        entry = topic.on_cards[0]
        alone = len(topic.on_cards) == 1
        own = bool(set(entry.move.sources) & set(topic.piles)) and len(topic.piles) > 1
        where = self.words.one_of(topic.piles, "another" if alone and own else "a")
        who = self.words.source(entry.move) if alone else "a card"
        who = f"{who}," if "," in who else who
        head = f"{who} may be put on the top card of {where}"
        if build is None or any(term.anything for term in build.terms):
            head += ", whatever the cards are"
        else:
            it = self.words.deciding(entry.move) if whole and alone else "it"
            it = "its top card" if entry.move.cards.by_top else it
            head += f", if {it} is {self.cards.fits(build)}"
            which = self.words.which(entry.move) if alone else -1
            if (example := self.cards.example(build, which)) and "(" not in example:
                head += f": {example}, for instance"
        lines = [sentence(head)]
        if build is not None:
            if whole and not alone:
                first = "the lowest of them"
                if any(each.move.top_decides for each in whole):
                    first = "the one that touches the pile"
                lines.append(f"When several cards move together, this is asked of {first}.")
            elif build.directions:
                lines.append(
                    "A pile goes on in the direction in which it was begun, which its two top "
                    "cards show."
                )
            elif len(build.terms) > 1 or any(len(term.steps) > 1 for term in build.terms):
                lines.append(
                    "Only the two cards that come to touch matter: "
                    "all this may be mixed in one pile."
                )
            if ends := self.cards.ends(build):
                lines.append(sentence(ends))
            if topic.is_never_on_base:
                lines.append(self._NEVER_ON_BASE)
        if not whole:
            lines.append("Cards are moved one at a time.")
        parts = [" ".join(lines)]
        if not alone:
            ordered = sorted(topic.on_cards, key=lambda e: self._rank(e, topic))
            listed = ";\n".join(f"- {self._entry(e, topic)}" for e in ordered)
            return [*parts, f"What may be moved there:\n\n{listed}."]
        terms = self._hedges(entry)
        allowed = f"this is allowed only {' and only '.join(terms)}" if terms else ""
        parts += [
            sentence(more)
            for more in (allowed, self.words.limits(entry.rule), entry.rule.why)
            if more
        ]
        return [" ".join(parts)]

    def _rank(self, entry: _Entry, topic: _Topic) -> int:
        """Begins with the piles themselves, and ends with what comes back."""
        roles = {group.role for group in self.words.groups(entry.move.sources)}
        return (
            0 if set(topic.piles) & set(entry.move.sources) else 2 if "foundation" in roles else 1
        )

    def _hedges(self, entry: _Entry, *, all_never: bool = True) -> list[str]:
        """What a rule asks for beside its way of building, each to follow "only"."""
        move, rule = entry.move, entry.rule
        terms = []
        if move.asks.never_on is not None and not all_never:
            terms.append(self._IF_NOT_BASE)
        if linked := self.words.linked(move):
            terms.append(f"to {self.words.one_of(move.to.piles, 'a')} {linked}")
        bounded = move.to_holds[0] > 1 or move.to_holds[1] < 65535
        if bounded and not self.words.is_capped(move):
            least, most = move.to_holds
            terms.append(f"to piles that hold {held(0 if least <= 1 < most else least, most)}")
        if when := self.words.when(rule.when, of=rule):
            terms.append(when)
        return terms

    def _entry(self, entry: _Entry, topic: _Topic) -> str:
        """Cards that may be moved to the piles of a topic, as an item of a list."""
        move, rule = entry.move, entry.rule
        other = "any other" if set(move.sources) & set(move.to.piles) else "any"
        text = self._sources(move, other)
        if terms := self._hedges(entry, all_never=topic.is_never_on_base):
            text += f", but only {' and only '.join(terms)}"
        for more in (self.words.limits(rule).rstrip("."), rule.why.rstrip(".")):
            if more:
                text += f" ({more[0].lower() + more[1:]})"
        return text

    def _sources(self, move: Move, any_word: str) -> str:
        """The sources of a move, "other" said only of piles that are targets too."""
        if any_word == "any" or any(len(lane.piles) > 1 for lane in move.from_):
            return self.words.source(move)
        targets = set(move.to.piles)
        own = [pile for pile in move.sources if pile in targets and len(targets) > 1]
        rest = [pile for pile in move.sources if pile not in targets]
        if not own:
            return self.words.source(move, mine=rest, any_word=any_word)
        text = self.words.source(move, mine=own, any_word=any_word)
        if rest:
            text = f"{text}, or {self.words.source(move, mine=rest)}"
        return text

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
                parts.append(sentence(f"{self.words.vacancy(ordered)} {text}"))
        return [text for text in parts if text]

    def _alike(
        self, sets: Sequence[tuple[int, ...]], moves: Sequence[_Entry]
    ) -> list[tuple[tuple[int, ...], list[_Entry], bool]]:
        """Splits sets of piles into those whose vacancies are filled by the same rules.

        Returns:
            The piles, all moves but those described with fewer or more piles, and whether there
            are any of more.
        """
        fills = [e for e in moves if e.move.to_holds[0] == 0]
        forced = [
            rule.action
            for rule in self.by_itself
            if isinstance(rule.action, Move) and rule.action.to_holds[0] == 0
        ]
        targets = [set(move.to.piles) for move in (*(e.move for e in fills), *forced)]
        found: list[tuple[tuple[int, ...], list[_Entry], bool]] = []
        seen: set[int] = set()
        for piles in sets:
            parts: dict[frozenset[int], list[int]] = {}
            for pile in piles:
                if pile not in seen:
                    which = frozenset(at for at, some in enumerate(targets) if pile in some)
                    parts.setdefault(which, []).append(pile)
            seen |= set(piles)
            # What goes into all vacancies is said of all, and then what goes into some, too.
            own: dict[frozenset[int], frozenset[int]] = {}
            for which, some in sorted(parts.items(), key=lambda part: len(part[0])):
                more = next((other for other in own if other and other < which), frozenset())
                if more and not any(fills[at].on_both for at in which if at < len(fills)):
                    parts[more] = sorted([*parts[more], *some])
                    own[which] = which - more
                else:
                    own[which] = which
            for which, mine in own.items():
                here = set(parts[which])
                elsewhere = [
                    entry for at, entry in enumerate(fills) if at not in mine and here & targets[at]
                ]
                kept = [entry for entry in moves if entry not in elsewhere]
                found.append((tuple(parts[which]), kept, mine != which))
        return found

    def _vacancy(self, piles: tuple[int, ...], moves: list[_Entry], too: bool) -> str:
        """What may be put into a vacancy, apart from what fills it automatically."""
        here = [e for e in moves if set(piles) & set(e.move.to.piles) and e.move.to_holds[0] == 0]
        both = [e for e in here if e.on_both]
        onto = any(set(piles) & set(e.move.to.piles) and e.move.to_holds[0] for e in moves)
        vacancy = self.words.vacancy(piles)
        parts: list[str] = []
        spaces = {(e.move.space.mask, self.words.space(e.move)) for e in both}
        if both and len(spaces) == 1:
            mask, by_counter = spaces.pop()
            several = [e.move for e in both if not e.move.cards.is_one]
            first = "uppermost" if several and several[0].top_decides else "lowest"
            alone = f", alone or as the {first} of the cards that move together" if several else ""
            if by_counter:
                parts.append(f"{vacancy} takes only {by_counter}{alone}")
            elif self.cards.is_any(mask) and onto:
                sources = join(dict.fromkeys(self._sources(e.move, "any") for e in both), "or")
                parts.append(f"{vacancy} may be filled with {sources}, and with no other card")
            elif self.cards.is_any(mask):
                filling = f"any of these cards{self._or_cards(e.move for e in both)}"
                if not takes_all(both, moves):
                    filling = join((self._filling(entry) for entry in both), "or with")
                parts.append(f"{vacancy} may be filled with {filling}")
            elif not mask & self.cards.all:
                parts.append(f"{vacancy} takes none of these cards")
            else:
                kind = self.cards.many(mask)
                parts.append(f"{vacancy} takes only {kind}{alone}")
        elif both:
            for entry in both:
                kind = self.words.one_space(entry.move) or self.cards.one(entry.move.space.mask)
                source = self.words.source(entry.move)
                only = "" if self.cards.is_any(entry.move.space.mask) else f", if that is {kind}"
                parts.append(f"{vacancy} may be filled with {source}{only}")
        alike: dict[tuple[str, str, str, Beside | None], list[_Entry]] = {}
        for entry in here:
            if entry not in both:
                terms, limits = self._terms(entry), self.words.limits(entry.rule)
                key = (terms, entry.rule.why, limits, entry.move.beside)
                alike.setdefault(key, []).append(entry)
        for (terms, why, limits, _), entries in alike.items():
            sources = join((self._filling(entry) for entry in entries), "or with")
            also = "also " if too else ""
            only = f", but only {terms}" if terms else ""
            text = f"{vacancy} may {also}be filled with {sources}{only}"
            parts += [sentence(text), limits, why]
        forced = [rule for rule in self.by_itself if self._fills_itself(rule, piles)]
        if parts and forced:
            whens = [self.words.when(rule.when, of=rule) for rule in forced]
            when = f" {whens[0]}" if len(set(whens)) == 1 and whens[0] else ", as far as that goes"
            parts[0] = parts[0].replace(vacancy, "it", 1).replace(vacancy.capitalize(), "It", 1)
            parts[0] = re.sub(f"^{re.escape(vacancy)}", "it", parts[0], flags=re.IGNORECASE)
            parts[0] = f"otherwise {parts[0][0].lower()}{parts[0][1:]}"
            parts.insert(0, f"{vacancy} is filled by itself{when}: see below")
        return " ".join(sentence(text) for text in parts if text)

    @staticmethod
    def _fills_itself(rule: Rule, piles: Sequence[int]) -> bool:
        move = rule.action
        return (
            isinstance(move, Move)
            and move.to_holds[0] == 0
            and bool(set(piles) & set(move.to.piles))
        )

    @staticmethod
    def _or_cards(moves: Iterable[Move]) -> str:
        kinds = {move.cards.kind for move in moves}
        if "packet" in kinds:
            return ", together with all that lie on it"
        return " or sequences of them" if kinds & {"run", "longest"} else ""

    def _filling(self, entry: _Entry) -> str:
        """What a rule puts into a vacancy."""
        move = entry.move
        text = self._sources(move, "any other" if set(move.sources) & set(move.to.piles) else "any")
        if move.cards.kind == "count" and move.face == "up":
            text += ", face up, one by one" if move.laid_one_by_one else ", face up"
        if linked := self.words.linked(move):
            named = move.asks.to_turn or move.asks.of_its
            text += f", but only one {linked}" if named else f" {linked}"
        if space := self.words.one_space(move):
            text += f", if it is {space}"
        elif not self.cards.is_any(move.space.mask):
            text += f", if it is {self.cards.one(move.space.mask)}"
        if move.beside is not None:
            everywhere = all(move.beside.of(pile) for pile in move.to.piles)
            fits = self.words.fits_beside if everywhere else self.words.taken_beside
            asked = fits(move.beside)
            if move.beside.takes_any_card:
                # Then there is nothing to say of the card itself.
                text += asked.removeprefix("is any card")
            else:
                text += f", if it {asked}"
        return text

    def _terms(self, entry: _Entry) -> str:
        return self.words.when(entry.rule.when, of=entry.rule)

    def _unfilled(self, piles: tuple[int, ...]) -> str:
        """What becomes of a vacancy into which the player may put nothing."""
        forced = [rule for rule in self.by_itself if self._fills_itself(rule, piles)]
        if forced:
            at_once = "" if any(rule.when for rule in forced) else " at once"
            return f"is filled{at_once} by itself, if it can be: see below"
        for rule in self.book.rules:
            if not isinstance(rule.action, Move) and set(piles) & rule.action.puts_on():
                dealing = "by dealing" if rule.action.deals(set(piles)) else "as told below"
                return f"is filled only {dealing}"
        return _NOT_FILLED

    def _unbuilt(self, moves: list[_Entry]) -> list[str]:
        """Groups on whose cards the player can put nothing."""
        built = self._built(moves)
        filled = {p for e in moves if e.move.to_holds[0] == 0 for p in e.move.to.piles}
        parts: list[str] = []
        for group in self.book.groups:
            if group.role not in ("tableau", "reserve") or built.intersection(group.piles):
                continue
            if self._only_exchanges(group):
                continue
            noun = self.words.noun(group)
            text = f"nothing is ever built on {noun.the}"
            if self._unfilled(tuple(group.piles)) == _NOT_FILLED and not filled & set(group.piles):
                its = "their" if noun.is_plural else "its"
                left = (
                    f"{its} vacancies stay empty" if group.count > 1 else "once empty, it stays so"
                )
                text = f"nothing is ever put on {noun.the}; {left}"
            parts.append(sentence(text))
        return parts

    def _only_exchanges(self, group: Group) -> bool:
        """Whether all that happens on piles is that their cards change places."""
        piles = set(group.piles)
        actions = [rule.action for rule in self.book.rules]
        return any(action.takes_from() & piles for action in actions) and not any(
            action.vacates(piles) for action in actions
        )

    @staticmethod
    def _built(moves: list[_Entry]) -> set[int]:
        return {pile for e in moves if e.move.to_holds[1] > 0 for pile in e.move.to.piles}


def takes_all(some: Sequence[_Entry], moves: Sequence[_Entry]) -> bool:
    """Whether some of the rules take cards from all piles from which the others take any."""
    sources = {pile for entry in some for pile in entry.move.sources}
    return all(sources.issuperset(entry.move.sources) for entry in moves)

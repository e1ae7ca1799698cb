"""The stage ``check``: from core rules as plain tables to a rulebook.

It resolves every name, parses every phrase, and reports every fault with its place. It does not
stop at the first fault, and does not report mere consequences of earlier faults. Its result is
sound: later stages find no errors of the author, and the kernel accepts the program.
"""

import collections
import re
from collections.abc import Callable, Sequence
from typing import Any

from cadogan.i18n.text import gettext, term
from cadogan.rules.check.actions import Actions
from cadogan.rules.check.conditions import Conditions
from cadogan.rules.check.covering import read_coverings
from cadogan.rules.check.extent import check_extent
from cadogan.rules.check.orders import Orders
from cadogan.rules.check.phrases import report_word
from cadogan.rules.check.picture import read_picture
from cadogan.rules.check.piles import RESERVED, Piles, count_piles
from cadogan.rules.check.score import read_score
from cadogan.rules.check.scripts import Scripts
from cadogan.rules.faults.report import Report, nearest, one_of
from cadogan.rules.rulebook.condition import Condition
from cadogan.rules.rulebook.counter import Counter
from cadogan.rules.rulebook.group import Group
from cadogan.rules.rulebook.rulebook import Rule, Rulebook, Variant
from cadogan.rules.rulebook.score import Score
from cadogan.rules.rulebook.step import Step
from cadogan.rules.rulebook.words import (
    JOKER,
    RANK_NAMES,
    SUIT_NAMES,
    CardClass,
    Selection,
    WordError,
    parse_selection,
    rank_of,
    suit_of,
)
from cadogan.rules.source.reading import Reading
from cadogan.rules.source.span import Path
from cadogan.rules.source.values import listed, paths
from cadogan.rules.validate.schema import MAX_CARDS, MAX_PILES, group_names

MAX_RULES = 240
MAX_COUNTERS = 30
MAX_ORDERS = 60
MOST_PILES = 4 * MAX_PILES
"""Rules about more piles than this are not checked. That there are too many is reported already."""
MAX_NAME = 30
"""Characters of a group's or counter's name; longer ones would make names of rules too long."""
_NAME = re.compile(r"[a-z][a-z0-9-]*")


def check(reading: Reading, report: Report) -> Rulebook | None:
    """Checks core rules.

    Args:
        reading: Core rules, as :func:`cadogan.rules.expand.expand.expand` writes them.
        report: Receives the faults.

    Returns:
        The rulebook; ``None`` if there were errors.
    """
    return _Checker(reading, report).run()


class _Checker:
    """Checks one reading."""

    def __init__(self, reading: Reading, report: Report) -> None:
        self.reading = reading
        self.core = reading.data
        self.report = report
        self.ranks = self._words("ranks", rank_of, RANK_NAMES, "rank")
        self.suits = self._words("suits", suit_of, SUIT_NAMES, "suit")
        self.piles = Piles(report, reading.roleless)

    def run(self) -> Rulebook | None:
        """Checks everything."""
        core, report = self.core, self.report
        counters = self._counters()
        self._groups(Orders(self.ranks, counters, report))
        if self.piles.count > MOST_PILES:
            return None  # Each rule would look at all pairs of piles.
        deck, preset, without = self._pack()
        picture = read_picture(core.get("picture"), self.piles, report)
        coverings = read_coverings(core, self.piles, picture, report)
        self.piles.cover(coverings)
        raw_rules = self._rule_tables()
        conditions = Conditions(
            *(self.piles, counters, raw_rules, report),
            ranks=self.ranks,
            picture=picture,
            doubtful_rules=self.reading.doubtful_rules,
        )
        scripts = Scripts(self.piles, conditions, self.ranks, report)
        layout = scripts.read_all(core.get("layout", []), ("layout",), layout=True)
        actions = Actions(self.piles, conditions, scripts, picture, self.ranks, self.suits, report)
        rules = [actions.read(raw, ("rule", index)) for index, raw in enumerate(raw_rules)]
        aim = self._aim(conditions)
        again = conditions.read_all(core.get("deal_again", []), ("deal_again",))
        score = read_score(core.get("score"), conditions, scripts, picture, report)
        self._check_deal(layout, len(deck))
        self._check_pack(rules, deck, preset)
        self._check_jokers(rules, [*aim, *again], layout, score)
        self._check_sizes(layout)
        self._check_variants()
        self.piles.finish()
        if not report.ok:
            return None
        rulebook = Rulebook(
            slug=self.reading.slug,
            name=core["name"],
            source=core.get("source", ""),
            version=core.get("version", 1),
            packs=core.get("packs", 1),
            ranks=self.ranks,
            suits=self.suits,
            without=without,
            deck=deck,
            preset=preset,
            groups=tuple(self.piles.groups),
            counters=tuple(counters),
            layout=layout,
            rules=tuple(rule for rule in rules if rule is not None),
            aim=aim,
            source_pile=self.piles.source,
            variants=tuple(Variant(name, table["why"]) for name, table in core["variants"].items()),
            chosen=self.reading.chosen,
            remarks=tuple(listed(core.get("remarks"))),
            picture=picture,
            names=core.get("names", {}),
            score=score,
            coverings=coverings,
            aliases=tuple(core.get("aliases", ())),
            family=core.get("family", ""),
            kin=tuple(core.get("kin", ())),
            book=core.get("book", ""),
            deal_again=again,
            history=core.get("history", ""),
            jokers=core.get("jokers", 0),
        )
        check_extent(rulebook, report)
        return rulebook if report.ok else None

    # -- the pack ----------------------------------------------------------------------------------

    def _words(
        self, key: str, read: Callable[[str], int | None], known: Sequence[str], noun: str
    ) -> tuple[int, ...]:
        """Reads the ranks or suits in use."""
        default = tuple(range(len(known)))
        text = self.core.get(key)
        if text is None:
            return default
        found: list[int] = []
        words = list(re.finditer(r"[^\s,]+", text))
        for match in words:
            value = read(match.group())
            if value is None:
                guess = nearest(match.group(), known)
                self.report.error(
                    f"unknown-{noun}",
                    (key,),
                    gettext('"{word}" is not a {noun}', word=match.group(), noun=term(noun)),
                    within=match.span(),
                    hint=gettext('did you mean "{guess}"?', guess=guess)
                    if guess
                    else gettext("say {choices}", choices=one_of(known, 13)),
                )
            elif value in found:
                self.report.error(
                    "said-twice",
                    (key,),
                    gettext(
                        'the {noun} "{word}" is named twice', noun=term(noun), word=match.group()
                    ),
                    within=match.span(),
                )
            else:
                found.append(value)
        if not words:
            self.report.error(
                "out-of-range", (key,), gettext("a pack has at least one {noun}", noun=term(noun))
            )
        return tuple(found) or default

    def _pack(self) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...], tuple[CardClass, ...]]:
        packs = self.core.get("packs", 1)
        cards = [r * 4 + s for r in self.ranks for s in self.suits for _ in range(packs)]
        cards += [JOKER] * self.core.get("jokers", 0)
        certain = not any(
            self.report.is_faulty(key) for key in ("packs", "jokers", "ranks", "suits")
        )
        without = []
        for text, path in paths(self.core.get("without"), ("without",)):
            withdrawn = self._selection(text, path)
            if withdrawn is None:
                continue
            found = self._selected(withdrawn, cards, path, certain=certain)
            if certain and found == []:
                self.report.error(
                    "no-such-cards",
                    path,
                    gettext('there are no "{text}" in the pack', text=withdrawn.cards.text),
                )
            for card in found or ():
                cards.remove(card)
            without.append(withdrawn.cards)
        certain = certain and not self.report.is_faulty("without")
        preset: list[tuple[int, int]] = []
        for group in self.piles.groups:
            preset += self._preset(group, cards, certain=certain)
        if not cards and certain:
            key = "without" if without else "packs"
            self.report.error("empty-pack", (key,), gettext("no card is left to deal"), key=True)
        if len(cards) + len(preset) > MAX_CARDS:
            self.report.error(
                "out-of-range",
                ("packs",),
                gettext("a game has at most {most} cards", most=MAX_CARDS),
            )
        return tuple(sorted(cards)), tuple(preset), tuple(without)

    def _selected(
        self, wanted: Selection, cards: Sequence[int], path: Path, *, certain: bool
    ) -> list[int] | None:
        """Finds selected cards among others, suit by suit; ``None`` if it is unclear which."""
        mask = wanted.cards.mask
        found = sorted((c for c in cards if mask >> c & 1), key=lambda c: (c % 4, c // 4))
        number = wanted.number
        if number is None or not found:
            return found
        kinds = sorted(set(found), key=found.index)
        if wanted.each_suit:
            each = [[card for card in kinds if card % 4 == suit] for suit in self.suits]
        else:
            each = [kinds]
        if any(len(same) > 1 for same in each):
            if certain:
                rank = RANK_NAMES[found[0] // 4]
                suit = SUIT_NAMES[found[0] % 4]
                self.report.error(
                    "which-card",
                    path,
                    gettext('"{text}" fits several cards', text=wanted.cards.text),
                    hint=gettext(
                        'name one card, such as "one {rank} of {suit}", '
                        'or say "one {rank} of each suit"',
                        rank=term(rank),
                        suit=term(suit),
                    ),
                )
            return None
        chosen = [same[0] for same in each if same]
        if any(found.count(card) < number for card in chosen):
            if certain:
                self.report.error(
                    "no-such-cards",
                    path,
                    gettext('there are not so many in the pack: "{text}"', text=wanted.cards.text),
                )
            return None
        return [card for card in chosen for _ in range(number)]

    def _preset(self, group: Group, cards: list[int], *, certain: bool) -> list[tuple[int, int]]:
        """Removes the cards that a group starts with from the pack."""
        certain = certain and self.piles.is_certain(group.first)
        laid: list[int] = []
        every = True
        order = group.build_order
        written = paths(self.core[group.name].get("start"), (group.name, "start"))
        for text, path in written:
            chosen = self._selection(text, path)
            found = self._selected(chosen, cards, path, certain=certain) if chosen else None
            if chosen is None or found is None:
                return []
            every = every and chosen.number is None
            if order is not None and any(not order.wants[0] >> card & 1 for card in found):
                self.report.error(
                    "start-does-not-fit",
                    path,
                    gettext(
                        '"{name}" cannot start with "{text}": it is built {other}',
                        name=group.name,
                        text=chosen.cards.text,
                        other=term(order.text),
                    ),
                )
            for card in found:
                cards.remove(card)
            laid += found
        if not written:
            return []
        if len(laid) > group.count or not laid or (every and len(laid) < group.count):
            if certain:
                self._wrong_start(group, written, laid, every=every)
            return []
        return list(zip(laid, group.piles, strict=False))

    def _wrong_start(
        self,
        group: Group,
        written: Sequence[tuple[str, Path]],
        laid: Sequence[int],
        *,
        every: bool,
    ) -> None:
        """Reports that the cards of ``start`` are not as many as the piles of the group."""
        number, count = len(laid), count_piles(group.count)
        if len(written) > 1 or not every:
            self.report.error(
                "wrong-count",
                written[0][1] if len(written) == 1 else (group.name, "start"),
                gettext(
                    '"{name}" has {count}, but it starts with {number} cards',
                    name=group.name,
                    count=count,
                    number=number,
                ),
            )
            return
        hint = None
        if number > group.count and len({card // 4 for card in laid}) == 1:
            rank, suit = RANK_NAMES[laid[0] // 4], SUIT_NAMES[laid[0] % 4]
            hint = gettext('did you mean "one {rank} of {suit}"?', rank=term(rank), suit=term(suit))
            if len({card % 4 for card in laid}) > 1:
                hint = gettext('did you mean "one {rank} of each suit"?', rank=term(rank))
        self.report.error(
            "wrong-count",
            written[0][1],
            gettext(
                '"{name}" has {count}, but there are {number} "{text}" in the pack',
                name=group.name,
                count=count,
                number=number,
                text=" ".join(written[0][0].split()),
            ),
            hint=hint,
        )

    def _selection(self, text: str, path: Path) -> Selection | None:
        try:
            return parse_selection(text)
        except WordError as error:
            report_word(self.report, "unknown-cards", path, text, error)
            return None

    # -- groups, counters and rules ----------------------------------------------------------------

    def _counters(self) -> list[Counter]:
        counters = [
            Counter(name, raw.get("start", 0), raw.get("cap", 65535), raw.get("why", ""))
            for name, raw in self.core.get("counters", {}).items()
        ]
        for counter in counters:
            path: Path = ("counters", counter.name)
            self._check_name(path, counter.name)
            if counter.start > counter.cap:
                self.report.error(
                    "out-of-range",
                    (*path, "start"),
                    gettext(
                        'the counter "{name}" starts above its cap of {cap}',
                        name=counter.name,
                        cap=counter.cap,
                    ),
                )
        if len(counters) > MAX_COUNTERS:
            self.report.error(
                "too-many",
                ("counters",),
                gettext(
                    "a game has at most {most} counters, not {number}",
                    most=MAX_COUNTERS,
                    number=len(counters),
                ),
                key=True,
            )
        return counters

    def _groups(self, orders: Orders) -> None:
        names = group_names(self.core)
        if not names and not self.reading.roleless:
            self.report.error(
                "no-piles",
                ("name",),
                gettext("the game has no piles"),
                hint=gettext("add groups, such as [tableau]"),
            )
        # An unknown name in capitals is probably a role, which has been reported already.
        for name in (*names, *(name for name in self.reading.roleless if not name.istitle())):
            self._check_name((name,), name)
        for name in names:
            raw = self.core[name]
            order = orders.read(name, raw) if raw["role"] == "foundation" else None
            shown = raw.get("shown", "all")
            mark, holds = raw.get("mark"), raw.get("holds")
            self.piles.add(name, raw["role"], raw["piles"], shown, order, mark, holds)
        if sum(group.build_order is not None for group in self.piles.groups) > MAX_ORDERS:
            self.report.error(
                "too-many",
                ("name",),
                gettext("a game has at most {most} groups of foundations", most=MAX_ORDERS),
            )
        self.piles.close()

    def _check_name(self, path: Path, name: str) -> None:
        if len(name) <= MAX_NAME and _NAME.fullmatch(name) and name not in RESERVED:
            return
        hint = gettext(
            "names are lower-case letters, digits and hyphens, at most {most} of them",
            most=MAX_NAME,
        )
        if name in RESERVED:
            hint = gettext("it has a meaning in the phrases of rules")
        self.report.error(
            "bad-name", path, gettext('"{name}" cannot be a name', name=name), key=True, hint=hint
        )

    def _rule_tables(self) -> list[dict[str, Any]]:
        """The rules as written, after a check that names and verbs are unique."""
        raw_rules: list[dict[str, Any]] = self.core.get("rule", [])
        if len(raw_rules) > MAX_RULES:
            self.report.error(
                "too-many",
                ("rule", MAX_RULES),
                gettext(
                    "a game has at most {most} rules, those of the roles included", most=MAX_RULES
                ),
            )
            raw_rules = raw_rules[:MAX_RULES]
        for key in ("name", "verb"):
            seen: dict[str, int] = {}
            for index, raw in enumerate(raw_rules):
                word = raw.get(key)
                if word is None:
                    continue
                if word in seen:
                    self.report.error(
                        "said-twice",
                        ("rule", index, key),
                        gettext('there are two rules with the {key} "{word}"', key=key, word=word),
                        also=[(("rule", seen[word], key), gettext("the other"))],
                    )
                seen.setdefault(word, index)
        return raw_rules

    def _check_variants(self) -> None:
        for name in self.core["variants"]:
            if not re.fullmatch(r"[a-z0-9-]{1,30}", name):
                self._check_name(("variants", name), f"{name}")

    # -- aim and deal ------------------------------------------------------------------------------

    def _aim(self, conditions: Conditions) -> tuple[Condition, ...]:
        aim = conditions.read_all(self.core["aim"], ("aim",))
        score = self.core.get("score")
        if aim and score is not None and "won_from" in score:
            self.report.error(
                "key-does-not-fit",
                ("score", "won_from"),
                gettext("either an aim or a number of points decides, not both"),
                key=True,
                also=[(("aim",), gettext("the aim"))],
            )
        if (
            self.core["aim"] == []
            and score is None
            and not self.reading.roleless
            and not self.report.is_faulty("aim")
        ):
            self.report.error(
                "no-aim",
                ("name",),
                gettext("nothing says when the game is won"),
                hint=gettext(
                    'add foundations, an aim such as aim = "tableau is empty", or a [score]'
                ),
            )
        return aim

    def _check_sizes(self, layout: Sequence[Step]) -> None:
        """Reports piles to which more cards are dealt than they may hold."""
        dealt = collections.Counter[int]()
        for step in layout:
            if step.kind == "deal" and step.to is not None:
                for pile in step.to.piles:
                    dealt[pile] += step.each
        for group in self.piles.groups:
            most = max((dealt[pile] for pile in group.piles), default=0)
            if group.holds is not None and most > group.holds:
                self.report.error(
                    "out-of-range",
                    (group.name, "holds"),
                    gettext(
                        '{most} cards are dealt to a pile of "{name}", more than it may hold',
                        most=most,
                        name=group.name,
                    ),
                )

    def _check_deal(self, layout: Sequence[Step], cards: int) -> None:
        """Reports the step that deals more cards than the pack has."""
        keys = ("packs", "jokers", "ranks", "suits", "without")
        if any(self.report.is_faulty(key) for key in keys) or len(layout) < len(
            self.core["layout"]
        ):
            return
        doubtful = [group for group in self.piles.groups if not self.piles.is_certain(group.first)]
        left = cards
        for index, step in enumerate(layout):
            kinds = ("deal", "base", "settle", "close", "sink", "slip", "turn", "pick")
            if step.kind not in kinds or step.up_to is not None or step.takes_turns:
                return
            if step.kind not in ("deal", "pick") or step.only != "any" or doubtful:
                continue
            if step.to is None or step.from_ is None:
                continue
            if step.from_.piles != (self.piles.source,):
                continue
            left -= step.each * len(step.to.piles)
            if left < 0 and not self._gives_back():
                dealt = sum(
                    one.each * len(one.to.piles)
                    for one in layout
                    if one.kind == "deal" and one.to is not None
                )
                self.report.error(
                    "too-few-cards",
                    ("layout", index, "deal"),
                    gettext(
                        "{dealt} cards are dealt, but there are only {cards} to deal",
                        dealt=dealt,
                        cards=cards,
                    ),
                )
                return

    def _check_pack(
        self,
        rules: Sequence[Rule | None],
        deck: Sequence[int],
        preset: Sequence[tuple[int, int]],
    ) -> None:
        """Reports scripts that may leave cards in the pack, which is not on the table in play."""
        if self.piles.source < self.piles.count or not self.report.ok:
            return
        taken = {pile for rule in rules if rule for pile in rule.action.takes_from()}
        most = len(deck) + sum(pile in taken for _, pile in preset)
        for index, rule in enumerate(rules):
            if rule is None or self.piles.source not in rule.action.puts_on():
                continue
            steps: Sequence[Step] = getattr(rule.action, "steps", ())
            dealt = sum(
                step.each * len(step.targets)
                for step in steps
                if step.kind == "deal" and step.only == "any"
                if step.sources == (self.piles.source,)
            )
            if dealt < most:
                self.report.error(
                    "dead-end-pile",
                    ("rule", index, "steps"),
                    gettext(
                        "{dealt} of up to {most} cards are dealt from the pack again; "
                        "the others would be lost",
                        dealt=dealt,
                        most=most,
                    ),
                    hint=gettext("deal all of them, or add a group [stock]"),
                )

    def _check_jokers(
        self,
        rules: Sequence[Rule | None],
        asked: Sequence[Condition],
        layout: Sequence[Step],
        score: Score | None,
    ) -> None:
        """Reports jokers in a game that must know the rank of every card."""
        if not self.core.get("jokers"):
            return
        played = [rule for rule in rules if rule is not None]
        asked = [*asked, *(condition for rule in played for condition in rule.when)]
        counted = any(
            rule.action.adds_up or any(effect.kind == "rank" for effect in rule.effects)
            for rule in played
        )
        if (
            counted
            or any(condition.kind == "sums" for condition in asked)
            or any(step.kind == "base" for step in layout)
            or any(term.kind in ("poker", "cribbage") for term in (score.terms if score else ()))
        ):
            self.report.error(
                "key-does-not-fit",
                ("jokers",),
                gettext("a joker has no rank, but this game must know the rank of every card"),
                hint=gettext(
                    "cards that add up, hands and a base that is dealt do not go with jokers"
                ),
            )

    def _gives_back(self) -> bool:
        """Whether forced rules of the layout may put cards back on the stock."""
        return any(
            raw.get("forced") and raw.get("during") in ("layout", "always")
            for raw in self.core["rule"]
        )

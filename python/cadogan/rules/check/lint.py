"""Warnings: rule sets that can be played but look wrong.

Each warning is found from the rulebook alone and told at the key that the author wrote. A game may
mean what looks wrong - Klondike is commonly played with redeals without end - so nothing here stops
it.
"""

from collections import Counter as Multiset
from collections.abc import Iterator

from cadogan.i18n.text import gettext, in_a_row, listed, term
from cadogan.rules.faults.report import Report
from cadogan.rules.kinds import Move
from cadogan.rules.rulebook.condition import Condition
from cadogan.rules.rulebook.group import Group
from cadogan.rules.rulebook.rulebook import Rule, Rulebook
from cadogan.rules.rulebook.words import RANK_NAMES, SUIT_NAMES, plural
from cadogan.rules.source.span import Path


def lint(rulebook: Rulebook, report: Report) -> None:
    """Warns of what looks wrong in a checked game.

    Args:
        rulebook: The game.
        report: Where the warnings go; its paths are those of the core rules.
    """
    _consumption(rulebook, report)
    _flow(rulebook, report)
    _face_down(rulebook, report)
    for index, rule in enumerate(rulebook.rules):
        rule.action.lint(rule, index, rulebook, report)
        _never(rule, index, rulebook, report)


# -- the foundations and the pack ------------------------------------------------------------------


def _consumption(book: Rulebook, report: Report) -> None:
    """Warns if the foundations that must be filled do not take exactly the cards of the pack."""
    piles = _filled_by_aim(book)
    groups = [group for group in book.groups if piles.intersection(group.piles)]
    # Which cards jokers stand for is not said anywhere.
    if not groups or book.jokers:
        return
    supply = Multiset([*book.deck, *(card for card, _ in book.preset)])
    wanted: Multiset[int] = Multiset()
    exact = True
    for group in groups:
        cards = _wanted_cards(group, book)
        if cards is None:
            exact = False
        else:
            wanted += cards
    if exact:
        left, short = supply - wanted, wanted - supply
        named = [_cards(left, book), _cards(short, book)]
    else:
        ranks = Multiset(rank for group in groups for rank in _wanted_ranks(group, book))
        held: Multiset[int] = Multiset()
        for card, number in supply.items():
            held[card // 4] += number
        left, short = held - ranks, ranks - held
        named = [_ranks(left), _ranks(short)]
    first, *others = [(group.name,) for group in groups]
    parts: list[str] = []
    # What goes to a discard need not go up.
    if left and not any(group.role == "discard" for group in book.groups):
        parts.append(gettext("leave {number} over: {cards}", number=_number(left), cards=named[0]))
    if short:
        parts.append(
            gettext("want {number} too many: {cards}", number=_number(short), cards=named[1])
        )
    if parts:
        report.warning(
            "pack-not-consumed",
            first,
            gettext("the foundations {faults}", faults=listed(parts, "and")),
            key=True,
            also=[(other, gettext("and these")) for other in others],
        )


def _filled_by_aim(book: Rulebook) -> set[int]:
    """The foundations that must all be complete, or hold a complete sequence, at the end."""
    piles: set[int] = set()
    for condition in book.aim:
        named = condition.piles.piles if condition.piles is not None else ()
        if condition.kind == "complete":
            piles.update(named)
        elif condition.kind == "filled" and condition.number == len(named):
            piles.update(pile for pile in named if _run_length(book.group_of(pile), book))
    return piles


def _run_length(group: Group, book: Rulebook) -> int:
    """The length of the sequences that go to a group, 0 if it takes none."""
    for rule in book.rules:
        move = rule.action
        if isinstance(move, Move) and set(group.piles) <= set(move.to.piles):
            unit = move.cards
            if unit.kind == "run" and unit.least == unit.most and move.to_holds == (0, 0):
                return unit.least
    return 0


def _wanted_ranks(group: Group, book: Rulebook) -> Iterator[int]:
    ranks = group.build_order.ranks if group.build_order is not None else book.ranks
    for _ in group.piles:
        yield from ranks * max(1, order.ring if (order := group.build_order) is not None else 1)


def _wanted_cards(group: Group, book: Rulebook) -> Multiset[int] | None:
    """The cards that a group takes, or ``None`` if their suits are not told by its order."""
    order = group.build_order
    if (
        order is None
        or order.relation is None
        or any(t.suit != "in suit" for t in order.relation.terms)
    ):
        return None
    starts = {pile: card % 4 for card, pile in book.preset}
    if all(pile in starts for pile in group.piles):
        suits = [starts[pile] for pile in group.piles]
    elif group.count % len(book.suits) == 0 and not starts.keys() & set(group.piles):
        suits = list(book.suits) * (group.count // len(book.suits))
    else:
        return None
    return Multiset(rank * 4 + suit for suit in suits for rank in order.ranks)


def _number(cards: Multiset[int]) -> str:
    number = cards.total()
    return gettext("one card") if number == 1 else gettext("{number} cards", number=number)


def _cards(cards: Multiset[int], book: Rulebook) -> str:
    """Tells cards: whole ranks in the plural, others one by one."""
    whole: Multiset[int] = Multiset()
    single: list[str] = []
    for rank in range(13):
        numbers = {cards[rank * 4 + suit] for suit in book.suits}
        if len(numbers) == 1 and 0 not in numbers:
            whole[rank] = len(book.suits) * min(numbers)
        else:
            single += [
                gettext(
                    "the {rank} of {suit}",
                    rank=term(RANK_NAMES[rank], "rank"),
                    suit=term(SUIT_NAMES[suit]),
                )
                for suit in book.suits
                if cards[rank * 4 + suit]
            ]
    named = [_ranks(whole)] if whole else []
    if len(single) > 6:
        single[5:] = [gettext("{number} others", number=len(single) - 5)]
    return in_a_row([*named, *single])


def _ranks(ranks: Multiset[int]) -> str:
    parts: list[str] = []
    if len(ranks) == 13:
        each = min(ranks.values())
        parts = [gettext("{number} of every rank", number=each)]
        ranks = ranks - Multiset(dict.fromkeys(range(13), each))
    more = bool(parts)
    for rank, number in sorted(ranks.items()):
        name = term(RANK_NAMES[rank] if number == 1 else plural(rank), "rank")
        parts.append(
            gettext("{number} more {rank}", number=number, rank=name)
            if more
            else gettext("{number} {rank}", number=number, rank=name)
        )
    return in_a_row(parts)


# -- where cards can go ----------------------------------------------------------------------------


def _flow(book: Rulebook, report: Report) -> None:
    """Warns of groups that cards never reach, or cannot leave although they must."""
    entered = {pile for _, pile in book.preset} | {book.source_pile}
    left: set[int] = {book.source_pile}
    for step in book.layout:
        left.update(step.sources)
        entered.update(step.targets)
    for rule in book.rules:
        left |= rule.action.takes_from()
        entered |= rule.action.puts_on()
    filled = _filled_by_aim(book)
    emptied: set[int] = set()
    for condition in book.aim:
        if condition.kind == "vacant" and condition.piles is not None:
            emptied.update(condition.piles.piles)
    for group in book.groups:
        piles = set(group.piles)
        if not piles & entered:
            report.warning(
                "unreachable-pile",
                (group.name,),
                gettext('no card can ever get to "{name}"', name=group.name),
                key=True,
            )
        elif not piles & left and (
            piles & emptied
            or (filled and not emptied and group.role not in ("foundation", "discard"))
        ):
            report.warning(
                "dead-end-pile",
                (group.name,),
                gettext(
                    'no card can ever leave "{name}", but it must be empty when the game is won',
                    name=group.name,
                ),
                key=True,
            )
    _uncovering(book, report)


def _uncovering(book: Rulebook, report: Report) -> None:
    """Warns of covered cards that can never be uncovered."""
    taken: set[int] = set()
    gathered: set[int] = set()
    for rule in book.rules:
        piles = gathered if rule.action.TAKES_COVERED else taken
        piles |= rule.action.takes_from()
    opened = set(range(len(book.pile_names) + 1)) - book.open_when.keys()
    while True:
        emptied = gathered | (taken & opened)
        more = {
            pile
            for pile, ways in book.open_when.items()
            if pile not in opened and any(emptied.issuperset(way) for way in ways)
        }
        if not more:
            break
        opened |= more
    for covering in book.coverings:
        own = (pile for pile in book.open_when if book.group_of(pile).name == covering.group)
        shut = next((pile for pile in own if pile not in opened), None)
        if shut is not None:
            report.warning(
                "dead-end-pile",
                (covering.group, "covered" if covering.covered else "open"),
                gettext(
                    'the card of "{name}" can never be uncovered: no rule clears the way to it',
                    name=book.pile_names[shut],
                ),
            )


def _face_down(book: Rulebook, report: Report) -> None:
    """Warns of groups with face-down cards that the player wants and no rule turns up."""
    turned: set[int] = set()
    wanted: set[int] = set()
    for rule in book.rules:
        turned |= rule.action.turns_up()
        wanted |= rule.action.takes_from()
    places: dict[int, Path] = {}
    for index, step in enumerate(book.layout):
        turned.update(step.sources)
        if step.face == "down":
            for pile in step.targets:
                places.setdefault(pile, ("layout", index, "face"))
    for index, rule in enumerate(book.rules):
        for pile in sorted(rule.action.lays_down()):
            places.setdefault(pile, ("rule", index, rule.action.KEY))
    for group in book.groups:
        covered = [p for p in group.piles if p in places and p in wanted and p not in turned]
        if covered and group.role not in ("stock", "discard"):
            report.warning(
                "never-turned-up",
                places[covered[0]],
                gettext(
                    'cards come face down to "{name}", but no rule turns them up', name=group.name
                ),
                hint=gettext(
                    'add a rule: forced = true, turn_up = "{name}"; deal_down adds it itself',
                    name=group.name,
                ),
            )


# -- rules that never apply ------------------------------------------------------------------------


def _never(rule: Rule, index: int, book: Rulebook, report: Report) -> None:
    reason = _contradiction(rule, book)
    path: Path = ("rule", index, "when")
    settles = any(step.kind == "settle" for step in book.layout)
    if reason is None and rule.during == "layout" and not settles:
        reason = gettext("the layout has no step that settles forced rules")
        path = ("rule", index, "during")
    if reason is None and (found := rule.action.idle(book)) is not None:
        key, reason = found
        path = ("rule", index, key)
    if reason is not None:
        report.warning(
            "never-applies",
            path,
            gettext('the rule "{name}" can never apply: {reason}', name=rule.name, reason=reason),
        )


def _contradiction(rule: Rule, book: Rulebook) -> str | None:
    """Why the conditions of a rule can never hold together."""
    for condition in rule.when:
        if condition.kind == "counter":
            counter = book.counters[condition.counter]
            others = [c for c in rule.when if c.kind == "counter" and c is not condition]
            others = [c for c in others if c.counter == condition.counter]
            for other in (None, *others):
                if not _possible(condition, other, counter.cap):
                    if other is None:
                        return gettext(
                            '"{text}", but the counter has a cap of {cap}',
                            text=condition.text,
                            cap=counter.cap,
                        )
                    return gettext(
                        '"{text}" and "{other}" exclude each other',
                        text=condition.text,
                        other=other.text,
                    )
        if condition.kind in ("vacant", "filled") and condition.number > _size(condition):
            return gettext('"{text}" never holds', text=condition.text)
        wanted = condition.kind == "top" or condition.compare == "at-least"
        if wanted and condition.cards is not None and not book.has_any(condition.cards.mask):
            return gettext('the pack has no such cards as in "{text}"', text=condition.text)
    vacant = [(c, _piles(c)) for c in rule.when if c.kind == "vacant"]
    needed = [(f'"{c.text}"', _piles(c), c.number) for c in rule.when if c.kind == "filled"]
    needed += [
        (f'"{c.text}"', _piles(c), 1)
        for c in rule.when
        if c.kind == "top" or (c.kind == "holds" and c.compare == "at-least")
    ]
    for empty, among in vacant:
        room = len(among) - empty.number
        for words, piles, number in needed:
            if piles <= among and number > room:
                return gettext(
                    '"{text}" and {words} exclude each other', text=empty.text, words=words
                )
        for words, sources, number in rule.action.demands():
            if among.issuperset(sources) and number > room:
                return gettext('it needs {words}, but "{text}"', words=words, text=empty.text)
    for target in rule.action.vacancies():
        for condition in rule.when:
            full = condition.kind == "filled" and condition.number == _size(condition)
            if full and target <= _piles(condition):
                return gettext('it needs a vacancy where "{text}"', text=condition.text)
    return None


def _possible(condition: Condition, other: Condition | None, cap: int) -> bool:
    """Whether a counter can have a value for which one or two conditions hold."""
    conditions = [condition] if other is None else [condition, other]
    bounds = {c.number + near for c in conditions for near in (-1, 0)} | {0, cap}
    return any(0 <= value <= cap and all(c.allows(value) for c in conditions) for value in bounds)


def _piles(condition: Condition) -> frozenset[int]:
    return frozenset(condition.piles.piles if condition.piles is not None else ())


def _size(condition: Condition) -> int:
    return len(_piles(condition))

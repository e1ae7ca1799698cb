"""Safe moves by a proof of its own, narrower than that of the kernel but independent of it.

Let ``c`` be the top card of a pile that may go to a foundation, and say that no card that could
ever be laid on ``c`` is left on the table. Take a line of moves that wins without sending ``c`` up
now. Send ``c`` up first, and then follow that line, leaving out ``c``: a move of ``c`` is not made,
and a unit that has ``c`` on top goes without it. Since nothing is laid on ``c`` in the line, ``c``
is a top card all the time, so no other move needs it: each finds its cards, its target shows the
card it showed in the line, uncovered no later than there, and vacancies are as they were or more.
``c`` itself goes to the one foundation of its suit in either line. So the shortened line wins, too.

The argument needs what :func:`_is_plain` looks for in the rules: one pack, one group of foundations
in suit that give no card back, all cards going there; no rule that counts, waits for a condition,
fills vacancies automatically, moves whole piles or asks for the first vacancy; and stock and waste,
whose order a card's absence would change, apart from the piles that ``c`` may come from. It does
not know what came later to the language: cards covered by other piles, foundations with several
ways to build or a base of their own, and moves that ask for more than their cards, such as a rank
that lies in the pile before. (In Osmosis, the order in which suits begin decides what rows take, so
a card that nothing can be laid on may still be sent up too soon.) In games that are not so nothing
is done. FreeCell, the Flower Garden and Beleaguered Castle are so; the patience that lets cards
come back from the foundations is not.
"""

from functools import lru_cache

from cadogan.cards import Card
from cadogan.game import Game, Position
from cadogan.moves import Move
from cadogan.rules import kinds
from cadogan.rules.rulebook.asks import Asks
from cadogan.rules.rulebook.rulebook import Rule, Rulebook


def safe_move(position: Position) -> Move | None:
    """A move that is proved safe, or ``None``."""
    if position.outcome is not None or position.pending_choice is not None:
        return None
    sources = _sources(position.game)
    if not sources:
        return None
    roles = position.game.rulebook.roles
    away: set[Card] | None = None
    for move in position.moves():
        if move.source not in sources or move.target is None or move.count != 1:
            continue
        if roles[move.target] != "foundation":
            continue
        if away is None:
            piles = position.piles.items()
            away = {card for name, pile in piles if roles[name] == "foundation" for card in pile}
        card = position.piles[move.source][-1]
        if _followers(position.game)[card.code] <= away:
            return move
    return None


@lru_cache(maxsize=128)
def _sources(game: Game) -> frozenset[str]:
    """The piles from which a card may be proved safe; none if the rules are not plain."""
    if not _is_plain(game.rulebook):
        return frozenset()
    roles = game.rulebook.roles.items()
    return frozenset(name for name, role in roles if role in ("tableau", "reserve", "cell"))


@lru_cache(maxsize=128)
def _followers(game: Game) -> tuple[frozenset[Card], ...]:
    """For each card, the cards that some rule lets lie on it, foundations left aside."""
    allowed = [0] * 53
    role_of = game.rulebook.role_of
    for rule in game.rulebook.rules:
        action = rule.action
        if not isinstance(action, kinds.Move) or action.build is None:
            continue
        if all(role_of(pile) == "foundation" for pile in action.to.piles):
            continue
        for code, mask in enumerate(action.build.table()):
            allowed[code] |= mask
    pack = set(game.pack)
    return tuple(
        frozenset(card for card in pack if mask >> card.code & 1 and card.code != code)
        for code, mask in enumerate(allowed)
    )


def _is_plain(book: Rulebook) -> bool:
    """Whether the proof above holds for the rules."""
    cards = [*book.deck, *(card for card, _ in book.preset)]
    if len(set(cards)) != len(cards) or book.coverings:
        return False
    foundations = {p for g in book.groups if g.role == "foundation" for p in g.piles}
    aside = {p for g in book.groups if g.role in ("stock", "waste", "hand") for p in g.piles}
    for group in book.groups:
        order = group.build_order
        if group.role == "foundation" and (
            order is None
            or order.relation is None
            or any(
                term.suit in ("in alternate colours", "in colour") for term in order.relation.terms
            )
            or order.ways
            or order.own_base
            or order.chosen
            or order.waits
        ):
            return False
    if len({g.name for g in book.groups if g.role == "foundation"}) > 1:
        return False
    aimed = {
        pile
        for condition in book.aim
        if condition.kind == "complete" and condition.piles is not None
        for pile in condition.piles.piles
    }
    if aimed != foundations or any(condition.kind != "complete" for condition in book.aim):
        return False
    room = sum(
        len(group.build_order.wants) * group.count
        for group in book.groups
        if group.role == "foundation" and group.build_order is not None
    )
    if room != len(cards):
        return False
    return all(
        rule.during == "layout" or _is_harmless(rule, foundations, aside) for rule in book.rules
    )


def _is_harmless(rule: Rule, foundations: set[int], aside: set[int]) -> bool:
    action = rule.action
    match action:
        case kinds.TurnUp():
            return not rule.when and not rule.effects
        case kinds.Script():
            touched: set[int] = set()
            for step in action.steps:
                for piles in (step.from_, step.to, step.piles, step.partners, step.until):
                    touched |= set(piles.piles) if piles is not None else set()
                if step.ways:
                    return False
            looked = {
                pile
                for condition in rule.when
                if condition.piles is not None
                for pile in condition.piles.piles
            }
            blocked = any(condition.kind == "blocked" for condition in rule.when)
            return touched <= aside and looked <= aside and not blocked
        case kinds.Move():
            if rule.forced or rule.when or rule.effects:
                return False
            sources, targets = set(action.sources), set(action.to.piles)
            onto = targets - foundations
            return not (
                sources & foundations
                or (targets & aside and not sources <= aside)
                or any(len(lane.piles) > 1 for lane in action.from_)
                or action.first_vacant
                or action.prefer is not None
                or action.asks != Asks()
                or action.beside is not None
                or action.beaten_by is not None
                or action.laid_one_by_one
                or action.from_holds[0] > 1
                or action.from_holds[1] < len(range(52))
                or action.to_holds[0] > 1
                or action.cards.kind not in ("top", "run", "packet")
                or action.cards.least > 1
                # Anything may be laid on anything: then no card is ever done with.
                or (onto and action.build is None and action.to_holds[1] > 0)
            )
        case _:
            return False

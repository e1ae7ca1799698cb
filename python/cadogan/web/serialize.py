"""Converts objects of ``cadogan`` to the models of the API, without hidden information."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache

from cadogan import game as core
from cadogan.cards import RANKS, Card
from cadogan.i18n.names import variant_label
from cadogan.i18n.text import Translatable, gettext, ngettext, term, translate
from cadogan.moves import Move
from cadogan.pictures.layout import lay_out
from cadogan.rules.index import entries
from cadogan.rules.rulebook.condition import Condition
from cadogan.rules.rulebook.families import FAMILIES
from cadogan.rules.rulebook.rulebook import Rule, Rulebook, Variant
from cadogan.study.statistics import Tally
from cadogan.table.drafts import Draft
from cadogan.table.hints import Hint
from cadogan.table.intent import depth_of, finishing_line
from cadogan.table.library import Library
from cadogan.table.rates import MOST_DEALS, Rate
from cadogan.table.record import Node, Record
from cadogan.table.service import PlayedMove
from cadogan.table.verdicts import VerdictState
from cadogan.table.win_rates import Chances
from cadogan.web import models

FACE_DOWN = "*"
COVERED = "-"
ENDLESS = 65535


def pile_cards(view: Sequence[Card | None], down: Sequence[bool]) -> list[str]:
    """The cards of a pile as far as the player can see them."""
    return [
        str(card) if card is not None else FACE_DOWN if hidden else COVERED
        for card, hidden in zip(view, down, strict=True)
    ]


def say(key: str, text: str, language: str) -> models.Message:
    """A message in a language."""
    return models.Message(key=key, text=translate(text, language))


def position(at: core.Position, language: str) -> models.Position:
    """A position: the cards and the legal moves."""
    view, down, closed = at.visible_piles(), at.face_down, at.closed_piles
    piles = [
        models.Pile.of_fields(
            name=name,
            cards=pile_cards(cards, down[name]),
            wanted=[str(card) for card in at.next_cards(name)],
            closed=name in closed,
        )
        for name, cards in view.items()
    ]
    choosing = at.pending_choice
    return models.Position.of_fields(
        piles=piles,
        moves=[] if at.outcome == "won" else moves(at),
        choice=None if choosing is None else choice(at, choosing, language),
        counters=counters(at, language),
        limits=limits(at),
        outcome=at.outcome,
        score=at.score,
    )


def choice(at: core.Position, rule: str, language: str) -> models.Choice:
    """The choice that a forced rule needs from the player."""
    return models.Choice(rule=rule, message=say("choice", at.explain_choice() or "", language))


def moves(at: core.Position) -> list[models.Move]:
    """The legal moves."""
    return [move(at, each, ways) for each, ways in at.moves_with_transfers()]


def move(at: core.Position, each: Move, ways: Iterable[tuple[str, int, str]]) -> models.Move:
    """A legal move, with its transfers."""
    kind = kinds(at.game).get(each.rule_index)
    if kind == "word" or kind is None:
        if kind == "word" or not ways:
            book = at.game.rulebook
            piles = stands_for(book, book.rules[each.rule_index])
            return models.Move.of_fields(
                text=each.text, kind="word", rule=each.rule, transfers=[], piles=piles
            )
        kind = "cards"
    return models.Move.of_fields(
        text=each.text,
        kind=kind,
        rule=each.rule,
        transfers=transfers(ways, at.game, each),
        piles=[],
    )


@lru_cache(maxsize=128)
def kinds(game: core.Game) -> Mapping[int, str]:
    """How to show the moves of some rules, by index; the others are shown as cards."""
    words = game.verbs
    found: dict[int, str] = {}
    for index, rule in enumerate(game.rulebook.rules):
        if rule.action.DISPLAY != "cards":
            found[index] = rule.action.DISPLAY
        elif index in words:
            found[index] = "word"
    return found


def transfers(
    ways: Iterable[tuple[str, int, str]], game: core.Game, made: Move
) -> list[models.Transfer]:
    """The transfers of a move between piles."""
    depth = depth_of(game, made)
    return [models.Transfer.of_fields(from_=a, count=n, to=b, depth=depth) for a, n, b in ways]


def stands_for(book: Rulebook, rule: Rule) -> list[str]:
    """The piles to click for a move that is one word."""
    # The pack is no pile on the table.
    touched = [pile for pile in rule.action.clicks() if pile < len(book.pile_names)]
    found = [pile for pile in touched if book.group_of(pile).role == "stock"] or list(touched[:1])
    return list(dict.fromkeys(book.pile_names[pile] for pile in found))


def free_words(game: core.Game) -> list[int]:
    """The indices of the free rules whose moves are one word."""
    rules = game.rulebook.rules
    return [
        index for index in game.verbs if not rules[index].forced and rules[index].during != "layout"
    ]


def counters(at: core.Position, language: str) -> list[models.Counter]:
    """The counters of the rules."""
    book = at.game.rulebook
    shown = [index for index in range(len(book.counters)) if not book.is_unread(index)]
    bases = {group.build_order.base for group in book.groups if group.build_order is not None}
    known = [index for index in shown if index in bases]
    limited = {each.counter for _, bounds in _bounds(at.game) for each in bounds}
    return [
        models.Counter(
            name=counter.name,
            value=value,
            text=_counted(value, language, is_rank=index in bases),
            why=translate(term(counter.why), language),
            label=translate(gettext("base") if known == [index] else term(counter.why), language),
            shown=counter.cap > 1 and index not in limited,
        )
        for index, (counter, value) in enumerate(
            zip(book.counters, at.counters.values(), strict=True)
        )
        if index in shown
    ]


def _counted(value: int, language: str, *, is_rank: bool) -> str:
    """The value of a counter."""
    if not is_rank:
        return str(value)
    return RANKS[value] if value < len(RANKS) else translate(gettext("to be chosen"), language)


def limits(at: core.Position) -> list[models.Limit]:
    """How often the moves that are one word are still allowed."""
    values = list(at.counters.values())
    found = []
    for index, bounds in _bounds(at.game):
        left = [each.number - values[each.counter] for each in bounds]
        found.append(
            models.Limit(
                word=at.game.verbs[index],
                rule=at.game.rulebook.rules[index].name,
                left=max(0, min(left)) if left else None,
            )
        )
    return found


@lru_cache(maxsize=128)
def _bounds(game: core.Game) -> Sequence[tuple[int, Sequence[Condition]]]:
    """The rules whose moves are one word, with the conditions on counters that limit them."""
    return [
        (
            index,
            [
                condition
                for condition in game.rulebook.rules[index].when
                if condition.kind == "counter" and condition.compare == "below"
            ],
        )
        for index in free_words(game)
    ]


def steps(made: Iterable[PlayedMove]) -> list[models.Step]:
    """The steps of a move, for animation."""
    return [step for each in made for step in _unfolded(each)]


def _unfolded(made: PlayedMove) -> Iterable[models.Step]:
    view, down = made.before.visible_piles(), made.before.face_down
    for index, step in enumerate(made.before.steps(made.move)):
        changed = [
            models.PileAfter.of_fields(name=name, cards=pile_cards(cards, step.face_down[name]))
            for name, cards in step.view.items()
            if cards != view[name] or step.face_down[name] != down[name]
        ]
        yield models.Step.of_fields(
            text=step.move.text,
            rule=step.move.rule,
            by=made.by if index == 0 else "rules",
            transfers=transfers(step.transfers, made.before.game, step.move),
            piles=changed,
        )
        view, down = step.view, step.face_down


def verdict(standing: VerdictState, record: Record, language: str) -> models.Verdict:
    """The verdict of a table."""
    key, text = f"verdict.{standing.status}", _VERDICTS[standing.status]
    since = standing.since
    if standing.status == "unwinnable" and since is not None:
        if since == 0:
            key, text = "verdict.unwinnable-deal", gettext("this deal cannot be won")
        elif standing.exact:
            text = gettext("cannot be won any more, since move {number}", number=since)
        else:
            key = "verdict.unwinnable-at-latest"
            text = gettext(
                "cannot be won any more, since move {number} at the latest", number=since
            )
    if record.game.rulebook.is_shuffled and standing.status in ("winnable", "unwinnable"):
        text = _with_shuffles(text)
    return models.Verdict(
        mode=record.options.verdict,
        status=standing.status,
        searching=standing.searching,
        nodes=standing.nodes,
        since=standing.since,
        since_exact=standing.exact,
        message=say(key, text, language),
    )


def _with_shuffles(text: Translatable) -> Translatable:
    return gettext("{verdict}, with the shuffles of this deal", verdict=text)


_VERDICTS = {
    "off": gettext("not asked for"),
    "unknown": gettext("not known yet"),
    "winnable": gettext("can be won"),
    "unwinnable": gettext("cannot be won any more"),
}


_LIKELY = {
    "foundation": gettext("not proved: it brings a card to a foundation"),
    "uncovers": gettext("not proved: it turns up a hidden card"),
    "vacates": gettext("not proved: it empties a pile"),
    "lays": gettext("not proved: it brings a card into the tableau"),
    "word": gettext("not proved: nothing better was seen"),
}


def hint(at: core.Position, found: Hint, language: str) -> models.Hint:
    """A hint, and whether it is proved."""
    if found.move is None:
        if found.verdict is not None and found.verdict.status == "unwinnable":
            lost = gettext("the game cannot be won any more")
            if at.game.rulebook.is_shuffled:
                lost = _with_shuffles(lost)
            message = say("hint.lost", lost, language)
        else:
            message = say("hint.none", gettext("no line to a win was found"), language)
        return models.Hint(kind="none", move=None, left=None, message=message)
    advised = move(at, found.move, at.transfers(found.move))
    if found.proved:
        text = (
            gettext("proved: it wins at once")
            if found.left == 1
            else ngettext(
                "proved: it wins in {number} move",
                "proved: it wins in {number} moves",
                number=found.left or 0,
            )
        )
        if at.game.rulebook.is_shuffled:
            text = _with_shuffles(text)
        message = say("hint.proved", text, language)
        return models.Hint(kind="proved", move=advised, left=found.left, message=message)
    text = _LIKELY[found.reason or "foundation"]
    return models.Hint(
        kind="likely",
        move=advised,
        left=None,
        message=say("hint.likely", text, language),
    )


def table(record: Record, verdict: models.Verdict, language: str) -> models.Table:
    """A table in its current state."""
    here, game = record.here, record.game
    at = here.position
    scheme, _, number = (at.deal_name or "").partition(":")
    shown = at.deal_name is None and (record.won or record.closed)
    return models.Table.of_fields(
        id=record.key,
        version=record.version,
        game=game.name,
        title=title(game.rulebook, language),
        chosen=list(game.active_variants),
        deal=at.deal_name,
        deck=" ".join(map(str, at.deck)) if shown else None,
        number=int(number) if scheme == "cadogan" else None,
        begun=record.begun,
        seconds=record.seconds,
        closed=record.closed,
        won=record.won,
        node=record.node,
        turn=at.move_count,
        made=record.made,
        undo=here.parent is not None,
        redo=bool(here.children),
        finish=bool(finishing_line(at)),
        last=None if here.move is None else here.move.text,
        bookmarks=[
            models.Bookmark(node=node.number, name=node.name, turn=node.position.move_count)
            for node in record.nodes
            if node.name is not None
        ],
        options=models.Options(verdict=record.options.verdict, autoplay=record.options.autoplay),
        stranded=stranded(record.stranded, language),
        position=position(at, language),
        verdict=verdict,
    )


def stranded(number: int, language: str) -> models.Message | None:
    """The message about events that could not be replayed."""
    if not number:
        return None
    text = ngettext(
        "{number} change at this table was damaged and has been set aside; play goes on before it",
        "{number} changes at this table were damaged and have been set aside; "
        "play goes on before them",
        number=number,
    )
    return say("stranded", text, language)


def tree(record: Record) -> models.Tree:
    """All positions of a table."""
    nodes = [
        models.TreeNode.model_construct(
            node=node.number,
            parent=node.parent,
            move=None if node.move is None else node.move.text,
            cards=seen(node),
            turn=node.position.move_count,
            outcome=node.outcome,
            bookmark=node.name,
            at=node.at,
        )
        for node in record.nodes
    ]
    return models.Tree(nodes=nodes, node=record.node, path=record.path(), ahead=record.ahead())


def seen(node: Node) -> list[str]:
    """The cards of the move to a node, if visible before or after it."""
    if not node.memo:
        move = node.move
        node.memo.append(() if move is None else tuple(taken(node.position.undo(), move)))
    return list(node.memo[0])


def taken(before: core.Position, move: Move) -> list[str]:
    """The cards of a move, if visible before or after it."""
    first = before.steps(move)[0]
    view, found = before.visible_piles(), list[str]()
    depth = depth_of(before.game, move)
    for source, count, target in first.transfers:
        end = len(view[source]) - (0 if depth is None else depth - 1)
        here, there = view[source][end - count : end], first.view[target][-count:]
        cards = (b if a is None else a for a, b in zip(here, there, strict=True))
        found += [str(card) for card in cards if card is not None]
    return found


def line(positions: Sequence[core.Position], nodes: Sequence[Node] = ()) -> list[models.ReplayMove]:
    """The moves from each of some positions to the next; see :func:`replay`."""
    moves = []
    for number, (before, after) in enumerate(itertools.pairwise(positions), 1):
        made = after.last_move
        assert made is not None
        node = nodes[number] if number < len(nodes) else None
        moves.append(
            models.ReplayMove.model_construct(
                text=made.text,
                node=None if node is None else node.number,
                bookmark=None if node is None else node.name,
                cards=taken(before, made),
                outcome=after.outcome,
                steps=steps([PlayedMove(before, made, "player")]),
            )
        )
    return moves


def replay(
    at: core.Position, language: str, nodes: Sequence[Node] = (), here: int = 0
) -> models.Replay:
    """A line of moves from the deal.

    Args:
        at: The final position of the line.
        language: The language of texts.
        nodes: The nodes of the table along the line, beginning with the deal, if it is the line of
            a table.
        here: How many of the moves lead to the current position of the table.
    """
    played = [at]
    while played[-1].move_count:
        played.append(played[-1].undo())
    played.reverse()
    first = played[0]
    return models.Replay.model_construct(
        game=at.game.name,
        title=title(at.game.rulebook, language),
        deal=at.deal_name,
        deck=None if at.deal_name is not None else " ".join(map(str, at.deck)),
        piles=position(first, language).piles,
        moves=line(played, nodes),
        at=here,
    )


def view(record: Record, number: int, language: str) -> models.View:
    """A position of the tree, and the steps that led to it."""
    node = record.nodes[number]
    made: list[PlayedMove] = []
    if node.parent is not None and node.move is not None:
        made = [PlayedMove(record.nodes[node.parent].position, node.move, "player")]
    return models.View.model_construct(
        node=number,
        turn=node.position.move_count,
        move=None if node.move is None else node.move.text,
        position=position(node.position, language),
        steps=steps(made),
    )


def layout(book: Rulebook) -> models.Layout:
    """The places of the piles on the table."""
    made, names = lay_out(book), book.pile_names
    free_when = {
        names[pile]: [[names[other] for other in way] for way in ways]
        for pile, ways in book.open_when.items()
    }
    return models.Layout(
        rows=made.rows,
        columns=made.columns,
        pictured=made.pictured,
        fixed=made.fixed,
        overlapping=list(made.overlapping),
        places=[
            models.Place(
                pile=place.pile,
                group=place.group,
                role=place.role,
                row=place.row,
                column=place.column,
                fan=place.fan,
                free_when=free_when.get(place.pile, []),
            )
            for place in made.places
        ],
    )


def chances(known: Chances | None) -> models.Chances | None:
    """The win rates of a game."""
    return None if known is None else models.Chances(**asdict(known))


def variants(library: Library, base: str, language: str) -> list[models.Variant]:
    """The variants of a game, their win rates, and which exclude each other."""
    facts, excluded = library.facts(base), library.exclusions(base)
    found = []
    for variant in facts.game.variants:
        known = library.chances(f"{base}:{variant.name}")
        found.append(
            models.Variant(
                name=variant.name,
                label=translate(variant_label(variant.name), language),
                why=translate(term(variant.why), language),
                chances=chances(known),
                difficulty=None if known is None else known.difficulty(facts.open),
                excludes=[
                    models.Exclusion(
                        variant=pair[0] if pair[1] == variant.name else pair[1],
                        message=say("variants.exclusive", reason, language),
                    )
                    for pair, reason in excluded.items()
                    if variant.name in pair
                ],
            )
        )
    return found


def title(book: Rulebook, language: str) -> str:
    """The title of a game in a language, if it has one."""
    return book.names.get(language) or translate(term(book.name), language)


def variant(each: Variant, language: str) -> models.Variant:
    """A variant with its texts in a language."""
    return models.Variant(
        name=each.name,
        label=translate(variant_label(each.name), language),
        why=translate(term(each.why), language),
    )


def names(book: Rulebook) -> dict[str, str]:
    """A game's names by language; the English one is by default that of the rules file."""
    return {"en": book.name, **book.names}


def aliases(book: Rulebook) -> list[str]:
    """A game's other titles; of a game of the catalogue, with those of its variants."""
    entry = entries().get(book.slug)
    mine = entry is not None and entry.title == book.name
    return [*book.aliases, *(entry.titled if entry is not None and mine else ())]


def family(name: str, language: str) -> models.Family:
    """The family of a game; games without one come after all families."""
    title = FAMILIES.get(name, gettext("Other games"))
    place = [*FAMILIES, name].index(name)
    return models.Family(name=name, title=translate(title, language), place=place)


def draft(found: Draft, rated: Rate | None, language: str) -> models.Draft:
    """What a rules file gives that is being written."""
    return models.Draft(
        title=found.title,
        digest=found.digest,
        deal=found.deal,
        picture=found.picture,
        markdown=found.words,
        language=language,
        complete=found.complete,
        rate=None if rated is None else rate(rated),
    )


def rate(found: Rate) -> models.Rate:
    """How often such a file comes out, as far as it is known."""
    tally = Tally(found.won, found.lost, found.undecided)
    interval = tally.interval()
    return models.Rate(
        id=found.id,
        deals=tally.deals,
        most_deals=MOST_DEALS,
        won=tally.won,
        lost=tally.lost,
        undecided=tally.undecided,
        nodes=found.nodes,
        low=interval.low,
        high=interval.high,
        complete=found.is_complete,
    )

"""Summaries of the studies of a store."""

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from cadogan.storage import replace_file
from cadogan.study.costs import Asked, Cost, costs_of
from cadogan.study.deal_range import Shards
from cadogan.study.errors import StudyError
from cadogan.study.plan import Plan, Study, dump, load_game, restore
from cadogan.study.planner import Job, Known, stopped_at
from cadogan.study.players import LOST, WON
from cadogan.study.record import CRASHED, FAILED
from cadogan.study.scores import Scores
from cadogan.study.statistics import Interval, Tally
from cadogan.study.store import Store

if TYPE_CHECKING:
    import duckdb

PLAN: Final = "plan.json"
SHARDS: Final = "shards.json"
_HERE: Final = "game = ? and digest = ? and player = ? and scheme = ? and number between ? and ?"


class Maker(NamedTuple):
    """What produced a record: a version of Cadogan and the fingerprint of its solver."""

    version: str
    solver: str

    def __str__(self) -> str:
        return f"Cadogan {self.version} with the solver {self.solver}"


@dataclass(frozen=True)
class Summary:
    """The results of one study.

    A summary counts all deals from the first of the study to the last that was tried. A deal in
    between that was not tried yet counts as undecided: slow deals finish late, so leaving them out
    would favour the quick ones.

    Attributes:
        study: The study.
        title: The title of its game.
        tally: The deals counted.
        missing: How many of them were not tried yet.
        is_finished: Whether the study is complete.
        size: How many deals the study takes: all of them, or those up to where it stopped.
        nodes: The nodes of all deals together.
        decided_nodes: The nodes of each decided deal, in increasing order.
        lengths: The length of each winning line, in increasing order.
        outcomes: For each deal, in the order of their numbers, whether it was won; ``None`` if it
            is undecided.
        faulty: The deals that crashed or failed.
        makers: How many deals each solver of each version of Cadogan tried.
        seconds: Seconds of one processor for a thousand deals; ``None`` if not known.
        scores: The points, in scored games.
    """

    study: Study
    title: str
    tally: Tally
    missing: int
    is_finished: bool
    size: int
    nodes: int
    decided_nodes: Sequence[int]
    lengths: Sequence[int]
    outcomes: Sequence[bool | None] = field(repr=False)
    faulty: Sequence[str]
    makers: Mapping[Maker, int]
    seconds: float | None
    scores: Scores = field(default_factory=lambda: Scores(()))

    @property
    def interval(self) -> Interval:
        """Wilson's interval, with the undecided deals counted both ways."""
        return self.tally.interval()

    @property
    def undecided_share(self) -> float:
        """The share of undecided deals."""
        return self.tally.undecided / self.tally.deals if self.tally.deals else 1.0


def plan_in(store: Store) -> Plan:
    """Reads the plan of a store.

    Raises:
        StudyError: If the store has no plan, or the plan is damaged.
    """
    path = store.folder / PLAN
    if not path.exists():
        raise StudyError(f"{store.folder} has no plan", "'cadogan study run' writes one")
    return restore(path.read_text(encoding="utf-8"))


def shards_in(store: Store) -> Shards:
    """Reads which shards of its plan a store holds.

    Raises:
        StudyError: If the file that says so is damaged.
    """
    path = store.folder / SHARDS
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        shards = Shards(tuple(map(int, data["shards"])), int(data["of"]))
        if shards.indices and {*shards.indices} <= {*range(1, shards.count + 1)}:
            return shards
    except FileNotFoundError:
        return Shards()
    except (ValueError, KeyError, TypeError):
        pass
    raise StudyError(f"{path} is damaged", "run the shard again in a new folder")


def save_plan(store: Store, plan: Plan) -> Plan:
    """Adds the studies of a plan to the plan of a store.

    Returns:
        The plan with all studies of the store.

    Raises:
        StudyError: If the plan cannot be read or written.
    """
    path = Path(store.folder / PLAN)
    joined = plan_in(store).joined(plan) if path.exists() else plan
    try:
        replace_file(path, dump(joined) + "\n")
    except OSError as error:
        raise StudyError(
            f"{store.folder}: the plan could not be written: {error.strerror or error}",
            "solve the problem and run the study again",
        ) from None
    return joined


def summarize(store: Store, plan: Plan | None = None) -> list[Summary]:
    """Summarizes every study of a plan, by default of the store's own plan.

    If the store holds shards, only their deals count.
    """
    plan = (plan_in(store) if plan is None else plan).sharded(shards_in(store))
    costs = costs_of(store)
    with store.open() as connection:
        # The views read all parts. With hundreds of studies that must happen once.
        for view in ("best", "records"):
            connection.execute(
                f"create or replace temp table known_{view} as select * exclude (line) from {view}"
            )
        return [_summary(connection, study, costs) for study in plan.studies]


def _summary(
    connection: "duckdb.DuckDBPyConnection", study: Study, costs: Mapping[Asked, Cost]
) -> Summary:
    game = load_game(study.game)
    span, player = study.span, str(study.player)
    here = [study.game, game.digest, player, span.scheme, span.first, span.last]
    rows = connection.execute(
        "select number, verdict, nodes, length, budget, version, solver, note from known_best "
        f"where {_HERE} order by number",
        here,
    ).fetchall()
    counts = connection.execute(
        f"select budget, solver, count(*) from known_records where {_HERE} group by all", here
    ).fetchall()
    asked = {
        Asked(study.game, game.digest, player, span.scheme, budget, solver): count
        for budget, solver, count in counts
    }
    numbers = span.numbers
    if not span.shards.is_whole:
        # Somebody may have copied results of other shards into the folder.
        wanted = set(numbers)
        rows = [row for row in rows if row[0] in wanted]
    largest = study.recorded_budgets[-1]
    finished: list[Known] = []
    for number, verdict, nodes, _, budget, *_ in rows:
        is_last = verdict in WON | LOST | {CRASHED, FAILED} or budget >= largest
        if number != numbers[len(finished)] or not is_last:
            break
        is_won = True if verdict in WON else False if verdict in LOST else None
        finished.append(Known(is_won, nodes, 0))
    job = Job(span.first, len(numbers), 1, study.stop)
    size = stopped_at(job, finished)
    end = size if size is not None else (bisect_right(numbers, rows[-1][0]) if rows else 0)
    rows = [row for row in rows if end and row[0] <= numbers[end - 1]]
    won = sum(row[1] in WON for row in rows)
    lost = sum(row[1] in LOST for row in rows)
    by_number = {row[0]: row[1] for row in rows}
    outcomes = [
        True if verdict in WON else False if verdict in LOST else None
        for verdict in (by_number.get(numbers[place]) for place in range(end))
    ]
    return Summary(
        study=study,
        title=game.title,
        tally=Tally(won, lost, end - won - lost),
        missing=end - len(rows),
        is_finished=size is not None,
        size=len(numbers) if size is None else size,
        nodes=sum(row[2] for row in rows),
        decided_nodes=sorted(row[2] for row in rows if row[1] in WON | LOST),
        lengths=sorted(row[3] for row in rows if row[1] in WON),
        outcomes=outcomes,
        faulty=[f"{span.name(row[0])} {row[1]}" for row in rows if row[1] in (CRASHED, FAILED)],
        makers=Counter(Maker(row[5], row[6]) for row in rows),
        seconds=_seconds(asked, costs),
        scores=Scores.of_notes(row[7] for row in rows),
    )


def _seconds(asked: Mapping[Asked, int], costs: Mapping[Asked, Cost]) -> float | None:
    """What a thousand deals cost with all their budgets."""
    if not asked or any(each not in costs or not costs[each].deals for each in asked):
        return None
    # A killed run loses some of its costs, so use the average cost of a deal at each budget.
    spent = sum(count * costs[each].seconds / costs[each].deals for each, count in asked.items())
    by_number = max(
        sum(count for each, count in asked.items() if each.budget == budget)
        for budget in {each.budget for each in asked}
    )
    return 1000 * spent / by_number


def median(numbers: Sequence[int]) -> int:
    """Returns the middle of sorted numbers; 0 if there are none."""
    return numbers[len(numbers) // 2] if numbers else 0

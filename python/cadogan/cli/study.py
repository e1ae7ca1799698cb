"""``cadogan study``: measures how often games can be won."""

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from cadogan.cli import output
from cadogan.cli.choose import Json
from cadogan.cli.output import UsageError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from cadogan.study.executors import Engine
    from cadogan.study.plan import Plan
    from cadogan.study.run import Progress, Report
    from cadogan.study.store import Store
    from cadogan.study.summary import Summary

Folder = Annotated[Path, Parameter(help="The folder of the study.")]
To = Annotated[Path | None, Parameter(help="The file to write. By default standard output.")]
PlayerName = Annotated[str, Parameter(help="The player, with options.")]
THOUGHTFUL: Final = "thoughtful"
LEAST_MEMORY: Final = 16
"""The least memory of a worker, in MiB."""


def run(
    *games: Annotated[
        str, Parameter(help="Games, with or without variants, or paths of rules files.")
    ],
    out: Annotated[Path, Parameter(help="The folder for the results.")],
    plan: Annotated[Path | None, Parameter(help="A file that lists what to study.")] = None,
    deals: Annotated[str | None, Parameter(help="The deals, such as cadogan:0..9999.")] = None,
    budget: Annotated[
        str | None,
        Parameter(
            help="The most nodes to search per deal. Several are tried in turn: 10000,1000000."
        ),
    ] = None,
    player: Annotated[
        list[str] | None,
        Parameter(
            help="thoughtful, fair, greedy or random, with options, such as 'fair samples=16'."
        ),
    ] = None,
    half_width: Annotated[
        str | None, Parameter(help="Stop when the interval is this narrow, such as 0.5%.")
    ] = None,
    max_deals: Annotated[int | None, Parameter(help="Stop after this many deals.")] = None,
    max_nodes: Annotated[int | None, Parameter(help="Stop after this many nodes in total.")] = None,
    shard: Annotated[
        str | None, Parameter(help="Try only this shard of the deals, such as 3/100.")
    ] = None,
    workers: Annotated[
        int | None, Parameter(help="Worker processes. By default one per processor.")
    ] = None,
    cluster: Annotated[
        str | None,
        Parameter(help="A dask scheduler, tcp://HOST:PORT, or a batch system such as slurm."),
    ] = None,
    retry_crashed: Annotated[
        bool, Parameter(help="Retry deals that killed their worker or failed.")
    ] = False,
    retry_undecided: Annotated[
        bool, Parameter(help="Retry deals that another solver version left undecided.")
    ] = False,
    memory: Annotated[
        str | None,
        Parameter(
            help="Memory for the solver in each worker, approximately, such as 500MB. "
            "By default 2GB."
        ),
    ] = None,
    quiet: Annotated[bool, Parameter(help="Show no progress.")] = False,
) -> int:
    """Try deals and save the results.

    You may interrupt or kill it at any time. Run it again, and it continues where it was.
    """
    from cadogan.study.deal_range import Shards
    from cadogan.study.run import run as run_plan
    from cadogan.study.shards import claim
    from cadogan.study.store import Store
    from cadogan.study.summary import save_plan, summarize

    options = {
        "--deals": deals,
        "--budget": budget,
        "--player": player,
        "--half-width": half_width,
        "--max-deals": max_deals,
        "--max-nodes": max_nodes,
    }
    if workers is not None and not 1 <= workers <= 1024:
        raise UsageError(f"{workers} workers are not possible", "give 1 to 1024")
    wanted = _plan(games, plan, {name: value for name, value in options.items() if value})
    if memory is not None:
        wanted = wanted.with_memory(_memory(memory))
    shards = Shards() if shard is None else Shards.parse(shard)
    mine = wanted.sharded(shards)
    store = Store(out, create=True)
    claim(store, shards)
    with _engine(cluster, workers) as engine:
        save_plan(store, wanted)
        if retry_crashed:
            with store.writing():
                store.forget_faulty()
        try:
            with _meter(quiet) as meter, _ends_in_order(meter) as report:
                result = run_plan(
                    mine, store, engine, report=report, retry_undecided=retry_undecided
                )
        except (KeyboardInterrupt, _EndedError) as reason:
            output.note("the results so far are saved; run it again to continue")
            return 128 + (reason.args[0] if reason.args else signal.SIGINT)
    if not quiet:
        output.note(f"{result.done:,} deals tried in {_time(result.seconds)}")
    for what, faulty in (("killed their worker", result.crashed), ("failed", result.failed)):
        if faulty:
            named = ", ".join(faulty[:5]) + (", ..." if len(faulty) > 5 else "")
            output.warning(f"{len(faulty)} deals {what}: {named}")
    _print_table(summarize(store, wanted))
    return _contradictions(store, wanted)


def status(folder: Folder, /, *, json: Json = False) -> int:
    """Show the progress of a study, and its results so far."""
    from cadogan.study.store import Store
    from cadogan.study.summary import plan_in, shards_in, summarize

    store = Store(folder)
    plan = plan_in(store)
    summaries = summarize(store, plan)
    if not shards_in(store).is_whole:
        output.note(f"shard {shards_in(store)} of the study")
    if json:
        output.data_json([_as_data(summary) for summary in summaries])
    else:
        _print_table(summaries)
    return _contradictions(store, plan)


def report(
    folder: Folder,
    /,
    *,
    to: To = None,
    html: Annotated[bool, Parameter(help="Write HTML, whatever the name of the file.")] = False,
    plots: Annotated[
        Path | None, Parameter(help="Save the plots in this folder (Markdown only).")
    ] = None,
    plan: Annotated[Path | None, Parameter(help="Report only the studies of this plan.")] = None,
) -> int:
    """Write a report.

    It is Markdown, or one HTML file with everything inside.
    """
    from cadogan.study.plan import read_plan
    from cadogan.study.report import markdown, page
    from cadogan.study.store import Store
    from cadogan.study.summary import plan_in

    store = Store(folder)
    wanted = plan_in(store) if plan is None else read_plan(plan)
    if html or (to is not None and to.suffix in (".html", ".htm")):
        if plots is not None:
            raise UsageError("an HTML report contains its plots", "leave out --plots")
        text = page(store, wanted)
    else:
        text = markdown(store, wanted, plots=plots, at=to)
    if to is None:
        output.data(text.rstrip("\n"))
    else:
        to.write_text(text, encoding="utf-8")
        output.note(f"saved: {to}")
    return _contradictions(store, wanted)


def plot(
    folder: Folder,
    kind: Annotated[
        str, Parameter(help="winnability, ladder, cactus, length, points or progress.")
    ],
    to: Annotated[Path, Parameter(help="The file to write, .svg or .png.")],
    /,
    *games: Annotated[str, Parameter(help="Only these games.")],
) -> None:
    """Draw a plot."""
    from cadogan.study.plots import save
    from cadogan.study.store import Store
    from cadogan.study.summary import summarize

    summaries = summarize(Store(folder))
    if unknown := set(games) - {summary.study.game for summary in summaries}:
        known = ", ".join(dict.fromkeys(summary.study.game for summary in summaries))
        raise UsageError(f"no results for {', '.join(sorted(unknown))}", f"the study has {known}")
    save(kind, [each for each in summaries if not games or each.study.game in games], to)
    output.note(f"saved: {to}")


def compare(
    folder: Folder,
    first: Annotated[str, Parameter(help="A game.")],
    second: Annotated[str | None, Parameter(help="Another game.")] = None,
    /,
    *,
    player: PlayerName = THOUGHTFUL,
    against: Annotated[
        str | None, Parameter(help="Compare with this player of the first game.")
    ] = None,
    looser: Annotated[
        bool, Parameter(help="The second game allows every move of the first.")
    ] = False,
    json: Json = False,
) -> int:
    """Compare two games, or two players, on the same deals."""
    from cadogan.study.compare import contradictions, paired, paired_players
    from cadogan.study.plan import Looser, Plan
    from cadogan.study.players import Player
    from cadogan.study.store import Store

    store = Store(folder)
    if (second is None) == (against is None):
        raise UsageError("nothing to compare with", "name a second game, or give --against PLAYER")
    one = str(Player.parse(player))
    if second is not None:
        pair = paired(store, first, second, one)
        names = (first, second)
    else:
        other = str(Player.parse(against or ""))
        pair = paired_players(store, first, one, other)
        names = (one, other)
    kinds = ("won", "lost", "undecided")
    if json:
        output.data_json(
            {
                "first": names[0],
                "second": names[1],
                "deals": pair.deals,
                "table": {f"{a}, {b}": pair.table.get((a, b), 0) for a in kinds for b in kinds},
                "p": pair.p_value(),
                "cautious_p": pair.cautious_p_value(),
            }
        )
    else:
        output.data(f"{pair.deals:,} deals; rows: {names[0]}, columns: {names[1]}")
        output.data()
        output.data(f"{'':12}" + "".join(f"{kind:>12}" for kind in kinds))
        for a in kinds:
            row = "".join(f"{pair.table.get((a, b), 0):>12,}" for b in kinds)
            output.data(f"{a:12}{row}")
        output.data()
        output.data(
            f"McNemar's exact test: p = {pair.p_value():.3g} for the deals decided in both, "
            f"{pair.cautious_p_value():.3g} if all others count against the difference"
        )
    bound = (Looser(first, second),) if looser and second is not None else ()
    found = contradictions(store, Plan((), bound)) if bound else []
    for each in found:
        output.error(f"contradiction, which means a bug: {each}")
    return int(bool(found))


def verify(
    folder: Folder,
    /,
    *,
    sample: Annotated[
        int, Parameter(help="How many verdicts without a line to solve again, per game and player.")
    ] = 20,
    seed: Annotated[int, Parameter(help="The seed that chooses them.")] = 0,
    json: Json = False,
) -> int:
    """Replay all winning lines and look for contradictions.

    Also solves a sample of the other deals again.
    """
    from cadogan.study.store import Store
    from cadogan.study.summary import plan_in
    from cadogan.study.verify import verify as look

    if sample < 0:
        raise UsageError(f"cannot solve {sample} deals again", "give 0 or more")
    store = Store(folder)
    seen = look(store, plan_in(store), sample=sample, seed=seed)
    if json:
        output.data_json(
            {
                "ok": not seen.faults,
                "parts": seen.parts,
                "lines": seen.lines,
                "asked": seen.asked,
                "skipped": seen.skipped,
                "faults": seen.faults,
            }
        )
    else:
        output.data(
            f"{seen.parts:,} parts are intact, {seen.lines:,} lines win, "
            f"{seen.asked:,} other deals solved again"
        )
        if seen.skipped:
            output.warning(f"{seen.skipped:,} results are older than a change of the rules")
        for fault in seen.faults:
            output.error(fault)
    return int(bool(seen.faults))


def rates(folder: Folder, to: Annotated[Path, Parameter(help="The file to write.")], /) -> None:
    """Export win rates for the list of games.

    In a clone the file is python/cadogan/table/win_rates.json.
    """
    from cadogan.study.store import Store
    from cadogan.study.win_rates import write

    count = write(Store(folder), to)
    output.note(f"win rates of {count:,} games saved: {to}")


def export(
    folder: Folder,
    to: Annotated[
        Path | None, Parameter(help="The file to write, .csv, .jsonl or .parquet.")
    ] = None,
    /,
    *,
    lines: Annotated[bool, Parameter(help="Write the moves of lines as text.")] = False,
    dataset: Annotated[
        Path | None,
        Parameter(help="Write a data set into this new folder: Parquet files with a card."),
    ] = None,
    puzzles: Annotated[
        int, Parameter(help="Also put so many puzzles of each game into the data set.")
    ] = 0,
) -> None:
    """Export the results as a file, or as a data set to publish."""
    from cadogan.study.dataset import write_dataset
    from cadogan.study.export import export as write
    from cadogan.study.store import Store

    if (to is None) == (dataset is None):
        raise UsageError("name a file to write, or give --dataset DIR", "one of the two")
    if puzzles < 0 or (puzzles and dataset is None):
        raise UsageError("puzzles are part of a data set", "--dataset DIR --puzzles 100")
    if dataset is not None:
        if lines:
            raise UsageError("a data set always has its lines as text", "leave out --lines")
        count = write_dataset(Store(folder), dataset, puzzles=puzzles)
        output.note(f"{count:,} rows saved: {dataset}")
    elif to is not None:
        count = write(Store(folder), to, lines=lines)
        output.note(f"{count:,} results saved: {to}")


def merge(
    folder: Folder,
    /,
    *others: Annotated[Path, Parameter(help="The folders to add.")],
    partial: Annotated[
        bool, Parameter(help="Merge although shards are missing or not finished.")
    ] = False,
) -> int:
    """Add the results of other folders, such as the shards of a study.

    It is safe to repeat.
    """
    from cadogan.study.shards import merge as merge_into
    from cadogan.study.store import Store
    from cadogan.study.summary import summarize

    if not others:
        raise UsageError("nothing to merge", "name more folders after the first one")
    plan, new = merge_into(folder, [Store(other) for other in others], partial=partial)
    output.note(f"{new:,} parts added")
    store = Store(folder)
    _print_table(summarize(store))
    return _contradictions(store, plan)


def _plan(games: tuple[str, ...], path: Path | None, options: dict[str, object]) -> "Plan":
    from cadogan.study import plan as plans

    if path is not None:
        if games or options:
            given = [*games[:1], *options]
            raise UsageError(
                f"{' and '.join(given)} and --plan both choose what to study", "give one of them"
            )
        return plans.read_plan(path)
    if not games:
        raise UsageError("no game given", "name a game, or give --plan")
    if "--deals" not in options:
        raise UsageError("no deals given", "add --deals cadogan:0..999")
    entry: dict[str, object] = {"games": list(games), "deals": options["--deals"]}
    if "--budget" in options:
        entry["budget"] = _budgets(str(options["--budget"]))
    if "--player" in options:
        entry["players"] = options["--player"]
    stop = {
        "half_width": options.get("--half-width"),
        "deals": options.get("--max-deals"),
        "nodes": options.get("--max-nodes"),
    }
    entry["stop"] = {name: value for name, value in stop.items() if value is not None}
    return plans.plan_of({"study": [entry]}, "this study")


def _budgets(text: str) -> list[int]:
    try:
        return [int(part.replace("_", "")) for part in text.split(",")]
    except ValueError:
        raise UsageError(
            f"{text!r} is not a number of nodes",
            "write, for example, 100000 or 10000,1000000",
        ) from None


def _memory(text: str) -> int:
    """An amount of memory in MiB."""
    from cadogan.cli.solve import bytes_of

    mebibytes = bytes_of(text) >> 20
    if mebibytes < LEAST_MEMORY:
        raise UsageError(f"{text} is too little memory", f"give {LEAST_MEMORY} MiB or more")
    return mebibytes


def _engine(cluster: str | None, workers: int | None) -> "AbstractContextManager[Engine]":
    from cadogan.study import executors

    if cluster is not None:
        return executors.cluster(cluster, workers)
    return executors.local(workers or len(os.sched_getaffinity(0)))


class _EndedError(Exception):
    """A signal of this number asked the process to end."""


@contextlib.contextmanager
def _ends_in_order(report: "Report | None") -> "Iterator[Report]":
    """Makes a progress report that obeys a request to end, at a moment when nothing is written.

    A second request ends the process immediately.
    """
    asked = 0

    def note(number: int, frame: object) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = number

    def checked(progress: "Progress") -> None:
        if asked:
            raise _EndedError(asked)
        if report is not None:
            report(progress)

    before = {each: signal.signal(each, note) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield checked
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _meter(quiet: bool) -> "AbstractContextManager[Report | None]":
    from cadogan.cli.meter import meter

    return meter(quiet)


def _print_table(summaries: "list[Summary]") -> None:
    from cadogan.study.report import makers_of

    _table(summaries)
    if len({maker for each in summaries for maker in each.makers}) > 1:
        output.warning(makers_of(summaries).replace("*", ""))


def _table(summaries: "list[Summary]") -> None:
    from cadogan.study.report import bounds, points, share_of

    heads = ("game", "player", "deals", "win rate", "95 % interval", "undecided")
    rows: list[tuple[str, ...]] = [heads]
    for each in summaries:
        done = f"{each.tally.deals - each.missing:,}"
        rows.append(
            (
                each.study.game,
                str(each.study.player),
                done if each.is_finished else f"{done} of {each.size:,}",
                f"{share_of(each)} %" if each.tally.deals else "-",
                f"{bounds(each.interval)} %",
                f"{each.tally.undecided:,}",
            )
        )
    _aligned(rows)
    for row in points(summaries)[1:]:
        output.data(f"{row[0]}  {row[1]}  points: mean {row[3]} ({row[4]}), median {row[7]}")


def _aligned(rows: list[tuple[str, ...]]) -> None:
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.ljust(width) if place < 2 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        output.data("  ".join(cells).rstrip())


def _as_data(summary: "Summary") -> dict[str, object]:
    study, tally, interval = summary.study, summary.tally, summary.interval
    exact = tally.interval("exact")
    return {
        "game": study.game,
        "player": str(study.player),
        "deals": str(study.span),
        "budgets": list(study.recorded_budgets),
        "counted": tally.deals,
        "won": tally.won,
        "lost": tally.lost,
        "undecided": tally.undecided,
        "not_tried": summary.missing,
        "finished": summary.is_finished,
        "interval": [interval.low, interval.high],
        "exact_interval": [exact.low, exact.high],
        "nodes": summary.nodes,
        "seconds_for_a_thousand": summary.seconds,
        "solvers": {maker.solver: count for maker, count in summary.makers.items()},
        "points": _points(summary),
        "faulty": list(summary.faulty),
    }


def _points(summary: "Summary") -> dict[str, object] | None:
    """The points of a scored game."""
    scores = summary.scores
    if not scores.points:
        return None
    return {
        "deals": len(scores.points),
        "mean": scores.mean,
        "interval": scores.interval(),
        "median": scores.quantile(0.5),
        "fewest": scores.points[0],
        "most": scores.points[-1],
    }


def _contradictions(store: "Store", plan: "Plan") -> int:
    from cadogan.study.compare import contradictions

    found = contradictions(store, plan)
    for each in found:
        output.error(f"contradiction, which means a bug: {each}")
    return int(bool(found))


def _time(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"

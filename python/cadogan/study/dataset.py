"""Data sets: the results of a study as Parquet files with a card, ready to be published.

DIR/README.md       the card: fields, licence, versions, digests, how to cite
DIR/data/GAME/      Parquet files, one row for each deal and player
DIR/rules/          the rules file of each game
"""

import hashlib
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from cadogan.solver.puzzles import find_puzzles
from cadogan.solver.solve import solver_version
from cadogan.study.card import PUZZLE_FIELDS, Config, Facts, shown, write_card
from cadogan.study.errors import StudyError
from cadogan.study.plan import load_game, text_of
from cadogan.study.record import CRASHED, FAILED, Record
from cadogan.study.store import Store
from cadogan.study.summary import plan_in, shards_in, summarize
from cadogan.study.verify import line_text
from cadogan.study.worker import version

ROWS: Final = 25_000
"""The largest number of rows of a file."""
_BETWEEN: Final = "\n"


@dataclass
class _Writer:
    """Writes the rows of one game into files of limited size."""

    store: Store
    config: Config
    root: Path
    rows: list[tuple[Any, ...]] = field(default_factory=list)

    def add(self, row: tuple[Any, ...]) -> None:
        self.rows.append(row)
        if len(self.rows) == ROWS:
            self.flush()

    def flush(self) -> None:
        if not self.rows:
            return
        path = self.root / self.config.folder / f"{len(self.config.files):05}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        self.store.copy_rows(
            self.rows,
            [
                (each.name, each.kind, _BETWEEN if each.kind.endswith("[]") else None)
                for each in self.config.fields
            ],
            path,
        )
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        self.config.files[path.name] = digest
        self.config.rows += len(self.rows)
        self.rows = []


def write_dataset(store: Store, folder: Path, *, puzzles: int = 0) -> int:
    """Writes the results of a study as a data set.

    Of each deal and player it has the most informative result. Deals that crashed or failed are
    left out, and the card says how many.

    Args:
        store: The study.
        folder: The folder of the data set, which must be new or empty.
        puzzles: How many puzzles to look for in each game, on the lines of its deals.

    Returns:
        How many rows of results were written.

    Raises:
        StudyError: If the folder is not empty, the study has no results, or its rules have changed.
        OSError: If a file cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise StudyError(f"{folder} exists already and is not empty", "name a new folder")
    folder = folder.absolute()
    plan = plan_in(store)
    shards = shards_in(store)
    draft = folder.with_name(f".{folder.name}.unfinished")
    if draft.exists():
        shutil.rmtree(draft)
    draft.mkdir(parents=True)
    try:
        facts = Facts(plan.title, shards)
        writers: dict[tuple[str, str], _Writer] = {}
        for record, spent in _results(store):
            key = (record.game, record.digest)
            if key not in writers:
                writers[key] = _Writer(store, _config(record, draft, facts), draft)
            if record.verdict in (CRASHED, FAILED):
                facts.left_out += 1
                continue
            facts.makers.add((record.version, record.solver))
            facts.count(record)
            writers[key].add(_row(record, spent))
        for writer in writers.values():
            writer.flush()
        if not facts.rows:
            raise StudyError(f"{store.folder} has no results", "run the study first")
        if puzzles:
            _write_puzzles(store, draft, facts, puzzles)
        facts.summaries = summarize(store, plan)
        write_card(facts, draft / "README.md")
        if folder.exists():
            folder.rmdir()
        draft.rename(folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    return facts.rows


def _write_puzzles(store: Store, root: Path, facts: Facts, number: int) -> None:
    """Writes puzzles of each game, at most one for each deal that was won with all cards known."""
    writers: dict[tuple[str, str], _Writer] = {}
    for config in list(facts.configs):
        part = Config(
            f"{config.name}_puzzles", config.game, config.title, config.digest, config.rules,
            fields=PUZZLE_FIELDS,
        )  # fmt: skip
        writers[config.game, config.digest] = _Writer(store, part, root)
        facts.configs.append(part)
    for record, _ in _results(store):
        writer = writers[shown(record.game), record.digest]
        if record.verdict != "winnable" or len(writer.rows) == number:
            continue
        deal = load_game(record.game).deal(record.deal)
        line = line_text(deal, record)
        if (puzzle := next(find_puzzles(deal, line), None)) is not None:
            writer.add(
                (
                    shown(record.game),
                    record.deal,
                    _BETWEEN.join(line[: puzzle.played]),
                    str(puzzle.answer),
                    _BETWEEN.join(line[puzzle.played :]),
                    puzzle.wrong,
                    puzzle.nodes,
                    record.digest,
                    version(),
                    solver_version(),
                )
            )
    for writer in writers.values():
        writer.flush()


def _results(store: Store) -> Iterator[tuple[Record, int]]:
    """The best record of each deal, and the nodes spent on it with all budgets of its solver."""
    for row in store.best_with_nodes():
        yield Record(*row[:-1]), int(row[-1])


def _config(record: Record, root: Path, facts: Facts) -> Config:
    game = load_game(record.game)
    if game.digest != record.digest:
        raise StudyError(
            f"the rules of {record.game} have changed since the study",
            "use the version of Cadogan that ran it",
        )
    file, ending, variants = shown(record.game).partition(".toml")
    name = re.sub(r"[^a-z0-9-]+", "_", f"{file}{variants}".lower()).strip("_")
    if any(each.name == name for each in facts.configs):
        name = f"{name}_{record.digest[:8]}"
    rules = root / "rules" / f"{file.partition(':')[0]}.toml"
    text = text_of(game) if ending else _catalogue_text(record.game)
    if rules.exists() and rules.read_text(encoding="utf-8") != text:
        rules = rules.with_name(f"{name}.toml")
    rules.parent.mkdir(exist_ok=True)
    rules.write_text(text or "", encoding="utf-8")
    config = Config(name, shown(record.game), game.title, record.digest, f"rules/{rules.name}")
    facts.configs.append(config)
    return config


def _catalogue_text(name: str) -> str:
    from cadogan.storage import CATALOGUE

    return (CATALOGUE / f"{name.partition(':')[0]}.toml").read_text(encoding="utf-8")


def _row(record: Record, spent: int) -> tuple[Any, ...]:
    position = load_game(record.game).deal(record.deal)
    texts = line_text(position, record) if record.line else []
    return (
        shown(record.game),
        record.deal,
        record.scheme,
        record.number,
        _BETWEEN.join(map(str, position.deck)),
        record.player,
        record.verdict,
        record.nodes,
        record.budget,
        spent,
        record.length,
        _BETWEEN.join(texts),
        record.note,
        record.digest,
        record.version,
        record.solver,
    )

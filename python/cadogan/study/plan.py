"""Plans: which players try which deals of which games, and when a study stops.

A plan is a TOML file (``docs/studies.md`` is its manual) or is built from the options of a command.
All faults of a plan are reported at once.
"""

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cadogan.reading import read_text
from cadogan.rules.index import entries
from cadogan.study.deal_range import Shards, Span
from cadogan.study.errors import StudyError
from cadogan.study.players import THOUGHTFUL, Player
from cadogan.study.statistics import Stop

if TYPE_CHECKING:
    from cadogan.game import Game

BUDGET: Final = 100_000
TITLE: Final = "How often can it be won?"
LARGEST: Final = 10**18


@dataclass(frozen=True, slots=True)
class Study:
    """One game, one player, and some deals.

    Attributes:
        game: The name of the game, with variants.
        player: The player.
        span: The deals.
        budgets: Node budgets of a thoughtful player: a deal that one budget leaves undecided is
            tried with the next.
        stop: When the study stops.
    """

    game: str
    player: Player
    span: Span
    budgets: tuple[int, ...] = (BUDGET,)
    stop: Stop = field(default_factory=Stop)

    @property
    def recorded_budgets(self) -> tuple[int, ...]:
        """The budgets as they appear in records."""
        if self.player.is_thoughtful:
            return self.budgets
        return (self.player.budget(0),)

    def __str__(self) -> str:
        return f"{self.game}, {self.player}, {self.span}"


@dataclass(frozen=True, slots=True)
class Looser:
    """Two games of which the second allows every line of the first.

    Attributes:
        strict: The stricter game: a deal that is won in it can be won in the other.
        loose: The looser game.
        why: How they differ.
    """

    strict: str
    loose: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """Some studies, and the text of their report.

    Attributes:
        studies: The studies.
        looser: Pairs of games of which one is looser than the other.
        title: The title of the report.
        introduction: The text at its beginning, in Markdown.
        closing: The text at its end, in Markdown.
    """

    studies: tuple[Study, ...]
    looser: tuple[Looser, ...] = ()
    title: str = TITLE
    introduction: str = ""
    closing: str = ""

    def with_memory(self, mebibytes: int) -> "Plan":
        """Returns this plan with another default for the solver's memory.

        Studies that set the memory themselves are not changed.

        Args:
            mebibytes: The memory in MiB.

        Raises:
            StudyError: If that is more than the solver can use.
        """
        usual = Player.parse(THOUGHTFUL)
        other = Player.parse(f"{THOUGHTFUL} memory={mebibytes}")
        studies = [
            replace(study, player=other) if study.player == usual else study
            for study in self.studies
        ]
        return replace(self, studies=tuple(studies))

    def sharded(self, shards: Shards) -> "Plan":
        """Returns the part of this plan that belongs to some shards.

        Studies of which the shards have no deals are left out.

        Args:
            shards: The shards.

        Raises:
            StudyError: If a study stops at a result, which no shard knows alone.
        """
        if shards.is_whole:
            return self
        studies = []
        for study in self.studies:
            if study.stop.half_width is not None or study.stop.nodes is not None:
                raise StudyError(
                    f"{study} cannot be split into shards: when it stops depends on all its deals",
                    "fix the number of deals instead",
                )
            limit = study.stop.deals
            span = replace(study.span, shards=shards)
            if limit is not None:
                span = replace(span, last=min(span.last, span.first + limit - 1))
            if span.numbers:
                studies.append(replace(study, span=span, stop=Stop()))
        return replace(self, studies=tuple(studies))

    def joined(self, newer: "Plan") -> "Plan":
        """Adds the studies of a newer plan.

        A new study replaces one of the same game, player and scheme of deals.
        """

        def place(study: Study) -> tuple[str, str, str]:
            return study.game, str(study.player), study.span.scheme

        new = {place(study): study for study in newer.studies}
        studies = [new.pop(place(study), study) for study in self.studies]
        looser = dict.fromkeys((*self.looser, *newer.looser))
        described = newer if newer.introduction or newer.closing else self
        return Plan(
            (*studies, *new.values()),
            tuple(looser),
            described.title,
            described.introduction,
            described.closing,
        )


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Stop(_Strict):
    half_width: str | None = None
    deals: int | None = Field(default=None, ge=1)
    nodes: int | None = Field(default=None, ge=1)


class _Common(_Strict):
    deals: str | None = None
    budget: int | list[int] | None = None
    player: str | None = None
    players: list[str] | None = Field(default=None, min_length=1)
    stop: _Stop | None = None


class _Study(_Common):
    game: str | None = None
    games: Annotated[list[str], Field(min_length=1)] | Literal["all"] | None = None


class _Looser(_Strict):
    strict: str
    loose: str
    why: str = ""


class _Report(_Strict):
    introduction: str = ""
    closing: str = ""


class _File(_Strict):
    title: str = TITLE
    defaults: _Common = Field(default_factory=_Common)
    study: list[_Study] = Field(min_length=1)
    looser: list[_Looser] = Field(default_factory=list)
    report: _Report = Field(default_factory=_Report)


def read_plan(path: Path) -> Plan:
    """Reads a plan from a file.

    Raises:
        StudyError: If it has faults; the error lists all of them.
        OSError: If the file cannot be read.
    """
    try:
        data = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise StudyError(f"{path} is not valid TOML: {error}") from None
    return plan_of(data, str(path))


def plan_of(data: dict[str, Any], name: str) -> Plan:
    """Builds a plan from parsed TOML.

    Args:
        data: The parsed file.
        name: The name of the file, for messages.

    Raises:
        StudyError: If it has faults; the error lists all of them.

    >>> plan_of({"study": [{"game": "golf", "deals": "cadogan:0..9"}]}, "plan").studies[0].budgets
    (100000,)
    """
    try:
        file = _File.model_validate(data)
    except ValidationError as error:
        raise _faulty(name, [_fault_text(fault) for fault in error.errors()]) from None
    faults: list[str] = []
    studies: list[Study] = []
    for number, entry in enumerate(file.study, 1):
        place = f"study {number}"
        try:
            studies += _studies(entry, file.defaults, place, faults)
        except StudyError as error:
            faults.append(f"{place}: {_with_hint(error)}")
    looser = tuple(Looser(each.strict, each.loose, each.why) for each in file.looser)
    names = [study.game for study in studies]
    names += [name for each in looser for name in (each.strict, each.loose)]
    faults += _faults_of_games(names)
    if not faults:
        faults += _faults_of_deals(studies)
    seen: set[tuple[str, str, str]] = set()
    for study in studies:
        key = (study.game, str(study.player), study.span.scheme)
        if key in seen:
            faults.append(f"{study.game} is studied twice with {study.player}")
        seen.add(key)
    if faults:
        raise _faulty(name, faults)
    report = file.report
    return Plan(
        tuple(studies), looser, file.title, report.introduction.strip(), report.closing.strip()
    )


def _studies(entry: _Study, usual: _Common, place: str, faults: list[str]) -> list[Study]:
    """The studies of one entry: every game with every player."""
    if (entry.game is None) == (entry.games is None):
        raise StudyError("give either game or games, not both")
    for each in (entry, usual):
        if each.player is not None and each.players is not None:
            raise StudyError("give either player or players, not both")
    games = list(entries()) if entry.games == "all" else entry.games or [entry.game or ""]
    players = (
        entry.players
        or ([entry.player] if entry.player is not None else None)
        or usual.players
        or [usual.player or THOUGHTFUL]
    )
    deals = entry.deals or usual.deals
    if deals is None:
        raise StudyError("the deals are missing", 'add deals = "cadogan:0..999"')
    span = Span.parse(deals)
    asked = usual.budget if entry.budget is None else entry.budget
    budgets = check_budgets(BUDGET if asked is None else asked)
    stop = stop_of(entry.stop or usual.stop or _Stop())
    studies = []
    for text in players:
        try:
            player = Player.parse(text)
        except StudyError as error:
            faults.append(f"{place}: {_with_hint(error)}")
            continue
        budget = budgets if player.is_thoughtful else (player.budget(0),)
        studies += [Study(game, player, span, budget, stop) for game in games]
    return studies


def check_budgets(budget: int | Sequence[int]) -> tuple[int, ...]:
    """Checks budgets and returns them as a tuple.

    Raises:
        StudyError: If one is out of range, there are none, or they do not grow.

    >>> check_budgets([1000, 100_000])
    (1000, 100000)
    """
    budgets = (budget,) if isinstance(budget, int) else tuple(budget)
    for each in budgets:
        if not 1 <= each <= LARGEST:
            raise StudyError(
                f"a budget of {each} nodes is out of range", f"give from 1 to {LARGEST}"
            )
    if not budgets or list(budgets) != sorted(set(budgets)):
        raise StudyError("each budget must be larger than the one before", "as in [10000, 1000000]")
    return budgets


def stop_of(stop: _Stop) -> Stop:
    """Reads when a study stops."""
    width = None if stop.half_width is None else percent(stop.half_width)
    return Stop(width, stop.deals, stop.nodes)


def percent(text: str) -> float:
    """Reads the half width of an interval, written in per cent.

    Raises:
        StudyError: If it is not a percentage between 0 and 50.

    >>> percent("0.5%")
    0.005
    """
    try:
        share = float(text.strip().removesuffix("%")) / 100
    except ValueError:
        share = -1.0
    if not text.strip().endswith("%") or not 0 < share <= 0.5:
        raise StudyError(f"{text!r} is not a half width of an interval", "write it as in 0.5%")
    return share


def load_game(name: str) -> "Game":
    """Loads a game of a study.

    Raises:
        StudyError: If no game has that name, or its rules have faults.
    """
    from cadogan.game import load
    from cadogan.rules import RulesError, UnknownGameError

    try:
        return load(name)
    except UnknownGameError as error:
        raise StudyError(str(error), "'cadogan games' lists them all") from None
    except RulesError as error:
        raise StudyError(
            f"the rules of {name} have faults", f"'cadogan check {name}' lists them"
        ) from error
    except OSError as error:
        raise StudyError(f"{name}: {(error.strerror or str(error)).lower()}") from None


def text_of(game: "Game") -> str | None:
    """The text of the rules file, if the game is not in the catalogue."""
    path, ending, _ = game.name.partition(".toml")
    return read_text(Path(path + ending)) if ending else None


def _faults_of_games(names: Sequence[str]) -> list[str]:
    faults = []
    for name in dict.fromkeys(names):
        try:
            load_game(name)
        except StudyError as error:
            faults.append(_with_hint(error))
    return faults


def _faults_of_deals(studies: Sequence[Study]) -> list[str]:
    """Reports games that lack the first or the last of their deals."""
    from cadogan.deals import DealError, RestlessError

    faults = []
    for game, span in dict.fromkeys((study.game, study.span) for study in studies):
        for number in dict.fromkeys((span.first, span.last)):
            try:
                load_game(game).deal(span.name(number))
            except RestlessError:
                pass  # A deal whose forced moves never end gets a record that says so.
            except DealError as error:
                faults.append(f"{game}: {error}")
                break
    return faults


def check(plan: Plan) -> None:
    """Checks a plan that was built from options.

    Raises:
        StudyError: If it has faults.
    """
    faults = _faults_of_games([study.game for study in plan.studies])
    faults = faults or _faults_of_deals(plan.studies)
    if len(faults) == 1:
        raise StudyError(faults[0])
    if faults:
        raise _faulty("this study", faults)


def _fault_text(fault: Any) -> str:
    place = ".".join(str(part + 1) if isinstance(part, int) else part for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        return f"{place}: unknown key"
    return f"{place}: {fault['msg'][:1].lower()}{fault['msg'][1:]}"


def _with_hint(error: StudyError) -> str:
    return f"{error}; {error.hint}" if error.hint else str(error)


def _faulty(name: str, faults: Sequence[str]) -> StudyError:
    count = "one fault" if len(faults) == 1 else f"{len(faults)} faults"
    return StudyError("\n".join([f"{name} has {count}:", *(f"  {fault}" for fault in faults)]))


# ---- In a store ----------------------------------------------------------------------------------


def dump(plan: Plan) -> str:
    """Writes a plan as JSON."""
    return json.dumps(
        {
            "title": plan.title,
            "report": {"introduction": plan.introduction, "closing": plan.closing},
            "study": [
                {
                    "game": study.game,
                    "player": str(study.player),
                    "deals": str(study.span),
                    "budget": list(study.budgets),
                    "stop": {
                        "half_width": study.stop.half_width,
                        "deals": study.stop.deals,
                        "nodes": study.stop.nodes,
                    },
                }
                for study in plan.studies
            ],
            "looser": [
                {"strict": each.strict, "loose": each.loose, "why": each.why}
                for each in plan.looser
            ],
        },
        indent=2,
        ensure_ascii=False,
    )


def restore(text: str) -> Plan:
    """Reads what :func:`dump` wrote.

    Raises:
        StudyError: If the text is damaged.
    """
    try:
        data = json.loads(text)
        studies = tuple(
            Study(
                each["game"],
                Player.parse(each["player"]),
                Span.parse(each["deals"]),
                tuple(each["budget"]),
                Stop(**each["stop"]),
            )
            for each in data["study"]
        )
        looser = tuple(Looser(**each) for each in data["looser"])
        report = data["report"]
        return Plan(studies, looser, data["title"], report["introduction"], report["closing"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StudyError(f"the plan in the store is damaged: {error}") from None

"""Shards: parts of a study that run in folders of their own, and how they become one study.

    DIR/shards.json     which shards of its plan a folder holds; a whole study has no such file

Nothing but these folders travels between machines. A merged study is the same, file by file, as
one that was never split.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from cadogan.storage import replace_file
from cadogan.study.costs import merge_costs
from cadogan.study.deal_range import Shards
from cadogan.study.errors import StudyError
from cadogan.study.plan import Plan, dump
from cadogan.study.store import Store, disagreement
from cadogan.study.summary import PLAN, SHARDS, plan_in, save_plan, shards_in


def claim(store: Store, shards: Shards) -> None:
    """Reserves a folder for some shards, before they run.

    Args:
        store: The store in the folder.
        shards: The shards; those of a whole study are all.

    Raises:
        StudyError: If the folder holds another part of a study.
    """
    here = shards_in(store)
    if here == shards or (here.is_whole and shards.is_whole):
        return
    if not here.is_whole:
        what = "a whole study" if shards.is_whole else f"shard {shards}"
        raise StudyError(
            f"{store.folder} holds shard {here}, not {what}",
            "each shard has a folder of its own; 'cadogan study merge' makes one study of them",
        )
    if (store.folder / PLAN).exists():
        raise StudyError(
            f"{store.folder} holds a whole study, not shard {shards}", "name a new folder"
        )
    _write(store, shards)


def merge(folder: Path, sources: Sequence[Store], *, partial: bool = False) -> tuple[Plan, int]:
    """Adds the results of other folders to a folder, which is created if there is none.

    All folders are checked before anything is written. Repeating it changes nothing.

    Args:
        folder: The folder that receives the results.
        sources: The others: whole studies of any kind, or shards of one study.
        partial: Whether shards may be missing or unfinished.

    Returns:
        The plan with all studies of the folder, and how many parts were added.

    Raises:
        StudyError: If the folders do not fit together, or shards are missing. Nothing was written
            then.
    """
    plans = [plan_in(source) for source in sources]
    target = Store(folder) if folder.exists() and any(folder.iterdir()) else None
    known = [*sources, *([target] if target is not None else [])]
    digests = _rules_of(known)
    shards = _fitting(sources, plans, target)
    if not shards.is_whole and not partial:
        raise StudyError(
            f"shard {shards.missing} is missing"
            if len(shards.missing.indices) == 1
            else f"shards {shards.missing} are missing",
            "name their folders, too, or add --partial",
        )
    if not partial and shards.count > 1:
        _finished(known, plans[0], shards, digests)
    if clash := disagreement(known):
        raise StudyError(clash, "one of them is damaged: try 'cadogan study verify' on both")
    store = target or Store(folder, create=True)
    with store.writing():
        if not shards.is_whole:
            # Before the records: a merge that is killed must not look like a whole study.
            _write(store, shards)
        new = sum(store.merge(source) for source in sources)
        for source, plan in zip(sources, plans, strict=True):
            save_plan(store, plan)
            merge_costs(store, source)
        store.compact()
        if shards.is_whole:
            (store.folder / SHARDS).unlink(missing_ok=True)
    return plan_in(store), new


def _fitting(sources: Sequence[Store], plans: Sequence[Plan], target: Store | None) -> Shards:
    """The shards that the folder holds after the merge."""
    split = [source for source in sources if not shards_in(source).is_whole]
    if target is not None and (target.folder / PLAN).exists():
        if not shards_in(target).is_whole:
            sources, plans = [target, *sources], [plan_in(target), *plans]
            split = [target, *split]
        target_is_whole = target not in sources
    else:
        target_is_whole = False
    if not split:
        return Shards()
    whole = next((source for source in sources if source not in split), None)
    if whole is not None:
        raise StudyError(
            f"{whole.folder} holds a whole study, and {split[0].folder} only shard "
            f"{shards_in(split[0])} of one",
            "merge all shards into a new folder first",
        )
    for (one, first), (other, second) in pairwise(zip(sources, plans, strict=True)):
        here, there = shards_in(one), shards_in(other)
        if here.count != there.count:
            raise StudyError(
                f"{one.folder} holds shard {here}, and {other.folder} shard {there}",
                "shards can be merged if the study was split into equally many",
            )
        if dump(first) != dump(second):
            raise StudyError(
                f"{one.folder} and {other.folder} hold shards of different studies: "
                "their plans differ",
                "run all shards with the same games, deals and options",
            )
    shards = shards_in(sources[0])
    for source in sources:
        shards = shards.joined(shards_in(source))
    if target_is_whole and target is not None and not shards.is_whole:
        raise StudyError(
            f"{target.folder} holds a whole study, and shards {shards} are only a part of one",
            "merge them into a new folder",
        )
    return shards


def _rules_of(stores: Sequence[Store]) -> dict[str, str]:
    """The fingerprint of the rules of each game, which must be the same in all folders."""
    seen: dict[str, tuple[str, Path]] = {}
    for store in stores:
        for game, digest in store.rules():
            before, where = seen.setdefault(game, (digest, store.folder))
            if before != digest:
                raise StudyError(
                    f"{where} and {store.folder} have results of {game} with different rules",
                    "run both with the same version of Cadogan and the same rules file",
                )
    return {game: digest for game, (digest, _) in seen.items()}


def _finished(
    stores: Sequence[Store], plan: Plan, shards: Shards, digests: Mapping[str, str]
) -> None:
    """Raises an error if not all deals of some shards were tried."""
    settled: dict[tuple[str, str, str], set[int]] = {}
    for store in stores:
        for study in plan.studies:
            question = (study.game, str(study.player), study.span.scheme)
            if study.game in digests:
                budgets = study.recorded_budgets
                known = store.known(
                    study.game, digests[study.game], question[1], question[2], budgets
                )
                settled.setdefault(question, set()).update(
                    number
                    for number, each in known.items()
                    if each.won is not None or each.stage >= len(budgets) - 1
                )
    for index in shards.indices:
        one = Shards((index,), shards.count)
        wanted = tried = 0
        for study in plan.sharded(one).studies:
            question = (study.game, str(study.player), study.span.scheme)
            wanted += len(study.span)
            tried += len(settled.get(question, set()).intersection(study.span.numbers))
        if tried < wanted:
            raise StudyError(
                f"shard {one} is not finished: {tried:,} of its {wanted:,} deals are done",
                "run it again, it continues where it was; or add --partial",
            )


def _write(store: Store, shards: Shards) -> None:
    text = json.dumps({"shards": shards.indices, "of": shards.count})
    try:
        replace_file(store.folder / SHARDS, text + "\n")
    except OSError as error:
        raise StudyError(f"{store.folder}: {SHARDS} could not be written: {error}") from None

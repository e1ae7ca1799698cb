"""The planner as plain data: in whatever order things happen, each deal is tried once."""

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from cadogan.study.planner import DEATHS, Job, Known, Lease, Planner, stopped_at
from cadogan.study.statistics import Stop, Tally


def truth(job: int, stage: int, number: int) -> Known:
    """The result of a trial, which depends only on the question."""
    chance = random.Random(f"{job} {number}")
    needed = chance.choice([0, 0, 1, 9])
    won = chance.random() < 0.6
    return Known(won if stage >= needed else None, chance.randrange(50), stage)


def drive(planner: Planner, chance: random.Random, workers: int, loss: float) -> Counter[object]:
    """Runs a planner to its end; results come in any order, and some are lost."""
    out: list[Lease] = []
    asked: Counter[object] = Counter()
    while not planner.is_finished:
        while len(out) < workers and (lease := planner.lease()) is not None:
            out.append(lease)
        assert out, "nothing is out and nothing is done"
        lease = out.pop(chance.randrange(len(out)))
        task = lease.task
        if chance.random() < loss:
            assert len(task.numbers) == 1 or planner.lost(lease) == ()
            if len(task.numbers) == 1:
                planner.returned(lease)
            continue
        asked.update((task.job, task.stage, number) for number in task.numbers)
        found = {number: truth(task.job, task.stage, number) for number in task.numbers}
        planner.result(lease, found, chance.random() * chance.choice([0.01, 1, 30]))
        planner.result(lease, found)  # reported twice
    assert planner.lease() is None
    assert planner.out == 0
    return asked


JOBS = st.lists(
    st.builds(
        Job,
        first=st.integers(0, 1000),
        deals=st.integers(1, 300),
        stages=st.integers(1, 3),
        stop=st.builds(
            Stop,
            half_width=st.none() | st.floats(0.02, 0.4),
            deals=st.none() | st.integers(1, 400),
            nodes=st.none() | st.integers(1, 8000),
        ),
    ),
    min_size=1,
    max_size=3,
)


@given(jobs=JOBS, seed=st.integers(0, 99), workers=st.integers(1, 7), loss=st.floats(0, 0.5))
def test_what_is_found_out_hangs_on_nothing_else(
    jobs: list[Job], seed: int, workers: int, loss: float
) -> None:
    clean = Planner(jobs)
    wanted = drive(clean, random.Random(0), 1, 0)
    planner = Planner(jobs, workers)
    asked = drive(planner, random.Random(seed), workers, loss)
    assert asked == wanted
    assert set(asked.values()) == {1}
    for place, job in enumerate(jobs):
        assert planner.tally(place) == clean.tally(place)
        size = planner.size(place)
        assert planner.tally(place).deals == size == clean.size(place)
        finished = []
        for number in range(job.first, job.first + size):
            stages = [truth(place, stage, number) for stage in range(job.stages)]
            decided = [known for known in stages if known.won is not None]
            finished.append(decided[0] if decided else stages[-1])
        assert stopped_at(job, finished) == size


@given(jobs=JOBS, seed=st.integers(0, 99), share=st.floats(0, 1))
def test_what_is_known_is_not_asked_again(jobs: list[Job], seed: int, share: float) -> None:
    clean = Planner(jobs)
    wanted = drive(clean, random.Random(0), 1, 0)
    chance = random.Random(seed)
    told: set[object] = set()
    again = []
    for place, job in enumerate(jobs):
        known: dict[int, Known] = {}
        for number in range(job.first, job.first + job.deals):
            for stage in range(job.stages):
                if (place, stage, number) not in wanted or chance.random() > share:
                    break
                told.add((place, stage, number))
                known[number] = truth(place, stage, number)
        again.append(Job(job.first, job.deals, job.stages, job.stop, known))
    planner = Planner(again, 2)
    asked = drive(planner, chance, 2, 0.1)
    assert set(asked) == set(wanted) - told
    assert [planner.tally(place) for place in range(len(jobs))] == [
        clean.tally(place) for place in range(len(jobs))
    ]


def test_batches_grow_until_they_take_long_enough_and_shrink_at_the_end() -> None:
    planner = Planner([Job(0, 10_000)], workers=2, target=1.0)
    sizes = []
    while (lease := planner.lease()) is not None:
        sizes.append(len(lease.task.numbers))
        found = {number: Known(True, 1, 0) for number in lease.task.numbers}
        planner.result(lease, found, 0.01 * len(found))
    assert sizes[0] == 1
    assert max(sizes) == 100
    assert sizes[-1] <= 10
    assert sum(sizes) == 10_000
    assert len(sizes) < 180


def test_what_is_left_is_reported_from_what_was_spent() -> None:
    planner = Planner([Job(0, 10, stages=2), Job(0, 30)])
    assert planner.seconds_left() is None
    for seconds in (2.0, 1.0):
        lease = planner.lease()
        assert lease is not None
        assert lease.task.numbers == (0,)
        stage = lease.task.stage
        planner.result(lease, {0: Known(None, 1, stage)}, seconds)
    # Three seconds for a deal with both budgets; the other job is assumed to be the same.
    assert planner.seconds_left() == 9 * 3.0 + 30 * 3.0


def test_a_deal_that_kills_its_worker_is_given_up_and_no_other() -> None:
    planner = Planner([Job(0, 64)], target=100.0)
    given_up: list[int] = []
    deaths = 0
    while not planner.is_finished:
        lease = planner.lease()
        assert lease is not None
        if 13 in lease.task.numbers:
            deaths += 1
            given_up += planner.lost(lease)
        else:
            found = {number: Known(True, 1, 0) for number in lease.task.numbers}
            planner.result(lease, found, 0.001)
    assert given_up == [13]
    assert planner.tally(0) == Tally(63, 0, 1)
    assert DEATHS <= deaths <= DEATHS + 6

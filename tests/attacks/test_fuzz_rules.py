"""A short run of the fuzzer every day; ``make fuzz`` runs the long one."""

import os
from pathlib import Path

import pytest

from tests.attacks.fuzz_rules import Tally, fuzz, try_case
from tests.attacks.grown import grown

CASES = 20_000 if os.environ.get("CADOGAN_THOROUGH") else 700


@pytest.mark.timeout(1800)
def test_rules_files_grown_by_mutation_are_refused_or_played(tmp_path: Path) -> None:
    total = fuzz(7, 0, CASES, 1, tmp_path, every=0)
    assert total.findings == []
    assert total.cases == CASES
    # The generator knows the language: many of its files are games.
    assert total.ends["played"] > CASES // 6
    assert len(total.ends) > 25


def test_a_case_is_the_same_again() -> None:
    assert [grown(3, case) for case in range(20)] == [grown(3, case) for case in range(20)]
    assert grown(3, 1) != grown(4, 1)


def test_what_goes_wrong_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fuzzer that finds nothing must be one that could."""

    def crash(_text: str) -> str:
        raise ZeroDivisionError

    def hang(_text: str) -> str:
        while True:
            pass

    for broken, kind in ((crash, "crash"), (hang, "slow")):
        tally = Tally()
        monkeypatch.setattr("tests.attacks.fuzz_rules.judge", broken)
        try_case(1, 1, tally)
        assert [finding.kind for finding in tally.findings] == [kind]

"""Ranges of deals."""

import pytest

from cadogan.study.deal_range import Span
from cadogan.study.errors import StudyError


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cadogan:5..3", "in the wrong order"),
        ("cadogan:5..", "is not a range of deals"),
        ("cadogan:5..x", "is not a range of deals"),
        ("cadogen:5..6", "did you mean 'cadogan'"),
        ("5..6", "5"),
        ("ms:0..6", "the numbers of ms go from 1"),
        (f"exact:0..{2**64}", "too high for a study"),
    ],
)
def test_deals_that_are_none_are_told(text: str, said: str) -> None:
    with pytest.raises(StudyError, match=said) as error:
        Span.parse(text)
    assert error.value.hint

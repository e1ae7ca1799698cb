"""Names of deals are read, or faults in them are reported."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.deals import (
    SCHEMES,
    DealError,
    DealName,
    parse_deal,
)


@given(st.sampled_from(sorted(SCHEMES)), st.data())
def test_names_are_read_back(name: str, data: st.DataObject) -> None:
    scheme = SCHEMES[name]
    deal = DealName(name, data.draw(st.integers(scheme.lowest, scheme.highest)))
    assert parse_deal(str(deal)) == deal


def test_names_are_read_leniently() -> None:
    assert parse_deal(" MS : 0617 ") == DealName("ms", 617)
    assert str(parse_deal("cadogan:18446744073709551615")) == "cadogan:18446744073709551615"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not the name of a deal: write scheme:number, as in cadogan:1"),
        ("cadogan", "'cadogan' is not the name of a deal: write scheme:number, as in cadogan:1"),
        (
            "617",
            (
                "'617' does not say which shuffle: write cadogan:617, ms:617, pysol:617, "
                "kpat:617, solvitaire:617 or exact:617"
            ),
        ),
        ("cadogen:1", "unknown scheme of deals 'cadogen': did you mean 'cadogan'?"),
        ("mss:1", "unknown scheme of deals 'mss': did you mean 'ms'?"),
        (
            "tarot:1",
            (
                "unknown scheme of deals 'tarot': "
                "choose one of cadogan, ms, pysol, kpat, solvitaire, exact"
            ),
        ),
        ("pysol:0", "unknown deal 'pysol:0': the numbers of pysol go from 1 to 1" + "0" * 20),
        (
            "exact:-1",
            (
                "unknown deal 'exact:-1': "
                "the numbers of exact go from 0 to as many as the deck has arrangements"
            ),
        ),
        ("ms:", "'' is not the number of a deal: write digits only, as in ms:1"),
        ("ms:1_0", "'1_0' is not the number of a deal: write digits only, as in ms:1"),
        ("ms:1.5", "'1.5' is not the number of a deal: write digits only, as in ms:1"),
        ("ms:1:2", "'1:2' is not the number of a deal: write digits only, as in ms:1"),
        ("ms:0", "unknown deal 'ms:0': the numbers of ms go from 1 to 8589934591"),
        ("ms:-4", "unknown deal 'ms:-4': the numbers of ms go from 1 to 8589934591"),
        (
            "ms:8589934592",
            "unknown deal 'ms:8589934592': the numbers of ms go from 1 to 8589934591",
        ),
        (
            "cadogan:18446744073709551616",
            (
                "unknown deal 'cadogan:18446744073709551616': "
                "the numbers of cadogan go from 0 to 18446744073709551615"
            ),
        ),
    ],
)
def test_what_is_no_deal_is_told(text: str, message: str) -> None:
    with pytest.raises(DealError) as caught:
        parse_deal(text)
    assert str(caught.value) == message


@pytest.mark.parametrize("text", ["9" * 10_000, "ms:" + "9" * 10_000, "x" * 10_000 + ":1"])
def test_error_about_a_long_text_is_short(text: str) -> None:
    with pytest.raises(DealError) as caught:
        parse_deal(text)
    assert len(str(caught.value)) < 150


@given(st.text() | st.text("0123456789:-ms "))
def test_reading_a_name_never_fails_otherwise(text: str) -> None:
    try:
        deal = parse_deal(text)
    except DealError:
        return
    assert parse_deal(str(deal)) == deal


def test_a_wrong_name_cannot_be_made() -> None:
    with pytest.raises(DealError, match="unknown deal 'ms:0'"):
        DealName("ms", 0)
    with pytest.raises(DealError, match="did you mean 'cadogan'"):
        DealName("Cadogan", 1)

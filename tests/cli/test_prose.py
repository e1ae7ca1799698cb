"""Paragraphs for a terminal."""

from cadogan.cli.prose import WIDEST, prose


def test_paragraphs_are_wrapped_at_the_width_and_never_wider_than_can_be_read() -> None:
    text = "word " * 60
    for width in (20, WIDEST, 500):
        lines = prose(text, width).plain.split("\n")
        assert max(map(len, lines)) <= min(width, WIDEST)
        assert " ".join(lines).split() == text.split()


def test_items_hang_from_their_dashes() -> None:
    assert prose("- one two three four\n- five", 12).plain == "- one two\n  three four\n- five"


def test_headings_and_words_between_stars_are_bold() -> None:
    text = prose("# A head\nplain **bold** plain", 80)
    assert text.plain == "A head\nplain bold plain"
    bold = [text.plain[span.start : span.end] for span in text.spans if span.style == "bold"]
    assert bold == ["A head", "bold"]


def test_pictures_stay_as_they_are() -> None:
    picture = "    a   b\n      c" + " " * 3 + "d" * 60
    assert prose(f"Before.\n\n{picture}\n\nAfter.", 20).plain.split("\n")[2:4] == picture.split(
        "\n"
    )

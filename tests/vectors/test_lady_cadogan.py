"""Lady Cadogan's games: what lies on the table after the deal, and the examples of the book."""

from collections import Counter

import pytest

from cadogan import Game, Position, load
from tests.vectors.table import cards, deck_of, next_first, texts

RANKS = "A23456789TJQK"

# How many cards lie where, as the book says it; the sums are those of the pack.
TABLES: dict[str, dict[str, list[int]]] = {
    "babette": {"garden": [1] * 8, "stock": [96]},
    "caesar": {"square": [1] * 9},
    "fortress": {"left": [5, 5, 5, 5, 6], "right": [5, 5, 5, 5, 6]},
    "general-sedgewick": {"cross": [1] * 5, "foundations": [1, 0, 0, 0], "stock": [46]},
    "house-in-the-wood": {"fans": [3] * 34 + [2]},
    "house-on-the-hill": {"fans": [3] * 34 + [2]},
    "la-belle-lucie": {"fans": [3] * 17 + [1]},
    "la-nivernaise": {"flanks": [1] * 8, "line": [4] * 6, "stock": [72]},
    "light-and-shade": {
        "foundations": [1] * 8,
        "auxiliaries": [1] * 4,
        "rivals": [1] * 4,
        "stock": [88],
    },
    "margarethe": {
        "kings": [1] * 4,
        "knaves": [1] * 4,
        "queens": [1] * 4,
        "helps": [1] * 9,
        "stock": [31],
    },
    "mount-olympus": {"aces": [1] * 8, "twos": [1] * 8, "battery": [1] * 9, "stock": [79]},
    "napoleons-square": {"square": [4] * 12, "stock": [56]},
    "nestor": {"columns": [6] * 8, "reserve": [1] * 4},
    "red-and-black": {"foundations": [1] * 8, "volunteers": [1] * 8, "stock": [88]},
    "sultan": {"kings": [1] * 7, "ace": [1], "divan": [1] * 8, "stock": [87]},
    "the-blockade": {"places": [1] * 12 + [0] * 84, "stock": [92]},
    "the-carpet": {"aces": [1] * 4, "kings": [1] * 4, "uprights": [1] * 32, "stock": [32]},
    "the-constitution": {
        "foundations": [1] * 8,
        "people": [1] * 8,
        "lower-house": [1] * 8,
        "upper-house": [1] * 8,
        "council": [1] * 8,
        "stock": [48],
    },
    "the-fifteen": {"columns": [7] * 14 + [6]},
    "the-fourteenth": {"square": [1] * 25, "stock": [79]},
    # A king on top of a packet goes under it.
    "the-great-thirteen": {"packets": [12] * 8, "numerals": [1] * 8},
    "the-hemispheres": {
        "rising-foundations": [1] * 4,
        "sinking-foundations": [1] * 4,
        "barriers": [1] * 4,
        "european-places": [1] * 3,
        "asiatic-places": [1] * 3,
        "australian-places": [1] * 3,
        "african-places": [1] * 3,
        "stock": [80],
    },
    "the-herring-bone": {
        "bone": [28],
        "scenes": [1] * 8,
        "bars": [1] * 4,
        "rising-foundations": [1, 0, 0, 0],
        "falling-foundations": [0] * 4,
        "stock": [63],
    },
    "the-louis-patience": {"aces": [1] * 4, "kings": [1] * 4, "stock": [96]},
    # The first four kings go to the angles at once.
    "the-mill": {"centre": [1], "angles": [1] * 4, "wings": [1] * 8, "stock": [91]},
    "the-olga": {"bed": [7] * 7, "stock": [79]},
    "the-salic-law": {"packets": [1] + [0] * 7, "stock": [103]},
    "the-terrace": {"terrace": [13], "valley": [1] * 3 + [0] * 6, "stock": [88]},
    "the-wheel": {"cushion": [1] * 12, "stock": [84]},
    "the-zodiac": {"equator": [1] * 8, "zodiac": [1] * 24, "stock": [72]},
    "two-rings": {"sevens": [1] * 8, "sixes": [1] * 8, "bracelet": [1] * 8, "stock": [80]},
}


def heights(position: Position, group: str) -> list[int]:
    return [len(pile) for name, pile in position.piles.items() if name.partition(".")[0] == group]


@pytest.mark.parametrize("name", TABLES)
def test_the_table_has_the_cards_that_the_book_lays_there(name: str) -> None:
    game = load(name)
    # An ace among the helps of Margarethe would go up at once.
    position = game.deal(deck=sorted(game.pack, reverse=True))
    assert {group: heights(position, group) for group in TABLES[name]} == TABLES[name]
    elsewhere = sum(map(len, position.piles.values())) - sum(map(sum, TABLES[name].values()))
    assert elsewhere == (32 if name == "the-carpet" else 0)


def tops(position: Position, group: str) -> str:
    return " ".join(
        str(pile[-1])
        for name, pile in position.piles.items()
        if name.partition(".")[0] == group and pile
    )


def dealt(game: Game, text: str, at: int = 0) -> Position:
    """A deal whose cards at some place are these."""
    return game.deal(deck=deck_of(game, {at: text}))


# The Fourteenth


PICTURE = """
    TH 5C 2C JS 4C
    5H 8D 3S 6S 5S
    6C KC AC 2H 3D
    AH 2D 5D 3H 6H
    3C 5C 5H 2S 4D
"""


def test_the_tableau_of_the_fourteenth_has_the_three_pairs_of_the_book_and_a_fourth() -> None:
    position = dealt(load("the-fourteenth"), PICTURE.replace("\n", " "))
    assert texts(position) == {
        "square.1 + square.5",  # the ten of hearts with the four of clubs
        "square.4 + square.19",  # the knave of spades with the three of hearts
        "square.7 + square.9",  # the eight of diamonds with the six of spades
        "square.12 + square.13",  # the king with the ace, which the book does not name
    }


# The Wheel


def test_the_cushion_of_the_wheel_in_the_book() -> None:
    position = dealt(load("the-wheel"), "KC 5D QS 9H 7C 6C 5S 2H TD 3C 8S KH")
    found = {
        tuple(sorted(RANKS.index(str(card)[0]) + 1 for card in played))
        for text in texts(position, "make a packet of the wheel")
        for played in [[position.piles[name][-1] for name in text.split(" + ")]]
    }
    assert {triple[:3] for triple in found} == {
        (2, 6, 10), (2, 7, 9), (3, 5, 10), (3, 6, 9), (3, 7, 8), (5, 6, 7),
    }  # fmt: skip
    assert {triple[3] for triple in found} == {12, 13}


# The Nation


def test_a_card_that_goes_up_is_counted_in_the_nation() -> None:
    # The example of the book: the fourth and the seventh card are suitable.
    game = load("the-nation")
    position = dealt(game, "9C 9D 9H 2C 8C 8D QS 8H 9S")
    assert position.piles["columns.1"] == cards("9C 9D 9H 8C 8D 8H")
    assert position.piles["columns.2"][:1] == cards("9S")
    up = [name for name, pile in position.piles.items() if {*cards("2C QS")} & {*pile[1:2]}]
    assert up == ["aces.1", "kings.4"]


def test_the_last_column_of_the_nation_is_dealt_first_again() -> None:
    position = load("the-nation").deal("cadogan:5")
    while position.pending_choice is not None:
        position = position.play(position.moves()[0])
    columns = [position.piles[f"columns.{n}"] for n in range(12, 0, -1)]
    after = position.play("redeal")
    while after.pending_choice is not None:
        after = after.play(after.moves()[0])
    wanted = [card for column in columns for card in column]
    laid = [card for n in range(1, 13) for card in after.piles[f"columns.{n}"]]
    went_up = {name for name in after.piles if name.startswith(("aces", "kings"))}
    # What did not go up lies there in the order of the columns taken up.
    rest = iter(wanted)
    assert all(card in rest for card in laid)
    assert sum(len(after.piles[name]) for name in went_up) + len(laid) == 104


# Babette, the Four Corners, the "Louis"


def test_the_last_column_of_babette_is_dealt_first_again() -> None:
    position = load("babette").deal("cadogan:1")
    while position.piles["stock"]:
        position = position.play("deal")
    columns = [position.piles[f"garden.{n}"] for n in range(8, 0, -1)]
    assert {len(column) for column in columns} == {13}
    order = [card for column in columns for card in column]
    after = position.play("redeal")
    assert [after.piles[f"garden.{n}"] for n in range(1, 9)] == [(card,) for card in order[:8]]
    assert next_first(after) == tuple(order[8:])


def test_a_side_of_the_four_corners_feeds_only_the_foundation_beside_it() -> None:
    game = load("the-four-corners")
    # The first ace goes up beside the first side; the place gets the next card.
    position = dealt(game, "AC 9C 9D 2C 9H 2C").play("turn")
    assert position.piles["aces.1"] == cards("AC")
    position = position.play("turn").play("hand > packets.1")  # the upper corner
    position = position.play("turn").play("hand > packets.2")
    # The second side adjoins the second foundation: the two of clubs may not go up.
    position = position.play("turn")
    assert position.piles["hand"] == cards("2C")
    assert texts(position) == {"hand > packets.3"}
    position = position.play("hand > packets.3").play("turn").play("hand > packets.4")
    position = position.play("turn")
    assert texts(position) == {"hand > packets.5"}


def test_a_corner_of_the_four_corners_feeds_all_foundations() -> None:
    position = dealt(load("the-four-corners"), "AC 2C 9C 3C").play("turn").play("turn")
    assert texts(position) == {"hand > aces.1", "hand > packets.1"}
    # A card that goes up leaves its place to the next.
    position = position.play("hand > aces.1").play("turn")
    assert position.piles["hand"] == cards("9C")
    assert texts(position) == {"hand > packets.1"}
    # The first side lies beside the first foundation.
    position = position.play("hand > packets.1").play("turn")
    assert texts(position) == {"hand > aces.1", "hand > packets.2"}


def test_the_alphabet_of_the_louis_is_taken_up_from_g_to_f() -> None:
    position = load("the-louis-patience").deal("cadogan:1")
    while position.piles["stock"] or position.piles["hand"]:
        lay = [text for text in texts(position) if "circle" in text]
        position = position.play(
            "turn" if "turn" in texts(position) else "next circle" if not lay else min(lay, key=len)
        )
    letters = dict(zip("abcdefghiklm", range(1, 13), strict=True))
    packets = {letter: position.piles[f"alphabet.{n}"] for letter, n in letters.items()}
    assert {len(packet) for packet in packets.values()} == {8}
    # Each packet is put under those taken up before; then the whole is turned over.
    after = position.play("redeal")
    assert next_first(after) == tuple(card for letter in "fedcbamlkihg" for card in packets[letter])


# The Kings


def test_during_the_deal_of_the_kings_a_card_goes_up_in_its_own_row_only() -> None:
    # The two falls on the first row, beside aces: it goes up, and the next takes its place. The
    # three would fit there, but falls on the second row.
    position = dealt(load("the-kings"), "2C 9C 3C 9D 9H 9S")
    assert position.piles["left-foundations.1"][1:2] == cards("2C")
    assert [position.piles[f"rows.{n}"][0] for n in range(1, 6)] == list(cards("9C 3C 9D 9H 9S"))


# Spenser's Fairie Queen


def test_the_example_of_spensers_fairie_queen() -> None:
    # The knave of hearts lies under a sequence from ten to four; there are two bare kings, a seven
    # and another knave.
    game = load("spensers-fairie-queen")
    example = cards("QC QD 7C KC JH TS 9D 8C 7H 6S 5D 4C KD KS KC")
    bottoms = cards("JS KD KS KH")
    used = Counter(game.pack)
    used.subtract([*example, *bottoms])
    assert min(used.values()) == 0
    fillers = sorted(used.elements(), key=lambda card: (card.rank, card.code))
    aces, others = fillers[:8], fillers[8:]
    # High cards first, so that no filler can go up while the cards are dealt.
    deck = [*example, *reversed(others), bottoms[0], *bottoms[1:], *reversed(aces)]
    position = game.deal(deck=deck)
    while "turn" in texts(position):
        position = position.play("turn")
    named = {
        str(pile[-1]): name for name, pile in position.piles.items() if name.startswith("columns")
    }
    bare = [name for name, pile in position.piles.items() if len(pile) == 1 and "columns" in name]
    first, second = bare[:2]
    long, seven, knave = named["4C"], named["7C"], named["JS"]
    for source, target in (
        (long, first),  # the four
        (long, second),  # the five
        (long, seven),  # the six on the seven, and the others back on it
        (second, seven),
        (first, seven),
        (long, first),  # the seven
        (long, second),  # the eight
        (first, second),  # the seven on the eight
        (long, first),  # the nine
        (long, knave),  # the ten
    ):
        position = position.play(f"{source} > {target}")
    assert position.piles[long][-1:] == cards("JH")


# The Olga


def test_every_second_row_of_the_olga_lies_face_down() -> None:
    position = load("the-olga").deal("cadogan:1")
    for n in range(1, 8):
        assert position.face_down[f"bed.{n}"] == (False, True, False, True, False, True, False)


# The Carpet


def test_the_crosses_on_the_carpet() -> None:
    position = load("the-carpet").deal("cadogan:1")
    place = {}
    for row in range(8):
        for column in range(8):
            upright = (row + column) % 2 == 0
            number = sum((r + c) % 2 == (row + column) % 2 for r in range(8) for c in range(8)
                         if (r, c) <= (row, column))  # fmt: skip
            place[f"{'uprights' if upright else 'flats'}.{number}"] = (row, column)
    available = {
        where
        for name, where in place.items()
        if "is not open" not in (position.why_not(f"{name} > aces.1") or "")
    }
    assert available == {
        *((0, column) for column in (0, 2, 4, 6)),
        *((7, column) for column in (1, 3, 5, 7)),
        *((row, 0) for row in (1, 3, 5, 7)),
        *((row, 7) for row in (0, 2, 4, 6)),
    }


# The Constitution and the Zodiac


def test_a_vacancy_of_the_council_rises_from_the_people() -> None:
    game = load("the-constitution")
    # People, lower house, upper house, council; a two lies in the council.
    position = dealt(game, "2C", at=24)
    assert texts(position, "play to foundations") >= {"council.1 > foundations.1"}
    position = position.play("council.1 > foundations.1")
    for chosen, source, target in (
        ("upper-house.3", "upper-house.3", "council.1"),
        ("lower-house.2", "lower-house.2", "upper-house.3"),
        ("people.7", "people.7", "lower-house.2"),
    ):
        assert position.pending_choice is not None
        card = position.piles[chosen][-1]
        position = position.play(f"{source} > {target}")
        assert position.piles[target] == (card,)
    # The people take the next card automatically.
    assert len(position.piles["people.7"]) == 1
    assert len(position.piles["stock"]) == 47


def test_no_foundation_of_the_zodiac_is_begun_before_all_cards_are_placed() -> None:
    position = dealt(load("the-zodiac"), "AC AD AH AS KC KD KH KS")
    assert not any("aces" in text or "kings" in text for text in texts(position))


# The Fish-bone


def test_a_king_of_the_fish_bone_goes_beside_a_knave_of_its_suit_only() -> None:
    game = load("the-fish-bone")
    # The knave begins the spine, and the king of its suit takes its place beside it; the king of
    # spades comes to the gridiron, for its knave does not lie yet.
    position = dealt(game, "JH KS KH 9C 9D 8C 8D 7C")
    assert position.piles["spine.1"] == cards("JH")
    assert position.piles["kings.1"] == cards("KH")
    assert sorted(tops(position, "gridiron").split()) == ["7C", "8C", "8D", "9C", "9D", "KS"]


# Canfield or Klondike


def test_all_face_up_cards_of_a_column_move_or_none() -> None:
    game = load("canfield-or-klondike")
    position = game.deal(deck=deck_of(game, {0: "TC", 7: "9H", 13: "JD"}))
    position = position.play("tableau.2 > tableau.1")  # the nine on the ten
    assert {text for text in texts(position) if text.startswith("tableau.1 ")} == {
        "tableau.1 > tableau.3 x2"
    }
    assert position.play("tableau.1 > tableau.3 x2").piles["tableau.3"][-3:] == cards("JD TC 9H")


# The Fifteen


def test_the_grace_of_the_fifteen_opens_the_game_and_no_more() -> None:
    game = load("the-fifteen")
    # The sixth row has an ace and a king; the ends of the columns have none.
    sixth = "5C 5D AH 5H KS 5S 6C 6D 6H 6S 7C 7D 7H 7S 8C"
    seventh = "8D 8H 8S 9C 9D 9H 9S TC TD TH TS 5C 5D 5H"
    position = game.deal(deck=deck_of(game, {75: sixth, 90: seventh}))
    grace = {"columns.3 > aces.1 #2", "columns.5 > kings.1 #2"}
    drawn = {text for text in texts(position) if "#" in text}
    assert drawn == grace
    position = position.play("columns.3 > aces.1 #2")
    assert {text for text in texts(position) if "#" in text} == {"columns.5 > kings.1 #2"}
    position = position.play("columns.5 > kings.1 #2")
    assert not any("#" in text for text in texts(position))
    assert heights(position, "columns")[2:5] == [6, 7, 6]


# The Mill


def test_an_angle_of_the_mill_lends_its_knave_for_the_queen() -> None:
    position = dealt(
        load("the-mill"), "KC QC JC 2C 3C 4C 5C 6C 7C 8C 9C TC QD 2D 2H 2S 3D 3H 3S 4D"
    )
    for move in ("wings.2 > angles.1", "wings.3 > angles.1"):
        position = position.play(move)
    assert not texts(position, "an angle lends a card")
    for rank in range(1, 10):
        (wing,) = (
            name
            for name, pile in position.piles.items()
            if name.startswith("wings") and str(pile[-1]) == f"{RANKS[rank]}C"
        )
        position = position.play(f"{wing} > centre")
    (lent,) = texts(position, "an angle lends a card")
    position = position.play(lent)
    assert position.piles["angles.1"] == cards("KC QC")
    assert position.piles["centre"][-2:] == cards("JC QD")


# The Blockade


def test_a_packet_of_the_blockade_is_blocked_by_those_below_it() -> None:
    position = dealt(load("the-blockade"), "AC 2C 5H 4H 9C 9D 9S TC TD TS JC JD JS QC QD QS 2H")
    assert position.piles["foundations.1"] == cards("AC")
    assert texts(position, "build on places") >= {"places.3 > places.2"}
    position = position.play("deal")
    assert heights(position, "places")[:24] == [1] * 24
    reason = position.why_not("places.1 > foundations.1")
    assert reason is not None
    assert "places.13" in reason


# The Hemispheres


def test_a_black_card_of_the_north_changes_places_with_a_red_one_of_the_south() -> None:
    north, south = "5C 6D 7H 8S 9D TH", "2C 3D 4S 5S 6C 7S"
    position = dealt(load("the-hemispheres"), f"{north} {south}")
    assert texts(position, "exchange") == {
        "european-places.1 <> australian-places.2",
        "asiatic-places.1 <> australian-places.2",
    }
    position = position.play("asiatic-places.1 <> australian-places.2")
    assert position.piles["asiatic-places.1"] == cards("3D")
    assert position.piles["australian-places.2"] == cards("8S")


# Cæsar


def test_the_square_of_the_book_has_three_fifteens_and_can_be_put_right() -> None:
    game = load("caesar")
    position = game.deal(deck=cards("7H 8H 3H 5H 6H 4H 9H AH 2H"))
    wanted = ["2H", "7H", "6H", "9H", "5H", "AH", "4H", "3H", "8H"]
    for place, card in enumerate(wanted, 1):
        assert position.outcome != "won"
        now = [str(pile[-1]) for pile in position.piles.values()]
        if now[place - 1] != card:
            position = position.play(f"square.{place} <> square.{now.index(card) + 1}")
        if position.outcome == "won":
            break
    assert position.outcome == "won"


# The Great Thirteen


def test_a_seven_is_followed_as_the_book_says() -> None:
    game = load("the-great-thirteen")
    column = "KH 6H QH 5H JH 4H TH 3H 9H 2H 8H AH 7H"
    others = {12 + 13 * n: f"K{s} 7{s}" for n, s in enumerate("CDSCDSH", 1)}
    places = {0: column, **{place - 1: text for place, text in others.items()}}
    position = game.deal(deck=deck_of(game, places))
    assert tops(position, "numerals") == "7H 7C 7D 7S 7C 7D 7S 7H"
    for _ in range(12):
        position = position.play("packets.1 > numerals.1")
    assert " ".join(map(str, position.piles["numerals.1"])) == " ".join(column.split()[::-1])


def test_the_balcony_of_the_picture_wants_the_first_numerals_of_the_book() -> None:
    game = load("the-great-thirteen")
    balcony, first = (
        ["7C", "3C", "9C", "AC", "QC", "5C", "8C", "2C"],
        ["AD", "6D", "5D", "2D", "JD", "TD", "3D", "4D"],
    )
    places = {
        11 + 13 * n: f"{card} {top}"
        for n, (top, card) in enumerate(zip(balcony, first, strict=True))
    }
    position = game.deal(deck=deck_of(game, places))
    assert {f"packets.{n} > numerals.{n}" for n in range(1, 9)} <= texts(
        position, "begin a numeral"
    )

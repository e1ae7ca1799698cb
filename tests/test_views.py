"""What lies on a table, from the bytes of the kernel."""

from cadogan import Card, load
from cadogan.cards import parse_cards
from cadogan.views import FACE_DOWN, cards_of, face_down, next_cards, visible

NAMES = ("one", "two", "three")
CARDS = parse_cards("AS 2H KD")
HEAPS = (
    bytes([CARDS[0].code, CARDS[1].code]),
    bytes([CARDS[2].code | FACE_DOWN, CARDS[0].code]),
    b"",
)


def test_cards_are_seen_whichever_way_up() -> None:
    assert cards_of(NAMES, HEAPS) == {
        "one": tuple(CARDS[:2]),
        "two": (CARDS[2], CARDS[0]),
        "three": (),
    }
    assert face_down(NAMES, HEAPS) == {"one": (False, False), "two": (True, False), "three": ()}


def test_a_player_sees_what_is_shown_and_lies_face_up() -> None:
    one, two, _ = (visible(NAMES, [how] * 3, HEAPS) for how in ("all", "top", "none"))
    assert one == {"one": tuple(CARDS[:2]), "two": (None, CARDS[0]), "three": ()}
    assert two == {"one": (None, CARDS[1]), "two": (None, CARDS[0]), "three": ()}
    assert visible(NAMES, ["none"] * 3, HEAPS)["one"] == (None, None)


def test_the_next_cards_of_a_foundation_are_in_the_order_of_the_suits() -> None:
    game = load("freecell")
    state = game.deal("ms:1")._state
    first = game.pile_names.index("foundations.1")
    assert next_cards(game.rulebook, state, first) == tuple(
        map(Card.parse, ("AC", "AD", "AH", "AS"))
    )
    assert next_cards(game.rulebook, state, game.pile_names.index("tableau.1")) == ()

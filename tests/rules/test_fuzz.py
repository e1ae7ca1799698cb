"""Every file is either refused with places, or is a game that can be played."""

import json
import random
import re
import time
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from cadogan import _kernel
from cadogan.rules import RulesError, catalogue
from cadogan.rules.compile.compile import compile_rulebook
from cadogan.rules.faults.report import Report
from cadogan.rules.pipeline import check_text, read_rulebook
from cadogan.rules.read.read import read_document
from cadogan.rules.source.document import Document
from cadogan.rules.validate.schema import GroupShape, HeaderShape, RuleShape, StepShape
from cadogan.storage import CATALOGUE

TRIES = settings().max_examples
TEXTS = {game: (CATALOGUE / f"{game}.toml").read_text() for game in catalogue()}
_WORD = re.compile(r'"[^"\n]*"|[\w-]+')
WORDS = sorted({word for text in TEXTS.values() for word in _WORD.findall(text)})
ODD = [
    *("-1", "0", "3", "127", "416", "99999999999999999999", "1e9", "nan", "true", "1979-05-27"),
    *('""', "[]", "{}", "[[]]", "[{}]", "[1, 2]", "{ a = 1 }", '["garden", 3]', '"é"', '"\\u0000"'),
    *('"nothing"', '"no card"', '"pack"', '"vacant tableau"', '"stock or waste"', '"or"', '"a.1"'),
]


def check(text: str) -> None:
    """Checks a file as `cadogan check` does, and plays what is sound."""
    begin = time.perf_counter()
    report = check_text(text, "a.toml")
    lines = text.replace("\r\n", "\n").split("\n")
    for fault in report.faults:
        for label in fault.labels:
            assert 1 <= label.span.line <= len(lines)
            assert 1 <= label.span.column <= label.span.end
            assert label.span.end <= len(lines[label.span.line - 1]) + 1
    assert bool(report.render()) == bool(report.faults)
    if report.ok:
        document = read_document(text, "a.toml")
        play(document, ())
        for variant in document.data.get("variants", {}):
            play(document, (variant,))
    # Generous, because other tests run at the same time.
    assert time.perf_counter() - begin < 20


def play(document: Document, chosen: tuple[str, ...]) -> None:
    """The kernel takes the program, deals it and plays some moves."""
    book = read_rulebook(document, "a", chosen, Report(document))[1]
    assert book is not None
    data = compile_rulebook(book).to_bytes()
    program = _kernel.Program(data)
    assert program.to_bytes() == data
    chance = random.Random(len(data))
    deck = list(book.deck)
    chance.shuffle(deck)
    try:
        state = program.deal(bytes(deck))
        for _ in range(12):
            moves = state.moves()
            if not moves:
                break
            state, _ = state.play(chance.choice(moves))
    except RuntimeError as error:
        assert "come to rest" in str(error)


# -- catalogue files with slips --------------------------------------------------------------------


@st.composite
def slips(draw: st.DrawFn) -> str:
    """A file of the catalogue in which some lines are lost, doubled, swapped or changed."""
    lines = TEXTS[draw(st.sampled_from(sorted(TEXTS)))].split("\n")
    for _ in range(draw(st.integers(1, 5))):
        kind = draw(st.integers(0, 7))
        here = draw(st.integers(0, len(lines) - 1))
        there = draw(st.integers(0, len(lines) - 1))
        words = list(_WORD.finditer(lines[here]))
        if kind == 0 and len(lines) > 1:
            del lines[here]
        elif kind == 1:
            lines.insert(there, lines[here])
        elif kind == 2:
            lines[here], lines[there] = lines[there], lines[here]
        elif kind in (3, 4) and words:
            word = draw(st.sampled_from(words))
            new = draw(st.sampled_from(WORDS))
            lines[here] = lines[here][: word.start()] + new + lines[here][word.end() :]
        elif kind == 5 and "=" in lines[here]:
            lines[here] = f"{lines[here].partition('=')[0]}= {draw(st.sampled_from(ODD))}"
        elif kind == 6 and lines[here]:
            place = draw(st.integers(0, len(lines[here]) - 1))
            letter = draw(st.sampled_from("abxyz1.-\"'[]{}= \té"))
            lines[here] = lines[here][:place] + letter + lines[here][place + 1 :]
        elif kind == 7:
            del lines[here + 1 :]
    return "\n".join(lines)


@given(slips())
@settings(max_examples=3 * TRIES)
@example('name = "A"\nvariants = 3')
@example('name = "A"\n[variants]\nx = 3')
@example('name = "A"\n[variants.x]\nrule = 3\nchange = 3\nadd = [3]\ndrop = [[]]')
@example('name = "A"\n[variants.x]\nwhy = []\nchange = [{ rule = 3 }]\nadd = [{ name = 3 }]')
@example('name = "A"\n[variants.x]\nvariants.x.packs = 2\ngarden = 3\n[garden]\nrole = "cell"')
@example('name = "A"\nrule = [3, "a", {}, { name = [] }]')
@example('name = "A"\nrule = { name = "a" }\nlayout = 3\ncounters = []')
@example('name = "A"\n[__class__]\nrole = "tableau"\nbuild = "down"\n[data]\nrole = "stock"')
@example('name = "A"\n[[garden]]\nrole = "tableau"\n[[rule]]\nname = "a"\nfrom = "garden"')
@example('name = "A"\n[tableau]\npiles = true\ndeal = [true, 1]\nbuild = 1979-05-27')
@example('name = "A"\n[tableau]\npiles = 3\nbuild = "down"\ndeal = [1, 2]\ndeal_down = []')
@example('name = "A"\n[foundations]\ntakes = ""\n[tableau]\nbuild = ""\nmoves = ""\nspace = ""')
@example('name = "A"\n[tableau]\nbuild = []\nfrom = []\nwhen = []\nrefill = []')
@example('name = "A"\naim = ""\n[stock]\ndeals = ""\n[a]\nrole = "stock"\n[b]\nrole = "stock"')
@example('name = "A"\naim = []\nwithout = []\nremarks = []\npicture = ""\nranks = ""\nsuits = ","')
@example('name = "é"\n["é"]\nrole = "tableau"\nbuild = "beside in the order of é"\nfrom = "é"')
@example('name = "A"\ncore = true\n[tableau]\n[[layout]]\nbase = "b"\nof = "tableau"')
def test_slips_are_reported_or_harmless(text: str) -> None:
    check(text)


# -- files made at random --------------------------------------------------------------------------

_NAMES = ["tableau", "foundations", "stock", "waste", "hand", "cells", "reserve", "garden"]
_PILES = st.sampled_from(
    [
        *_NAMES,
        *(
            "tableau.1",
            "garden.2",
            "pack",
            "stock or waste",
            "vacant tableau",
            "first vacant cells",
        ),
        *("occupied garden", "tableau and garden", "garden from last to first", "nowhere"),
    ]
)
_CARDS = st.sampled_from(["aces", "any card", "no card", "red kings", "queen of spades", "blue"])
_BUILD = st.sampled_from(
    [
        *("down", "up in suit", "up or down", "down in alternate colours, round the corner"),
        *("nothing", "in suit", "adding to 13", "any card", "same rank", "upp", "up by twos"),
        *("beside in the order of foundations", "down in suit, never on kings", "aces on kings"),
    ]
)
_WHEN = st.sampled_from(
    [
        *("tableau holds complete sequences down in suit", "rows of tableau lie in order up"),
        *("stock is empty", "no tableau is vacant", "some garden is vacant", "c < 2", "c >= 1"),
        *("top of stock is a queen", "waste holds red cards", "foundations are complete"),
        *("no 'a' is possible", "no 'play to foundations' from waste is possible", "never"),
        *("rows of tableau together lie in order up, from aces", "base is known"),
        *("c is a queen", "garden.1 is empty", "garden holds 3 cards", "some garden.1 is vacant"),
    ]
)


def _some(values: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    return values | st.lists(values, max_size=3)


_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "name": st.sampled_from(["a", "b", "c"]),
    "role": st.sampled_from(["foundation", "tableau", "reserve", "cell", "waste", "hand", "x"]),
    "piles": st.integers(1, 9) | st.just(127),
    "deal": st.integers(1, 4) | st.lists(st.integers(0, 4), max_size=4),
    "deal_down": st.integers(0, 3) | st.lists(st.integers(0, 4), max_size=4),
    "dealt": st.sampled_from(["in rounds", "in packets"]),
    "base": st.sampled_from(["ace", "king", "dealt", "c"]),
    "order": st.sampled_from(["A 2 3", "K Q J", "A A", "joker"]),
    "suits": st.sampled_from(["one each", "hearts", "spades clubs"]),
    "takes": st.sampled_from(["complete sequences down in suit", "cards", "nothing"]),
    "moves": st.sampled_from(["sequences", "packets", "single cards", "sequences down", "all"]),
    "cards": st.sampled_from(["one card", "a packet", "up to 4 cards", "the whole pile"])
    | st.sampled_from(["a sequence down", "a complete sequence up in suit", "red cards"]),
    "deals": st.sampled_from(["1 to waste", "3 to waste", "1 to hand", "1 to each of tableau"]),
    "redeals": st.integers(0, 3) | st.just("unlimited"),
    "lays_off": st.just("waste"),
    "verb": st.sampled_from(["deal", "go"]),
    "during": st.sampled_from(["layout", "play", "always"]),
    "along": st.sampled_from(["same place", "lines"]),
    "choose": st.sampled_from(["nothing", "card", "place", "any"]),
    "from_holds": st.integers(0, 3) | st.sampled_from([[1, 2], "at least 2", "at most many"]),
    "to_holds": st.integers(0, 3) | st.sampled_from([[0, 2], "at most three", "exactly 2 cards"]),
    "laid": st.sampled_from(["as a block", "one by one"]),
    "face": st.sampled_from(["up", "down", "keep"]),
    "end": st.sampled_from(["top", "bottom"]),
    "at": st.sampled_from(["top", "bottom"]),
    "only": st.just("if blocked"),
    "take": st.integers(1, 20)
    | st.sampled_from(["all", "2 * c", "2 * queens in waste", "1 * c of all but kings"]),
    "together": st.lists(
        st.fixed_dictionaries({"from": _some(_PILES), "holds": st.integers(1, 2)}), max_size=2
    ),
    "route": st.lists(
        st.fixed_dictionaries({"cards": _CARDS, "overflow": _PILES}, optional={"to": _PILES}),
        max_size=2,
    ),
    "set": st.just({"c": 1}),
    "add": st.just({"c": 1}),
    "count": st.just({"c": "queens"}),
    "counters": st.just({"c": {"cap": 3}}),
    "packs": st.integers(1, 3),
    "ranks": st.sampled_from(["A 2 3 4", "A K", "9 10 J Q K"]),
    "rounds": st.integers(1, 3),
    "mark": st.sampled_from(["T", "F"]),
    "picture": st.sampled_from(["T1 T2\nF1 .", "garden tableau", "? T1"]),
    "shown": st.sampled_from(["all", "top", "none"]),
    "plays": st.sampled_from(["free", "forced"]),
    "prefer": _PILES,
    "of": _PILES,
    "start": _CARDS,
    "space": _CARDS | st.just("nothing"),
    "which": _CARDS,
    "without": _some(_CARDS),
    "build": _some(_BUILD),
    "aim": _some(_WHEN),
    "when": _some(_WHEN),
    "deals_when": _some(_WHEN),
}
_PHRASES = {
    "from",
    "to",
    "gather",
    "close",
    "until",
    "when_complete",
    "refill",
    "exchange",
    "turn_up",
}


def _tables(shape: type[Any], most: int) -> st.SearchStrategy[dict[str, Any]]:
    """Tables with some of the keys of a shape, and values that often fit."""
    keys = [field.alias or name for name, field in shape.model_fields.items()]
    values = {
        key: _VALUES.get(key, _some(_PILES) if key in _PHRASES else st.just(True)) for key in keys
    }
    return st.lists(st.sampled_from(keys), max_size=most, unique=True).flatmap(
        lambda chosen: st.fixed_dictionaries({key: values[key] for key in chosen})
    )


_VALUES["steps"] = st.lists(_tables(StepShape, 4), max_size=3)
_RULES = st.fixed_dictionaries(
    {"name": _VALUES["name"]}, optional={"from": _some(_PILES), "to": _some(_PILES)}
)


def _rules() -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(lambda rule, more: {**rule, **more}, _RULES, _tables(RuleShape, 4))


_DOCUMENTS = st.builds(
    lambda head, layout, groups, rules: {
        **{k: v for k, v in head.items() if k not in ("variants", "rule", "layout")},
        **({"layout": layout} if layout else {}),
        **groups,
        "rule": rules,
    },
    _tables(HeaderShape, 4),
    st.lists(_tables(StepShape, 4), max_size=2),
    st.dictionaries(st.sampled_from(_NAMES), _tables(GroupShape, 5), max_size=5),
    st.lists(_rules(), max_size=4),
)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name, re.ASCII) else json.dumps(name)


def toml(value: Any) -> str:
    """Writes a value in one line of TOML."""
    if isinstance(value, dict):
        pairs = (f"{_key(key)} = {toml(inner)}" for key, inner in value.items())
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list):
        return f"[{', '.join(toml(inner) for inner in value)}]"
    return json.dumps(value, ensure_ascii=False)


@given(_DOCUMENTS)
@settings(max_examples=3 * TRIES)
def test_random_files_are_reported_or_harmless(document: dict[str, Any]) -> None:
    check("\n".join(f"{key} = {toml(value)}" for key, value in document.items()))


# -- games made at random --------------------------------------------------------------------------

_GROUPS = ["foundations", "tableau", "garden", "cells", "stock", "waste", "hand"]
_OPEN = st.sampled_from(["tableau", "garden", "cells", "waste", "hand", "tableau.1", "garden.2"])
_ANY = st.sampled_from([*_GROUPS, "tableau.1", "garden.2"])
_SOUND_BUILD = st.sampled_from(
    ["down", "up or down in suit", "down in alternate colours, round the corner", "adding to 13"]
)
_SOUND_CARDS = st.sampled_from(["aces", "any card", "red kings", "all but queens", "no card"])
_SOUND_WHEN = st.sampled_from(
    [
        *("stock is empty", "no tableau is vacant", "some garden is vacant", "c < 2", "c >= 1"),
        *("top of waste is a queen", "waste holds red cards", "foundations are complete"),
        *("no 'play to foundations' from waste is possible", "c is a queen", "garden.1 is empty"),
    ]
)
_MOVES = st.fixed_dictionaries(
    {
        "from": _some(_ANY) | st.just("waste or hand or stock"),
        "to": _OPEN.flatmap(lambda o: st.sampled_from([o, f"vacant {o}", f"occupied {o}"]))
        | st.sampled_from(["foundations", "first vacant foundations"]),
    },
    optional={
        "cards": st.sampled_from(["one card", "a packet", "up to 4 cards", "the whole pile"])
        | st.sampled_from(["a sequence down", "a complete sequence down in suit"]),
        "which": _SOUND_CARDS,
        "space": _SOUND_CARDS,
        "build": _SOUND_BUILD,
        "prefer": st.just("waste"),
        "from_holds": st.sampled_from([1, [1, 3], "at least 2", "at most 3"]),
        "laid": _VALUES["laid"],
        "face": _VALUES["face"],
        "count": st.just({"c": "queens"}),
    },
)
_SOUND_STEPS = st.one_of(
    st.fixed_dictionaries(
        {"deal": st.integers(1, 3), "from": st.just("stock"), "to": _some(_OPEN)},
        optional={"face": _VALUES["face"]},
    ),
    st.fixed_dictionaries(
        {"take": _VALUES["take"], "from": st.just("waste"), "to": st.just("stock")},
        optional={"end": _VALUES["end"], "at": _VALUES["at"], "turned": st.booleans()},
    ),
    st.fixed_dictionaries(
        {"gather": _some(_OPEN), "to": st.just("stock")},
        optional={"at": _VALUES["at"], "turned": st.booleans(), "face": _VALUES["face"]},
    ),
    st.builds(
        lambda cards, to, overflow: {
            "route": [
                {"cards": cards, "to": to, "overflow": overflow},
                {"cards": "any card", "overflow": "waste"},
            ],
            "from": "stock",
        },
        _SOUND_CARDS,
        _OPEN,
        st.sampled_from(["waste", "hand"]),
    ),
    st.just({"close": "tableau", "when_complete": "foundations"}),
)
_ACTIONS = st.one_of(
    _MOVES,
    _MOVES,
    st.fixed_dictionaries({"steps": st.lists(_SOUND_STEPS, min_size=1, max_size=3)}),
    st.fixed_dictionaries(
        {
            "together": st.lists(
                st.fixed_dictionaries({"from": _some(_OPEN), "holds": st.integers(1, 2)}),
                min_size=1,
                max_size=2,
            ),
            "to": st.just("foundations"),
        },
        optional={"only": st.just("if blocked")},
    ),
    st.fixed_dictionaries({"exchange": st.sampled_from(["tableau", "garden and waste"])}),
)


@st.composite
def games(draw: st.DrawFn) -> str:
    """A file that is most often a game, if a strange one."""
    base = draw(st.sampled_from(["ace", "king", "dealt"]))
    build = "up in suit, round the corner" if base == "dealt" else "up"
    rules = []
    for index in range(draw(st.integers(0, 4))):
        rule = {"name": f"r{index}", **draw(_ACTIONS)}
        if draw(st.booleans()):
            rule["when"] = draw(_some(_SOUND_WHEN))
        if draw(st.integers(0, 3)) == 0:
            rule["forced"] = True
            if draw(st.booleans()):
                rule["during"] = draw(_VALUES["during"])
        if draw(st.booleans()):
            rule["add"] = {"c": 1}
        rules.append(rule)
    document = {
        "name": "A",
        "packs": draw(st.integers(1, 2)),
        "counters": {"c": {"cap": 3}},
        "foundations": {"piles": 4, "base": base, "build": build},
        "tableau": {
            "piles": 4,
            "deal": draw(st.integers(0, 3) | st.just([1, 2, 3, 4])),
            "deal_down": draw(st.integers(0, 2)),
            "build": draw(_SOUND_BUILD),
            "moves": draw(st.sampled_from(["single cards", "sequences", "packets"])),
            "space": draw(_SOUND_CARDS),
        },
        "garden": {"role": "reserve", "piles": 3, "deal": draw(st.integers(0, 2))},
        "cells": {"piles": 2},
        "stock": {"deals": draw(_VALUES["deals"]), "redeals": draw(_VALUES["redeals"])},
        "waste": draw(st.sampled_from([{}, {"build": "up or down"}])),
        "hand": draw(st.sampled_from([{}, {"lays_off": "waste"}])),
        "rule": rules,
    }
    return "\n".join(f"{key} = {toml(value)}" for key, value in document.items())


@given(games())
@settings(max_examples=4 * TRIES)
def test_random_games_can_be_played(text: str) -> None:
    check(text)


# -- large files -----------------------------------------------------------------------------------


def test_many_piles_and_rules_take_bounded_time() -> None:
    rules = "".join(
        f'[[rule]]\nname = "r{index}"\nfrom = "tableau"\nto = "tableau"\nbuild = "down"\n'
        for index in range(98)
    )
    check(f'name = "A"\naim = "tableau is empty"\n[tableau]\npiles = 127\nbuild = "down"\n{rules}')
    pairs = "".join(
        f'[t{index}]\nrole = "tableau"\npiles = 2\nbuild = "down"\nfrom = "t0"\n'
        for index in range(63)
    )
    check(f'name = "A"\naim = "t0 is empty"\n{pairs}')


def test_long_texts_take_bounded_time() -> None:
    for text in (" ," * 3900, "and " * 1900, "is " * 2600, "no '" * 1900, "a " * 3900 + "empty"):
        check(f'name = "A"\naim = "{text}"\n[tableau]\nbuild = "{text}"\nspace = "{text}"')
    phrases = ", ".join(['"tableau and tableau and tableau"'] * 1500)
    check(f'name = "A"\n[tableau]\npiles = 127\nbuild = "down"\nfrom = [{phrases}]')
    check(f'name = "A"\npicture = "{"T1 " * 2600}"\n[tableau]\nmark = "T"\nbuild = "down"')


def test_many_faults_take_bounded_time() -> None:
    groups = "".join(f'[g{index}]\nrole = "x"\nbuidl = 3\ndeal = -1\n' for index in range(900))
    check(f'name = "A"\n{groups}')
    rules = "".join(f'[[rule]]\nname = "r"\nfrom = "nowhere{index}"\n' for index in range(1200))
    check(f'name = "A"\n[tableau]\nbuild = "down"\n{rules}')
    deals = "".join(
        f'[g{index}]\nrole = "cell"\npiles = 2\ndeal = [416, 0]\n' for index in range(60)
    )
    check(f'name = "A"\n{deals}')
    steps = ", ".join(['{ deal = 1, from = "pack", to = "tableau", rounds = 15 }'] * 800)
    check(f'name = "A"\nlayout = [{steps}]\n[tableau]\npiles = 127\nbuild = "down"')


def test_an_error_is_a_rules_error() -> None:
    try:
        read_document("a = [", "a.toml")
    except RulesError as error:
        assert error.report.faults

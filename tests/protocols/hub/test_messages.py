"""Messages of Hub: parsing and formatting of lines, options, limits and search results."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen.draughts import Position
from tablemen.errors import ArgumentError, NotationError
from tablemen.protocols.hub.messages import (
    HubMessage,
    Option,
    OptionType,
    format_info,
    format_level,
    format_message,
    format_option,
    parse_info,
    parse_level,
    parse_line,
    parse_message,
    parse_option,
    score_in_men,
)
from tablemen.protocols.hub.server import engine_options
from tablemen.search import Clock, Info, Limit, Score, Searcher

START = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww"
LATE = "BeeeWWeeeeeeeeeeeeeeeeeeeweeeeeeeeewweBeeeeeeeeeBee"

# The examples of the specification.
EXAMPLES: dict[str, HubMessage] = {
    "hub": HubMessage("hub"),
    'id name=Scan version=3.1 author="Fabien Letouzey" country=France': HubMessage(
        "id", (("name", "Scan"), ("version", "3.1"), ("author", "Fabien Letouzey"), ("country", "France"))
    ),
    'param name=variant value=normal type=enum values="normal killer bt frisian losing"': HubMessage(
        "param",
        (("name", "variant"), ("value", "normal"), ("type", "enum"), ("values", "normal killer bt frisian losing")),
    ),
    "param name=book value=true type=bool": HubMessage(
        "param", (("name", "book"), ("value", "true"), ("type", "bool"))
    ),
    "wait": HubMessage("wait"),
    "set-param name=variant value=frisian": HubMessage("set-param", (("name", "variant"), ("value", "frisian"))),
    "set-param name=book value=false": HubMessage("set-param", (("name", "book"), ("value", "false"))),
    "init": HubMessage("init"),
    "ready": HubMessage("ready"),
    f"pos pos={START}": HubMessage("pos", (("pos", START),)),
    f'pos pos={LATE} moves="38-15 5-41 48-26"': HubMessage("pos", (("pos", LATE), ("moves", "38-15 5-41 48-26"))),
    "level move-time=1": HubMessage("level", (("move-time", "1"),)),
    "level moves=9 time=291.587": HubMessage("level", (("moves", "9"), ("time", "291.587"))),
    "level infinite": HubMessage("level", (("infinite", None),)),
    "go think": HubMessage("go", (("think", None),)),
    "go ponder": HubMessage("go", (("ponder", None),)),
    "go analyze": HubMessage("go", (("analyze", None),)),
    'info depth=21 mean-depth=20.8 score=-0.01 nodes=31261613 time=3.906 nps=8.0 pv="32-28 17-22 28x17x22"': HubMessage(
        "info",
        (
            ("depth", "21"),
            ("mean-depth", "20.8"),
            ("score", "-0.01"),
            ("nodes", "31261613"),
            ("time", "3.906"),
            ("nps", "8.0"),
            ("pv", "32-28 17-22 28x17x22"),
        ),
    ),
    "done move=32-28 ponder=17-22": HubMessage("done", (("move", "32-28"), ("ponder", "17-22"))),
    "stop": HubMessage("stop"),
    "ponder-hit": HubMessage("ponder-hit"),
    "ping": HubMessage("ping"),
    "pong": HubMessage("pong"),
    "new-game": HubMessage("new-game"),
    "quit": HubMessage("quit"),
    'error message="bad position"': HubMessage("error", (("message", "bad position"),)),
    'set-param name=book-file value=""': HubMessage("set-param", (("name", "book-file"), ("value", ""))),
}


@pytest.mark.parametrize("line", EXAMPLES)
def test_examples_of_the_specification(line: str) -> None:
    assert parse_message(line) == EXAMPLES[line]
    assert format_message(EXAMPLES[line]) == str(EXAMPLES[line]) == line


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("    wait  ", HubMessage("wait")),
        ("\tgo\t\tthink", HubMessage("go", (("think", None),))),
        ("level depth = 3  infinite", HubMessage("level", (("depth", "3"), ("infinite", None)))),
        ('error message= "a b"c', HubMessage("error", (("message", "a b"), ("c", None)))),
        ('pv="a=b"', None),
        ("später là=ĳ", HubMessage("später", (("là", "ĳ"),))),
    ],
)
def test_extra_blanks_are_ignored(line: str, message: HubMessage | None) -> None:
    if message is None:
        with pytest.raises(NotationError):
            parse_message(line)
    else:
        assert parse_message(line) == message


INVALID_LINES = {  # line: column of the error
    "": 1,
    "   ": 4,
    "=3": 1,
    "done =3": 6,
    "done move=": 11,
    'done move="32-28': 11,
    "done move==3": 11,
    'done "move"': 6,
    "done \x07": 6,
}


@pytest.mark.parametrize("line", INVALID_LINES)
def test_parse_errors_have_a_column(line: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_message(line)
    assert caught.value.column == INVALID_LINES[line]


@pytest.mark.parametrize(
    "message",
    [
        HubMessage(""),
        HubMessage("two words"),
        HubMessage("done", (("mo=ve", "1"),)),
        HubMessage("done", (("", None),)),
        HubMessage("error", (("message", 'say "no"'),)),
        HubMessage("error", (("message", "two\nlines"),)),
        HubMessage("error", (("message", "\ud800"),)),
    ],
)
def test_messages_that_hub_cannot_express_are_refused(message: HubMessage) -> None:
    with pytest.raises(ArgumentError):
        format_message(message)


def test_the_last_value_counts_and_a_flag_has_none() -> None:
    message = parse_message("level depth=3 depth=5 infinite")
    assert message.get("depth") == "5"
    assert message.has("infinite")
    assert message.get("infinite") is None
    assert not message.has("time")


NAMES = st.text(min_size=1).filter(lambda text: not set('="') & set(text) and is_name(text))
VALUES = st.none() | st.text(st.characters(exclude_characters='"\n', exclude_categories=["Cs"]))


def is_name(text: str) -> bool:
    """Return whether a text is a name: a command without arguments."""
    try:
        return parse_message(text) == HubMessage(text)
    except NotationError:
        return False


@settings(max_examples=50)
@given(command=NAMES, arguments=st.lists(st.tuples(NAMES, VALUES)))
def test_messages_round_trip(command: str, arguments: list[tuple[str, str | None]]) -> None:
    message = HubMessage(command, tuple(arguments))
    line = format_message(message)
    assert "\n" not in line
    assert parse_message(line) == message


@given(line=st.text(st.sampled_from(' ="ab\t\x00é')))
def test_any_line_is_a_message_or_an_error_with_a_column(line: str) -> None:
    column, message = 1, None
    try:
        message = parse_message(line)
    except NotationError as error:
        column = error.column
    assert 1 <= column <= len(line) + 1
    assert message is None or parse_message(format_message(message)) == message


DECLARED = {
    'param name=variant value=normal type=enum values="normal killer bt frisian losing"': Option(
        "variant", OptionType.ENUM, "normal", values=("normal", "killer", "bt", "frisian", "losing")
    ),
    "param name=book value=true type=bool": Option("book", OptionType.BOOL, value=True),
    "param name=book-ply value=4 type=int min=0 max=20": Option("book-ply", OptionType.INT, 4, minimum=0, maximum=20),
    "param name=contempt value=0.5 type=real min=-1.5 max=1.5": Option(
        "contempt", OptionType.REAL, 0.5, minimum=-1.5, maximum=1.5
    ),
    'param name=log value="" type=string': Option("log", OptionType.STRING, ""),
}


@pytest.mark.parametrize("line", DECLARED)
def test_declarations_round_trip(line: str) -> None:
    assert parse_option(parse_message(line)) == DECLARED[line]
    assert str(format_option(DECLARED[line])) == line


INVALID_DECLARATIONS = (
    "param value=3 type=int",
    "param name=a value=x type=int",
    "param name=a value=maybe type=bool",
    "param name=a type=real",
    "param name=a value=1 type=int min=low",
)


@pytest.mark.parametrize("line", INVALID_DECLARATIONS)
def test_invalid_declarations_are_refused(line: str) -> None:
    message = parse_message(line)
    with pytest.raises(NotationError) as caught:
        parse_option(message)
    assert caught.value.text == line


def test_unusual_declarations_are_accepted() -> None:
    assert parse_option(parse_message("param name=a value=7 type=int min=10 max=20")).value == 7
    assert parse_option(parse_message("param name=a value=7 type=colour")).type is OptionType.STRING
    assert parse_option(parse_message("param name=a")).value == ""
    unbounded = parse_option(parse_message(f"param name=a value=7 type=real min=-inf max={'9' * 5000}"))
    assert (unbounded.value, unbounded.minimum, unbounded.maximum) == (7, None, None)
    for text in ("9" * 5000, "inf"):
        assert parse_option(parse_message(f"param name=a value={text} type=int")).type is OptionType.STRING


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("book", True, "true"),
        ("book", "False", "false"),
        ("book-ply", 20, "20"),
        ("book-ply", " 0 ", "0"),
        ("contempt", -1, "-1"),
        ("contempt", "1.25", "1.25"),
        ("variant", "bt", "bt"),
        ("log", "two words", "two words"),
    ],
)
def test_values_are_formatted(name: str, value: Any, text: str) -> None:
    assert find_option(name).format(value) == text
    assert find_option(name).with_value(value).value == find_option(name).parse(text)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("book", "yes"),
        ("book", 1),
        ("book-ply", 21),
        ("book-ply", "-1"),
        ("book-ply", 1.5),
        ("book-ply", True),
        ("contempt", float("nan")),
        ("contempt", "inf"),
        ("contempt", 10**400),
        ("variant", "chess"),
        ("log", 3),
    ],
)
def test_values_that_are_not_allowed_are_refused(name: str, value: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        find_option(name).format(value)
    assert caught.value.name == name
    assert caught.value.value is value
    assert caught.value.expected == find_option(name).expected


def find_option(name: str) -> Option:
    return next(option for option in DECLARED.values() if option.name == name)


WORDS = st.text("abc-é0", min_size=1)


@given(
    option=st.one_of(
        st.builds(Option, WORDS, st.just(OptionType.BOOL), st.booleans()),
        st.builds(Option, WORDS, st.just(OptionType.INT), *[st.integers(-(10**18), 10**18)] * 3),
        st.builds(Option, WORDS, st.just(OptionType.REAL), *[st.floats(-1e15, 1e15).map(lambda x: round(x, 3))] * 3),
        st.builds(
            Option, WORDS, st.just(OptionType.STRING), st.text(st.characters(exclude_characters='"\n', codec="utf-8"))
        ),
        st.lists(WORDS, min_size=1, unique=True).map(
            lambda values: Option("choice", OptionType.ENUM, values[0], values=tuple(values))
        ),
    )
)
def test_options_round_trip(option: Option) -> None:
    assert parse_option(parse_message(str(format_option(option)))) == option


def test_default_values_of_our_options_are_allowed() -> None:
    options = engine_options()
    assert list(options) == ["variant", "threads", "table", "level", "seed", "tablebases"]
    for option in options.values():
        assert option.parse(option.format(option.value)) == option.value
    assert options["variant"].values[:5] == ("normal", "killer", "bt", "frisian", "losing")
    assert {"english", "russian", "frysk"} <= set(options["variant"].values)


LEVELS = {
    "level depth=8": Limit(depth=8),
    "level nodes=100000": Limit(nodes=100_000),
    "level move-time=1": Limit(time=1),
    "level time=60": Limit(clock=Clock(60)),
    "level moves=9 time=291.587": Limit(clock=Clock(291.587, moves=9)),
    "level time=60 inc=0.5": Limit(clock=Clock(60, 0.5)),
    "level depth=3 nodes=5 move-time=0.5 time=60 inc=2": Limit(depth=3, nodes=5, time=0.5, clock=Clock(60, 2)),
    "level infinite": Limit(),
}


@pytest.mark.parametrize("line", LEVELS)
def test_levels_round_trip(line: str) -> None:
    assert parse_level(parse_message(line)) == LEVELS[line]
    assert str(format_level(LEVELS[line])) == line


SECONDS = st.integers(1, 10**9).map(lambda milliseconds: milliseconds / 1000)

CLOCKS = st.builds(Clock, SECONDS, st.just(0.0) | SECONDS, st.none() | st.integers(1, 999))


@given(
    limit=st.builds(
        Limit,
        depth=st.none() | st.integers(1, 1000),
        nodes=st.none() | st.integers(1, 10**18),
        time=st.none() | SECONDS,
        clock=st.none() | CLOCKS,
    )
)
def test_limits_round_trip(limit: Limit) -> None:
    assert parse_level(parse_message(str(format_level(limit)))) == limit


@pytest.mark.parametrize(
    ("line", "limit"),
    [
        ("level time=-3 inc=-1 moves=0", Limit(clock=Clock(0))),
        ("level move-time=0", Limit(time=0)),
        (f"level depth={10**19} nodes={10**19}", Limit(depth=1000, nodes=10**18)),
        ("level ponder colour=red depth=4", Limit(depth=4)),
    ],
)
def test_numbers_of_levels_are_clamped(line: str, limit: Limit) -> None:
    assert parse_level(parse_message(line)) == limit


INVALID_LEVELS = (
    "level depth",
    "level depth=x",
    "level depth=-1",
    "level depth=0",
    "level nodes=0",
    "level move-time=-1",
    "level time=nan",
    "level move-time=1e999",
    "level inc=3",
    "level moves=4",
)


@pytest.mark.parametrize("line", INVALID_LEVELS)
def test_invalid_levels_are_refused(line: str) -> None:
    message = parse_message(line)
    with pytest.raises(NotationError) as caught:
        parse_level(message)
    assert caught.value.text == line


def test_levels_are_combined() -> None:
    assert parse_level(parse_message("level time=60"), Limit(depth=3)) == Limit(depth=3, clock=Clock(60))
    assert parse_level(parse_message("level depth=4"), Limit(depth=3, nodes=9)) == Limit(depth=4, nodes=9)


@pytest.mark.parametrize(
    ("score", "men"),
    [
        (Score(-1.25), -1.25),
        (Score(0.0, exact=True), 0.0),
        (Score(math.inf, exact=True, plies=1), 99.99),
        (Score(-math.inf, exact=True, plies=21), -99.79),
        (Score(math.inf, exact=True, plies=5000), 99.0),
        (Score(-math.inf, exact=True), -100.0),
    ],
)
def test_scores_are_finite(score: Score, men: float) -> None:
    assert score_in_men(score) == men


def test_search_results_round_trip() -> None:
    position = Position.start("international")
    info = Searcher(table_mb=1).choose(position, Limit(depth=3)).lines[0]
    line = str(format_info(info))
    values = {name: str(value) for name, value in parse_message(line).arguments}
    assert list(values) == ["depth", "score", "nodes", "time", "nps", "pv"]
    parsed = parse_info(values, position)
    assert parsed is not None
    assert (parsed.depth, parsed.nodes, parsed.line) == (info.depth, info.nodes, info.line)
    assert parsed.score.value == pytest.approx(info.score.value, abs=0.005)


def test_zero_has_no_sign() -> None:
    assert "score=0.00" in str(format_info(Info(1, Score(-0.001), 1, 0.1, ())))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, None),
        ({"depth": "3"}, None),
        ({"score": "nan"}, None),
        ({"score": "1e999"}, None),
        ({"score": "0.5", "depth": "x", "nodes": "-3", "time": "-1", "pv": "1-50"}, Info(0, Score(0.5), 0, 0.0, ())),
    ],
)
def test_missing_and_invalid_values_of_info_are_ignored(values: dict[str, str], expected: object) -> None:
    assert parse_info(values, Position.start("international")) == expected


def test_a_line_ends_before_the_first_illegal_move() -> None:
    position = Position.start("international")
    assert [str(move) for move in parse_line("32-28 19-23 28x19x23 1-50 14x23x19", position)] == [
        "32-28",
        "19-23",
        "28x19",
    ]
    assert len(parse_line("32-28 " * 5000, position)) == 1

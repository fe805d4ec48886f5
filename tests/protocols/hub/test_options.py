"""Options: declared, read, and given values."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen.errors import ArgumentError, NotationError
from tablemen.protocols.hub.messages import Option, OptionType, format_option, parse_message, parse_option
from tablemen.protocols.hub.server import engine_options

DECLARED = {
    'param name=variant value=normal type=enum values="normal killer bt frisian losing"': Option(
        "variant", OptionType.ENUM, "normal", values=("normal", "killer", "bt", "frisian", "losing")
    ),
    "param name=book value=true type=bool": Option("book", OptionType.BOOL, value=True),
    "param name=book-ply value=4 type=int min=0 max=20": Option("book-ply", OptionType.INT, 4, least=0, most=20),
    "param name=contempt value=0.5 type=real min=-1.5 max=1.5": Option(
        "contempt", OptionType.REAL, 0.5, least=-1.5, most=1.5
    ),
    'param name=log value="" type=string': Option("log", OptionType.STRING, ""),
}


@pytest.mark.parametrize("line", DECLARED)
def test_declarations_there_and_back(line: str) -> None:
    assert parse_option(parse_message(line)) == DECLARED[line]
    assert str(format_option(DECLARED[line])) == line


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("param value=3 type=int", "an option without a name is declared"),
        ("param name=a value=x type=int", "the value of a is not a whole number"),
        ("param name=a value=maybe type=bool", "the value of a is not true or false"),
        ("param name=a type=real", "the value of a is not a number"),
        ("param name=a value=1 type=int min=low", "min is no number"),
    ],
)
def test_what_makes_no_sense_is_refused(line: str, problem: str) -> None:
    with pytest.raises(NotationError, match=re.escape(problem)):
        parse_option(parse_message(line))


def test_programs_may_be_careless() -> None:
    assert parse_option(parse_message("param name=a value=7 type=int min=10 max=20")).value == 7
    assert parse_option(parse_message("param name=a value=7 type=colour")).type is OptionType.STRING
    assert parse_option(parse_message("param name=a")).value == ""
    endless = parse_option(parse_message(f"param name=a value=7 type=real min=-inf max={'9' * 5000}"))
    assert (endless.value, endless.least, endless.most) == (7, None, None)
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
def test_values_and_texts_are_written(name: str, value: Any, text: str) -> None:
    assert find(name).format(value) == text
    assert find(name).with_value(value).value == find(name).parse(text)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("book", "yes", "true or false is expected"),
        ("book", 1, "true or false is expected"),
        ("book-ply", 21, "a whole number from 0 to 20 is expected"),
        ("book-ply", "-1", "a whole number from 0 to 20 is expected"),
        ("book-ply", 1.5, "a whole number from 0 to 20 is expected"),
        ("book-ply", True, "a whole number from 0 to 20 is expected"),
        ("contempt", float("nan"), "a number from -1.5 to 1.5 is expected"),
        ("contempt", "inf", "a number from -1.5 to 1.5 is expected"),
        ("variant", "chess", "one of normal, killer, bt, frisian, losing is expected"),
        ("log", 3, "a text is expected"),
    ],
)
def test_values_that_an_option_cannot_have_are_refused(name: str, value: Any, expected: str) -> None:
    with pytest.raises(ArgumentError, match=re.escape(f"{name} is {value!r}: {expected}")):
        find(name).format(value)


def test_a_number_that_no_float_can_be_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"a number from -1\.5 to 1\.5 is expected"):
        find("contempt").format(10**400)


def find(name: str) -> Option:
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
def test_options_come_back_from_their_lines(option: Option) -> None:
    assert parse_option(parse_message(str(format_option(option)))) == option


def test_all_our_options_have_types_and_bounds_that_their_values_keep() -> None:
    options = engine_options()
    assert list(options) == ["variant", "threads", "table", "level", "seed"]
    for option in options.values():
        assert option.format(option.value) == str(option.value)
    assert options["variant"].values[:5] == ("normal", "killer", "bt", "frisian", "losing")
    assert {"english", "russian", "frysk"} <= set(options["variant"].values)

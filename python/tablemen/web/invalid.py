"""What is wrong with a request or a message that is not as the API describes it, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

# What people call the fields that they fill in; whoever writes a script knows the others by their names.
NAMES = {"houses": "the number of houses", "seeds": "the number of seeds", "lines": "the number of lines"}
LONGEST_INPUT = 20  # letters that are quoted
MOST_AT_ONCE = 3  # problems in a sentence

SENTENCES = {
    "json_invalid": "this is no JSON: {error}",
    "greater_than_equal": "{name} must be at least {ge}, not {input}",
    "less_than_equal": "{name} must be at most {le}, not {input}",
    "greater_than": "{name} must be more than {gt}, not {input}",
    "less_than": "{name} must be less than {lt}, not {input}",
    "string_too_long": "{name} is too long: {max_length} characters at most",
    "too_long": "{name}: {max_length} at most",
    "missing": "{name} is missing",
    "extra_forbidden": "{name} is not known here",
    "int_parsing": "{name} must be a whole number, not {input}",
    "int_type": "{name} must be a whole number, not {input}",
    "int_from_float": "{name} must be a whole number, not {input}",
}


def describe_invalid(errors: Iterable[Mapping[str, Any]], *, outer: int = 0) -> list[str]:
    """What is wrong with each field, without a full stop; `errors` are as pydantic lists them.

    The first `outer` parts of the way to a field say only what was sent: a body, an address, or a kind of message.
    """
    return [_describe(error, outer) for error in errors]


def in_short(problems: list[str]) -> str:
    """The first of them as one sentence."""
    return "; ".join(problems[:MOST_AT_ONCE])


def _describe(error: Mapping[str, Any], outer: int) -> str:
    way = [str(part) for part in (error["loc"][outer:] or error["loc"])]
    sentence = SENTENCES.get(error["type"], "{name}: {msg}" if way else "{msg}")
    words = {**error.get("ctx", {}), "name": _name(way), "msg": error["msg"], "input": _quote(error.get("input"))}
    return sentence.format_map(words).encode(errors="replace").decode()  # halves of characters cannot be sent


def _quote(given: object) -> str:
    if not isinstance(given, (str, int, float)):
        return "that"  # it may be long, and lists within lists
    text = str(given) or "nothing"
    return text if len(text) <= LONGEST_INPUT else f"{text[:LONGEST_INPUT]}…"


def _name(way: list[str]) -> str:
    """The field at the end of a way from the outside."""
    if way and way[-1] in NAMES:
        return NAMES[way[-1]]
    if way[-2:-1] == ["moves"]:
        return f"move {int(way[-1]) + 1}" if way[-1].isdigit() else "a move"
    return ".".join(way)

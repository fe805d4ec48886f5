"""What is wrong with a request that is not as the API describes it, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# What people call the fields that they fill in; whoever writes a script knows the others by their names.
NAMES = {"houses": "the number of houses", "seeds": "the number of seeds", "lines": "the number of lines"}
LONGEST_INPUT = 20  # letters that are quoted

SENTENCES = {
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


def describe_invalid(error: Mapping[str, Any]) -> str:
    """What is wrong with a field, without a full stop; `error` is one of those that pydantic lists."""
    name = _name(error["loc"])
    sentence = SENTENCES.get(error["type"], "{name}: {msg}")
    words = {**error.get("ctx", {}), "name": name, "msg": error["msg"], "input": _quote(error.get("input"))}
    return sentence.format_map(words).encode(errors="replace").decode()  # halves of characters cannot be sent


def _quote(given: object) -> str:
    if not isinstance(given, (str, int, float)):
        return "that"  # it may be long, and lists within lists
    text = str(given) or "nothing"
    return text if len(text) <= LONGEST_INPUT else f"{text[:LONGEST_INPUT]}…"


def _name(place: tuple[str | int, ...]) -> str:
    """The field, by its way from the outside; where it was sent, in a body or an address, says nothing."""
    way = [str(part) for part in (place[1:] or place)]
    if way[-1] in NAMES:
        return NAMES[way[-1]]
    if len(way) > 1 and way[-2:-1] == ["moves"]:
        return f"move {int(way[-1]) + 1}" if way[-1].isdigit() else "a move"
    return ".".join(way)

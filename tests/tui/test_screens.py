"""Pictures of the main screens, compared with those that are written down."""

from __future__ import annotations

import difflib
import html
import re

import pytest

from tools.screens import SCENES, draw, file_of

QUICK = ("international", "menu")


def words(picture: str) -> list[str]:
    """What is written in a picture, piece by piece."""
    return [html.unescape(text).replace("\xa0", " ") for text in re.findall(r"<text[^>]*>([^<]*)</text>", picture)]


def tell_difference(name: str, known: str, drawn: str) -> str:
    """What has changed, and what to do about it."""
    told = [line for line in difflib.ndiff(words(known), words(drawn)) if line[0] in "+-"][:20]
    return "\n".join(
        [
            f"the screen {name!r} looks different:",
            *(told or ["its words are the same, its colours or places are not"]),
            f"look at {file_of(name)}; `python -m tools.screens` writes the pictures anew where that is meant",
        ]
    )


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in SCENES]
)
def test_a_screen_looks_as_it_did(name: str) -> None:
    known, drawn = file_of(name).read_text(encoding="utf-8"), draw(SCENES[name])
    if known != drawn:
        pytest.fail(tell_difference(name, known, drawn), pytrace=False)


def test_there_is_no_picture_too_many() -> None:
    assert {file.stem for file in file_of("menu").parent.glob("*.svg")} == set(SCENES)


def test_a_difference_is_told_in_words() -> None:
    known, other = ("".join(f"<text>{text}</text>" for text in texts) for texts in (("a", "b"), ("a", "c")))
    told = tell_difference("menu", known, other)
    assert "- b" in told
    assert "+ c" in told
    assert "python -m tools.screens" in told

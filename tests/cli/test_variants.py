"""`tablemen variants`."""

from __future__ import annotations

import json

from click.testing import CliRunner, Result

from tablemen.cli import main
from tablemen.draughts import VARIANTS


def variants(*options: str) -> Result:
    result = CliRunner().invoke(main, ["variants", *options])
    assert result.exit_code == 0
    return result


def test_every_variant_has_a_line() -> None:
    heading, *lines = variants().stdout.splitlines()
    assert heading.split() == ["name", "title", "board", "men", "GameType"]
    assert [line.split()[0] for line in lines] == list(VARIANTS)


def test_a_line_tells_the_board_the_men_and_the_game_type() -> None:
    lines = {line.split()[0]: " ".join(line.split()) for line in variants().stdout.splitlines()}
    assert lines["international"] == "international International draughts 10x10, 50 squares 20 20,W,10,10,N2,0"
    assert lines["spantsiretti"] == "spantsiretti Spantsiretti 10x8, 40 squares 15 41,W,10,8,A0,0"
    assert lines["turkish"] == "turkish * Turkish draughts 8x8, 64 squares 16 30,W,8,8,A0,0"
    assert lines["frysk"] == "frysk Frysk! 10x10, 50 squares 5 -"


def test_columns_line_up() -> None:
    lines = variants().stdout.splitlines()
    column = lines[0].index("GameType")
    assert all(line[column - 2 : column] == "  " and line[column] != " " for line in lines)


def test_provisional_variants_are_marked() -> None:
    result = variants()
    marked = {line.split()[0] for line in result.stdout.splitlines() if line.split()[1] == "*"}
    assert marked == {rules.name for rules in VARIANTS.values() if rules.provisional}
    assert "--notes" in result.stderr


def test_notes_say_what_is_disputed() -> None:
    result = variants("--notes")
    flat = " ".join(result.stdout.split())
    assert all(" ".join(rules.note.split()) in flat for rules in VARIANTS.values())
    assert result.stderr == ""


def test_json_tells_the_same() -> None:
    listed = json.loads(variants("--json").stdout)
    assert [each["name"] for each in listed] == list(VARIANTS)
    by_name = {each["name"]: each for each in listed}
    assert by_name["english"] == {
        "name": "english",
        "title": "English draughts",
        "aliases": ["american", "checkers", "american checkers", "straight checkers"],
        "columns": 8,
        "rows": 8,
        "squares": 32,
        "men": 12,
        "first": "black",
        "game_type": "21,B,8,8,N1,0",
        "provisional": False,
        "note": "",
        "sources": list(VARIANTS["english"].sources),
    }
    assert by_name["turkish"]["provisional"] is True
    assert by_name["turkish"]["note"] == VARIANTS["turkish"].note
    assert by_name["frysk"]["game_type"] is None

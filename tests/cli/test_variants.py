"""`tablemen variants`."""

from __future__ import annotations

import json

from click.testing import CliRunner, Result

from tablemen import mancala
from tablemen.cli import main
from tablemen.draughts import VARIANTS


def variants(*options: str) -> Result:
    result = CliRunner().invoke(main, ["variants", *options])
    assert result.exit_code == 0
    return result


def tables() -> list[list[str]]:
    """Return the lines of the tables of draughts and of mancala."""
    return [table.splitlines() for table in variants().stdout.split("\n\n")]


def test_every_variant_has_a_line() -> None:
    (draughts, *lines), (houses, *others) = tables()
    assert draughts.split() == ["name", "title", "board", "men", "GameType"]
    assert [line.split()[0] for line in lines] == list(VARIANTS)
    assert houses.split() == ["name", "title", "houses", "seeds"]
    assert [line.split()[0] for line in others] == list(mancala.VARIANTS)


def test_row_has_board_men_and_game_type() -> None:
    lines = {line.split()[0]: " ".join(line.split()) for table in tables() for line in table}
    assert lines["international"] == "international International draughts 10x10, 50 squares 20 20,W,10,10,N2,0"
    assert lines["spantsiretti"] == "spantsiretti Spantsiretti 10x8, 40 squares 15 41,W,10,8,A0,0"
    assert lines["turkish"] == "turkish * Turkish draughts 8x8, 64 squares 16 30,W,8,8,A0,0"
    assert lines["frysk"] == "frysk Frysk! 10x10, 50 squares 5 -"
    assert lines["oware"] == "oware Oware Abapa 6 4"


def test_columns_line_up() -> None:
    draughts, houses = tables()
    column = draughts[0].index("GameType")
    assert all(line[column - 2 : column] == "  " and line[column] != " " for line in draughts)
    assert len({len(line) for line in houses}) == 1


def test_provisional_variants_are_marked() -> None:
    marked = {line.split()[0] for table in tables() for line in table if line.split()[1] == "*"}
    assert marked == {rules.name for rules in VARIANTS.values() if rules.provisional}
    assert "--notes" in variants().stderr


def test_notes_are_printed() -> None:
    result = variants("--notes")
    flat = " ".join(result.stdout.split())
    notes = [rules.note for rules in VARIANTS.values()] + [rules.note for rules in mancala.VARIANTS.values()]
    assert all(" ".join(note.split()) in flat for note in notes)
    assert result.stderr == ""


def test_json() -> None:
    listed = json.loads(variants("--json").stdout)
    assert [each["name"] for each in listed] == [*VARIANTS, *mancala.VARIANTS]
    by_name = {each["name"]: each for each in listed}
    assert by_name["english"] == {
        "name": "english",
        "family": "draughts",
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
    assert by_name["kalah"] == {
        "name": "kalah",
        "family": "mancala",
        "title": "Kalah",
        "aliases": ["kalaha", "mancala"],
        "houses": 6,
        "seeds": 4,
        "first": "south",
        "note": mancala.KALAH.note,
        "sources": list(mancala.KALAH.sources),
    }

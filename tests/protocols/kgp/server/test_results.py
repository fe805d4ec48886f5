"""What is counted at a server."""

from __future__ import annotations

import pytest

from tablemen.errors import TablemenError
from tablemen.protocols.kgp.server import results as module
from tablemen.protocols.kgp.server.results import Results

NAMES = ["Ann", "Bob", "Cy", "Dee"]


def test_the_table() -> None:
    results = Results()
    ann, bob, cy = (results.enter(name) for name in ("Ann", "Bob the second", "Cy"))
    results.add_game(ann, bob)
    results.add_game(bob, ann, is_draw=True)
    assert results.table().splitlines() == [
        "name            games  won  drawn  lost  points",
        "Ann                 2    1      1     0     1.5",
        "Bob the second      2    0      1     1     0.5",
    ]
    for is_solved in (True, True, False):
        results.add_problem(cy, is_solved=is_solved)
    assert results.table().splitlines() == [
        "name            games  won  drawn  lost  points  solved",
        "Ann                 2    1      1     0     1.5",
        "Bob the second      2    0      1     1     0.5",
        "Cy                  0    0      0     0     0.0  2 of 3",
    ]
    assert results.facts()[0] == {
        "name": "Ann",
        "games": 2,
        "won": 1,
        "drawn": 1,
        "lost": 0,
        "points": 1.5,
        "problems": 0,
        "solved": 0,
    }


def test_an_empty_table() -> None:
    results = Results()
    results.enter("Ann")
    assert results.table() == "name  games  won  drawn  lost  points"
    assert results.facts() == []


def test_who_is_who() -> None:
    results = Results()
    ann = results.enter("Ann")
    assert results.enter("Ann") == ann  # who was Ann before has gone
    other = results.enter("Ann", present={ann})
    assert results.name_of(other) == "Ann (2)"
    token = results.enter("Ann", token=b"1", present={ann, other})
    assert results.name_of(token) == "Ann (3)"
    assert results.enter("Eve", token=b"1") == token
    assert results.name_of(token) == "Eve"
    assert results.enter("", token=b"1") == token
    assert results.name_of(token) == "Eve"
    assert results.enter("Eve", token=b"2") != token
    assert results.name_of(results.enter("  ")) == "anonymous"
    assert results.name_of(results.enter("\x1b[2J\n")) == r"\x1b[2J\n"


def test_there_are_not_too_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ROWS", 4)
    results = Results()
    ann, bob, cy, dee = (results.enter(name) for name in NAMES)
    results.add_game(ann, bob)
    results.add_game(ann, bob)
    results.add_game(cy, dee)
    with pytest.raises(TablemenError, match="4 players already"):
        results.enter("Eve", present={ann, bob, cy, dee})
    assert results.enter("Ann") == ann
    for number in range(20):
        results.add_game(ann, results.enter(f"Eve {number}", present={ann, bob}))
    assert set(results.rows) >= {ann, bob, module.OTHERS}
    assert len(results.rows) <= 5
    assert sum(row.games for row in results.rows.values()) == 2 * 23


def test_who_has_done_nothing_is_forgotten() -> None:
    results = Results()
    keys = [results.enter(name) for name in NAMES]
    results.add_game(keys[0], keys[1])
    results.add_problem(keys[2], is_solved=False)
    for key in [*keys, "nobody"]:
        results.forget_idle(key)
    assert list(results.rows) == keys[:3]

"""Who plays whom at a server, and what is counted."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen.errors import TablemenError
from tablemen.protocols.kgp.server import fixtures as fixtures_module
from tablemen.protocols.kgp.server import results as module
from tablemen.protocols.kgp.server.fixtures import Fixtures
from tablemen.protocols.kgp.server.results import Results

NAMES = ["Ann", "Bob", "Cy", "Dee"]


@given(st.lists(st.sets(st.sampled_from(NAMES)), max_size=40), st.integers(1, 3))
def test_every_pair_meets_as_often_as_it_should_and_not_oftener(idle: list[set[str]], rounds: int) -> None:
    fixtures = Fixtures(("robot",), rounds)
    met: Counter[frozenset[str]] = Counter()
    for present in [*idle, *[set(NAMES)] * 40]:
        pair = fixtures.pair(sorted(present))
        if pair is None:
            assert all(
                met[frozenset({one, other})] == rounds for one in present for other in {*present, "robot"} - {one}
            )
            continue
        assert set(pair) <= {*present, "robot"}
        met[frozenset(pair)] += 1
    assert set(met.values()) == {rounds}
    assert len(met) == 6 + 4
    assert fixtures.is_over(NAMES)
    assert not fixtures.is_over([*NAMES, "Eve"])


def test_clients_come_before_the_house_and_those_who_met_least_first() -> None:
    fixtures = Fixtures(("robot",))
    assert fixtures.pair(["Ann", "Bob", "Cy"]) == ("Ann", "Bob")
    assert fixtures.pair(["Ann", "Bob", "Cy"]) == ("Ann", "Cy")
    assert fixtures.pair(["Ann", "Bob", "Cy"]) == ("Bob", "Cy")
    assert fixtures.pair(["Ann"]) == ("Ann", "robot")
    assert fixtures.pair([]) is None
    assert Fixtures().pair(["Ann"]) is None


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


@pytest.mark.parametrize("rounds", [None, 1])
def test_not_all_pairs_are_remembered_for_ever(rounds: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fixtures_module, "MOST_PAIRS", 3)
    fixtures = Fixtures(rounds=rounds)
    for number in range(20):
        assert fixtures.pair([f"Ann {number}", "Bob"]) is not None
        assert len(fixtures._met) <= 3

"""Who plays whom at a server."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen.protocols.kgp.server import fixtures as fixtures_module
from tablemen.protocols.kgp.server.fixtures import Fixtures

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


@pytest.mark.parametrize("rounds", [None, 1])
def test_not_all_pairs_are_remembered_for_ever(rounds: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fixtures_module, "MOST_PAIRS", 3)
    fixtures = Fixtures(rounds=rounds)
    for number in range(20):
        assert fixtures.pair([f"Ann {number}", "Bob"]) is not None
        assert len(fixtures._met) <= 3

"""Searchers that are lent: no more of them than there may be."""

from __future__ import annotations

from tablemen.web.analysis.searchers import Searchers


def test_a_searcher_waits_for_its_owner() -> None:
    searchers = Searchers(2, table_mb=1)
    mine = searchers.take("me")
    searchers.give_back("me", mine)
    assert searchers.take("somebody") is not mine
    assert searchers.take("me") is mine


def test_no_more_searchers_are_made_than_there_may_be() -> None:
    searchers = Searchers(3, table_mb=1)
    for owner in range(20):
        searchers.give_back(owner, searchers.take(owner))
    assert searchers._made == 3
    kept = searchers.take(19)
    searchers.give_back(19, kept)
    for owner in range(20):
        searchers.forget(owner)
    assert searchers.take("new") is kept

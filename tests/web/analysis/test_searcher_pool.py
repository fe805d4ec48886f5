"""The bounded pool of searchers."""

from __future__ import annotations

from tablemen.web.analysis.tasks import SearcherPool


def test_a_searcher_is_reserved_for_its_owner() -> None:
    pool = SearcherPool(2, table_mb=1)
    mine = pool.acquire("me")
    pool.release("me", mine)
    assert pool.acquire("another") is not mine
    assert pool.acquire("me") is mine


def test_the_pool_is_bounded() -> None:
    pool = SearcherPool(3, table_mb=1)
    for owner in range(20):
        pool.release(owner, pool.acquire(owner))
    assert pool._created == 3
    kept = pool.acquire(19)
    pool.release(19, kept)
    for owner in range(20):
        pool.forget(owner)
    assert pool.acquire("new") is kept

"""Searchers and their tables: no more of them than there is memory for."""

from __future__ import annotations

from tablemen.search import Searcher


class Searchers:
    """Lends searchers.

    One that is given back waits for its owner, whose next search gets on quickly with the table. When all are taken it
    goes to somebody else who needs one.
    """

    def __init__(self, most: int, *, table_mb: int) -> None:
        self._most = most
        self._table_mb = table_mb
        self._made = 0  # in all
        self._idle: dict[object, Searcher] = {}  # by the owner; given back longest ago first
        self._free: list[Searcher] = []

    def take(self, owner: object) -> Searcher:
        """The owner's own where it is still there, or any."""
        own = self._idle.pop(owner, None)
        if own is not None:
            return own
        if self._free:
            return self._free.pop()
        if self._made < self._most or not self._idle:
            self._made += 1
            return Searcher(table_mb=self._table_mb)
        return self._idle.pop(next(iter(self._idle)))

    def give_back(self, owner: object, searcher: Searcher) -> None:
        """The owner will go on later."""
        self._idle[owner] = searcher

    def forget(self, owner: object) -> None:
        """The owner will not go on."""
        searcher = self._idle.pop(owner, None)
        if searcher is not None:
            self._free.append(searcher)

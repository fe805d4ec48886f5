"""Who plays whom at a server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice, product

MOST_PAIRS = 10_000  # that are remembered


@dataclass(slots=True)
class Fixtures:
    """Pairs of clients, and of clients with players of the server's own; each meets so often, or for ever.

    >>> fixtures = Fixtures(house=("robot",), rounds=1)
    >>> fixtures.pair(["Ann", "Bob"]), fixtures.pair(["Ann"]), fixtures.pair(["Ann"])
    (('Ann', 'Bob'), ('Ann', 'robot'), None)
    """

    house: Sequence[str] = ()
    rounds: int | None = None
    _met: Counter[frozenset[str]] = field(default_factory=Counter)

    def pair(self, idle: Iterable[str]) -> tuple[str, str] | None:
        """The two who meet next, and count as having met: clients first, those who have met least."""
        pairs = self._open_pairs(list(idle))
        if not pairs:
            return None
        chosen = min(pairs, key=lambda pair: (pair[1] in self.house, self._met[frozenset(pair)]))
        self._met[frozenset(chosen)] += 1
        if len(self._met) > MOST_PAIRS:  # those who met first, and may have gone long ago, begin anew
            for pair in list(islice(self._met, MOST_PAIRS // 2 + 1)):
                del self._met[pair]
        return chosen

    def is_over(self, present: Iterable[str]) -> bool:
        """Whether nobody has anybody left to meet."""
        return not self._open_pairs(list(present))

    def _open_pairs(self, keys: list[str]) -> list[tuple[str, str]]:
        pairs = [*combinations(keys, 2), *product(keys, self.house)]
        return [pair for pair in pairs if self.rounds is None or self._met[frozenset(pair)] < self.rounds]

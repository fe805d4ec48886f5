"""The memory that games take, in plies: of all of them, of those that somebody has open, and for whom."""

from __future__ import annotations

from collections import Counter

from tablemen.web.limits import TooManyError

NOBODY = ""


class Space:
    """Counts the plies of games. Of those that are open, one address may have half of what there is."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._games: dict[str, tuple[str, int]] = {}  # for whom each is open, and how long it is
        self._plies: Counter[str] = Counter()  # by for whom

    @property
    def is_over(self) -> bool:
        """Whether there is more than there may be."""
        return self._plies.total() > self._most

    def check(self, address: str, plies: int) -> None:
        """Raises `TooManyError` where a game that is so long cannot be opened, whatever else leaves memory."""
        if self._plies[address] + plies > self._most / 2:
            raise TooManyError("too many long games are open from your address")
        if self._plies.total() - self._plies[NOBODY] + plies > self._most:
            raise TooManyError("too many long games are open on this server; try again later")

    def put(self, game_id: str, plies: int, address: str = NOBODY) -> None:
        """A game is so long now, and open for this address."""
        self.take(game_id)
        self._games[game_id] = address, plies
        self._plies[address] += plies

    def take(self, game_id: str) -> None:
        """A game has left memory."""
        address, plies = self._games.pop(game_id, (NOBODY, 0))
        self._plies[address] -= plies
        if not self._plies[address]:
            del self._plies[address]

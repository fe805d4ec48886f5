"""The settings of a server: where its games are stored, who may connect, and the limits of each client."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def format_host(host: str) -> str:
    """Return a host as URLs and `Host` headers contain it: in lower case, and an IPv6 address in brackets."""
    return f"[{host}]".lower() if ":" in host else host.lower()


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of a server. The limits `…_of_one` are per client, so that one client cannot use up all resources."""

    database: Path
    hosts: tuple[str, ...] = LOOPBACK  # accepted `Host` names, besides the server's own address; empty for any
    trusted_proxies: tuple[str, ...] = ()  # addresses and networks whose `X-Forwarded-…` headers are used
    engines: Mapping[str, str] = field(default_factory=dict)  # engines to play against, as `parse_player` reads them

    searches: int = max(
        1, (os.cpu_count() or 2) - 1
    )  # concurrent analyses; and as many concurrent searches for the computer's moves
    search_seconds: float = 60.0  # maximum duration of an analysis; longer requests are shortened
    turn_seconds: float = 3.0  # how long an analysis runs before a queued one replaces it
    waiting: int = 100  # queued analyses, and queued requests for files and positions
    waiting_of_one: int = 20
    move_seconds: float = 10.0  # for a move of the computer, and for a hint
    engine_seconds: float = 30.0  # for a move of an engine; usually its own time limit is shorter
    moves_of_one: int = 50  # queued moves of the computer, and as many of each engine
    table_mb: int = 16  # transposition table of each search
    tables: int = 8  # transposition tables kept for analyses that run or are queued again
    solve_seconds: float = 20.0  # for the exact values of a position; a table that has been started is always completed
    solve_mb: int = 64  # transposition table of the solver
    solve_layers_mb: int = 64  # endgame tables of the solver

    request_threads: int = 3  # concurrent requests for files and positions
    request_threads_of_one: int = 2
    request_work: int = 10_000_000  # units of `tablemen.work_limit` for such a request, about a second

    connections: int = 2000  # open WebSockets
    connections_of_one: int = 1000
    hello_seconds: float = 10.0  # timeout for the first message of a WebSocket
    messages_a_second: int = 100  # read from a WebSocket; faster messages are delayed
    unread: int = 100  # maximum number of unread messages of a WebSocket; beyond it the connection is closed
    unread_bytes: int = 2_000_000  # total size of unread messages; a single message may be larger
    message_bytes: int = 64_000  # maximum size of a message from a WebSocket
    body_bytes: int = 2_000_000  # maximum size of the body of a request
    games_in_memory: int = 2000  # other games are loaded from the database when they are opened
    plies_in_memory: int = 200_000  # total of all games in memory; a ply takes up to 3 KB
    games: int = 200_000  # maximum number of stored games
    days: float = 30.0  # minimum age of a finished game before it may be deleted
    new_games_an_hour: int = 1000  # per client

    @property
    def is_local(self) -> bool:
        """Whether the server is for this machine only: it has no other host name, and no proxy."""
        return bool(self.hosts) and set(self.hosts) <= set(LOOPBACK) and not self.trusted_proxies

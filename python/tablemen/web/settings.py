"""The settings of a server: where its games are stored, who may connect, and the limits of each client."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The limits keep one client from starving the rest. `…_of_one` is the share of one client."""

    database: Path
    hosts: tuple[str, ...] = LOOPBACK  # accepted `Host` names; empty for any
    engines: Mapping[str, str] = field(default_factory=dict)  # engines to play against, as `parse_player` reads them

    searches: int = max(1, (os.cpu_count() or 2) - 1)  # concurrent analyses; the computer's moves have as many
    search_seconds: float = 60.0  # the limit of an analysis, whatever the request says
    turn_seconds: float = 3.0  # quantum of an analysis while others are queued
    waiting: int = 100  # queued analyses, and queued requests for files and positions
    waiting_of_one: int = 20
    move_seconds: float = 10.0  # for a move of the computer, and for a hint
    engine_seconds: float = 30.0  # for a move of an engine, whose own limits are usually shorter
    moves_of_one: int = 50  # queued moves of the computer, and of each engine
    table_mb: int = 16  # memory of each search
    tables: int = 8  # transposition tables kept for analyses that run or are queued again
    solve_seconds: float = 20.0  # for the exact values of a position; a layer of tables is always completed
    solve_mb: int = 64  # transposition table of the solver
    solve_layers_mb: int = 64  # its tables of positions with few seeds

    request_threads: int = 3  # concurrent requests for files and positions
    request_threads_of_one: int = 2

    connections: int = 2000  # open WebSockets
    connections_of_one: int = 1000
    hello_seconds: float = 10.0  # until a WebSocket must have sent its first message
    messages_a_second: int = 100  # read from a WebSocket; faster messages are delayed
    unread: int = 100  # messages that a WebSocket may leave unread before it is closed
    unread_bytes: int = 2_000_000  # of these messages together, unless it is a single one
    message_bytes: int = 64_000  # of a message from a WebSocket
    body_bytes: int = 2_000_000  # of a request
    games_in_memory: int = 2000  # others are read from the database on demand
    plies_in_memory: int = 200_000  # of all these games; each takes up to 3 KB
    games: int = 200_000  # stored at all
    days: float = 30.0  # for which a finished game is stored at least
    new_games_an_hour: int = 1000  # from one client

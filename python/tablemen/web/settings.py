"""What a server is told: where its games are kept, who may ask, and how much of the machine anybody gets."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The limits are there so that one client cannot starve the rest."""

    database: Path
    hosts: tuple[str, ...] = LOOPBACK  # by which names it may be called; none for any
    engines: Mapping[str, str] = field(default_factory=dict)  # programs to play against, as `parse_player` reads them

    searches: int = max(1, (os.cpu_count() or 2) - 1)  # analyses at a time; moves of the computer have as many
    search_seconds: float = 60.0  # for an analysis, however long somebody asks for
    turn_seconds: float = 3.0  # after which an analysis lets another go first
    waiting: int = 100  # analyses that wait for their turn; and files and positions
    waiting_of_one: int = 20  # from one address
    move_seconds: float = 10.0  # for a move of the computer, and for a hint
    engine_seconds: float = 30.0  # for a move of a program, whose own limits are shorter as a rule
    moves_of_one: int = 50  # of the computer that wait for their turn, from one address; and of each program
    table_mb: int = 16  # the memory of each search
    tables: int = 8  # for analyses that go on or wait for their next turn; each that goes on has one
    solve_seconds: float = 20.0  # for the exact values of a position; a layer of tables is built to its end
    solve_mb: int = 64  # for what it remembers
    solve_layers_mb: int = 64  # and for tables of positions with few seeds

    clerks: int = 3  # files and positions that are worked out at a time
    clerks_of_one: int = 2  # for one address

    connections: int = 2000  # sockets at a time
    connections_of_one: int = 1000  # from one address
    hello_seconds: float = 10.0  # until a socket must have said who it is
    messages_a_second: int = 100  # from a socket; what comes faster waits
    unread: int = 100  # messages to a socket that does not read; then it is closed
    unread_bytes: int = 2_000_000  # of these messages together, unless it is one alone
    message_bytes: int = 64_000  # of a message to a socket
    body_bytes: int = 2_000_000  # of a request
    games_in_memory: int = 2000  # the others are read again when somebody asks for them
    plies_in_memory: int = 200_000  # of all these games; each takes up to 3 KB
    games: int = 200_000  # that are kept at all
    days: float = 30.0  # for which a game that is over is kept, however many there are
    new_games_an_hour: int = 1000  # from one address

"""The fuzz targets: a parser, its seeds, and the properties that must hold for any bytes.

A parser either raises one of our errors with a position inside the text, or returns a value that survives a round trip.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tablemen import IllegalMoveError, NotationError, PdnError, Side, TablemenError, mancala
from tablemen.clock import parse_time_control
from tablemen.draughts import VARIANTS, DraughtsRules, Move, Position
from tablemen.draughts.notation import (
    format_dxp_move,
    format_dxp_position,
    format_grid,
    format_hub_move,
    format_hub_position,
    format_move,
    format_rows,
    format_square_lists,
    format_turn,
    parse_dxp_move,
    parse_dxp_position,
    parse_grid,
    parse_hub_move,
    parse_hub_position,
    parse_move,
    parse_position,
    parse_rows,
    parse_square_lists,
    parse_turn,
)
from tablemen.draughts.pdn import format_pdn, parse_pdn, read_pdn
from tablemen.mancala.notation import format_record, parse_records
from tablemen.match import parse_draw, parse_resign, parse_sprt
from tablemen.players import format_player, parse_player
from tablemen.protocols.dxp import format_message as format_dxp_message
from tablemen.protocols.dxp import parse_message as parse_dxp_message
from tablemen.protocols.hub import format_message as format_hub_message
from tablemen.protocols.hub import hub1
from tablemen.protocols.hub import parse_message as parse_hub_message
from tablemen.protocols.kgp.messages import MAX_LENGTH
from tablemen.protocols.kgp.messages import format_message as format_kgp_message
from tablemen.protocols.kgp.messages import parse_message as parse_kgp_message
from tablemen.saved_games import format_saved_game, parse_saved_game

RULES = tuple(VARIANTS.values())


@dataclass(frozen=True)
class Target:
    """A check that raises AssertionError, or an unexpected error, if a parser is broken, and its seeds."""

    check: Callable[[bytes], None]
    seeds: Sequence[bytes]


def _choose_variant(data: bytes) -> tuple[DraughtsRules, str]:
    """Return the variant chosen by the first byte, and the rest as text."""
    return RULES[data[0] % len(RULES) if data else 0], data[1:].decode("utf-8", "replace")


def _check_location(error: NotationError, text: str) -> None:
    lines = text.split("\n")
    assert 1 <= error.line <= len(lines) + 1, error
    line = lines[error.line - 1] if error.line <= len(lines) else ""
    assert 1 <= error.column <= len(line) + 1, error


def check_fen(data: bytes) -> None:
    """Check the FEN parser."""
    rules, text = _choose_variant(data)
    try:
        position = parse_position(text, rules)
    except NotationError as error:
        _check_location(error, text)
        return
    assert parse_position(position.fen(), rules) == position


def check_moves(data: bytes) -> None:
    """Check the move parsers: typed moves, moves of the exercises, and those of the protocols."""
    position = POSITIONS[data[0] % len(POSITIONS) if data else 0]
    text = data[1:].decode("utf-8", "replace")
    for parse, format_value in MOVE_FORMATS:
        try:
            move = parse(text, position)
        except NotationError as error:
            _check_location(error, text)
        except IllegalMoveError:
            pass
        else:
            assert move in position.legal_moves()
            assert parse(format_value(move), position) == move


def check_boards(data: bytes) -> None:
    """Check the board parsers: grids, rows of letters, and those of the protocols."""
    rules, text = _choose_variant(data)
    for parse, format_value in BOARD_FORMATS:
        try:
            position = parse(text, rules)
        except NotationError as error:
            _check_location(error, text)
        else:
            assert parse(format_value(position), rules) == position


def check_pdn(data: bytes) -> None:
    """Check the PDN reader."""
    errors: list[PdnError] = []
    games = list(read_pdn(io.BytesIO(data), on_error=errors.append))
    for game in games:
        assert parse_pdn(format_pdn(game)) == game
    for error in errors:
        _check_location(error, data.decode("utf-8", "replace"))


# Positions with ambiguous captures, kings, algebraic squares, and captures written like quiet moves.
POSITIONS = (
    Position.start("international"),
    Position.from_fen("W:WK10:B14,17,27,31", "international"),
    Position.from_fen("W:WKa1,c3:Bd4,Kf6,b6", "russian"),
    Position.from_fen("B:W18,19,K5:BK14,15", "thai"),
    Position.start("turkish"),
)

# The parsers of moves and their formatters.
MOVE_FORMATS: tuple[tuple[Callable[[str, Position], Move], Callable[[Move], str]], ...] = (
    (parse_move, format_move),
    (parse_turn, format_turn),
    (parse_hub_move, format_hub_move),
    (parse_dxp_move, format_dxp_move),
)

# The parsers of boards and their formatters. A grid has no side to move.
BOARD_FORMATS: tuple[tuple[Callable[[str, DraughtsRules], Position], Callable[[Position], str]], ...] = (
    (lambda text, rules: parse_grid(text, rules, Side.WHITE), format_grid),
    (lambda text, rules: parse_rows(text.split("\n"), rules, Side.WHITE), lambda board: "\n".join(format_rows(board))),
    (parse_hub_position, format_hub_position),
    (parse_dxp_position, format_dxp_position),
)


def check_square_lists(data: bytes) -> None:
    """Check lists of Black's squares on the first line, and White's on the next."""
    rules, text = _choose_variant(data)
    black, _, white = text.partition("\n")
    try:
        position = parse_square_lists(black, white, rules, Side.WHITE)
    except NotationError as error:
        _check_location(error, black if error.text == black else white)
        return
    assert parse_square_lists(*format_square_lists(position), rules, Side.WHITE) == position


def _seeds(*texts: Callable[[Position], str]) -> list[bytes]:
    """Return texts of the start position of every variant."""
    return [
        bytes([number]) + text(Position.start(rules)).encode() for number, rules in enumerate(RULES) for text in texts
    ]


def check_mancala(data: bytes) -> None:
    """Check the parsers of mancala positions and moves."""
    rules, text = MANCALA[data[0] % len(MANCALA) if data else 0], data[1:].decode("utf-8", "replace")
    try:
        position = mancala.Position.from_text(text, rules)
    except NotationError as error:
        _check_location(error, text)
    else:
        assert mancala.Position.from_text(position.text(), rules) == position
    start = mancala.Position.start(rules)
    try:
        move = start.parse_move(text)
    except NotationError as error:
        _check_location(error, text)
    except IllegalMoveError:
        return
    else:
        assert start.parse_move(str(move)) == move


def check_records(data: bytes) -> None:
    """Check the parser of mancala game records."""
    text = data.decode("utf-8", "replace")
    try:
        records = parse_records(text, "kalah")
    except NotationError as error:
        _check_location(error, text)
        return
    reparsed = parse_records("\n".join(format_record(*record) for record in records), "kalah")
    assert reparsed == records


def check_players(data: bytes) -> None:
    """Check the parser of players."""
    try:
        player = parse_player(data.decode("utf-8", "replace"))
    except TablemenError:
        return
    assert parse_player(format_player(player)) == player


def check_dxp(data: bytes) -> None:
    """Check the DXP parser. Messages with a name are not compared, because its padding may differ."""
    try:
        message = parse_dxp_message(data)
    except NotationError as error:
        _check_location(error, data.decode("ascii", "replace").replace("\n", " "))
        return
    if data[:1] in b"MEBK":
        assert format_dxp_message(message) == data


def check_hub(data: bytes) -> None:
    """Check the Hub parsers; messages of version 1 must also be valid in version 2."""
    text = data.decode("utf-8", "replace").replace("\n", " ")
    for parse in (parse_hub_message, hub1.parse_command, hub1.parse_reply):
        try:
            message = parse(text)
        except NotationError as error:
            _check_location(error, text)
        else:
            assert parse_hub_message(format_hub_message(message)) == message


def check_saved(data: bytes) -> None:
    """Check the parsers of saved games and of time controls."""
    text = data.decode("utf-8", "replace")
    try:
        control = parse_time_control(text)
        assert parse_time_control(str(control)) == control
    except TablemenError:
        pass
    try:
        saved = parse_saved_game(text, Path("game"))
        session = saved.create_session()
    except TablemenError:
        return
    reparsed = parse_saved_game(format_saved_game(session, saved.saved_at), Path("game"))
    assert (reparsed.game, reparsed.control, reparsed.orientation) == (saved.game, saved.control, saved.orientation)


def check_kgp(data: bytes) -> None:
    """Check the parser of the Kalah Game Protocol."""
    text = data.decode("utf-8", "replace")
    try:
        message = parse_kgp_message(text)
    except NotationError as error:
        _check_location(error, text)
        return
    if len(text) < MAX_LENGTH // 4:  # in a longer text, escapes may exceed the maximum line length
        assert parse_kgp_message(format_kgp_message(message)) == message


def check_conditions(data: bytes) -> None:
    """Check the parsers of match conditions: adjudication and SPRT."""
    text = data.decode("utf-8", "replace")
    for parse in (parse_resign, parse_draw, parse_sprt):
        try:
            condition = parse(text)
        except TablemenError:
            continue
        assert parse(str(condition)) == condition


MANCALA = (
    *mancala.VARIANTS.values(),
    replace(mancala.KALAH, name="small", houses=2, swap=mancala.Swap.PIE),
)


TARGETS = {
    "mancala": Target(
        check_mancala,
        [
            bytes([number]) + text.encode()
            for number, rules in enumerate(MANCALA)
            for text in (mancala.Position.start(rules).text(), "2", "swap")
        ],
    ),
    "records": Target(
        check_records,
        [b"South: Ann\nVariant: kalah\nStart: <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> south\nMoves: 3 6\n\nMoves: 1", b"A:\n"],
    ),
    "kgp": Target(
        check_kgp,
        [
            b"4 state <3,0,0,3,3,3,3,3,3>",
            b"7@4 move 1",
            b'set info:name "A \\"B\\" \\\\"',
            b"9@8 solution <1,0,0,1,1> true",
            b"@4 eval -.5e3",
        ],
    ),
    "players": Target(
        check_players,
        [
            b"searcher:depth=6,nodes=7,time=0.5,threads=2,table=1,seed=3",
            b"searcher:level=3",
            b"minimax:depth=2",
            b"robot",
            b'dxp:"truus --port {port}",listen=1,minutes=3',
        ],
    ),
    "conditions": Target(check_conditions, [b"5:3", b"0.1:10:30", b"0,5,0.05,0.05", b"-2.5,1e1"]),
    "hub": Target(
        check_hub,
        [
            b'info depth=21 mean-depth=20.8 score = -0.01 nodes=31261613 time=3.906 nps=8.0 pv="32-28 17-22"',
            b'param name=variant value=normal type=enum values="normal killer bt frisian losing"',
            b"level 10 60000 500",
            b"pos wbbbeeewww",
            b"info 21 20.8 -1 31261613 3.91 8.0 32-28 17-22",
        ],
    ),
    "saved": Target(
        check_saved,
        [
            b"90s+1.5",
            b"40/5+3",
            (
                b'{"version": 1, "saved": "2024-05-01T12:00:00Z", "variant": "kalah", "houses": 3, "seeds": 2, '
                b'"players": {"white": "human", "black": "searcher:level=2"}, "orientation": "white", '
                b'"control": "5+3", "used": {"white": 1.5, "black": 2}, "added": {"white": 3, "black": 0}, '
                b'"game": "Variant: kalah\\nMoves: 1 2"}'
            ),
        ],
    ),
    "fen": Target(check_fen, [*_seeds(Position.fen), b"\x00B:BK1-5,12:W31.", b'\x09[FEN "W:WKa1:Bc7:H3:F12:+0+1a1"]']),
    "moves": Target(
        check_moves,
        [
            bytes([number]) + format_value(move).encode()
            for number, position in enumerate(POSITIONS)
            for move in position.legal_moves()
            for _, format_value in MOVE_FORMATS
        ],
    ),
    "square_lists": Target(check_square_lists, [b"\x0121-32\n1-12", b"\x02a3,Kc1\nh8", b"\x006,7,K12\n10"]),
    "boards": Target(check_boards, _seeds(*(format_value for _, format_value in BOARD_FORMATS))),
    "pdn": Target(
        check_pdn,
        [
            b'[Event "a \\"b\\""]\n[Result "2-0"]\n1. 32-28! {c} 19-23 $7 (1... 18-23 (20-24)) 2. 28x19 14x23 2-0',
            b'[GameType "25"] 1. c3d4 d6-c5 * 1. 11-15 ... 3-7 % x\n0-1 /FEN "W:WK3:B9"/ 3x20 ; y\n*',
            b'[GameType "20,W,10,10,N2,0"][FEN "B:W31:B1"] 1... 1-7 /FEN "B::"/ 7-12 [A ""] 01-07 1/2-1/2',
        ],
    ),
    "dxp": Target(
        check_dxp,
        [
            b"R01" + b"x".ljust(32) + b"W005000A",
            b"R01" + b"x".ljust(32) + b"Z005075BW" + b"z" * 20 + b"e" * 10 + b"w" * 20,
            b"Ax0",
            b"M001205250422122320",
            b"E10",
            b"Chello",
            b"B005Z",
            b"K0",
        ],
    ),
}

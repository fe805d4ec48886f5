"""The messages of errors, compared with golden files."""

from __future__ import annotations

import io
import reprlib
import struct
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tablemen import ArgumentError, NotationError, PdnError, Side
from tablemen.draughts import ENGLISH, INTERNATIONAL, VARIANTS, Move, Position
from tablemen.draughts.complexity import check_complexity
from tablemen.draughts.draws import DrawnMaterial, Force, Material, MoveCount, Threat
from tablemen.draughts.evaluation import Evaluation, pack_position, unpack_position
from tablemen.draughts.move_errors import explain_illegal, explain_start
from tablemen.draughts.notation import (
    format_dxp_move,
    parse_dxp_move,
    parse_dxp_position,
    parse_grid,
    parse_hub_move,
    parse_hub_position,
    parse_move,
    parse_rows,
    parse_square_lists,
    parse_turn,
)
from tablemen.draughts.pdn import Nag, PdnGame, PdnLine, PdnNode, format_pdn, parse_pdn, read_pdn
from tablemen.draughts.pdn.rename import rename_squares
from tablemen.draughts.pdn.start_position import parse_game_type
from tablemen.draughts.svg import draw
from tablemen.draughts.weights import (
    Pattern,
    default_weights,
    format_weights,
    material_weights,
    parse_weights,
    read_weights,
    write_weights,
)
from tablemen.errors import (
    AmbiguousMoveError,
    IllegalMoveError,
    InvalidPositionError,
    InvalidRulesError,
    TablemenError,
    UnknownVariantError,
)
from tests.draughts import invalid_input
from tests.draughts.test_draw_rules import INVALID_DRAWS
from tests.draughts.test_move_errors import ILLEGAL
from tests.draughts.test_pdn_writing import INVALID_NODES, INVALID_TAGS
from tests.draughts.test_rules import INVALID_RULES
from tests.golden import check_errors, check_golden
from tests.perft.suite import parse_perft

FOLDER = Path(__file__).parent
START = Position.start("international")
WIDE = replace(VARIANTS["russian"], name="wide", columns=12, rows=12)
LARGE = replace(INTERNATIONAL, name="large", columns=16, rows=16)
Case: TypeAlias = tuple[str, type[Exception], Callable[[], object]]

_SHORT = reprlib.Repr()
_SHORT.maxstring = 60
_SHORT.maxlist = 10
_SHORT.maxother = 60


def name(kind: str, *inputs: object) -> str:
    return f"{kind} {', '.join(map(_SHORT.repr, inputs))}"


def notation_cases() -> Iterator[Case]:
    for text, *_ in invalid_input.FENS:
        yield name("fen", text), NotationError, partial(Position.from_fen, text, "international")
    for text, *_ in invalid_input.ALGEBRAIC_FENS:
        yield name("algebraic fen", text), NotationError, partial(Position.from_fen, text, "russian")
    yield name("wide fen", "W:WK1:B"), NotationError, partial(Position.from_fen, "W:WK1:B", WIDE)
    for text, *_ in invalid_input.KING_RUNS:
        fen = invalid_input.FRISIAN_FEN + text
        yield name("king runs", text), NotationError, partial(Position.from_fen, fen, "frisian")
    for letters in ("wbWB", "x" * 32):
        yield name("letters", letters), NotationError, partial(Position.from_letters, letters, ENGLISH, Side.WHITE)
    for rules, text, *_ in invalid_input.GRIDS:
        yield name(f"{rules.name} grid", text), NotationError, partial(parse_grid, text, rules, Side.WHITE)
    for rules, rows, *_ in invalid_input.ROWS:
        yield name(f"{rules.name} rows", rows), NotationError, partial(parse_rows, rows, rules, Side.WHITE)
    for black, white, _ in invalid_input.SQUARE_LISTS:
        call = partial(parse_square_lists, black, white, ENGLISH, Side.WHITE)
        yield name("square lists", black, white), NotationError, call
    for text, *_ in invalid_input.MOVES:
        yield name("move", text), NotationError, partial(parse_move, text, START)
    position = Position.from_fen("W:WK1,K11:BK50", "international")
    yield name("ambiguous move", "112"), AmbiguousMoveError, partial(parse_move, "112", position)
    yield name("illegal move", "32-23"), IllegalMoveError, partial(parse_move, "32-23", START)
    position = Position.from_fen("W:W28:B1", "international")
    for text, *_ in invalid_input.TURNS:
        yield name("turn", text), NotationError, partial(parse_turn, text, position)


def protocol_cases() -> Iterator[Case]:
    for text, _ in invalid_input.HUB_POSITIONS:
        yield name("hub position", text), NotationError, partial(parse_hub_position, text, invalid_input.TINY)
    for text, _ in invalid_input.DXP_POSITIONS:
        yield name("dxp position", text), NotationError, partial(parse_dxp_position, text, invalid_input.TINY)
    for text, _ in invalid_input.HUB_MOVES:
        yield name("hub move", text), NotationError, partial(parse_hub_move, text, START)
    for text, _ in invalid_input.DXP_MOVES:
        yield name("dxp move", text), NotationError, partial(parse_dxp_move, text, START)
    large = Position.start(LARGE)
    yield "dxp move to a large board", TablemenError, partial(parse_dxp_move, "322800", large)
    yield "dxp move from a large board", TablemenError, partial(format_dxp_move, large.legal_moves()[0])


def pdn_cases() -> Iterator[Case]:
    for text, *_ in invalid_input.PDN_GAMES:
        yield name("game", text), PdnError, partial(parse_pdn, f"{text}\n*")
    yield name("game", "22x6"), PdnError, partial(parse_pdn, '[GameType "21"] [FEN "W:W22:B9,10,17,18"] 1. 22x6')
    yield "no game", PdnError, partial(parse_pdn, "% nothing")
    yield "two games", PdnError, partial(parse_pdn, "32-28 * 32-28 *")
    yield "invalid UTF-8", PdnError, partial(next, read_pdn(io.BytesIO(b'[White "\xe9"] 32-28 *')))
    half = io.BytesIO(b"x")
    yield "half a character", PdnError, partial(next, read_pdn(half, encoding="utf-16-le"))
    yield "no byte order mark", PdnError, partial(next, read_pdn(io.BytesIO(b"32-28 *"), encoding="utf-16"))
    yield "unknown encoding", ArgumentError, partial(read_pdn, io.BytesIO(), encoding="nope")
    for text in invalid_input.GAME_TYPES:
        kind = UnknownVariantError if text == "95" else TablemenError
        yield name("GameType", text), kind, partial(parse_game_type, text)
        yield name("tag GameType", text), PdnError, partial(parse_pdn, f'[GameType "{text}"] *')
    for label, node in INVALID_NODES.items():
        yield f"write {label}", TablemenError, partial(format_pdn, PdnGame(PdnLine(START, (node,))))
    for tags in INVALID_TAGS:
        yield name("write tags", tags), TablemenError, partial(format_pdn, PdnGame(PdnLine(START), tags))
    unknown = PdnLine(START, (PdnNode("..."), PdnNode("32--28")))
    yield name("write", "32--28"), TablemenError, partial(format_pdn, PdnGame(unknown))
    unknown = PdnLine(START, (PdnNode("..."), PdnNode(START.legal_moves()[0])))
    yield "write a move after an unknown one", TablemenError, partial(format_pdn, PdnGame(unknown))
    yield "a game without a start", TablemenError, partial(PdnGame, PdnLine(None))
    yield "glyph", ArgumentError, partial(Nag, 65_536)
    yield "rename squares", TablemenError, partial(rename_squares, parse_pdn('[Variant "frysk"] *'), RUSSIAN_NOTATION)
    crowded = Position.from_fen("W:W1-40:B41", "international")
    yield "too many pieces", TablemenError, partial(check_complexity, crowded)


RUSSIAN_NOTATION = VARIANTS["russian"].notation


def position_cases() -> Iterator[Case]:
    frisian = partial(Position, "frisian", Side.WHITE, white_men=[31], white_kings=[28], black_men=[1])
    for runs in (
        {Side.WHITE: (28, 4)},
        {Side.WHITE: (28, 0)},
        {Side.WHITE: (31, 1)},
        {Side.BLACK: (28, 1)},
        {Side.WHITE: (99, 1)},
    ):
        yield name("king runs", runs), InvalidPositionError, partial(frisian, king_runs=runs)
    international = partial(Position, "international", Side.WHITE, white_kings=[28])
    runs = {Side.WHITE: (28, 1)}
    yield "king runs without a limit", InvalidPositionError, partial(international, king_runs=runs)
    yield "king runs without a number", TypeError, partial(frisian, king_runs={Side.WHITE: 28})
    yield "occupied and unknown squares", InvalidPositionError, partial(international, white_men=[28, 99])
    yield "squares as text", TypeError, partial(international, white_men="12")
    yield "unknown square", TablemenError, partial(START.piece_at, 51)
    yield "blank square", TablemenError, partial(START.piece_at, "")
    yield "unknown start", TablemenError, partial(explain_start, START, 51)
    number: Any = 5
    yield "FEN as a number", TypeError, partial(Position.from_fen, number, "international")
    yield "move as a number", TypeError, partial(START.parse_move, number)
    for path, captured in INVALID_PATHS:
        yield name("path", path, captured), TablemenError, partial(Move, "international", path, captured)
    yield "path as text", TypeError, partial(Move, "international", "32")
    yield "one square", TablemenError, partial(START.find_moves, [32])
    yield "squares of a move as text", TypeError, partial(START.find_moves, "32")
    yield "bool as a square", TypeError, partial(START.find_moves, [True, 28])
    yield "no threads", ArgumentError, partial(START.perft, 1, threads=0)
    yield "depth", ArgumentError, partial(START.perft, 1001)
    move = START.legal_moves()[0]
    advance = START.draw_counters().advance
    yield "draw counters", TablemenError, partial(advance, START, move, Position.start("english"))
    yield "svg size", TablemenError, partial(draw, START, size=0)
    yield "svg last move", TablemenError, partial(draw, START, last_move=Move("russian", ["c3", "d4"]))
    yield "svg square", TablemenError, partial(draw, START, marks=[51])
    orientation: Any = "black"
    yield "svg orientation", TypeError, partial(draw, START, orientation=orientation)


INVALID_PATHS: list[tuple[list[int], list[int]]] = [([31], []), ([31, 27, 22], []), ([31, 22], [27, 18])]


def rule_cases() -> Iterator[Case]:
    for changes in INVALID_RULES:
        rules = {"name": "mine"} | changes
        yield name("rules", changes), InvalidRulesError, partial(replace, INTERNATIONAL, **rules)
    for label, draws in INVALID_DRAWS.items():
        yield f"draws {label}", InvalidRulesError, partial(replace, INTERNATIONAL, name="mine", draws=draws)
    termination = INTERNATIONAL.draws[0].termination
    nine = tuple(MoveCount(plies, termination=termination) for plies in range(1, 10))
    yield "nine draw rules", InvalidRulesError, partial(replace, INTERNATIONAL, name="mine", draws=nine)
    king, piece = Force(pieces=(1, 1), kings=(1, 1)), Force(pieces=(1, 1))
    forced = DrawnMaterial(Material(king, piece), termination=termination, unless=Threat.FORCED_WIN)
    yield "forced win with a man", InvalidRulesError, partial(replace, INTERNATIONAL, name="mine", draws=(forced,))


def weight_cases(folder: Path) -> Iterator[Case]:
    text = format_weights(default_weights(ENGLISH), ENGLISH)
    for before, after, _ in invalid_input.WEIGHTS:
        wrong = text.replace(before, after, 1)
        yield name("weights", before, after), NotationError, partial(parse_weights, wrong, ENGLISH)
    lines = text.splitlines()
    first = lines.index("men opening") + 1
    cells = lines[first].split()
    for label, wrong in {
        "without row 8": "\n".join([*lines[: first + 7], *lines[first + 8 :]]),
        "with an unused square": "\n".join([*lines[:first], "7" + lines[first][6:], *lines[first + 1 :]]),
        "without a number": "\n".join([*lines[:first], " ".join([cells[0], ".", *cells[2:]]), *lines[first + 1 :]]),
        "without the last rows": "\n".join(lines[:-2]),
        "without the last table": text.partition("kings ending")[0],
    }.items():
        yield f"weights {label}", NotationError, partial(parse_weights, wrong, ENGLISH)
    table = b"".join(struct.pack("<hh", index, -index) for index in range(9))
    weights = replace(material_weights(INTERNATIONAL), patterns=(Pattern((1, 7), table),))
    path = folder / "international.weights"
    write_weights(weights, INTERNATIONAL, path)
    written, patterns = path.read_text(encoding="utf-8"), path.with_suffix(".patterns").read_bytes()

    def read(text: str = written, patterns: bytes = patterns) -> object:
        path.write_text(text, encoding="utf-8")
        path.with_suffix(".patterns").write_bytes(patterns)
        return read_weights(path, INTERNATIONAL)

    yield "patterns of another version", TablemenError, partial(read, patterns=b"tablemen patterns 2\n" + patterns[20:])
    yield "truncated patterns", TablemenError, partial(read, patterns=patterns[:-6])
    damaged = patterns[:20] + bytes([patterns[20] ^ 1]) + patterns[21:]
    yield "damaged patterns", TablemenError, partial(read, patterns=damaged)
    larger = written.replace("pattern 1 7", "pattern 1 7 8")
    yield "patterns of another size", TablemenError, partial(read, text=larger)
    outside = written.replace("pattern 1 7", "pattern 1 51")
    yield "pattern outside the board", NotationError, partial(read, text=outside)
    yield "patterns without tables", NotationError, partial(parse_weights, written, INTERNATIONAL)
    english = Evaluation.default(ENGLISH)
    yield "weights of another board", TablemenError, lambda: Evaluation(INTERNATIONAL, english.weights).compiled
    packed = pack_position(Position.start(ENGLISH))
    yield "position of other rules", TablemenError, partial(english.evaluate, Position.start("russian"))
    yield "features of too few bytes", TablemenError, partial(english.features, [packed[:-1]])
    yield "features of another board", TablemenError, partial(english.features, [packed, b"\x02" + packed[1:]])
    yield "unpack too few bytes", ArgumentError, partial(unpack_position, packed[:-1], ENGLISH)
    yield "unpack another board", ArgumentError, partial(unpack_position, b"\x02" + packed[1:], ENGLISH)


def perft_cases() -> Iterator[Case]:
    for text, _ in invalid_input.PERFT_FILES:
        yield name("perft", text), NotationError, partial(parse_perft, text, "english")


@pytest.mark.golden
def test_error_messages(tmp_path: Path) -> None:
    cases = [
        *notation_cases(),
        *protocol_cases(),
        *pdn_cases(),
        *position_cases(),
        *rule_cases(),
        *weight_cases(tmp_path),
        *perft_cases(),
    ]
    by_name = {label: (kind, call) for label, kind, call in cases}
    assert len(by_name) == len(cases)
    check_errors(FOLDER / "error_messages.txt", by_name)


@pytest.mark.golden
def test_explanations_of_illegal_moves() -> None:
    texts = {
        f"{variant} {fen}: {start} to {end}": str(explain_illegal(Position.from_fen(fen, variant), start, end))
        for variant, fen, start, end in ILLEGAL
    }
    for variant, fen, start in STARTS:
        texts[f"{variant} {fen}: from {start}"] = str(explain_start(Position.from_fen(fen, variant), start))
    check_golden(FOLDER / "illegal_moves.txt", texts)


STARTS: list[tuple[str, str, int | str]] = [
    ("english", "B:W21-32:B1-12", 4),
    ("english", "W:W17,32:B7,14", 32),
    ("english", "W:WK32,27,28:B1", 32),
    ("frisian", "W:WK28,31:BK1,6:+0+328", 28),
]

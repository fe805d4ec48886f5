"""The draughts family: an adapter for the code that is common to all families.

Drawing, explanations and PDN are imported on first use, so that a program that only lists moves starts quickly.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from tablemen import _core
from tablemen.draughts import VARIANTS, DraughtsRules, Kind, Move, Position, Square
from tablemen.draughts.board import Notation
from tablemen.draughts.rules import Criterion, Direction, KingLanding, MostValue, Promotion, Removal
from tablemen.draughts.variants import VARIANT_NAMES
from tablemen.errors import ArgumentError, PdnError, TablemenError
from tablemen.family import Family, InputPath, Json, OnError, OnProblems, ScoreSheet
from tablemen.game import Game
from tablemen.game_tree import GameTree, NodeBudget
from tablemen.outcome import Side

if TYPE_CHECKING:
    import os
    from concurrent.futures import Executor

    from tablemen.draughts.evaluation import Evaluation
    from tablemen.draughts.pdn import PdnGame
    from tablemen.draughts.tablebase import Tablebase
    from tablemen.endgame import EndgameResult, ExactValues, WdlTablebase

FLYING_KING, SHORT_KING = 3.0, 1.5  # the value of a king in men: flying, or moving one square
PROVISIONAL = "*"
ENDS = "ends on the far row"
CAPTURE_WAYS = {
    "forwards": Direction.FORWARD | Direction.FORWARD_DIAGONALS,
    "sideways": Direction.SIDEWAYS,
    "backwards": Direction.BACKWARD | Direction.BACKWARD_DIAGONALS,
}
CRITERIA = {
    Criterion.MOST_PIECES: "takes the most pieces (the majority rule)",
    Criterion.MOST_KINGS: "takes the most kings",
    Criterion.WITH_KING: "a king makes",
    Criterion.KINGS_FIRST: "takes kings as early as possible",
}
LANDINGS = {
    KingLanding.BEHIND_EACH: "each piece that it captures",
    KingLanding.BEHIND_LAST: "the last piece that it captures",
    KingLanding.BEHIND_LAST_KING: "the last piece that it captures if that is a king",
}
PIECE_KINDS = {"men", "kings"}
OBSERVED_PIECES = {Side.WHITE: "wWbB", Side.BLACK: "bBwW"}  # the pieces of each plane, by the side that observes


class DraughtsFamily(Family):
    """Every variant of draughts: FEN, PDN, squares."""

    name: ClassVar[str] = "draughts"
    sides: ClassVar[Mapping[Side, str]] = {Side.WHITE: "white", Side.BLACK: "black"}
    file_pattern: ClassVar[re.Pattern[str]] = re.compile(r"^[^\S\n]*(?:\[\s*\w+\s*\"|1\s*\.)", re.MULTILINE)
    position_pattern: ClassVar[re.Pattern[str]] = re.compile(r"[WwBb]\s*:")
    file_suffix: ClassVar[str] = "pdn"
    headings: ClassVar[tuple[str, ...]] = ("name", "title", "board", "men", "GameType")
    footnote: ClassVar[str] = f"{PROVISIONAL} provisional: the sources disagree"
    position_key: ClassVar[str] = "fen"
    has_search: ClassVar[bool] = True
    has_paths: ClassVar[bool] = True

    # Rules

    @property
    def variants(self) -> Mapping[str, DraughtsRules]:
        """The known variants by name."""
        return VARIANTS

    @property
    def variant_names(self) -> Mapping[str, DraughtsRules]:
        """The known variants by name, alias, title and GameType."""
        return VARIANT_NAMES

    def owns(self, rules: object) -> bool:
        """Return whether these are rules of draughts."""
        return isinstance(rules, DraughtsRules)

    def is_provisional(self, rules: DraughtsRules) -> bool:
        """Return whether the sources of these rules are uncertain."""
        return rules.provisional

    def is_losing_game(self, rules: DraughtsRules) -> bool:
        """Return whether the side that cannot move any more wins."""
        return rules.losing

    def is_endgame(self, position: Position) -> bool:
        """Return whether a tablebase may have a position."""
        from tablemen.draughts.endgame import is_endgame

        return is_endgame(position)

    def probe_endgame(self, game: Game[Any, Any]) -> EndgameResult | None:
        """Return the proven value of the position of a game by a tablebase, or None if none has it."""
        from tablemen.draughts.endgame import probe_endgame

        return probe_endgame(game)

    def find_tablebase(self, position: Position) -> WdlTablebase | None:
        """Return the tablebase for a position, which may not have it, or None if there is no tablebase for it."""
        from tablemen.draughts.endgame import find_tablebase

        return find_tablebase(position)

    def tablebase_pieces(self, rules: DraughtsRules) -> int | None:
        """Return the number of pieces up to which tablebases have all positions; None if the rules have none."""
        from tablemen.draughts.endgame import count_pieces

        return count_pieces(rules)

    def suggest_tablebase(self, position: Position) -> str | None:
        """Return the command that builds a tablebase with the position, or None if there is no such command."""
        from tablemen.draughts.endgame import suggest_build

        return suggest_build(position)

    def find_exact_values(  # noqa: PLR0913 - all but the positions are options
        self,
        positions: Sequence[Position],
        *,
        tablebase: Tablebase | None = None,
        table_mb: int = 512,  # noqa: ARG002 - tablebases need no tables
        threads: int = 1,
        on_progress: Callable[[int], object] | None = None,
        executor: Executor | None = None,  # noqa: ARG002 - values are only looked up
        folder: str | os.PathLike[str] | None = None,  # noqa: ARG002
    ) -> list[ExactValues | None]:
        """Return the exact values of positions and their moves from tablebases."""
        from tablemen.draughts.endgame import find_exact_values

        return find_exact_values(positions, tablebase=tablebase, threads=threads, on_progress=on_progress)

    def explain_unknown_value(self, position: Position) -> str:
        """Explain why no tablebase has a position, and how to build one."""
        from tablemen.draughts.endgame import explain_unknown_value

        return explain_unknown_value(position)

    def variant_row(self, rules: DraughtsRules) -> tuple[str, ...]:
        """Return name, title, board, men of a side and GameType."""
        name = f"{rules.name} {PROVISIONAL}" if rules.provisional else rules.name
        board = f"{rules.columns}x{rules.rows}, {len(rules.mover.squares)} squares"
        return name, str(rules), board, str(_count_men(rules)), rules.game_type_tag or "-"

    def describe_board(self, rules: DraughtsRules) -> str:
        """Describe the board and the number of men: `10×10, 20 men a side`."""
        return f"{rules.columns}×{rules.rows}, {_count_men(rules)} men a side"

    def summarise_rules(self, rules: DraughtsRules) -> str:
        """Explain the aim, captures and the promotion of men."""
        aim = "The side that cannot move loses: capture or block all pieces of your opponent."
        if rules.losing:
            aim = "The side that cannot move wins: let your pieces be captured or blocked."
        kings = "flies over any number of free squares" if rules.flying_kings else "moves one square, also backwards"
        ends = "reaches the far row, even during a capture," if rules.promotion is Promotion.IN_FLIGHT else ENDS
        reached = f"A man that {ends} becomes a king, marked K, which {kings}."
        if rules.breakthrough:
            reached = f"A man that {ENDS} wins."
        return " ".join((aim, *_describe_captures(rules), reached))

    # Positions and moves

    def start(self, rules: DraughtsRules) -> Position:
        """Return the start position."""
        return Position.start(rules)

    def parse_position(self, text: str, rules: DraughtsRules) -> Position:
        """Parse a FEN."""
        return Position.from_fen(text, rules)

    def parse_pieces(self, pieces: Mapping[Side, str], rules: DraughtsRules, start: str) -> Position:
        """Parse lists of squares such as `6,7,K12`."""
        from tablemen.draughts.notation import parse_square_lists

        lists = pieces.get(Side.BLACK, ""), pieces.get(Side.WHITE, "")
        position = parse_square_lists(*lists, rules, rules.first)
        piece = position.piece_at(start)
        return position if piece is None else parse_square_lists(*lists, rules, piece.side)

    def parse_drawing(self, text: str, rules: DraughtsRules, turn: Side) -> tuple[Position, list[str]]:
        """Parse a grid or rows; only rows contain a `_`."""
        from tablemen.draughts.notation import format_turn, list_places
        from tablemen.draughts.notation.board_text import GRID, ROWS

        is_rows = "_" in text
        position = (ROWS if is_rows else GRID).parse_text(text, rules, turn)
        moves = position.legal_moves(paths=True)
        if is_rows:
            return position, [str(places) for places in sorted(map(list_places, moves))]
        return position, sorted(set(map(format_turn, moves)))

    def format_position(self, position: Position) -> str:
        """Return the FEN."""
        return position.fen()

    def format_move(self, move: Move, *, full: bool = False) -> str:
        """Format a move in the notation of its variant."""
        return _core.format_move(move, full=full)

    def draw(self, position: Position, *, orientation: Side) -> str:
        """Draw the board in letters."""
        from tablemen.draughts.diagram import draw

        return draw(position, orientation=orientation)

    def explain_illegal_places(self, places: Sequence[str], position: Position) -> str | None:
        """Explain why a piece may not move from one square to another."""
        from tablemen.draughts.move_errors import explain_illegal

        if len(places) != 2:
            raise TablemenError(f"a move of {position.variant.name} needs two squares, START and END")
        return explain_illegal(position, *places)

    def check_complexity(self, position: Position) -> None:
        """Raise `TablemenError` if there are more pieces than at the start, or too many captures to list them."""
        from tablemen.draughts.complexity import check_complexity

        check_complexity(position)

    def balance(self, position: Position) -> float:
        """Return the difference in men and kings, in men."""
        king = FLYING_KING if position.variant.flying_kings else SHORT_KING

        def material(side: Side) -> float:
            return len(position.squares(side, Kind.MAN)) + king * len(position.squares(side, Kind.KING))

        difference = material(position.turn) - material(position.turn.opponent)
        return -difference if position.variant.losing else difference

    # Search and analysis

    def first_side(self, rules: DraughtsRules) -> Side:
        """Return the side that begins."""
        return rules.first

    def search_evaluation(self, rules: DraughtsRules, evaluation: Evaluation | None = None) -> Any:
        """Return the compiled evaluation."""
        from tablemen.draughts.evaluation import get_evaluation  # only searches need the weights

        return (evaluation or get_evaluation(rules)).compiled

    def read_evaluation(self, rules: DraughtsRules, path: str) -> Evaluation:
        """Return the evaluation of a file."""
        from tablemen.draughts.evaluation import Evaluation

        return Evaluation.read(path, rules)

    def level_variant(self, rules: DraughtsRules, calibrated: Sequence[str]) -> str:
        """Return the calibrated variant with the most similar size of the board, and then the most similar rules."""
        from tablemen.draughts.evaluation import FIELDS_WITHOUT_EFFECT

        def difference(known: DraughtsRules) -> tuple[int, int]:
            names = [field.name for field in fields(rules) if field.name not in FIELDS_WITHOUT_EFFECT]
            differences = sum(getattr(known, name) != getattr(rules, name) for name in names)
            return abs(known.columns * known.rows - rules.columns * rules.rows), differences

        known = [VARIANTS[name] for name in calibrated if name in VARIANTS]
        return min(known, key=lambda each: (each.name != rules.name, difference(each))).name

    def search_tablebase(self, rules: DraughtsRules, tablebase: Tablebase | str | None) -> Tablebase | None:
        """Return the given tablebase, or the one that the user has built if it is `"installed"`."""
        from tablemen.draughts.endgame import find_installed

        if isinstance(tablebase, str):
            return find_installed(rules)
        return tablebase if tablebase is not None and tablebase.rules == rules else None

    def draw_best_move(self, position: Position, move: Move | None) -> str:
        """Return the position as SVG, with arrows along the path of the move."""
        if move is None:
            return position.svg()
        return position.svg(arrows=[(one.name, other.name) for one, other in pairwise(move.path)])

    def action_encoding(self, rules: DraughtsRules, name: str, limit: int | None) -> _core.ActionEncoding:
        """Return the compiled action encoding of this name."""
        return _core.ActionEncoding(rules.mover, name, limit)

    def observe(
        self,
        position: Position,
        viewer: Side,
        *,
        capture_planes: bool = False,
        move: Move | None = None,
        jumps: int = 0,
    ) -> tuple[tuple[int, ...], bytes]:
        """Return planes of the board: own men, own kings, the opponent's men and the opponent's kings.

        The board is turned by half a turn for Black. `capture_planes` adds the capturing piece, and the pieces that it
        has jumped over and that are still on the board.
        """
        rules, letters = position.variant, OBSERVED_PIECES[viewer]
        pieces = dict(zip(rules.mover.squares, position.letters(), strict=True))
        marks: list[tuple[int, Square]] = []
        if move is not None and jumps:
            piece, end = pieces.pop(move.start), move.path[jumps]
            far_row = 0 if position.turn is Side.WHITE else rules.rows - 1
            if rules.promotion is Promotion.IN_FLIGHT and any(each.row == far_row for each in move.path[1 : jumps + 1]):
                piece = piece.upper()
            if rules.removal is Removal.AT_ONCE:
                for square in move.captured[:jumps]:
                    del pieces[square]
            else:
                marks += [(len(letters) + 1, square) for square in move.captured[:jumps]]
            marks += [(len(letters), end), (letters.index(piece), end)]
        marks += [(letters.index(letter), square) for square, letter in pieces.items() if letter in letters]
        size = rules.rows * rules.columns
        planes = bytearray((len(letters) + 2 * capture_planes) * size)
        for plane, square in marks:
            cell = square.row * rules.columns + square.column
            planes[plane * size + (cell if viewer is Side.WHITE else size - 1 - cell)] = 1
        return (len(planes) // size, rules.rows, rules.columns), bytes(planes)

    def array_codec(self, rules: DraughtsRules, name: str) -> _core.ArrayCodec:
        """Return the compiled array format of this name."""
        return _core.ArrayCodec(rules.mover, name)

    # Input by pointing at a board

    def input_paths(self, position: Position) -> tuple[InputPath, ...]:
        """Return the squares of each path, by name."""
        moves = position.legal_moves(paths=True)
        return tuple((tuple(square.name for square in move.path), move) for move in moves)

    def count_input_paths(self, position: Position) -> int:
        """Return the number of paths, which can be millions."""
        return position.perft(1, paths=True)

    def explain_place(self, place: str, position: Position) -> str | None:
        """Explain why the piece on a square cannot move, or that the square is empty."""
        from tablemen.draughts.move_errors import explain_start

        if place not in {square.name for square in position.variant.mover.squares}:
            raise ArgumentError("place", place, "a square of the board")
        return explain_start(position, place)

    def starts_move_text(self, character: str, rules: DraughtsRules) -> bool:
        """Return whether a letter is the first character of a square's name."""
        return rules.notation is not Notation.NUMERIC and "a" <= character <= "l"

    # Sentences

    def describe_last_move(self, game: Game[Any, Any]) -> str:
        """Describe the last move, and mention a new king."""
        king = ", and has a king" if game.moves[-1].crowns else ""
        return f"{super().describe_last_move(game)}{king}"

    def describe_duty(self, game: Game[Any, Any]) -> str:
        """Describe the compulsory captures of the side to move, if there are any."""
        moves = game.legal_moves()
        if not moves[0].is_capture:
            return ""
        listed = ", ".join(map(str, moves[:3]))
        return f": you must capture, {listed}{' …' if len(moves) > 3 else ''}"

    def describe_captures(self, game: Game[Any, Any], side: Side) -> str:
        """Return the number of pieces that the opponent has lost."""
        lost = _count_pieces(game.start, side.opponent) - _count_pieces(game.position, side.opponent)
        return f"captured {lost}" if lost > 0 else ""

    # JSON

    def serialize_variant(self, rules: DraughtsRules) -> Json:
        """Serialise names, board and sources."""
        return {
            **super().serialize_variant(rules),
            "columns": rules.columns,
            "rows": rules.rows,
            "squares": len(rules.mover.squares),
            "men": _count_men(rules),
            "first": str(rules.first),
            "game_type": rules.game_type_tag,
            "provisional": rules.provisional,
            "note": rules.note,
            "sources": rules.sources,
        }

    def serialize_move(self, move: Move, *, full: bool = False) -> Json:
        """Serialise the path and the captured pieces."""
        return {
            "text": self.format_move(move, full=full),
            "start": _serialize_square(move.start),
            "end": _serialize_square(move.end),
            "path": [_serialize_square(square) for square in move.path],
            "captured": [_serialize_square(square) for square in move.captured],
            "crowns": move.crowns,
        }

    def serialize_board_shape(self, rules: DraughtsRules) -> Json:
        """Serialise the squares and the labels at the edges."""
        from tablemen.draughts.diagram import edge_labels

        rows, columns = edge_labels(rules)
        return {
            "kind": self.name,
            "rows": rules.rows,
            "columns": rules.columns,
            "squares": [{"name": each.name, "row": each.row, "column": each.column} for each in rules.mover.squares],
            "numbered": rules.notation is Notation.NUMERIC,
            "row_labels": rows,
            "column_labels": columns,
        }

    def serialize_board(self, position: Position) -> Json:
        """Serialise the squares of the men and kings of each side."""
        return {
            name: {
                "men": [square.name for square in position.squares(side, Kind.MAN)],
                "kings": [square.name for square in position.squares(side, Kind.KING)],
            }
            for side, name in self.sides.items()
        }

    def parse_board(self, board: Mapping[str, Any], turn: Side, rules: DraughtsRules) -> Position:
        """Return the position with these pieces."""
        if any(board[name].keys() - PIECE_KINDS for name in self.sides.values()):
            raise ArgumentError("board", list(board), "the pieces of each side")
        pieces = {
            f"{side}_{kind}": board[name].get(kind, ()) for side, name in self.sides.items() for kind in PIECE_KINDS
        }
        return Position(rules, turn, **pieces)

    def serialize_board_move(self, position: Position, move: Move) -> Json:  # noqa: ARG002 - the move has its path
        """Serialise the path, the captured squares and whether the move crowns."""
        return {
            "text": str(move),
            "full": self.format_move(move, full=True),
            "places": [square.name for square in move.path],
            "captured": [square.name for square in move.captured],
            "crowns": move.crowns,
        }

    # Game files

    def format_game(self, sheet: ScoreSheet) -> str:
        """Format a game as PDN, with the note as a comment after the last move."""
        from tablemen.draughts.pdn import PdnGame, format_pdn

        clocks = (None if left is None else timedelta(seconds=round(left, 1)) for left in sheet.clocks)
        written = PdnGame.from_game(sheet.game, self.file_headers(sheet), outcome=sheet.outcome, clocks=clocks)
        if sheet.note and written.nodes:
            written = written.replace(line=written.line.add_note(len(written.nodes) - 1, sheet.note))
        elif sheet.note:
            written = written.replace(line=replace(written.line, notes=(sheet.note,)))
        return format_pdn(written)

    def parse_games(self, text: str, rules: DraughtsRules, *, on_error: OnError | None = None) -> list[ScoreSheet]:
        """Parse the games of a PDN file."""
        from tablemen.draughts.pdn import read_pdn

        sheets = []
        with read_pdn(io.StringIO(text), variant=rules, on_error=on_error) as reader:
            for written in reader:
                try:
                    game = _replay(written, reader.games_read, rules)
                except PdnError as error:
                    if on_error is None:
                        raise
                    on_error(error)
                    continue
                clocks = [None if node.clock is None else node.clock.total_seconds() for node in written.nodes]
                headers = self.parse_headers(written.tags)
                sheets.append(ScoreSheet(game=game, outcome=game.outcome(), clocks=clocks, **headers))
        return sheets

    def parse_trees(
        self, text: str, rules: DraughtsRules | None, *, budget: NodeBudget, on_problems: OnProblems
    ) -> Iterator[GameTree]:
        """Yield the games of a PDN file."""
        from tablemen.draughts.pdn.tree import parse_trees

        return parse_trees(text, rules, budget, on_problems)

    def format_tree(self, tree: GameTree) -> tuple[str, list[str]]:
        """Format a game tree as PDN, which can represent all of it."""
        from tablemen.draughts.pdn.tree import format_tree

        return format_tree(tree), []


def _describe_captures(rules: DraughtsRules) -> Iterator[str]:
    """Yield sentences about captures: whether they are compulsory, by whom, in which directions, and the best one."""
    if rules.capture_compulsory:
        yield "A piece that can capture must do so, and jumps as often as it can."
    else:
        yield "You need not capture."
    ways = [way for way, directions in CAPTURE_WAYS.items() if rules.man_captures & directions]
    yield f"Men capture {ways[0]} only." if len(ways) == 1 else f"Men capture {', '.join(ways[:-1])} and {ways[-1]}."
    if not rules.men_capture_kings:
        yield "Men cannot capture kings."
    ranks = [_describe_criterion(criterion) for criterion in rules.precedence]
    if ranks:
        yield f"Of several captures you must choose one that {'; among these, one that '.join(ranks)}."
    else:
        yield "Of several captures you may choose any."
    if rules.flying_kings and rules.king_landing is not KingLanding.ANY:
        yield f"A king lands directly behind {LANDINGS[rules.king_landing]}."
    if rules.removal is Removal.AT_END:
        yield "Captured pieces are removed at the end of the move, and none may be jumped twice."
    else:
        yield "Captured pieces are removed one by one."


def _describe_criterion(criterion: Criterion | MostValue) -> str:
    """Describe a capture with precedence, after "one that"."""
    if isinstance(criterion, MostValue):
        return f"takes the highest value, if a king counts {criterion.king / criterion.man:g} men"
    return CRITERIA[criterion]


def _count_men(rules: DraughtsRules) -> int:
    """Return the number of men of a side at the start."""
    return len(Position.start(rules).squares(rules.first, Kind.MAN))


def _count_pieces(position: Position, side: Side) -> int:
    return sum(len(position.squares(side, kind)) for kind in Kind)


def _serialize_square(square: Square) -> int | str:
    """Return the number of a square if squares are numbered, and its name otherwise."""
    return int(square) if square.name.isdecimal() else square.name


def _replay(written: PdnGame, number: int, rules: DraughtsRules) -> Game[Position, Move]:
    """Return the main line of a PDN game as a game that can be continued."""
    if written.variant != rules:
        raise PdnError(f"the game is {written.variant.name}, not {rules.name}", "", game=number)
    game: Game[Position, Move] = Game(written.start)
    try:
        for node in written.nodes:
            game.push(node.move)
    except TablemenError as error:
        raise PdnError(f"move {len(game.moves) + 1} cannot be played: {error}", "", game=number) from error
    if written.positions()[-1] != game.position:
        raise PdnError("the game has a set-up after its start", "", game=number)
    return game

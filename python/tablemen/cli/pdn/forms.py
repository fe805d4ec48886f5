"""The forms that `tablemen pdn` prints games in."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType

from tablemen.draughts import Position
from tablemen.draughts.board import Notation
from tablemen.draughts.notation import format_move
from tablemen.draughts.pdn import Nag, PdnGame, PdnLine, PdnNode, format_pdn
from tablemen.draughts.pdn.game import Note, Result, parse_result
from tablemen.draughts.pdn.rename import rename_squares
from tablemen.draughts.pdn.start_position import UNKNOWN_VALUES

Form = Callable[[PdnGame, int], str]
POSITIONS = "fen"  # the form that says nothing of results


def describe(game: PdnGame) -> dict[str, str]:
    """What a list says of a game."""
    return {
        "white": game.tags.get("White", "?") or "?",
        "black": game.tags.get("Black", "?") or "?",
        "result": game.tags.get("Result", "*"),
        "variant": game.variant.name,
    }


def contradiction(game: PdnGame) -> str | None:
    """That the tag and what stands behind the moves are two results; the tag is what counts."""
    tag = game.tags.get("Result", "").strip()
    told = Result.NONE if tag in UNKNOWN_VALUES else game.result
    written = Result.NONE if game.written_result is None else parse_result(game.written_result)
    if told is written or Result.NONE in (told, written):
        return None
    return f"the tag Result says {tag}, behind the moves stands {game.written_result}"


def _to_fen(game: PdnGame, _number: int) -> str:
    """The last position; a question mark where it is not known."""
    end = game.end()
    return "?" if end is None else end.fen()


def _to_json(game: PdnGame, number: int) -> str:
    """Everything, on one line."""
    facts = {"game": number, "variant": game.variant.name, "tags": dict(game.tags), **_line_facts(game.line)}
    return json.dumps(facts, ensure_ascii=False)


def _line_facts(line: PdnLine) -> dict[str, object]:
    facts: dict[str, object] = {"start": None if line.start is None else line.start.fen()}
    if line.notes:
        facts["notes"] = [_note_facts(note) for note in line.notes]
    return facts | {"moves": [_node_facts(node) for node in line.nodes]}


def _node_facts(node: PdnNode) -> dict[str, object]:
    facts: dict[str, object] = {"move": node.move if isinstance(node.move, str) else format_move(node.move)}
    if node.strength:
        facts["strength"] = node.strength
    if node.notes:
        facts["notes"] = [_note_facts(note) for note in node.notes]
    return facts


def _note_facts(note: Note) -> dict[str, object]:
    if isinstance(note, PdnLine):
        return {"variation": _line_facts(note)}
    if isinstance(note, Position):
        return {"setup": note.fen()}
    return {"nag": int(note)} if isinstance(note, Nag) else {"comment": note}


def _renamed(notation: Notation) -> Form:
    return lambda game, _number: format_pdn(rename_squares(game, notation)) + "\n"


FORMS: Mapping[str, Form] = MappingProxyType(
    {
        POSITIONS: _to_fen,
        "jsonl": _to_json,
        "pdn": lambda game, _number: format_pdn(game) + "\n",
        "numeric": _renamed(Notation.NUMERIC),
        "algebraic": _renamed(Notation.ALGEBRAIC),
    }
)

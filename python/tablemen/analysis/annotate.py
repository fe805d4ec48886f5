"""Annotation of games with the results of an analysis."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from tablemen.analysis.result import GameAnalysis, MoveAnalysis, format_score
from tablemen.analysis.win_probability import Mark
from tablemen.draughts.pdn import Nag, PdnGame, PdnLine, PdnNode
from tablemen.draughts.pdn.game import Note
from tablemen.errors import ArgumentError
from tablemen.mancala import SOUTH
from tablemen.mancala.notation import MancalaGame, format_record

MAX_LINE_LENGTH = 8  # moves shown of a better line
SCORES, MARKS = "Scores", "Marks"  # the tags of a mancala record
ANALYSED, ANALYSER = "Analysed", "tablemen"  # a PDN tag and its value

_SCORE = r"(?:[+-][0-9]+\.[0-9]{2}|drawn|(?:White|Black) (?:has won|wins(?: in [0-9]+ (?:ply|plies))?))"
_COMMENT = re.compile(rf"{_SCORE}(?:: an? (?P<mark>{'|'.join(map(str, Mark))}), (?P<better>\S+) is better, {_SCORE})?")


def annotate_pdn(game: PdnGame, analysis: GameAnalysis[Any]) -> PdnGame:
    r"""Return the game with a score after every move; marked moves also get their sign and the better line.

    The game keeps its own comments. Scores are for White. If a move already has a strength sign, the mark is written as
    a glyph: `$6`, `$2` or `$4`. The tag `Analysed` names the analyser. Annotations of an earlier analysis are replaced.

    >>> from tablemen.analysis import analyse_pdn
    >>> from tablemen.draughts.pdn import format_pdn, parse_pdn
    >>> from tablemen.search import Limit
    >>> game = parse_pdn('[GameType "20"] [FEN "W:WK29,38,42,45:B27,35,K47"] 1. 29-7 {hm} *')
    >>> text = format_pdn(annotate_pdn(game, analyse_pdn(game, Limit(depth=9))))
    >>> print(text.partition("\n\n")[2], end="")
    1. 29-7?? {hm}
    {Black wins in 5 plies: a blunder, 38-33 is better, White wins in 9 plies}
    (1. 38-33 47x38 2. 33x42 ...) *

    Raises `ArgumentError` if the analysis is of another game.
    """
    _check_moves(analysis, game.moves)
    nodes = list(game.nodes)
    for each in analysis.moves:
        node = nodes[each.index]
        nodes[each.index] = _annotate(_strip(node, each) if game.tags.get(ANALYSED) == ANALYSER else node, each)
    return PdnGame(replace(game.line, nodes=tuple(nodes)), {**game.tags, ANALYSED: game.tags.get(ANALYSED, ANALYSER)})


def _check_moves(analysis: GameAnalysis[Any], moves: Sequence[object]) -> None:
    """Raise `ArgumentError` unless the analysis is of these moves."""
    if analysis.length != len(moves) or any(each.move != moves[each.index] for each in analysis.moves):
        raise ArgumentError("analysis", analysis, "an analysis of this game")


def _annotate(node: PdnNode, found: MoveAnalysis[Any]) -> PdnNode:
    """Return the node with the score after its own comments, and before its variations."""
    comments = _comments(node)
    added: list[Note] = [] if found.after.outcome is not None and found.mark is None else [_format_comment(found)]
    strength = node.strength
    if found.mark is not None:
        glyph = Nag(found.mark.nag)
        # `_strip` takes a glyph before the comment as evidence that the strength sign is not from the analysis.
        if strength or comments[-1:] == (glyph,):
            added.insert(0, glyph)
        else:
            strength = found.mark.value
        added.append(PdnLine.from_moves(found.before.position, found.before.lines[0].line[:MAX_LINE_LENGTH]))
    return PdnNode(node.move, strength, (*comments, *added, *node.notes[len(comments) :]))


def _strip(node: PdnNode, found: MoveAnalysis[Any]) -> PdnNode:
    """Return the node without the annotation of an earlier analysis: its comment, sign and better line."""
    for place, note in reversed(list(enumerate(_comments(node)))):
        match = _COMMENT.fullmatch(note) if isinstance(note, str) else None
        if match is None or (match["mark"] is None and found.after.outcome is not None):
            continue  # the user wrote this comment: an analysis writes no bare score at the end of a game
        before, behind, strength = node.notes[:place], node.notes[place + 1 :], node.strength
        if match["mark"] is not None:
            mark = Mark[match["mark"].upper()]
            if before[-1:] == (Nag(mark.nag),):
                before = before[:-1]
            elif strength == mark.value:
                strength = ""
            elif found.after.outcome is not None and found.mark is None:
                continue  # the user wrote this comment: at the end of a game, an analysis also adds the mark
            if behind and _is_better_line(behind[0], match["better"]):
                behind = behind[1:]
        return PdnNode(node.move, strength, before + behind)
    return node


def _comments(node: PdnNode) -> tuple[Note, ...]:
    """Return the comments and glyphs before the first variation or set-up.

    Annotations must be inserted before a set-up, since it changes the position in which later variations begin.
    """
    return tuple(takewhile(lambda note: isinstance(note, str | Nag), node.notes))


def _is_better_line(note: Note, first: str) -> bool:
    """Return whether a note is the better line of an earlier analysis: bare moves that begin with `first`."""
    if not isinstance(note, PdnLine) or note.notes or not 0 < len(note.nodes) <= MAX_LINE_LENGTH:
        return False
    return str(note.nodes[0].move) == first and all(node == PdnNode(node.move) for node in note.nodes)


def _format_comment(found: MoveAnalysis[Any]) -> str:
    """Return the score and, for a marked move, the better move, as a text that `_COMMENT` matches."""
    score = format_score(found.after)
    if found.mark is None:
        return score
    article = "an" if str(found.mark)[0] in "aeiou" else "a"
    return f"{score}: {article} {found.mark}, {found.before.best} is better, {format_score(found.before)}"


def annotate_record(game: MancalaGame, tags: Mapping[str, str], analysis: GameAnalysis[Any]) -> str:
    """Return a mancala record with two more tags: South's score after every move, and the marked moves.

    A record has no comments between moves. Marked moves have their number: `4:2??` is the fourth move, house 2.

    >>> from tablemen.analysis import analyse_game
    >>> from tablemen.game import Game
    >>> from tablemen.mancala import Position
    >>> from tablemen.search import Limit
    >>> game = Game(Position.from_text("<6,19,19,0,1,0,2,0,1,0,0,3,0,2,1> north", "kalah"), ["3"])
    >>> print(annotate_record(game, {"South": "Ann"}, analyse_game(game, Limit(depth=20))), end="")
    South: Ann
    Scores: +6
    Marks: 1:3??
    Variant: kalah
    Start: <6,19,19,0,1,0,2,0,1,0,0,3,0,2,1> north
    Moves: 3

    Raises `ArgumentError` if the analysis is of another game.
    """
    _check_moves(analysis, game.moves)
    kept = {name: value for name, value in tags.items() if name not in (SCORES, MARKS)}
    scores = " ".join(str(each.after.score_for(SOUTH)) for each in analysis.moves)
    marks = " ".join(f"{each.index + 1}:{each.move}{each.mark.value}" for each in analysis.marked() if each.mark)
    return format_record(game, kept | {SCORES: scores} | ({MARKS: marks} if marks else {}))

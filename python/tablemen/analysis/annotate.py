"""What an analysis found, written into the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import takewhile
from typing import Any

from tablemen.analysis.model import GameAnalysis, MoveAnalysis
from tablemen.analysis.words import format_score, score_text
from tablemen.draughts import Position
from tablemen.draughts.pdn import Nag, PdnGame, PdnLine, PdnNode
from tablemen.draughts.pdn.line import Note
from tablemen.mancala import SOUTH
from tablemen.mancala.record import MancalaGame, format_record

LONGEST_LINE = 8  # moves of a better line that are written down
SCORES, MARKS = "Scores", "Marks"  # the lines of a record


def annotate_pdn(game: PdnGame, analysis: GameAnalysis[Any]) -> PdnGame:
    r"""The game with a score behind every move; marked moves have their sign and the better line as well.

    Everything that the game says itself stays. Scores are White's. Where a move has a strength sign already, the mark
    is a glyph: `$6`, `$2` or `$4`.

    >>> from tablemen.analysis import analyse_pdn
    >>> from tablemen.draughts.pdn import format_pdn, parse_pdn
    >>> from tablemen.search import Limit
    >>> game = parse_pdn('[GameType "20"] [FEN "W:WK29,38,42,45:B27,35,K47"] 1. 29-7 {hm} *')
    >>> text = format_pdn(annotate_pdn(game, analyse_pdn(game, Limit(depth=9))))
    >>> print(text.partition("\n\n")[2], end="")
    1. 29-7?? {hm}
    {Black wins in 5 plies: a blunder, 38-33 is better, White wins in 9 plies}
    (1. 38-33 47x38 2. 33x42 27-32 3. 29-23) *
    """
    nodes = list(game.nodes)
    for each in analysis.moves:
        nodes[each.index] = _annotated(nodes[each.index], each)
    return PdnGame(replace(game.line, nodes=tuple(nodes)), dict(game.tags))


def _annotated(node: PdnNode, found: MoveAnalysis[Any]) -> PdnNode:
    """The move with its score, behind what is said of it and before the lines that are given instead."""
    # A set-up changes where lines behind it begin.
    said = tuple(takewhile(lambda note: not isinstance(note, PdnLine | Position), node.notes))
    added: list[Note] = [] if found.after.outcome is not None and found.mark is None else [_comment(found)]
    strength = node.strength
    if found.mark is not None:
        if strength not in ("", found.mark.value):
            added.insert(0, Nag(found.mark.nag))
        strength = strength or found.mark.value
        added.append(PdnLine.from_moves(found.before.position, found.before.lines[0].line[:LONGEST_LINE]))
    new = (note for note in added if note not in node.notes)  # a game that is analysed again stays as it is
    return PdnNode(node.move, strength, (*said, *new, *node.notes[len(said) :]))


def _comment(found: MoveAnalysis[Any]) -> str:
    """The score, and for a marked move what was better."""
    score = format_score(found.after)
    if found.mark is None:
        return score
    article = "an" if str(found.mark)[0] in "aeiou" else "a"
    return f"{score}: {article} {found.mark}, {found.before.best} is better, {format_score(found.before)}"


def annotate_record(game: MancalaGame, tags: Mapping[str, str], analysis: GameAnalysis[Any]) -> str:
    """A game of mancala as lines of text, with two more: South's scores after every move, and the marked moves.

    A record has no room for comments between moves. The marks name moves by their place: `4:2??` is the
    fourth move, house 2.

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
    """
    kept = {name: value for name, value in tags.items() if name not in (SCORES, MARKS)}
    scores = " ".join(score_text(each.after.score_for(SOUTH)) for each in analysis.moves)
    marks = " ".join(f"{each.index + 1}:{each.move}{each.mark.value}" for each in analysis.marked() if each.mark)
    return format_record(game, kept | {SCORES: scores} | ({MARKS: marks} if marks else {}))

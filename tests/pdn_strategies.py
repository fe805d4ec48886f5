"""Hypothesis strategies for PDN games with all kinds of annotations."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from tablemen.draughts import DraughtsRules, Move, Position
from tablemen.draughts.pdn import Nag, PdnGame, PdnLine, PdnNode
from tablemen.draughts.pdn.game import DERIVED_TAGS, UNKNOWN_MOVE, Note
from tests.strategies import SEEDS, is_too_crowded, played_positions, variants

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

STRENGTHS = ("", "", "", "!", "??", "!?", "(?)", "(!!)")
RESULTS = ("*", "1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "1+ - 1-", "?")
ODD_COMMENTS = ("}", " a } b { c", "{", 'x\n[White "a"] y', '\n\n[A "1"]\n[B "2"]\n')
CLOCKS = ("[%clk 1:02:03]", "[%emt 5]", "[%clock w0:00:10 B0:00:03]", "plain", "")
SCORES = ("+0.35", "drawn", "Black has won", "-1.20: a mistake, 32-28 is better, White wins in 9 plies")

COMMENTS = st.text(max_size=12).filter(lambda text: "}" not in text) | st.sampled_from(
    (*CLOCKS, *ODD_COMMENTS, *SCORES)
)
NAMES = st.from_regex(r"\A[A-Z][A-Za-z0-9_]{0,6}\Z").filter(lambda name: name not in DERIVED_TAGS)
VALUES = st.text(max_size=12).filter(lambda text: "\n" not in text) | st.sampled_from(('"', "\\", 'a\\"b\\\\', "?"))


@dataclass
class LineGenerator:
    """A generator of random lines with the given comments and set-ups."""

    chance: Random
    comments: list[str]
    setups: list[Position]
    budget: int = 60  # the total number of moves, to keep games short
    depth: int = 0
    note_probability: float = 0.3

    def line(self, start: Position | None, max_length: int) -> PdnLine:
        """Generate a line from a position, which may be unknown."""
        notes, position = self.notes(start, start)
        nodes: list[PdnNode] = []
        while self.budget > 0 and len(nodes) < max_length and self.chance.random() < 0.97:
            self.budget -= 1
            move, after = self.move(position)
            if move is None:
                break
            node_notes, position = self.notes(position, after)
            nodes.append(PdnNode(move, self.chance.choice(STRENGTHS), node_notes))
        if not (nodes or notes):
            notes = ("nothing",)
        return PdnLine(start, tuple(nodes), notes)

    def move(self, position: Position | None) -> tuple[Move | str | None, Position | None]:
        """Generate a move and the position after it; the move is a text if the position is unknown."""
        if position is None:
            squares = self.setups[0].variant.mover.squares
            separator = self.chance.choice("-x:")
            text = separator.join(square.name for square in self.chance.sample(squares, self.chance.choice((2, 2, 3))))
            return self.chance.choice((UNKNOWN_MOVE, text)), None
        if self.chance.random() < 0.02:
            return UNKNOWN_MOVE, None
        # Under some rules there are too many captures to list them.
        moves = () if is_too_crowded(position) else position.legal_moves()
        if not moves:
            return None, None
        move = self.chance.choice(moves)
        return move, position.play_unchecked(move)

    def notes(self, before: Position | None, after: Position | None) -> tuple[tuple[Note, ...], Position | None]:
        """Generate notes after a move, and return the position from which the line continues."""
        notes: list[Note] = []
        while self.chance.random() < self.note_probability:
            kind = self.chance.randrange(8)
            if kind < 3:
                notes.append(self.chance.choice(self.comments))
            elif kind < 5:
                notes.append(Nag(self.chance.choice((0, 1, 2, 4, 146, 65535))))
            elif kind == 5 and self.chance.random() < 0.3:
                before = after = self.chance.choice(self.setups)
                notes.append(after)
            elif self.depth < 3:
                self.depth += 1
                notes.append(self.line(before, max_length=4))
                self.depth -= 1
        return tuple(notes), after


@st.composite
def written_games(draw: DrawFn, rules: SearchStrategy[DraughtsRules] | None = None) -> PdnGame:
    """Generate games of any variant with tags, comments, glyphs, variations, set-ups and unknown moves."""
    chosen = draw(variants() if rules is None else rules)
    setup = draw(played_positions(st.just(chosen)))
    comments = draw(st.lists(COMMENTS, min_size=1, max_size=3))
    tags = draw(st.dictionaries(NAMES, VALUES, max_size=4))
    chance = Random(draw(SEEDS))
    first = Position.start(chosen)
    start = setup if is_too_crowded(first) else chance.choice((first, first, setup))
    generator = LineGenerator(chance, comments, [setup], note_probability=chance.choice((0.0, 0.1, 0.4)))
    if chance.random() < 0.7:
        tags["Result"] = chance.choice(RESULTS)
    return PdnGame(generator.line(start, max_length=40), tags)

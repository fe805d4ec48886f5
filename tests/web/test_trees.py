"""Trees of moves, read from game files and written to them."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen.draughts import Position
from tablemen.draughts.board import Notation
from tablemen.draughts.pdn import PdnLine, format_pdn, parse_pdn
from tablemen.draughts.pdn.rename import rename_squares
from tablemen.errors import TablemenError
from tablemen.family import families, find_variant, get_family
from tablemen.web.files import read_file, write_file
from tablemen.web.models import GameFile, Node, ReadFile, ReadTree, Tree
from tests.strategies import SEEDS, is_too_crowded
from tests.written_games import COMMENTS, NAMES, VALUES, written_games

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

    from tablemen.draughts.pdn import PdnGame


def same_tree(read: ReadTree) -> Tree:
    """What a page sends of what it was sent."""
    nodes = [
        Node(parent=each.parent, move=each.move.full, comment=each.comment, glyphs=each.glyphs) for each in read.nodes
    ]
    return Tree(
        variant=read.variant,
        houses=read.houses,
        seeds=read.seeds,
        position=read.start.position,
        tags=read.tags,
        comment=read.comment,
        nodes=nodes,
    )


def read(text: str, variant: str | None = None) -> ReadFile:
    return read_file(GameFile(text=text, variant=variant))


def read_one(text: str, variant: str | None = None) -> ReadTree:
    found = read(text, variant)
    assert found.problems == []
    (game,) = found.games
    return game


def outline(game: ReadTree) -> list[tuple[int, str]]:
    return [(node.parent, node.move.text) for node in game.nodes]


class Gardener:
    """Grows trees at random."""

    def __init__(self, chance: Random, comments: list[str]) -> None:
        self.chance = chance
        self.comments = comments

    def grow(self, start: Any, count: int) -> list[Node]:
        nodes: list[Node] = []
        positions: list[Any] = []
        for _ in range(count):
            parent = len(nodes) - 1 if self.chance.random() < 0.7 else self.chance.randrange(-1, len(nodes))
            before = positions[parent] if parent >= 0 else start
            moves = () if self.is_barren(before) else before.legal_moves()
            if not moves:
                continue
            move = self.chance.choice(moves)
            text = move.text if hasattr(move, "text") else str(move)
            if len([each for each in moves if str(each) == text]) > 1:
                continue  # it would need its whole way
            nodes.append(self.node(parent, text))
            positions.append(before.play(move))
        return nodes

    def is_barren(self, position: Any) -> bool:
        """Whether nothing grows there: mancala counts what is over, and under some rules a crowd has no end."""
        if get_family(position).name == "mancala":
            return position.outcome() is not None
        return is_too_crowded(position)

    def node(self, parent: int, text: str) -> Node:
        comment = self.chance.choice(self.comments) if self.chance.random() < 0.3 else ""
        glyphs = [self.chance.choice((1, 2, 4, 6, 7, 10, 146)) for _ in range(self.chance.choice((0, 0, 0, 1, 2)))]
        return Node(parent=parent, move=text, comment=comment, glyphs=glyphs)


@st.composite
def trees(draw: DrawFn, family: int) -> Tree:
    """Trees of a family, with comments, glyphs and tags."""
    name = draw(st.sampled_from(list(families()[family].variants)))
    comments = draw(st.lists(COMMENTS.filter(lambda text: "}" not in text), min_size=1, max_size=3))
    chance = Random(draw(SEEDS))
    rules = find_variant(name)
    start = families()[family].start(rules)
    nodes = Gardener(chance, comments).grow(start, chance.choice((0, 1, 10, 60)))
    tags = draw(st.dictionaries(NAMES, VALUES, max_size=3)) if family == 0 else {"South": "Ann"}
    return Tree(variant=name, tags=tags, comment=chance.choice(["", *comments]), nodes=nodes)


@settings(max_examples=30)
@given(trees(0))
def test_what_is_written_of_draughts_is_read_again_as_it_was(tree: Tree) -> None:
    text = write_file(tree).text
    game = read_one(text)
    assert write_file(same_tree(game)).text == text
    assert len(game.nodes) == len(tree.nodes)
    assert sorted(node.comment.split() for node in game.nodes) == sorted(node.comment.split() for node in tree.nodes)
    assert game.comment.split() == tree.comment.split()


@settings(max_examples=30)
@given(trees(1))
def test_the_main_line_of_mancala_is_read_again_as_it_was(tree: Tree) -> None:
    written = write_file(tree)
    game = read_one(written.text)
    again = write_file(same_tree(game))
    assert again.text == written.text
    assert again.problems == []
    has_branches = any(node.parent != number - 1 for number, node in enumerate(tree.nodes))
    assert has_branches == any("variations" in each for each in written.problems)


@settings(max_examples=30)
@given(written_games())
def test_games_with_everything_that_a_file_can_say_become_trees(written: PdnGame) -> None:
    """Nothing is lost that is not told."""
    text = format_pdn(written)
    found = read(text)
    (game,) = found.games
    for number, node in enumerate(game.nodes):
        assert -1 <= node.parent < number
    if not found.problems:
        lines, moves = [written.line], 0
        for line in lines:
            moves += len(line.nodes)
            for notes in (line.notes, *(node.notes for node in line.nodes)):
                lines += [note for note in notes if isinstance(note, PdnLine)]
        assert len(game.nodes) == moves
    again = write_file(same_tree(game)).text
    assert write_file(same_tree(read_one(again))).text == again


def test_variations_hang_on_the_move_before() -> None:
    game = read_one("1. 32-28 (1. 33-28 18-23 (1... 19-23)) (1. 34-30) 19-23 2. 28x19", "international")
    assert outline(game) == [
        (-1, "32-28"),
        (0, "19-23"),
        (1, "28x19"),
        (-1, "33-28"),
        (3, "18-23"),
        (-1, "34-30"),
        (3, "19-23"),
    ]


def test_comments_and_glyphs_stand_with_their_move() -> None:
    text = "{before} 1. 32-28! {one} {two} $7 ({instead} 1. 33-28??) ({only words}) 19-23(?) 2. 28x19!!! *"
    game = read_one(text, "international")
    assert game.comment == "before"
    assert [(node.comment, node.glyphs) for node in game.nodes] == [
        ("one two only words", [1, 7]),
        ("", [2]),
        ("!!!", []),
        ("instead", [4]),
    ]


def test_a_comment_that_could_be_taken_for_something_else_is_written_on_one_line() -> None:
    nodes = [Node(parent=-1, move="11-15", comment="a }\n b"), Node(parent=0, move="23-19", comment='x\n[A "1"]\n\n{')]
    game = read_one(write_file(Tree(variant="english", nodes=nodes)).text)
    assert [node.comment for node in game.nodes] == ["a }  b", 'x [A "1"] {']


def test_variations_before_the_first_move_are_others_to_it() -> None:
    assert outline(read_one("(1. 33-28) ((1. 34-30)) 1. 32-28", "international")) == [
        (-1, "32-28"),
        (-1, "33-28"),
        (-1, "34-30"),
    ]


def test_boards_and_tags_come_with_the_game() -> None:
    game = read_one('[White "Ann"] [FEN "W:W31:B26"] [GameType "21"] [Result "1-0"] 1. 31x22 1-0')
    assert game.variant == "english"
    assert game.tags["White"] == "Ann"
    assert game.start.position == "W:W31:B26"
    (node,) = game.nodes
    assert (node.side, node.position, node.move.captured) == ("white", "B:W22:B", ["26"])


def test_moves_that_are_not_told_end_their_line_and_no_other() -> None:
    found = read("1. 32-28 (1. 33-28 ... 2. 39-33) 19-23", "international")
    assert outline(found.games[0]) == [(-1, "32-28"), (0, "19-23"), (-1, "33-28")]
    assert found.problems == ["game 1: after 33-28: ... cannot be shown, and the line ends there"]


def test_a_move_that_is_not_legal_ends_its_line_and_no_other() -> None:
    found = read(
        "1. 32-28 (1. 32-29 19-23) (1. 33-28 {quiet} 1-2 {no} (1... 19-23)) 19-23 2. 32-27 18-22", "international"
    )
    assert outline(found.games[0]) == [(-1, "32-28"), (0, "19-23"), (-1, "33-28"), (2, "19-23")]
    assert found.games[0].nodes[2].comment == "quiet"
    assert found.problems == [
        "game 1, line 1, column 14: 32-29 is not legal here",
        "game 1, line 1, column 45: 1-2 is not legal here",
        "game 1, line 1, column 77: 32-27 is not legal here",
        "game 1: after 19-23: ... cannot be shown, and the line ends there",
        "game 1: at the start: ... cannot be shown, and the line ends there",
        "game 1: after 33-28: ... cannot be shown, and the line ends there",
    ]


def test_a_move_that_could_mean_several_ends_its_line() -> None:
    found = read('[FEN "W:W22:B9,10,17,18"] 1. 22x6 (1. 22x15x6) *', "english")
    assert outline(found.games[0]) == [(-1, "22x15x6")]
    assert found.problems[0].endswith("22x6 is ambiguous: 22x15x6 or 22x13x6")


@pytest.mark.parametrize(
    ("variant", "tag", "written"),
    [
        ("international", "2-0", "2-0"),
        ("english", "2-0", "1-0"),
        ("english", "1/2-1/2", "1/2-1/2"),
        ("international", "1-1", "1-1"),
        ("english", "*", "*"),
        ("english", "?", "*"),
    ],
)
def test_the_result_stands_behind_the_moves_too(variant: str, tag: str, written: str) -> None:
    text = write_file(Tree(variant=variant, tags={"Result": tag})).text
    assert text.endswith(f"\n\n{written}\n")
    assert write_file(same_tree(read_one(text))).text == text


def test_a_set_up_in_the_middle_ends_its_line() -> None:
    found = read('1. 32-28 /FEN "W:W31:B27"/ 2. 31x22', "international")
    assert outline(found.games[0]) == [(-1, "32-28")]
    (problem,) = found.problems
    assert problem == "game 1: after 32-28: a position that is set up cannot be shown, and the line ends"


def test_squares_that_a_file_calls_otherwise_get_their_usual_names() -> None:
    usual = parse_pdn("1. c3-d4 (1. g3-h4 {quiet}) 1... d6-c5", variant="russian")
    text = format_pdn(rename_squares(usual, Notation.NUMERIC))
    assert "22-18" in text
    game = read_one(text)
    assert (game.variant, game.start.position) == ("russian", Position.start("russian").fen())
    assert outline(game) == [(-1, "c3-d4"), (0, "d6-c5"), (-1, "g3-h4")]
    assert write_file(same_tree(game)).text == write_file(same_tree(read_one(write_file(same_tree(game)).text))).text


def test_what_records_lack_is_told() -> None:
    nodes = [Node(parent=-1, move="3"), Node(parent=-1, move="1", comment="slow"), Node(parent=0, move="6")]
    written = write_file(Tree(variant="kalah", nodes=nodes))
    assert "Moves: 3 6" in written.text
    assert written.problems == [
        "variations are left out, a move in all: game files of mancala have none",
        "comments and glyphs are left out: game files of mancala have none",
    ]


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ([Node(parent=0, move="11-15")], "node 0 must come after its parent"),
        ([Node(parent=-1, move="11-15"), Node(parent=5, move="23-19")], "node 1 must come after its parent"),
        ([Node(parent=-1, move="1-32")], "node 0: "),
        ([Node(parent=-1, move="")], "node 0: "),
    ],
)
def test_trees_that_make_no_sense_are_refused_in_words(nodes: list[Node], words: str) -> None:
    with pytest.raises(TablemenError, match=words):
        write_file(Tree(variant="english", nodes=nodes))


def comb(depth: int) -> Tree:
    """A variation in a variation in a variation."""
    nodes: list[Node] = []
    parent = -1
    for number in range(depth + 1):
        there = ("50-45", "4-10", "45-50", "10-4")[number % 4]
        other = ("49-44", "6-11", "49-44", "6-11")[number % 4]
        nodes += [Node(parent=parent, move=other), Node(parent=parent, move=there)]
        parent = len(nodes) - 1
    return Tree(variant="international", position="W:WK49,K50:BK4,K6", nodes=nodes)


def test_variations_lie_as_deep_in_each_other_as_can_be_read_again() -> None:
    text = write_file(comb(99)).text
    assert len(read_one(text).nodes) == 200
    with pytest.raises(TablemenError, match="nested deeper than 100"):
        write_file(comb(100))


@pytest.mark.slow
def test_large_trees_are_written_and_read_again() -> None:
    moves = ["50-45", "4-10", "45-50", "10-4"] * 5000
    nodes = [Node(parent=number - 1, move=move) for number, move in enumerate(moves[:19_000])]
    nodes += [Node(parent=4 * number - 1, move="49-44") for number in range(1000)]
    tree = Tree(variant="international", position="W:WK49,K50:BK4,K6", nodes=nodes)
    text = write_file(tree).text
    game = read_one(text)
    assert len(game.nodes) == 20_000
    assert write_file(same_tree(game)).text == text

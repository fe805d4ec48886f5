"""Game files and game trees: parsing, formatting and limits."""

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
from tablemen.web.files import format_file, parse_file
from tablemen.web.models import GameFileText, GameTreeSpec, GameTreeState, ParsedFile, TreeNodeSpec
from tests.pdn_strategies import COMMENTS, NAMES, VALUES, written_games
from tests.strategies import SEEDS, is_too_crowded

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

    from tablemen.draughts.pdn import PdnGame


def read(text: str, variant: str | None = None) -> ParsedFile:
    return parse_file(GameFileText(text=text, variant=variant))


def test_unreadable_games_are_reported_and_the_others_shown() -> None:
    found = read('[GameType "21"] 1. 99-98 *\n\n[GameType "21"] 1. 11-15 *\n')
    assert [[node.move.text for node in game.nodes] for game in found.games] == [["11-15"]]
    (problem,) = found.problems
    assert problem.startswith("game 1, line 1, column 20")


def test_the_number_of_games_is_limited() -> None:
    for game in ('[GameType "21"] 1. 11-15 *\n\n', "Variant: kalah\nMoves: 1\n\n", "W:W1:B50\n"):
        found = read(game * 60)
        assert (len(found.games), found.problems) == (50, ["the file has 60 games; only the first 50 are shown"])


def test_games_beyond_a_limit_of_work_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablemen.web.files.MAX_NODES", 55)
    found = read('[GameType "21"] 1. 11-15 *\n\n' * 60)
    assert found.problems == ["the file has more than 55 games; only the first 50 are shown"]


def test_the_number_of_moves_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablemen.web.files.MAX_NODES", 3)
    found = read('[GameType "21"] 1. 11-15 23-19 *\n\n' * 2)
    assert (len(found.games), len(found.problems)) == (1, 1)


def test_the_time_to_parse_a_file_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablemen.web.files.PARSE_TIMEOUT", -1)
    found = read("1. 32-28 *", "international")
    assert (len(found.games), len(found.problems)) == (0, 1)


@pytest.mark.parametrize(
    ("text", "variant", "houses", "positions", "problems"),
    [
        ("W:WK10,31:B1.\n", "international", None, ["W:WK10,31:B1"], []),
        ("B:WKa1:Bh8,f6", "russian", None, ["B:WKa1:Bf6,h8"], []),
        ("  W:W1:B50\n\nB:WK3:B7 # a note", "international", None, ["W:W1:B50", "B:WK3:B7"], []),
        ("W:W1:B50\nW:W99:B1", "international", None, ["W:W1:B50"], ["line 2, column 4: "]),
        ("<3,0,0,2,2,2,2,2,2> south", "kalah", 3, ["<3,0,0,2,2,2,2,2,2> south"], []),
        ("<3,0,0,2,2,2,2,2,2> south", "kalah", None, [], ["line 1, column 2: "]),
        ("B:WKa1", None, None, [], ["line 1, column "]),
    ],
)
def test_positions_are_games_without_moves(
    text: str, variant: str | None, houses: int | None, positions: list[str], problems: list[str]
) -> None:
    found = parse_file(GameFileText(text=text, variant=variant, houses=houses))
    assert [(game.start.position, game.nodes) for game in found.games] == [(each, []) for each in positions]
    assert [problem[: len(start)] for problem, start in zip(found.problems, problems, strict=True)] == problems


@pytest.mark.parametrize(
    ("text", "variant"), [("B:WKa1:Bh8", "kalah"), ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> south", "english")]
)
def test_a_position_of_another_family_is_refused(text: str, variant: str) -> None:
    with pytest.raises(TablemenError, match=r"the text is a position of (draughts|mancala)"):
        read(text, variant)


def test_positions_in_a_file_are_checked_for_complexity() -> None:
    men = ",".join(str(number) for number in range(1, 46))
    found = read(f"W:W{men}:BK50", "frisian")
    assert (found.games, len(found.problems)) == ([], 1)


@pytest.mark.parametrize("text", ["", " \n ", "\n\n\n"])
def test_a_file_without_games_is_refused(text: str) -> None:
    with pytest.raises(TablemenError):
        read(text)


def test_records_of_boards_of_any_size_are_parsed() -> None:
    text = "South: Ann\nVariant: kalah\nStart: <3,0,0,2,2,2,2,2,2> south\nMoves: 1 3\n\nVariant: oware\nMoves: 1\n"
    first, second = read(text).games
    assert (first.variant, first.houses, first.seeds, first.tags) == ("kalah", 3, 2, {"South": "Ann"})
    assert [(node.parent, node.move.text) for node in first.nodes] == [(-1, "1"), (0, "3")]
    assert (second.variant, second.houses) == ("oware", 6)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Variant: kalah\nMoves: 9\n", "line 2, column 1: move 1: "),
        ("\n\nVariant: kalah\nStart: <0,1,2>\n", "line 4"),
        ("Variant: kalah\nStart: <99,1,2>\n", "line 2"),
        ("Variant: nix\nMoves: 1\n", "'nix'"),
        ("Variant: kalah\nnonsense\n", "'nonsense'"),
    ],
)
def test_unreadable_records_are_reported_with_their_place(text: str, fact: str) -> None:
    found = read(text)
    assert found.games == []
    assert found.problems[0].startswith("game 1: ")
    assert fact in found.problems[0]


@pytest.mark.parametrize("text", ['[GameType "21"] 1. 99-98 *\n\n', "Variant: nix\n\n", "x\n\n"])
def test_too_many_problems_end_the_file(text: str) -> None:
    found = read(text * 60_000, "english" if "[" in text else "kalah")  # the whole text would take minutes
    assert len(found.problems) == 101
    assert found.problems[-1] not in found.problems[:-1]


def test_only_the_first_problems_of_a_game_are_listed() -> None:
    found = read(f'[GameType "21"] 1. 11-15 {"(1. 11-16 ...)" * 150} *')
    assert len(found.games) == 1
    assert len(found.problems) == 101
    assert "50" in found.problems[-1]


def test_long_problems_are_shortened() -> None:
    (problem,) = read(f"Variant: {'a' * 100_000}\nMoves: 1").problems
    assert problem.startswith("game 1: line 1: ")
    assert "'aaa" in problem
    assert len(problem) == 301


MANY = 300_000


@pytest.mark.parametrize(
    "text",
    [
        "\n" * MANY + "x",
        " \n" * MANY + "x",
        " " * MANY + "x",
        "[" + "\n" * MANY,
        "1" + "\n" * MANY,
        "Variant: a" + " " * MANY + "b",
        "Variant: kalah\nStart:" + " " * MANY + "x",
        "Variant: kalah\nStart: <1" + " " * MANY + "x",
        "Variant: kalah\nStart: <" + "1 , " * MANY,
        "Variant: kalah\n" + "Start: <1,\n" * MANY,
        'FEN "W:W1' + " " * MANY + 'x"',
        "1. 32" + " " * MANY + "28",
        "1. 32-28 {[%clk 1" + " " * MANY + "} x",
    ],
)
@pytest.mark.parametrize("variant", [None, "kalah", "international"])
def test_long_runs_of_blanks_take_linear_time(text: str, variant: str | None) -> None:
    assert read(text, variant).games == []  # would take hours in quadratic time


def to_spec(read: GameTreeState) -> GameTreeSpec:
    """Return the tree as a page sends it back to the server."""
    nodes = [
        TreeNodeSpec(parent=each.parent, move=each.move.full, comment=each.comment, glyphs=each.glyphs)
        for each in read.nodes
    ]
    return GameTreeSpec(
        variant=read.variant,
        houses=read.houses,
        seeds=read.seeds,
        position=read.start.position,
        tags=read.tags,
        comment=read.comment,
        nodes=nodes,
    )


def read_one(text: str, variant: str | None = None) -> GameTreeState:
    found = read(text, variant)
    assert found.problems == []
    (game,) = found.games
    return game


def outline(game: GameTreeState) -> list[tuple[int, str]]:
    return [(node.parent, node.move.text) for node in game.nodes]


class RandomTrees:
    """A generator of random game trees."""

    def __init__(self, random: Random, comments: list[str]) -> None:
        self.random = random
        self.comments = comments

    def generate(self, start: Any, count: int) -> list[TreeNodeSpec]:
        nodes: list[TreeNodeSpec] = []
        positions: list[Any] = []
        for _ in range(count):
            parent = len(nodes) - 1 if self.random.random() < 0.7 else self.random.randrange(-1, len(nodes))
            before = positions[parent] if parent >= 0 else start
            moves = () if self.is_terminal(before) else before.legal_moves()
            if not moves:
                continue
            move = self.random.choice(moves)
            text = move.text if hasattr(move, "text") else str(move)
            if len([each for each in moves if str(each) == text]) > 1:
                continue  # ambiguous without its path
            nodes.append(self.node(parent, text))
            positions.append(before.play(move))
        return nodes

    def is_terminal(self, position: Any) -> bool:
        """Return whether no moves are added: a mancala game is over, or a draughts position has too many captures."""
        if get_family(position).name == "mancala":
            return position.outcome() is not None
        return is_too_crowded(position)

    def node(self, parent: int, text: str) -> TreeNodeSpec:
        comment = self.random.choice(self.comments) if self.random.random() < 0.3 else ""
        glyphs = [self.random.choice((1, 2, 4, 6, 7, 10, 146)) for _ in range(self.random.choice((0, 0, 0, 1, 2)))]
        return TreeNodeSpec(parent=parent, move=text, comment=comment, glyphs=glyphs)


@st.composite
def trees(draw: DrawFn, family: int) -> GameTreeSpec:
    """Draw game trees of a family, with comments, glyphs and tags."""
    name = draw(st.sampled_from(list(families()[family].variants)))
    comments = draw(st.lists(COMMENTS.filter(lambda text: "}" not in text), min_size=1, max_size=3))
    random = Random(draw(SEEDS))
    rules = find_variant(name)
    start = families()[family].start(rules)
    nodes = RandomTrees(random, comments).generate(start, random.choice((0, 1, 10, 60)))
    tags = draw(st.dictionaries(NAMES, VALUES, max_size=3)) if family == 0 else {"South": "Ann"}
    return GameTreeSpec(variant=name, tags=tags, comment=random.choice(["", *comments]), nodes=nodes)


@settings(max_examples=30)
@given(trees(0))
def test_trees_of_draughts_survive_a_round_trip(tree: GameTreeSpec) -> None:
    text = format_file(tree).text
    game = read_one(text)
    assert format_file(to_spec(game)).text == text
    assert len(game.nodes) == len(tree.nodes)
    assert sorted(node.comment.split() for node in game.nodes) == sorted(node.comment.split() for node in tree.nodes)
    assert game.comment.split() == tree.comment.split()


@settings(max_examples=30)
@given(trees(1))
def test_main_lines_of_mancala_survive_a_round_trip(tree: GameTreeSpec) -> None:
    written = format_file(tree)
    game = read_one(written.text)
    again = format_file(to_spec(game))
    assert again.text == written.text
    assert again.problems == []
    has_branches = any(node.parent != number - 1 for number, node in enumerate(tree.nodes))
    assert has_branches == any("variations" in each for each in written.problems)


@settings(max_examples=30)
@given(written_games())
def test_any_pdn_game_becomes_a_tree(written: PdnGame) -> None:
    """Check that moves are lost only if problems are reported."""
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
    again = format_file(to_spec(game)).text
    assert format_file(to_spec(read_one(again))).text == again


def test_variations_have_the_move_before_as_parent() -> None:
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


def test_comments_and_glyphs_belong_to_their_move() -> None:
    text = "{before} 1. 32-28! {one} {two} $7 ({instead} 1. 33-28??) ({only words}) 19-23(?) 2. 28x19!!! *"
    game = read_one(text, "international")
    assert game.comment == "before"
    assert [(node.comment, node.glyphs) for node in game.nodes] == [
        ("one two only words", [1, 7]),
        ("", [2]),
        ("!!!", []),
        ("instead", [4]),
    ]


def test_an_ambiguous_comment_is_written_on_one_line() -> None:
    nodes = [
        TreeNodeSpec(parent=-1, move="11-15", comment="a }\n b"),
        TreeNodeSpec(parent=0, move="23-19", comment='x\n[A "1"]\n\n{'),
    ]
    game = read_one(format_file(GameTreeSpec(variant="english", nodes=nodes)).text)
    assert [node.comment for node in game.nodes] == ["a }  b", 'x [A "1"] {']


def test_variations_before_the_first_move_are_its_alternatives() -> None:
    assert outline(read_one("(1. 33-28) ((1. 34-30)) 1. 32-28", "international")) == [
        (-1, "32-28"),
        (-1, "33-28"),
        (-1, "34-30"),
    ]


def test_a_tree_has_boards_and_tags() -> None:
    game = read_one('[White "Ann"] [FEN "W:W31:B26"] [GameType "21"] [Result "1-0"] 1. 31x22 1-0')
    assert game.variant == "english"
    assert game.tags["White"] == "Ann"
    assert game.start.position == "W:W31:B26"
    (node,) = game.nodes
    assert (node.side, node.position, node.move.captured) == ("white", "B:W22:B", ["26"])


def test_missing_moves_end_only_their_line() -> None:
    found = read("1. 32-28 (1. 33-28 ... 2. 39-33) 19-23", "international")
    assert outline(found.games[0]) == [(-1, "32-28"), (0, "19-23"), (-1, "33-28")]
    (problem,) = found.problems
    assert problem.startswith("game 1: after 33-28: ")


def test_an_illegal_move_ends_only_its_line() -> None:
    found = read(
        "1. 32-28 (1. 32-29 19-23) (1. 33-28 {quiet} 1-2 {no} (1... 19-23)) 19-23 2. 32-27 18-22", "international"
    )
    assert outline(found.games[0]) == [(-1, "32-28"), (0, "19-23"), (-1, "33-28"), (2, "19-23")]
    assert found.games[0].nodes[2].comment == "quiet"
    facts = [
        "line 1, column 14: 32-29",
        "line 1, column 45: 1-2",
        "line 1, column 77: 32-27",
        "after 19-23",
        "at the start",
        "after 33-28",
    ]
    assert [fact in problem for fact, problem in zip(facts, found.problems, strict=True)] == [True] * 6


def test_an_ambiguous_move_ends_its_line() -> None:
    found = read('[FEN "W:W22:B9,10,17,18"] 1. 22x6 (1. 22x15x6) *', "english")
    assert outline(found.games[0]) == [(-1, "22x15x6")]
    assert all(text in found.problems[0] for text in ("22x6", "22x15x6", "22x13x6"))


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
def test_the_result_is_written_after_the_moves(variant: str, tag: str, written: str) -> None:
    text = format_file(GameTreeSpec(variant=variant, tags={"Result": tag})).text
    assert text.endswith(f"\n\n{written}\n")
    assert format_file(to_spec(read_one(text))).text == text


def test_a_setup_within_a_line_ends_it() -> None:
    found = read('1. 32-28 /FEN "W:W31:B27"/ 2. 31x22', "international")
    assert outline(found.games[0]) == [(-1, "32-28")]
    (problem,) = found.problems
    assert problem.startswith("game 1: after 32-28: ")


def test_squares_get_the_names_of_the_variant() -> None:
    original = parse_pdn("1. c3-d4 (1. g3-h4 {quiet}) 1... d6-c5", variant="russian")
    text = format_pdn(rename_squares(original, Notation.NUMERIC))
    assert "22-18" in text
    game = read_one(text)
    assert (game.variant, game.start.position) == ("russian", Position.start("russian").fen())
    assert outline(game) == [(-1, "c3-d4"), (0, "d6-c5"), (-1, "g3-h4")]
    assert format_file(to_spec(game)).text == format_file(to_spec(read_one(format_file(to_spec(game)).text))).text


def test_omissions_of_records_are_reported() -> None:
    nodes = [
        TreeNodeSpec(parent=-1, move="3"),
        TreeNodeSpec(parent=-1, move="1", comment="slow"),
        TreeNodeSpec(parent=0, move="6"),
    ]
    written = format_file(GameTreeSpec(variant="kalah", nodes=nodes))
    assert "Moves: 3 6" in written.text
    assert ["variations" in problem for problem in written.problems] == [True, False]
    assert ["comments" in problem for problem in written.problems] == [False, True]


@pytest.mark.parametrize(
    ("nodes", "fact"),
    [
        ([TreeNodeSpec(parent=0, move="11-15")], "node 0: "),
        ([TreeNodeSpec(parent=-1, move="11-15"), TreeNodeSpec(parent=5, move="23-19")], "node 1: .*node 5"),
        ([TreeNodeSpec(parent=-1, move="1-32")], "node 0: "),
        ([TreeNodeSpec(parent=-1, move="")], "node 0: "),
    ],
    ids=["parent of itself", "later parent", "illegal move", "empty move"],
)
def test_errors_of_trees_name_the_node(nodes: list[TreeNodeSpec], fact: str) -> None:
    with pytest.raises(TablemenError, match=fact):
        format_file(GameTreeSpec(variant="english", nodes=nodes))


def nested_variations(depth: int) -> GameTreeSpec:
    """Return a game with variations that are nested to this depth."""
    nodes: list[TreeNodeSpec] = []
    parent = -1
    for number in range(depth + 1):
        move = ("50-45", "4-10", "45-50", "10-4")[number % 4]
        other = ("49-44", "6-11", "49-44", "6-11")[number % 4]
        nodes += [TreeNodeSpec(parent=parent, move=other), TreeNodeSpec(parent=parent, move=move)]
        parent = len(nodes) - 1
    return GameTreeSpec(variant="international", position="W:WK49,K50:BK4,K6", nodes=nodes)


def test_deeply_nested_variations_survive_a_round_trip() -> None:
    text = format_file(nested_variations(99)).text
    assert len(read_one(text).nodes) == 200
    with pytest.raises(TablemenError):
        format_file(nested_variations(100))


@pytest.mark.slow
def test_large_trees_survive_a_round_trip() -> None:
    moves = ["50-45", "4-10", "45-50", "10-4"] * 5000
    nodes = [TreeNodeSpec(parent=number - 1, move=move) for number, move in enumerate(moves[:19_000])]
    nodes += [TreeNodeSpec(parent=4 * number - 1, move="49-44") for number in range(1000)]
    tree = GameTreeSpec(variant="international", position="W:WK49,K50:BK4,K6", nodes=nodes)
    text = format_file(tree).text
    game = read_one(text)
    assert len(game.nodes) == 20_000
    assert format_file(to_spec(game)).text == text

"""The Kalah console: examples of the assignment, invalid input, other boards and rules."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import ArgumentError, Side
from tablemen.console import StandardIO
from tablemen.exercises import Kalah
from tablemen.exercises.kalah import draw_horizontal, draw_vertical
from tablemen.mancala import KALAH, NORTH, SOUTH, Capture, End, KalahRules, Position, Rest, Swap
from tests.exercises.kalah.mutants import with_reference
from tests.reference.kalah import KalahPosition

PIE = replace(KALAH, name="kalah with swap", swap=Swap.PIE)


def run_console(game: Kalah, answers: Iterable[object]) -> str:
    """Return the output of the console for these answers."""
    screen = io.StringIO()
    game.play(StandardIO(io.StringIO("".join(f"{answer}\n" for answer in answers)), screen))
    return screen.getvalue()


def get_messages(game: Kalah, *answers: object) -> list[str]:
    """Return the lines that are not part of a board, with each prompt on its own line."""
    text = run_console(game, answers).replace(" to quit: ", " to quit: \n").replace("Choice:", "Choice:\n")
    return [line for line in text.splitlines() if not line.startswith(("+", "|"))]


EXAMPLE = """\
+----+-------+-------+-------+-------+-------+-------+----+
| P2 | 6[ 4] | 5[ 4] | 4[ 4] | 3[ 4] | 2[ 4] | 1[ 4] |  0 |
|    |-------+-------+-------+-------+-------+-------|    |
|  0 | 1[ 4] | 2[ 4] | 3[ 4] | 4[ 4] | 5[ 4] | 6[ 4] | P1 |
+----+-------+-------+-------+-------+-------+-------+----+
Player P1's turn - Specify house number or 'q' to quit: 2
+----+-------+-------+-------+-------+-------+-------+----+
| P2 | 6[ 4] | 5[ 4] | 4[ 4] | 3[ 4] | 2[ 4] | 1[ 4] |  0 |
|    |-------+-------+-------+-------+-------+-------|    |
|  0 | 1[ 4] | 2[ 0] | 3[ 5] | 4[ 5] | 5[ 5] | 6[ 5] | P1 |
+----+-------+-------+-------+-------+-------+-------+----+
Player P2's turn - Specify house number or 'q' to quit: 3
+----+-------+-------+-------+-------+-------+-------+----+
| P2 | 6[ 5] | 5[ 5] | 4[ 5] | 3[ 0] | 2[ 4] | 1[ 4] |  0 |
|    |-------+-------+-------+-------+-------+-------|    |
|  1 | 1[ 4] | 2[ 0] | 3[ 5] | 4[ 5] | 5[ 5] | 6[ 5] | P1 |
+----+-------+-------+-------+-------+-------+-------+----+
Player P2's turn - Specify house number or 'q' to quit: 5
+----+-------+-------+-------+-------+-------+-------+----+
| P2 | 6[ 6] | 5[ 0] | 4[ 5] | 3[ 0] | 2[ 4] | 1[ 4] |  0 |
|    |-------+-------+-------+-------+-------+-------|    |
|  2 | 1[ 5] | 2[ 1] | 3[ 6] | 4[ 5] | 5[ 5] | 6[ 5] | P1 |
+----+-------+-------+-------+-------+-------+-------+----+
Player P1's turn - Specify house number or 'q' to quit: q
Game over
+----+-------+-------+-------+-------+-------+-------+----+
| P2 | 6[ 6] | 5[ 0] | 4[ 5] | 3[ 0] | 2[ 4] | 1[ 4] |  0 |
|    |-------+-------+-------+-------+-------+-------|    |
|  2 | 1[ 5] | 2[ 1] | 3[ 6] | 4[ 5] | 5[ 5] | 6[ 5] | P1 |
+----+-------+-------+-------+-------+-------+-------+----+
"""


class EchoIO(StandardIO):
    """A console that echoes the input, as a terminal does."""

    def read_from_keyboard(self, prompt: str) -> str:
        answer = super().read_from_keyboard(prompt)
        self.println(answer)
        return answer


def test_the_example_game() -> None:
    screen = io.StringIO()
    Kalah().play(EchoIO(io.StringIO("2\n3\n5\nq\n"), screen))
    assert screen.getvalue() == EXAMPLE


def test_the_example_capture() -> None:
    # House 3 ends in the empty house 5, opposite four seeds.
    before = Position(
        KALAH,
        SOUTH,
        houses={SOUTH: [5, 5, 2, 0, 0, 3], NORTH: [0, 4, 3, 2, 1, 5]},
        stores={SOUTH: 14, NORTH: 4},
    )
    lines = run_console(Kalah(before), [3]).splitlines()
    assert lines[:5] == [
        "+----+-------+-------+-------+-------+-------+-------+----+",
        "| P2 | 6[ 5] | 5[ 1] | 4[ 2] | 3[ 3] | 2[ 4] | 1[ 0] | 14 |",
        "|    |-------+-------+-------+-------+-------+-------|    |",
        "|  4 | 1[ 5] | 2[ 5] | 3[ 2] | 4[ 0] | 5[ 0] | 6[ 3] | P1 |",
        "+----+-------+-------+-------+-------+-------+-------+----+",
    ]
    assert lines[-5:] == [
        "+----+-------+-------+-------+-------+-------+-------+----+",
        "| P2 | 6[ 5] | 5[ 1] | 4[ 2] | 3[ 3] | 2[ 0] | 1[ 0] | 19 |",
        "|    |-------+-------+-------+-------+-------+-------|    |",
        "|  4 | 1[ 5] | 2[ 5] | 3[ 0] | 4[ 1] | 5[ 0] | 6[ 3] | P1 |",
        "+----+-------+-------+-------+-------+-------+-------+----+",
    ]


@pytest.mark.parametrize("game", [Kalah(), Kalah(menu=True), Kalah(PIE), Kalah(vertical=True, robots=[NORTH])])
def test_the_end_of_the_input_quits(game: Kalah) -> None:
    assert run_console(game, [1, 2]) == run_console(game, [1, 2, "q"])
    assert get_messages(game, 1, 2)[-1] == "Game over"


def test_a_console_plays_any_number_of_games() -> None:
    game = Kalah(menu=True)
    first = run_console(game, [1, "s", 2])
    assert run_console(game, [1, "s", 2]) == first
    assert "No saved game" in get_messages(game, "l")


INVALID_ANSWERS = ["7", "abc", " 3", "3 ", "q ", "Q", "", "-1", "+", "4294967297", "\uff17"]


@pytest.mark.parametrize("game", [Kalah(), Kalah(vertical=True), Kalah(robots=[NORTH])])
def test_invalid_answers_get_a_message_and_the_prompt_again(game: Kalah) -> None:
    prompt = "Player P1's turn - Specify house number or 'q' to quit: "
    shown = [prompt]
    for answer in INVALID_ANSWERS:
        if answer in {"7", "-1", "\uff17"}:
            shown.append(f"%%Message: `{answer}' must be between 1 and 6, or 'q' to cancel")
        else:
            shown.append(f"%%Message: `{answer}' is not a valid response.")
            shown.append("Input must be an integer between '1' and '6'")
        shown.append(prompt)
    assert get_messages(game, *INVALID_ANSWERS, "q") == [*shown, "Game over"]


@pytest.mark.parametrize("answer", [" s", "s ", " q", "n\t", "٠"])
def test_the_menu_does_not_strip_blanks(answer: str) -> None:
    menu = get_messages(Kalah(menu=True), answer)
    assert menu[7].startswith(f"%%Message: `{answer}' ")
    assert menu.count("Choice:") == 2


@pytest.mark.parametrize("game", [Kalah(), Kalah(menu=True), Kalah(PIE), Kalah(vertical=True, robots=[NORTH])])
def test_digits_of_any_script_are_houses(game: Kalah) -> None:
    assert run_console(game, ["٣", "+２", "𝟙"]) == run_console(game, ["3", "2", "1"])


def test_a_game_may_start_at_a_finished_position() -> None:
    over = Position(KALAH, SOUTH, houses={SOUTH: [0] * 6, NORTH: [1] + [0] * 5}, stores={SOUTH: 3, NORTH: 2})
    assert get_messages(Kalah(over)) == ["Game over", "\tplayer 1:3", "\tplayer 2:3", "A tie!"]


def test_remaining_seeds_may_not_count() -> None:
    rules = replace(KALAH, name="stores only", rest=Rest.NOT_COUNTED)
    over = Position(rules, SOUTH, houses={SOUTH: [0] * 6, NORTH: [9] + [0] * 5}, stores={SOUTH: 3, NORTH: 2})
    assert get_messages(Kalah(over)) == ["Game over", "\tplayer 1:3", "\tplayer 2:2", "Player 1 wins!"]


def test_the_second_player_may_swap_sides() -> None:
    plain = "Specify house number or 'q' to quit: "
    assert get_messages(Kalah(PIE), "x", 1, 7, "X", "x") == [
        f"Player P1's turn - {plain}",
        "%%Message: `x' is not a valid response.",
        "Input must be an integer between '1' and '6'",
        f"Player P1's turn - {plain}",
        "Player P2's turn - Specify house number, 'x' to swap sides or 'q' to quit: ",
        "%%Message: `7' must be between 1 and 6, or 'q' to cancel",
        "Player P2's turn - Specify house number, 'x' to swap sides or 'q' to quit: ",
        f"Player P1's turn - {plain}",
        "%%Message: `x' is not a valid response.",
        "Input must be an integer between '1' and '6'",
        f"Player P1's turn - {plain}",
        "Game over",
    ]


def test_after_a_swap_the_first_player_plays_the_other_side() -> None:
    assert run_console(Kalah(PIE), [6, "x"]).splitlines()[-5:] == [
        "+----+-------+-------+-------+-------+-------+-------+----+",
        "| P2 | 6[ 0] | 5[ 4] | 4[ 4] | 3[ 4] | 2[ 4] | 1[ 4] |  0 |",
        "|    |-------+-------+-------+-------+-------+-------|    |",
        "|  1 | 1[ 5] | 2[ 5] | 3[ 5] | 4[ 4] | 5[ 4] | 6[ 4] | P1 |",
        "+----+-------+-------+-------+-------+-------+-------+----+",
    ]


def test_the_menu_has_a_line_for_a_legal_swap() -> None:
    menu = get_messages(Kalah(PIE, menu=True), 1, "x", "q")
    assert menu.count("    X - Swap sides") == 1
    assert [line for line in menu if line.startswith("Player")] == ["Player P1", "Player P2", "Player P1"]


def test_a_robot_never_swaps() -> None:
    assert run_console(Kalah(PIE, robots=Side), []) == run_console(Kalah(robots=Side), [])


@pytest.mark.parametrize("start", ["oware", Position.start("oware")], ids=["rules", "position"])
def test_other_games_are_rejected(start: Position | str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Kalah(start)
    assert (caught.value.name, caught.value.value) == ("start", start)


@pytest.mark.parametrize("start", [None, 5, b"kalah"])
def test_the_start_must_be_a_position_or_rules(start: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        Kalah(start)
    assert (caught.value.name, caught.value.value) == ("start", start)


@pytest.mark.parametrize("robots", [Side.BLACK, "both", 2])
def test_robots_must_be_a_set(robots: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        Kalah(robots=robots)
    assert (caught.value.name, caught.value.value) == ("robots", robots)


def test_a_robot_must_be_a_side() -> None:
    with pytest.raises(ArgumentError) as caught:
        Kalah(robots=[2])  # type: ignore[list-item]
    assert (caught.value.name, caught.value.value) == ("robots", 2)


@st.composite
def kalah_rules(draw: st.DrawFn, *, houses: int = 24, seeds: int = 255) -> KalahRules:
    return replace(
        KALAH,
        name="drawn",
        houses=draw(st.integers(1, houses)),
        seeds=draw(st.integers(1, seeds)),
        capture=draw(st.sampled_from(Capture)),
        end=draw(st.sampled_from(End)),
        rest=draw(st.sampled_from(Rest)),
        swap=draw(st.sampled_from(Swap)),
    )


@settings(max_examples=50)
@given(kalah_rules(), st.lists(st.integers(0, 23), max_size=20))
def test_all_lines_of_a_board_have_the_same_width(rules: KalahRules, choices: list[int]) -> None:
    position = Position.start(rules)
    width, vertical_width = len(draw_horizontal(position)[0]), len(draw_vertical(position)[0])
    for choice in choices:
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(moves[choice % len(moves)])
        assert {len(line) for line in draw_horizontal(position)} == {width}
        assert {len(line) for line in draw_vertical(position)} == {vertical_width}
        assert len(draw_vertical(position)) == rules.houses + 6


ANSWERS = st.one_of(st.integers(-1, 7), st.sampled_from("nslqxQ"), st.text(st.characters(codec="ascii"), max_size=3))


@settings(max_examples=60)
@given(
    rules=kalah_rules(houses=6, seeds=6),
    answers=st.lists(ANSWERS.map(lambda answer: str(answer).replace("\n", " "))),
    vertical=st.booleans(),
    menu=st.booleans(),
    robots=st.sets(st.sampled_from(Side)),
)
def test_core_and_reference_produce_the_same_output(
    *, rules: KalahRules, answers: list[str], vertical: bool, menu: bool, robots: set[Side]
) -> None:
    game = Kalah(rules, vertical=vertical, menu=menu, robots=robots)
    output = run_console(game, answers)
    assert output == run_console(with_reference(KalahPosition, game), answers)
    assert "Game over\n" in output

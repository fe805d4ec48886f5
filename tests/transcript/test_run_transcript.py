"""`run_transcript`: every kind of failure, with its line and column."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tablemen.console import IO
from tablemen.transcript import Failure, LineKind, Problem, Transcript, TranscriptIO, parse_transcript, run_transcript
from tablemen.transcript.matcher import Matcher, Mismatch
from tests.transcript.fixtures import mutants, play_back, transcripts, written

GREETING = parse_transcript("# A greeting.\n>Welcome.\n>Your name? \n<Ada\n>Hello, Ada!\n>Bye.\n", name="greeting.txt")


def failure(program: Callable[[IO], object], transcript: Transcript = GREETING, *, timeout: float = 60) -> Failure:
    found = run_transcript(transcript, program, timeout=timeout).failure
    assert found is not None
    return found


def greet(io: IO) -> None:
    io.println("Welcome.")
    name = io.read_from_keyboard("Your name? ")
    io.println(f"Hello, {name}!")
    io.println("Bye.")


def test_a_correct_program_passes() -> None:
    report = run_transcript(GREETING, greet)
    assert report.passed
    assert (report.failure, report.status, str(report)) == (None, None, "greeting.txt: passed")


def test_lines_may_be_written_in_pieces() -> None:
    def program(io: IO) -> None:
        io.print("Wel")
        io.print("")
        io.print("come.")
        io.println()
        io.print("Your ")
        assert io.read_from_keyboard("name? ") == "Ada"
        io.print("Hello, Ada!")
        io.println("")
        io.print("Bye.")  # the last line may be ended by the program's end

    assert run_transcript(GREETING, program).passed


def test_a_character_differs() -> None:
    assert failure(lambda io: io.println("Wellcome.")) == Failure(
        problem=Problem.OUTPUT_DIFFERS, line=2, column=4, expected="Welcome.", actual="Wellcome."
    )


def test_the_characters_of_a_line_are_counted_from_its_beginning() -> None:
    def program(io: IO) -> None:
        io.print("Welc")
        io.print("ame.")

    found = failure(program)
    assert (found.problem, found.line, found.column, found.actual) == (Problem.OUTPUT_DIFFERS, 2, 5, "Welcame.")


@pytest.mark.parametrize("text", ["Welcome", "Wel", ""])
def test_a_line_ends_too_early(text: str) -> None:
    assert failure(lambda io: io.println(text)) == Failure(
        problem=Problem.LINE_TOO_SHORT, line=2, column=len(text) + 1, expected="Welcome.", actual=text
    )


def test_a_line_ends_too_late() -> None:
    assert failure(lambda io: io.println("Welcome. ")) == Failure(
        problem=Problem.LINE_TOO_LONG, line=2, column=9, expected="Welcome.", actual="Welcome. "
    )


def test_a_prompt_goes_on() -> None:
    def program(io: IO) -> None:
        io.println("Welcome.")
        io.read_from_keyboard("Your name?  ")

    found = failure(program)
    assert (found.problem, found.line, found.column) == (Problem.LINE_TOO_LONG, 3, 12)


def test_a_prompt_is_a_line_of_its_own() -> None:
    def program(io: IO) -> None:
        io.println("Welcome.")
        io.println("Your name? ")

    found = failure(program)
    assert (found.problem, found.line, found.note) == (
        Problem.OUTPUT_NOT_INPUT,
        4,
        "it ended the line of the prompt, which is line 3",
    )


@pytest.mark.parametrize(("text", "actual"), [("b", "b"), ("", None)])
def test_output_instead_of_input(text: str, actual: str | None) -> None:
    def program(io: IO) -> None:
        io.read_from_keyboard("")
        io.println(text)

    found = failure(program, parse_transcript("<1\n<2\n>c\n"))
    assert (found.problem, found.line, found.actual) == (Problem.OUTPUT_NOT_INPUT, 2, actual)


@pytest.mark.parametrize(
    ("written", "line", "expected", "actual"),
    [
        ([], 2, "Welcome.", None),
        (["Wel"], 2, "Welcome.", "Wel"),
        (["Welcome."], 3, "Your name? ", None),
        (["Welcome.", "\n"], 3, "Your name? ", None),
        (["Welcome.", "\n", "Your name?"], 3, "Your name? ", "Your name?"),
    ],
)
def test_input_instead_of_output(written: list[str], line: int, expected: str, actual: str | None) -> None:
    def program(io: IO) -> None:
        for text in written:
            io.println() if text == "\n" else io.print(text)
        io.read_from_keyboard("")

    assert failure(program) == Failure(problem=Problem.INPUT_NOT_OUTPUT, line=line, expected=expected, actual=actual)


def test_an_empty_line_before_input_means_no_prompt() -> None:
    transcript = parse_transcript(">Your name:\n>\n<Ada\n")

    def program(io: IO) -> None:
        io.println("Your name:")
        io.read_from_keyboard("")

    assert run_transcript(transcript, program).passed
    found = failure(lambda io: io.read_from_keyboard("Your name:"), transcript)
    assert (found.problem, found.line) == (Problem.INPUT_NOT_OUTPUT, 2)


@pytest.mark.parametrize(
    ("steps", "line", "expected", "actual", "left"),
    [
        (0, 2, "Welcome.", None, "5 more lines were to come"),
        (1, 3, "Your name? ", None, "4 more lines were to come"),
        (2, 4, None, None, "3 more lines were to come"),
        (3, 5, "Hello, Ada!", None, "2 more lines were to come"),
        (4, 6, "Bye.", None, "1 more line was to come"),
    ],
)
def test_the_program_ends_too_early(steps: int, line: int, expected: str, actual: str, left: str) -> None:
    def program(io: IO) -> None:
        for step in GREETING.steps[:steps]:
            if step.kind is LineKind.INPUT:
                io.read_from_keyboard("")
            elif step.text == "Your name? ":
                io.print(step.text)
            else:
                io.println(step.text)

    assert failure(program) == Failure(
        problem=Problem.ENDED_EARLY, line=line, expected=expected, actual=actual, note=left
    )


def test_the_program_ends_in_a_line() -> None:
    found = failure(lambda io: io.print("Wel"))
    assert (found.problem, found.line, found.expected, found.actual) == (Problem.ENDED_EARLY, 2, "Welcome.", "Wel")


def test_an_empty_last_line_must_be_ended() -> None:
    transcript = parse_transcript(">a\n>\n")
    assert failure(lambda io: io.println("a"), transcript).line == 2
    assert failure(lambda io: io.print("a"), transcript).line == 2


@pytest.mark.parametrize(
    ("more", "actual", "note"),
    [
        (lambda io: io.print("More."), "More.", ""),
        (lambda io: io.println(), None, "it ended one more line"),
        (lambda io: io.read_from_keyboard(""), None, "it asked for input"),
    ],
)
def test_the_program_goes_on_after_the_last_line(more: Callable[[IO], object], actual: str | None, note: str) -> None:
    def program(io: IO) -> None:
        greet(io)
        more(io)

    assert failure(program) == Failure(problem=Problem.DID_NOT_END, line=6, actual=actual, note=note)


@pytest.mark.parametrize("method", ["print", "println", "read_from_keyboard"])
def test_a_newline_inside_a_text(method: str) -> None:
    found = failure(lambda io: getattr(io, method)("Welcome.\nYour name? "))
    assert (found.problem, found.line, found.note) == (Problem.NEWLINE_IN_TEXT, 2, r"'Welcome.\nYour name? '")


def test_output_must_be_text() -> None:
    def program(io: IO) -> None:
        io.println("Welcome.")
        io.println(3)  # type: ignore[arg-type]

    found = failure(program)
    assert (found.problem, found.line, found.note) == (Problem.RAISED, 3, "3 is not a text")


def test_an_exception_is_part_of_the_report() -> None:
    def program(io: IO) -> None:
        io.println("Welcome.")
        raise KeyError("house")

    found = failure(program)
    assert (found.problem, found.line, found.note) == (Problem.RAISED, 3, "KeyError('house')")
    assert 'raise KeyError("house")' in found.rest
    assert "transcript/run.py" not in found.rest.replace("\\", "/")


def test_a_program_may_end_by_exit() -> None:
    def program(io: IO) -> None:
        greet(io)
        sys.exit()

    assert run_transcript(GREETING, program).passed
    assert failure(lambda _: sys.exit()).problem is Problem.ENDED_EARLY
    assert failure(lambda _: sys.exit(3)).note == "SystemExit(3)"


def test_read_integer_works() -> None:
    text = ">? \n<7\n>%%Message: `7' must be between 1 and 6, or 'q' to cancel\n>? \n<x\n"
    text += ">%%Message: `x' is not a valid response.\n>Input must be an integer between '1' and '6'\n>? \n<2\n>2\n"

    def program(io: IO) -> None:
        io.println(str(io.read_integer("? ", 1, 6, -1, "q")))

    assert run_transcript(parse_transcript(text), program).passed


def print_for_ever(io: IO) -> None:
    while True:
        io.println("Welcome.")


def print_nothing_for_ever(io: IO) -> None:
    while True:
        io.print("")


def ask_for_ever(io: IO) -> None:
    while True:
        io.read_from_keyboard("")


def catch_everything(io: IO) -> None:
    while True:
        try:
            io.println("Welcome?")
        except BaseException:  # noqa: BLE001
            continue


def catch_exceptions(io: IO) -> None:
    while True:
        try:
            io.println("Welcome?")
        except Exception:  # noqa: BLE001
            continue


@pytest.mark.parametrize(
    ("program", "problem", "line"),
    [
        (print_for_ever, Problem.OUTPUT_DIFFERS, 3),
        (print_nothing_for_ever, Problem.SILENT, 2),
        (ask_for_ever, Problem.INPUT_NOT_OUTPUT, 2),
        (catch_everything, Problem.OUTPUT_DIFFERS, 2),
        (catch_exceptions, Problem.OUTPUT_DIFFERS, 2),
    ],
)
def test_an_endless_program_is_stopped(program: Callable[[IO], None], problem: Problem, line: int) -> None:
    found = failure(program)
    assert (found.problem, found.line) == (problem, line)


def test_a_busy_program_is_stopped() -> None:
    thinkers = []

    def think(io: IO) -> None:
        io.println("Welcome.")
        thinkers.append(threading.current_thread())
        while True:
            time.sleep(0.001)

    found = failure(think, timeout=0.5)
    assert (found.problem, found.line, found.note) == (Problem.SILENT, 3, "it has not ended after 0.5 seconds")
    thinkers[0].join(60)
    assert not thinkers[0].is_alive()


def test_every_call_after_the_first_failure_fails() -> None:
    io = TranscriptIO(GREETING)
    with pytest.raises(Mismatch):
        io.println("x")
    for call in (io.print, io.println, io.read_from_keyboard):
        with pytest.raises(Mismatch):
            call("Welcome.")
    assert io.failure is not None
    assert io.failure.actual == "x"


def test_a_report_shows_the_place() -> None:
    assert str(run_transcript(GREETING, lambda io: io.println("Wel\tcome\\"))) == (
        "greeting.txt: line 2, character 4: the output differs\n"
        '  expected: "Welcome."\n'
        '  actual:   "Wel\\tcome\\\\"\n'
        "                ^"
    )
    assert str(run_transcript(GREETING, lambda _: None)) == (
        'greeting.txt: line 2: the program ended too early: 5 more lines were to come\n  expected: "Welcome."'
    )


@pytest.mark.parametrize(
    ("count", "shown"), [(0, ""), (2, "0 1"), (12, "0 1 2 3 4 5 6 7 8 9 10 11"), (14, "0 1 2 3 … 6 7 8 9 10 11 12 13")]
)
def test_a_report_shows_the_beginning_and_the_end_of_the_rest(count: int, shown: str) -> None:
    rest = "".join(f"{number}\n" for number in range(count))
    lines = str(Failure(problem=Problem.RAISED, line=1, rest=rest)).splitlines()
    assert [line.removeprefix("  | ") for line in lines[1:]] == shown.split()


def test_a_failure_in_an_empty_file_has_a_line() -> None:
    found = failure(lambda io: io.println("x"), parse_transcript(""))
    assert (found.problem, found.line) == (Problem.DID_NOT_END, 1)


def test_a_report_stays_short() -> None:
    shown = str(failure(lambda io: io.println("Wel" + "x" * 10_000)))
    assert max(map(len, shown.splitlines())) < 300
    long = parse_transcript(">" + "x" * 5000 + "y\n")
    *_, actual, caret = str(failure(lambda io: io.println("x" * 6000), long)).splitlines()
    assert len(caret) == 5014
    assert actual[len(caret) - 1] == "x"


@given(transcripts)
def test_a_program_that_plays_a_transcript_back_passes(transcript: Transcript) -> None:
    assert run_transcript(transcript, lambda io: play_back(transcript, io)).failure is None


@given(st.data(), transcripts)
def test_a_program_with_one_character_changed_fails_on_that_line(data: st.DataObject, transcript: Transcript) -> None:
    assume(any(line.kind is LineKind.OUTPUT for line in transcript.lines))
    mutant, line = data.draw(mutants(transcript))
    found = run_transcript(transcript, lambda io: play_back(mutant, io)).failure
    assert found is not None
    assert found.line == line


@given(st.data(), transcripts)
def test_pieces_of_any_size_make_the_same_output(data: st.DataObject, transcript: Transcript) -> None:
    matcher = Matcher(transcript)
    for kind, text in written(transcript):
        if kind is LineKind.INPUT:
            assert matcher.input_due == matcher.read()
            continue
        cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=3)))
        for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
            matcher.write(text[start:end])
    matcher.finish()
    assert matcher.current is None

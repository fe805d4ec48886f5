"""`run_transcript`: all kinds of failures, with line and column."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tablemen.console import IO
from tablemen.transcript import Failure, LineKind, Problem, Transcript, TranscriptIO, parse_transcript, run_transcript
from tablemen.transcript.matcher import Matcher, Mismatch
from tests.transcript.fixtures import get_events, mutants, replay, transcripts

GREETING = parse_transcript("# A greeting.\n>Welcome.\n>Your name? \n<Ada\n>Hello, Ada!\n>Bye.\n", name="greeting.txt")


def find_failure(program: Callable[[IO], object], transcript: Transcript = GREETING, *, timeout: float = 60) -> Failure:
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
        io.print("Bye.")  # the last line needs no newline

    assert run_transcript(GREETING, program).passed


def test_a_different_character() -> None:
    assert find_failure(lambda io: io.println("Wellcome.")) == Failure(
        problem=Problem.OUTPUT_DIFFERS, line=2, column=4, expected="Welcome.", actual="Wellcome."
    )


def test_columns_count_from_the_start_of_the_line() -> None:
    def program(io: IO) -> None:
        io.print("Welc")
        io.print("ame.")

    found = find_failure(program)
    assert (found.problem, found.line, found.column, found.actual) == (Problem.OUTPUT_DIFFERS, 2, 5, "Welcame.")


@pytest.mark.parametrize("text", ["Welcome", "Wel", ""])
def test_a_line_that_is_too_short(text: str) -> None:
    assert find_failure(lambda io: io.println(text)) == Failure(
        problem=Problem.LINE_TOO_SHORT, line=2, column=len(text) + 1, expected="Welcome.", actual=text
    )


def test_a_line_that_is_too_long() -> None:
    assert find_failure(lambda io: io.println("Welcome. ")) == Failure(
        problem=Problem.LINE_TOO_LONG, line=2, column=9, expected="Welcome.", actual="Welcome. "
    )


def test_a_prompt_that_is_too_long() -> None:
    def program(io: IO) -> None:
        io.println("Welcome.")
        io.read_from_keyboard("Your name?  ")

    found = find_failure(program)
    assert (found.problem, found.line, found.column) == (Problem.LINE_TOO_LONG, 3, 12)


def test_a_prompt_must_not_end_its_line() -> None:
    def program(io: IO) -> None:
        io.println("Welcome.")
        io.println("Your name? ")

    found = find_failure(program)
    assert (found.problem, found.line) == (Problem.OUTPUT_NOT_INPUT, 4)
    assert "line 3" in found.note


@pytest.mark.parametrize(("text", "actual"), [("b", "b"), ("", None)])
def test_output_instead_of_input(text: str, actual: str | None) -> None:
    def program(io: IO) -> None:
        io.read_from_keyboard("")
        io.println(text)

    found = find_failure(program, parse_transcript("<1\n<2\n>c\n"))
    assert (found.problem, found.line, found.actual) == (Problem.OUTPUT_NOT_INPUT, 2, actual)


@pytest.mark.parametrize(
    ("output", "line", "expected", "actual"),
    [
        ([], 2, "Welcome.", None),
        (["Wel"], 2, "Welcome.", "Wel"),
        (["Welcome."], 3, "Your name? ", None),
        (["Welcome.", "\n"], 3, "Your name? ", None),
        (["Welcome.", "\n", "Your name?"], 3, "Your name? ", "Your name?"),
    ],
)
def test_input_instead_of_output(output: list[str], line: int, expected: str, actual: str | None) -> None:
    def program(io: IO) -> None:
        for text in output:
            io.println() if text == "\n" else io.print(text)
        io.read_from_keyboard("")

    assert find_failure(program) == Failure(
        problem=Problem.INPUT_NOT_OUTPUT, line=line, expected=expected, actual=actual
    )


def test_an_empty_line_before_input_means_no_prompt() -> None:
    transcript = parse_transcript(">Your name:\n>\n<Ada\n")

    def program(io: IO) -> None:
        io.println("Your name:")
        io.read_from_keyboard("")

    assert run_transcript(transcript, program).passed
    found = find_failure(lambda io: io.read_from_keyboard("Your name:"), transcript)
    assert (found.problem, found.line) == (Problem.INPUT_NOT_OUTPUT, 2)


@pytest.mark.parametrize(
    ("steps", "line", "expected", "missing"),
    [
        (0, 2, "Welcome.", "5 more lines"),
        (1, 3, "Your name? ", "4 more lines"),
        (2, 4, None, "3 more lines"),
        (3, 5, "Hello, Ada!", "2 more lines"),
        (4, 6, "Bye.", "1 more line "),
    ],
)
def test_a_program_that_ends_too_early(steps: int, line: int, expected: str | None, missing: str) -> None:
    def program(io: IO) -> None:
        for step in GREETING.steps[:steps]:
            if step.kind is LineKind.INPUT:
                io.read_from_keyboard("")
            elif step.text == "Your name? ":
                io.print(step.text)
            else:
                io.println(step.text)

    found = find_failure(program)
    assert replace(found, note="") == Failure(problem=Problem.ENDED_EARLY, line=line, expected=expected)
    assert missing in found.note


def test_a_program_that_ends_within_a_line() -> None:
    found = find_failure(lambda io: io.print("Wel"))
    assert (found.problem, found.line, found.expected, found.actual) == (Problem.ENDED_EARLY, 2, "Welcome.", "Wel")


def test_an_empty_last_line_must_be_ended() -> None:
    transcript = parse_transcript(">a\n>\n")
    assert find_failure(lambda io: io.println("a"), transcript).line == 2
    assert find_failure(lambda io: io.print("a"), transcript).line == 2


@pytest.mark.parametrize(
    ("more", "actual", "has_note"),
    [
        (lambda io: io.print("More."), "More.", False),
        (lambda io: io.println(), None, True),
        (lambda io: io.read_from_keyboard(""), None, True),
    ],
)
def test_a_program_that_continues_after_the_last_line(
    more: Callable[[IO], object], actual: str | None, *, has_note: bool
) -> None:
    def program(io: IO) -> None:
        greet(io)
        more(io)

    found = find_failure(program)
    assert replace(found, note="") == Failure(problem=Problem.DID_NOT_END, line=6, actual=actual)
    assert bool(found.note) == has_note


@pytest.mark.parametrize("method", ["print", "println", "read_from_keyboard"])
def test_a_text_must_not_contain_a_newline(method: str) -> None:
    found = find_failure(lambda io: getattr(io, method)("Welcome.\nYour name? "))
    assert (found.problem, found.line, found.note) == (Problem.NEWLINE_IN_TEXT, 2, r"'Welcome.\nYour name? '")


def test_output_must_be_text() -> None:
    def program(io: IO) -> None:
        io.println("Welcome.")
        io.println(3)  # type: ignore[arg-type]

    found = find_failure(program)
    assert (found.problem, found.line) == (Problem.RAISED, 3)
    assert found.note.startswith("3 ")


def test_an_exception_is_part_of_the_report() -> None:
    def program(io: IO) -> None:
        io.println("Welcome.")
        raise KeyError("house")

    found = find_failure(program)
    assert (found.problem, found.line, found.note) == (Problem.RAISED, 3, "KeyError('house')")
    assert 'raise KeyError("house")' in found.rest
    assert "transcript/run.py" not in found.rest.replace("\\", "/")


def test_a_program_may_call_exit() -> None:
    def program(io: IO) -> None:
        greet(io)
        sys.exit()

    assert run_transcript(GREETING, program).passed
    assert find_failure(lambda _: sys.exit()).problem is Problem.ENDED_EARLY
    assert find_failure(lambda _: sys.exit(3)).note == "SystemExit(3)"


def test_read_integer_works() -> None:
    text = ">? \n<7\n>%%Message: `7' must be between 1 and 6, or 'q' to cancel\n>? \n<x\n"
    text += ">%%Message: `x' is not a valid response.\n>Input must be an integer between '1' and '6'\n>? \n<2\n>2\n"

    def program(io: IO) -> None:
        io.println(str(io.read_integer("? ", 1, 6, -1, "q")))

    assert run_transcript(parse_transcript(text), program).passed


def print_forever(io: IO) -> None:
    while True:
        io.println("Welcome.")


def print_empty_texts_forever(io: IO) -> None:
    while True:
        io.print("")


def read_forever(io: IO) -> None:
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
        (print_forever, Problem.OUTPUT_DIFFERS, 3),
        (print_empty_texts_forever, Problem.SILENT, 2),
        (read_forever, Problem.INPUT_NOT_OUTPUT, 2),
        (catch_everything, Problem.OUTPUT_DIFFERS, 2),
        (catch_exceptions, Problem.OUTPUT_DIFFERS, 2),
    ],
)
def test_endless_programs_are_stopped(program: Callable[[IO], None], problem: Problem, line: int) -> None:
    found = find_failure(program)
    assert (found.problem, found.line) == (problem, line)


def test_a_program_is_stopped_after_the_timeout() -> None:
    threads = []

    def sleep_forever(io: IO) -> None:
        io.println("Welcome.")
        threads.append(threading.current_thread())
        while True:
            time.sleep(0.001)

    found = find_failure(sleep_forever, timeout=0.5)
    assert (found.problem, found.line) == (Problem.SILENT, 3)
    assert "0.5 s" in found.note
    threads[0].join(60)
    assert not threads[0].is_alive()


def test_every_call_after_a_failure_fails() -> None:
    io = TranscriptIO(GREETING)
    with pytest.raises(Mismatch):
        io.println("x")
    for call in (io.print, io.println, io.read_from_keyboard):
        with pytest.raises(Mismatch):
            call("Welcome.")
    assert io.failure is not None
    assert io.failure.actual == "x"


def test_a_report_shows_the_place() -> None:
    first, *lines = str(run_transcript(GREETING, lambda io: io.println("Wel\tcome\\"))).splitlines()
    assert first.startswith("greeting.txt: line 2, character 4: ")
    assert lines == ['  expected: "Welcome."', '  actual:   "Wel\\tcome\\\\"', "                ^"]
    first, *lines = str(run_transcript(GREETING, lambda _: None)).splitlines()
    assert first.startswith("greeting.txt: line 2: ")
    assert lines == ['  expected: "Welcome."']


@pytest.mark.parametrize(
    ("count", "shown"), [(0, ""), (2, "0 1"), (12, "0 1 2 3 4 5 6 7 8 9 10 11"), (14, "0 1 2 3 … 6 7 8 9 10 11 12 13")]
)
def test_a_report_shows_the_first_and_last_lines_of_the_rest(count: int, shown: str) -> None:
    rest = "".join(f"{number}\n" for number in range(count))
    lines = str(Failure(problem=Problem.RAISED, line=1, rest=rest)).splitlines()
    assert [line.removeprefix("  | ") for line in lines[1:]] == shown.split()


def test_a_failure_in_an_empty_transcript_is_in_line_1() -> None:
    found = find_failure(lambda io: io.println("x"), parse_transcript(""))
    assert (found.problem, found.line) == (Problem.DID_NOT_END, 1)


def test_long_lines_are_cut_in_reports() -> None:
    shown = str(find_failure(lambda io: io.println("Wel" + "x" * 10_000)))
    assert max(map(len, shown.splitlines())) < 300
    long = parse_transcript(">" + "x" * 5000 + "y\n")
    *_, actual, caret = str(find_failure(lambda io: io.println("x" * 6000), long)).splitlines()
    assert len(caret) == 5014
    assert actual[len(caret) - 1] == "x"


@given(transcripts)
def test_a_replayed_transcript_passes(transcript: Transcript) -> None:
    assert run_transcript(transcript, lambda io: replay(transcript, io)).failure is None


@given(st.data(), transcripts)
def test_a_changed_character_fails_on_its_line(data: st.DataObject, transcript: Transcript) -> None:
    assume(any(line.kind is LineKind.OUTPUT for line in transcript.lines))
    mutant, line = data.draw(mutants(transcript))
    found = run_transcript(transcript, lambda io: replay(mutant, io)).failure
    assert found is not None
    assert found.line == line


@given(st.data(), transcripts)
def test_output_may_be_matched_in_pieces(data: st.DataObject, transcript: Transcript) -> None:
    matcher = Matcher(transcript)
    for kind, text in get_events(transcript):
        if kind is LineKind.INPUT:
            assert matcher.input_due == matcher.read()
            continue
        cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=3)))
        for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
            matcher.write(text[start:end])
    matcher.finish()
    assert matcher.current is None

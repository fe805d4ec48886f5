"""`tablemen transcript`: check console programs against recorded sessions, and record sessions."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from tablemen.cli.group import CommandUsageError, TablemenGroup, handle_signals, interrupted_status
from tablemen.cli.parameters import POSITIVE, complete_file, format_count, json_option, print_json
from tablemen.errors import ArgumentError, InvalidRulesError, TablemenError

if TYPE_CHECKING:
    from threading import Event

    from tablemen.transcript import Report, Transcript
    from tablemen.transcript.record import Recording

PATTERNS = ("*.txt", "*.transcript")
NO_COMMAND = "no command given: add it after --, or as a comment '# command: ...' in the file"

KALAH_CONSOLE = (sys.executable, "-m", "tablemen", "play", "kalah")
HOUSE = re.compile(r"([0-9]{1,5})\[ *([0-9]{1,5})\]")
HORIZONTAL_ROW = re.compile(rf"\| *P2 \|(?: *{HOUSE.pattern} \|)+ *[0-9]+ \|")  # the upper row
VERTICAL_ROW = re.compile(rf"\| *{HOUSE.pattern} \| *{HOUSE.pattern} \|")  # any row

ABOUTS = {
    "run": "check programs against recorded sessions",
    "record": "record a session in a file",
}

EXAMPLES = """\b
Examples:
  tablemen transcript run specifications/
  tablemen transcript run greeting.transcript --json -- ./greet --loud
  tablemen transcript record greeting.transcript -- ./greet
"""
RUN_EXAMPLES = """\b
Examples:
  tablemen transcript run greeting.transcript
  tablemen transcript run greeting.transcript -- ./greet --loud
  tablemen transcript run specifications/ --jobs 4 -- java -cp build Kalah
  tablemen transcript run specifications/ --json
"""
RECORD_EXAMPLES = """\b
Examples:
  tablemen transcript record greeting.transcript -- ./greet
  tablemen transcript record game.transcript --force -- tablemen play kalah
"""


@click.group(cls=TablemenGroup, abouts=ABOUTS, epilog=EXAMPLES)
@click.pass_context
def transcript(context: click.Context) -> None:
    """Run and record sessions of console programs.

    Each line of a session file begins with > for output of the program, < for typed input, or # for a comment.
    """
    context.with_resource(handle_signals())  # lets commands stop their programs after a signal


class CommandWithCommand(click.Command):
    """A command whose arguments may be followed by `--` and another command, stored in `context.obj`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Split off the other command, and parse the arguments before it."""
        at = args.index("--") if "--" in args else len(args)
        ctx.obj = tuple(args[at + 1 :])
        return super().parse_args(ctx, args[:at])

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the words of the usage line."""
        return [*super().collect_usage_pieces(ctx), "[-- COMMAND...]" if self.name == "run" else "-- COMMAND..."]


def _parse_timeout(_context: click.Context, _parameter: click.Parameter, timeout: float) -> float:
    """Check the timeout; click alone would accept nan and inf."""
    from tablemen.transcript.run import check_timeout

    try:
        return check_timeout(timeout)
    except ArgumentError as error:
        raise click.BadParameter(f"{timeout} is not a valid number of seconds.") from error


@transcript.command(cls=CommandWithCommand, epilog=RUN_EXAMPLES)
@click.argument("files", nargs=-1, required=True, metavar="FILE_OR_FOLDER...", shell_complete=complete_file)
@click.option(
    "--jobs", metavar="N", type=POSITIVE, help="Number of programs to run at a time. [default: one per processor]"
)
@click.option(
    *("--timeout", "timeout"),
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    callback=_parse_timeout,
    default=10.0,
    show_default=True,
    help="Fail if the program writes nothing for this time while output is expected.",
)
@json_option
@click.pass_context
def run(context: click.Context, *, files: tuple[str, ...], jobs: int | None, timeout: float, as_json: bool) -> None:
    """Check a program against each FILE, and each *.txt and *.transcript file in a FOLDER and its subfolders.

    The program is COMMAND or, without it, the command in a comment '# command: ...' of the file. If there is no such
    comment and the file shows a board of Kalah, the program is `tablemen play kalah` with the same board, robots and
    menu, and with the rules of kalah. Each program runs in its own terminal. It is stopped if it hangs or continues
    after the end of the session.

    All failures are reported. The exit status is 0 if all files pass, and 1 otherwise.
    """
    from tablemen.transcript.process import environment

    command: tuple[str, ...] = context.obj
    if command and shutil.which(command[0], path=environment()["PATH"]) is None:
        raise CommandUsageError(f"command not found: {command[0]!r}")
    results = []
    with closing(
        _run_all(_find_files(files), command, jobs=jobs or os.cpu_count() or 1, timeout=timeout)
    ) as every_result:
        for result in every_result:
            results.append(result)
            if not result.passed and not as_json:
                click.echo(result)
    failed = sum(not result.passed for result in results)
    if as_json:
        print_json([result.serialize() for result in results])
    else:
        click.echo(f"{len(results) - failed} passed" + (f", {failed} failed" if failed else ""))
    context.exit(1 if failed else 0)


class RunResult(NamedTuple):
    """The result for a file: the program's report, or the reason why the file could not be run."""

    path: Path
    report: Report | None
    error: str = ""

    @property
    def passed(self) -> bool:
        """Whether the program behaved as in the session."""
        return self.report is not None and self.report.passed

    def __str__(self) -> str:
        return f"{self.path}: {self.error}" if self.report is None else str(self.report)

    def serialize(self) -> dict[str, object]:
        """Return the result as JSON."""
        failure = None if self.report is None else self.report.failure
        facts = None
        if failure is not None:
            names = ("line", "column", "expected", "actual", "note", "rest")
            facts = {"problem": failure.problem.name.lower()} | {name: getattr(failure, name) for name in names}
        status = None if self.report is None else self.report.status
        error = {"error": self.error} if self.error else {}
        return {"file": str(self.path), "passed": self.passed, "status": status, "failure": facts, **error}


def _find_files(names: Iterable[str]) -> list[Path]:
    """Return the session files with these names or in these folders, each once."""
    found: dict[Path, None] = {}
    for name in names:
        path = Path(name)
        if path.is_dir():
            inside = sorted({file for pattern in PATTERNS for file in path.rglob(pattern) if file.is_file()})
            if not inside:
                raise CommandUsageError(f"the folder {name} contains no {' or '.join(PATTERNS)} files")
            found |= dict.fromkeys(inside)
        elif path.exists():
            found[path] = None
        else:
            raise CommandUsageError(f"the file {name} does not exist")
    return list(found)


def _run_all(
    paths: Sequence[Path], command: Sequence[str], *, jobs: int, timeout: float
) -> Generator[RunResult, None, None]:
    """Yield the results in the order of the files."""
    from concurrent.futures import ThreadPoolExecutor
    from threading import Event, Semaphore

    cancel = Event()
    slots = Semaphore(jobs)

    def run_one(path: Path) -> RunResult:
        with slots:
            return _run_one(path, command, timeout=timeout, cancel=cancel)

    pool = ThreadPoolExecutor(jobs)
    try:
        yield from pool.map(run_one, paths)
    finally:
        # After Ctrl-C no program may be left running. Shutting the pool down is not enough, because the pool may miss a
        # thread that it was just starting. Holding all slots ensures that no program runs or will start.
        cancel.set()
        for _ in range(jobs):
            slots.acquire()
        slots.release(jobs)
        pool.shutdown(cancel_futures=True)


def _run_one(path: Path, command: Sequence[str], *, timeout: float, cancel: Event) -> RunResult:
    """Run the program of a file."""
    from tablemen.transcript import read_transcript, run_command

    if cancel.is_set():
        return RunResult(path, None, "stopped")
    try:
        session = read_transcript(path)
        chosen = command or session.command or find_kalah_command(session)
        if not chosen:
            return RunResult(path, None, NO_COMMAND)
        return RunResult(path, run_command(session, chosen, timeout=timeout, cancel=cancel))
    except TablemenError as error:
        return RunResult(path, None, str(error))
    except OSError as error:
        return RunResult(path, None, f"cannot be read: {error.strerror}")


def find_kalah_command(session: Transcript) -> list[str] | None:
    """Return the command of the Kalah console whose board, robots and menu a session shows; None if it has no board.

    The numbers of houses and seeds can be inferred only if the first board is the start of a game.
    """
    from tablemen.transcript import LineKind

    lines = [step.text for step in session.steps if step.kind is LineKind.OUTPUT]
    row = next((line for line in lines if HORIZONTAL_ROW.fullmatch(line) or VERTICAL_ROW.fullmatch(line)), None)
    if row is None:
        return None
    vertical = VERTICAL_ROW.fullmatch(row) is not None
    options = [*_find_size(lines, row, vertical=vertical), *(["--vertical"] if vertical else [])]
    robots = [number for number in "12" if any(line.startswith(f"Player P{number} (Robot)") for line in lines)]
    if robots:
        options += ["--robot", "both" if len(robots) == 2 else robots[0]]
    if "Choice:" in lines:
        options.append("--menu")
    return [*KALAH_CONSOLE, *options]


def _find_size(lines: Sequence[str], row: str, *, vertical: bool) -> list[str]:
    """Return options for the houses and seeds of the first row, if the whole first board is such a start position."""
    from tablemen.exercises.kalah import draw_horizontal, draw_vertical
    from tablemen.mancala import KALAH, Position

    pairs = [(int(number), int(seeds)) for number, seeds in HOUSE.findall(row)]
    houses, seeds = max(number for number, _ in pairs), pairs[0][1]
    try:
        start = Position.start(replace(KALAH, houses=houses, seeds=seeds))
    except InvalidRulesError:
        return []
    board = draw_vertical(start) if vertical else draw_horizontal(start)
    if list(lines[: len(board)]) != board:
        return []
    sizes = [("--houses", houses, KALAH.houses), ("--seeds", seeds, KALAH.seeds)]
    return [word for name, size, default in sizes if size != default for word in (name, str(size))]


@transcript.command(cls=CommandWithCommand, epilog=RECORD_EXAMPLES)
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@click.pass_context
def record(context: click.Context, *, out: Path, force: bool) -> None:
    """Run COMMAND interactively, and write the session to OUT: its output, and your input.

    The recording ends with the program, or earlier with Ctrl-C or the end of the input; OUT then ends with a comment
    about that. A line that is too long for a terminal also ends it, with exit status 1.
    """
    from tablemen.transcript import format_transcript
    from tablemen.transcript.record import record_command

    command: tuple[str, ...] = context.obj
    if not command:
        raise CommandUsageError("the command is missing: tablemen transcript record OUT -- COMMAND...")
    if out.exists() and not force:
        raise CommandUsageError(f"{out} already exists; use --force to overwrite it")
    if not out.parent.is_dir():
        raise CommandUsageError(f"the folder {out.parent} does not exist")
    if not os.access(out.parent, os.W_OK):
        raise CommandUsageError(f"cannot write to the folder {out.parent}")
    recording = record_command(command, keyboard=sys.stdin.fileno(), show=lambda text: click.echo(text, nl=False))
    out.write_text(format_transcript(recording.transcript), encoding="utf-8", newline="\n")
    with suppress(OSError):  # the file is written, but the terminal may be closed
        _report_recording(recording, out)
    if recording.interruption is not None:
        context.exit(interrupted_status(recording.interruption))
    context.exit(1 if recording.problem else 0)


def _report_recording(recording: Recording, out: Path) -> None:
    """Print a summary and warnings on standard error."""
    if recording.midway:
        click.echo(err=True)  # end the program's last line
    click.echo(f"{format_count(len(recording.transcript.steps), 'line')} recorded in {out}", err=True)
    if recording.problem:
        click.echo(f"The recording stopped early: {recording.problem}.", err=True)
    if recording.status is None:
        click.echo("The program was still running, and was stopped.", err=True)
    elif recording.status:
        click.echo(
            f"The exit status was {recording.status}, not 0: `tablemen transcript run` will report a failure.", err=True
        )

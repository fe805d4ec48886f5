"""`tablemen transcript`: sessions of console programs, run against their programs or recorded."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from threading import Event, Semaphore
from typing import NamedTuple

import click

from tablemen.cli.completers import complete_file
from tablemen.cli.group import BadQuestion, SuggestingGroup, ended_by_signals, interrupted_status
from tablemen.cli.parameters import POSITIVE, json_option, print_json
from tablemen.errors import ArgumentError, TablemenError
from tablemen.transcript import Report, Transcript, format_transcript, read_transcript, run_command
from tablemen.transcript.check import check_timeout
from tablemen.transcript.process import environment
from tablemen.transcript.record import Recording, record_command

PATTERNS = ("*.txt", "*.transcript")
NO_COMMAND = "names no command: give one behind --, or in a comment '# command: ...' of the file"

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


def _read_timeout(_context: click.Context, _parameter: click.Parameter, timeout: float) -> float:
    """A time that one can wait: click lets pass what is no number, and what has no end."""
    try:
        return check_timeout(timeout)
    except ArgumentError as error:
        raise click.BadParameter(f"{timeout} is no number of seconds that one can wait.") from error


class CommandWithCommand(click.Command):
    """A command whose arguments may be followed by `--` and another command, which it finds in `context.obj`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What is left of the arguments."""
        at = args.index("--") if "--" in args else len(args)
        ctx.obj = tuple(args[at + 1 :])
        return super().parse_args(ctx, args[:at])

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """The words of the line that shows the usage."""
        return [*super().collect_usage_pieces(ctx), "[-- COMMAND...]" if self.name == "run" else "-- COMMAND..."]


@click.group(cls=SuggestingGroup, epilog=EXAMPLES)
@click.pass_context
def transcript(context: click.Context) -> None:
    """Runs and records specification files: sessions of console programs, line by line.

    A line of such a file begins with > for what the program writes, < for what is typed, or # for a comment.
    """
    context.with_resource(ended_by_signals())  # so that no program is left behind


@transcript.command(cls=CommandWithCommand, epilog=RUN_EXAMPLES, short_help="check programs against their sessions")
@click.argument("files", nargs=-1, required=True, metavar="FILE_OR_FOLDER...", shell_complete=complete_file)
@click.option("--jobs", metavar="N", type=POSITIVE, help="Run so many at once; without it, one a processor.")
@click.option(
    *("--timeout", "timeout"),
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    callback=_read_timeout,
    default=10.0,
    show_default=True,
    help="How long a program may be silent while something is expected of it.",
)
@json_option
@click.pass_context
def run(context: click.Context, *, files: tuple[str, ...], jobs: int | None, timeout: float, as_json: bool) -> None:
    """Runs a program against every FILE, and every *.txt and *.transcript in a FOLDER and below it.

    The program is COMMAND; without it, what a comment '# command: ...' of the file names. A file that names none but
    shows a board of Kalah is run against 'tablemen play kalah', on such a board, with the robots and the menu that are
    seen; other rules need their command. The program runs at a terminal of its own, and is stopped where it hangs or
    goes on after the end.

    Whatever fails is reported; the status is 0 when all have passed, and 1 when one has not.
    """
    command: tuple[str, ...] = context.obj
    if command and shutil.which(command[0], path=environment()["PATH"]) is None:
        raise BadQuestion(f"cannot find the command {command[0]!r}")
    results = []
    with closing(
        _run_all(find_files(files), command, jobs=jobs or os.cpu_count() or 1, timeout=timeout)
    ) as every_result:
        for result in every_result:
            results.append(result)
            if not result.passed and not as_json:
                click.echo(result)
    failed = sum(not result.passed for result in results)
    if as_json:
        print_json([result.facts() for result in results])
    else:
        click.echo(f"{len(results) - failed} passed" + (f", {failed} failed" if failed else ""))
    context.exit(1 if failed else 0)


class Result(NamedTuple):
    """What there is to say about a file: how its program did, or why it could not be run."""

    path: Path
    report: Report | None
    error: str = ""

    @property
    def passed(self) -> bool:
        """Whether its program did everything right."""
        return self.report is not None and self.report.passed

    def __str__(self) -> str:
        return f"{self.path}: {self.error}" if self.report is None else str(self.report)

    def facts(self) -> dict[str, object]:
        """The result as JSON has it."""
        failure = None if self.report is None else self.report.failure
        told = None
        if failure is not None:
            names = ("line", "column", "expected", "actual", "note", "rest")
            told = {"problem": failure.problem.name.lower()} | {name: getattr(failure, name) for name in names}
        status = None if self.report is None else self.report.status
        facts = {"file": str(self.path), "passed": self.passed, "status": status, "failure": told}
        return facts | ({"error": self.error} if self.error else {})


def find_files(names: Iterable[str]) -> list[Path]:
    """The specification files that are meant, each once."""
    found: dict[Path, None] = {}
    for name in names:
        path = Path(name)
        if path.is_dir():
            inside = sorted({file for pattern in PATTERNS for file in path.rglob(pattern) if file.is_file()})
            if not inside:
                raise BadQuestion(f"the folder {name} has no {' or '.join(PATTERNS)} in it")
            found |= dict.fromkeys(inside)
        elif path.exists():
            found[path] = None
        else:
            raise BadQuestion(f"there is no file {name}")
    return list(found)


def _run_all(
    paths: Sequence[Path], command: Sequence[str], *, jobs: int, timeout: float
) -> Generator[Result, None, None]:
    """The results in the order of the files."""
    cancel = Event()
    places = Semaphore(jobs)

    def run_one(path: Path) -> Result:
        with places:
            return _run_one(path, command, timeout=timeout, cancel=cancel)

    pool = ThreadPoolExecutor(jobs)
    try:
        yield from pool.map(run_one, paths)
    finally:
        # After Ctrl-C no program may be left behind. The pool forgets a thread that it was just starting, so that
        # waiting for the pool is not enough: when all places are ours, no program runs, and none will.
        cancel.set()
        for _ in range(jobs):
            places.acquire()
        places.release(jobs)
        pool.shutdown(cancel_futures=True)


def _run_one(path: Path, command: Sequence[str], *, timeout: float, cancel: Event) -> Result:
    """How the program of a file does."""
    if cancel.is_set():
        return Result(path, None, "stopped")
    try:
        session = read_transcript(path)
        chosen = command or session.command or _kalah_command(session)
        if not chosen:
            return Result(path, None, NO_COMMAND)
        return Result(path, run_command(session, chosen, timeout=timeout, cancel=cancel))
    except TablemenError as error:
        return Result(path, None, str(error))
    except OSError as error:
        return Result(path, None, f"cannot be read: {error.strerror}")


def _kalah_command(session: Transcript) -> list[str] | None:
    """The console of Kalah that the session shows, if it shows one."""
    from tablemen.cli.transcript.kalah import kalah_command

    return kalah_command(session)


@transcript.command(cls=CommandWithCommand, epilog=RECORD_EXAMPLES, short_help="write a session down as it happens")
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@click.pass_context
def record(context: click.Context, *, out: Path, force: bool) -> None:
    """Runs COMMAND for you to talk with, and writes the session to OUT: what it wrote, and what you typed.

    The session ends with the program. Ctrl-C ends it early, and so does the end of the input: OUT then has everything
    up to there, and a comment that says so. A line that no terminal takes ends it too, with the status 1.
    """
    command: tuple[str, ...] = context.obj
    if not command:
        raise BadQuestion("a command is missing: tablemen transcript record OUT -- COMMAND...")
    if out.exists() and not force:
        raise BadQuestion(f"{out} is there already; --force writes over it")
    if not os.access(out.parent, os.W_OK):
        raise BadQuestion(f"cannot write to the folder {out.parent}")
    recording = record_command(command, keyboard=sys.stdin.fileno(), show=_show)
    out.write_text(format_transcript(recording.transcript), encoding="utf-8", newline="\n")
    with suppress(OSError):  # the file is written: a terminal that has hung up need not hear of it
        _tell(recording, out)
    if recording.interruption is not None:
        context.exit(interrupted_status(recording.interruption))
    context.exit(1 if recording.problem else 0)


def _tell(recording: Recording, out: Path) -> None:
    """Says what was recorded, and what is to be known of it."""
    if recording.midway:
        click.echo(err=True)  # what follows is said on a line of its own
    lines = len(recording.transcript.steps)
    click.echo(f"{lines} {'line' if lines == 1 else 'lines'} recorded in {out}", err=True)
    if recording.problem:
        click.echo(f"It went no further: {recording.problem}.", err=True)
    if recording.status is None:
        click.echo("The program had not ended, and was stopped.", err=True)
    elif recording.status:
        click.echo(f"Its status was {recording.status}: it will fail when it is run.", err=True)


def _show(text: str) -> None:
    """Shows what the program writes, at once."""
    click.echo(text, nl=False)

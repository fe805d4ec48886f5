"""`tablemen transcript run`: programs checked against their sessions."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event, Semaphore
from typing import NamedTuple

import click

from tablemen.cli.completers import complete_file
from tablemen.cli.group import BadQuestion
from tablemen.cli.parameters import POSITIVE, json_option, print_json
from tablemen.cli.transcript.command import CommandWithCommand
from tablemen.cli.transcript.kalah import kalah_command
from tablemen.errors import ArgumentError, TablemenError
from tablemen.transcript import Report, read_transcript, run_command
from tablemen.transcript.process import environment
from tablemen.transcript.run import check_timeout

PATTERNS = ("*.txt", "*.transcript")
NO_COMMAND = "names no command: give one behind --, or in a comment '# command: ...' of the file"

EXAMPLES = """\b
Examples:
  tablemen transcript run greeting.transcript
  tablemen transcript run greeting.transcript -- ./greet --loud
  tablemen transcript run specifications/ --jobs 4 -- java -cp build Kalah
  tablemen transcript run specifications/ --json
"""


def _read_timeout(_context: click.Context, _parameter: click.Parameter, timeout: float) -> float:
    """A time that one can wait: click lets pass what is no number, and what has no end."""
    try:
        return check_timeout(timeout)
    except ArgumentError as error:
        raise click.BadParameter(f"{timeout} is no number of seconds that one can wait.") from error


@click.command(cls=CommandWithCommand, epilog=EXAMPLES)
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
        chosen = command or session.command or kalah_command(session)
        if not chosen:
            return Result(path, None, NO_COMMAND)
        return Result(path, run_command(session, chosen, timeout=timeout, cancel=cancel))
    except TablemenError as error:
        return Result(path, None, str(error))
    except OSError as error:
        return Result(path, None, f"cannot be read: {error.strerror}")

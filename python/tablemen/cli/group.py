"""How commands are found, and how they end."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, TextIO

import click

from tablemen.errors import TablemenError

ENDING = ("SIGINT", "SIGTERM", "SIGHUP")
SPELLINGS = {"analyze": "analyse"}  # other ways to write the name of a command


class BadQuestion(click.ClickException):
    """Something given on the command line that makes no sense: one line, status 2."""

    exit_code = 2


class Ended(KeyboardInterrupt):
    """A signal that ends the program: Ctrl-C, or one that is taken as that."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def __str__(self) -> str:
        return "Interrupted." if self.number == signal.SIGINT else f"Ended by {signal.Signals(self.number).name}."


def interrupted_status(error: KeyboardInterrupt) -> int:
    """The status of a program that was interrupted: 128 and the number of the signal, as shells have it."""
    return 128 + (error.number if isinstance(error, Ended) else signal.SIGINT)


class Signals:
    """The signal that ends a command, once it has come."""

    def __init__(self) -> None:
        self.came: int | None = None
        self.is_held = False

    def arrive(self, number: int, _frame: object) -> None:
        """Raises `Ended` for the first, at once or when it is no longer held."""
        if self.came is None:
            self.came = number
            if not self.is_held:
                raise Ended(number)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """A signal that comes in this block raises behind it."""
        self.is_held = True
        try:
            yield
        finally:
            self.is_held = False
        if self.came is not None:
            raise Ended(self.came)


@contextlib.contextmanager
def ended_by_signals() -> Iterator[Signals]:
    """The first Ctrl-C, SIGTERM or SIGHUP raises `Ended`, so that a command can clear up; no other disturbs that.

    A signal that is ignored stays so, and outside the main thread nothing is changed.
    """
    signals = Signals()
    changed = {}
    if threading.current_thread() is threading.main_thread():
        for number in (getattr(signal, name) for name in ENDING if hasattr(signal, name)):
            handler = signal.getsignal(number)
            if handler not in {signal.SIG_IGN, None}:
                changed[number] = handler
    try:
        for number in changed:
            signal.signal(number, signals.arrive)
        yield signals
    finally:
        for number, handler in changed.items():
            signal.signal(number, handler)


class TablemenGroup(click.Group):
    """Commands that are imported when they are called, and end with a line and a status, never with a traceback."""

    def __init__(self, *, modules: Sequence[str], package: str = "tablemen.cli", **settings: Any) -> None:
        super().__init__(**settings)
        self.modules = tuple(modules)
        self.package = package

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of the commands, in the order in which one meets them."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """The command of this name: the module of that name has it under the same name."""
        name = SPELLINGS.get(cmd_name, cmd_name)
        if name not in self.modules:
            return None
        command = getattr(import_module(f"{self.package}.{name}"), name)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """What the command gives."""
        try:
            return super().invoke(ctx)
        except TablemenError as error:
            raise BadQuestion(str(error)) from error
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # click ends quietly when nobody reads on
            _silence(sys.stdout)
            place = f"{error.filename}: " if error.filename else ""
            raise click.ClickException(f"{place}{error.strerror or error}") from error
        except KeyboardInterrupt as error:
            with contextlib.suppress(OSError):  # a terminal that has hung up takes no more
                click.echo(str(error) or "Interrupted.", err=True)
            _leave(ctx, interrupted_status(error))


def _silence(stream: TextIO | None) -> None:
    """Keeps what could not be written from failing once more when the program ends."""
    if stream is None:
        return
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _leave(context: click.Context, status: int) -> None:
    """Ends the program, at once even where the compiled core is still counting in another thread."""
    if threading.active_count() > 1:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    context.exit(status)

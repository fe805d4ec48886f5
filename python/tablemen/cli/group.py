"""How commands are found, and how they end."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from tablemen.cli.colour import colours
from tablemen.errors import TablemenError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

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
    """Commands that are imported when they are called, and end with a line and a status, never with a traceback.

    `abouts` says of each in a few words what it does, so that none need be imported to be listed.
    """

    def __init__(
        self,
        *,
        modules: Iterable[str],
        abouts: Mapping[str, str],
        package: str = "tablemen.cli",
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self.modules = tuple(modules)
        self.abouts = abouts
        self.package = package

    def main(self, *arguments: Any, **settings: Any) -> Any:
        """Runs the program."""
        with _open_streams():
            return super().main(*arguments, **settings)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of the commands, in the order in which one meets them."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """The command of this name: the module of that name has it under the same name, with _ for -."""
        name = SPELLINGS.get(cmd_name, cmd_name)
        if name not in self.modules:
            return None
        module = name.replace("-", "_")
        command = getattr(import_module(f"{self.package}.{module}"), module)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names, and the other words."""
        name = args[0]
        is_option = name.startswith("-")
        if not is_option and not ctx.resilient_parsing and self.get_command(ctx, name) is None:
            raise BadQuestion(f"there is no command {name!r}; {self.hint(ctx, name)}")
        return super().resolve_command(ctx, args)

    def hint(self, ctx: click.Context, name: str) -> str:
        """What somebody may have meant who wrote this name."""
        from difflib import get_close_matches

        near = get_close_matches(name.casefold(), self.list_commands(ctx), n=2)
        return f"did you mean {' or '.join(near)}?" if near else f"`{ctx.command_path} --help` lists them all"

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.abouts[name]) for name in self.list_commands(ctx)])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands and options that begin so, for the shell."""
        from click.shell_completion import CompletionItem

        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        commands = [CompletionItem(name, help=self.abouts[name]) for name in names]
        return commands + click.Command.shell_complete(self, ctx, incomplete)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """The words of the command line, read."""
        with _misspelt_options():
            return super().make_context(info_name, args, parent, **{"color": colours(), **extra})

    def invoke(self, ctx: click.Context) -> Any:
        """What the command gives."""
        try:
            with _misspelt_options():
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


@contextlib.contextmanager
def _open_streams() -> Iterator[None]:
    """Where the program was started without an output stream, what is written there goes nowhere.

    Python has None then, which click takes for the other stream; and a file that is opened would get its number.
    """
    with contextlib.ExitStack() as opened:
        for stream, redirect in (
            (sys.stdout, contextlib.redirect_stdout),
            (sys.stderr, contextlib.redirect_stderr),
        ):
            if stream is None:
                opened.enter_context(redirect(opened.enter_context(Path(os.devnull).open("w", encoding="utf-8"))))
        yield


@contextlib.contextmanager
def _misspelt_options() -> Iterator[None]:
    """An option that there is not is told in a line, with near ones or where they are listed."""
    try:
        yield
    except click.NoSuchOption as error:
        told = error.format_message()
        if not error.possibilities and error.ctx is not None:
            told += f" `{error.ctx.command_path} --help` lists them all."
        raise BadQuestion(told) from error


def _silence(stream: TextIO) -> None:
    """Keeps what could not be written from failing once more when the program ends."""
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

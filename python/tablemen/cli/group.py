"""The command group: lazy loading of commands, error messages, exit statuses and signals."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
import threading
from collections.abc import Coroutine, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from tablemen.errors import TablemenError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

T = TypeVar("T")

TERMINATION_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
ARGUMENTS = "tablemen.arguments"  # the key of the command line in the context
SPELLINGS = {"analyze": "analyse"}  # other spellings of command names


class CommandUsageError(click.ClickException):
    """An invalid argument or option: one line on standard error, status 2."""

    exit_code = 2


class SignalInterrupt(KeyboardInterrupt):
    """Raised when a termination signal interrupts the program; `number` is the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def __str__(self) -> str:
        return "Interrupted." if self.number == signal.SIGINT else f"Ended by {signal.Signals(self.number).name}."


def interrupted_status(error: KeyboardInterrupt) -> int:
    """Return the exit status of an interrupted program: 128 + signal number, as in shells."""
    return 128 + (error.number if isinstance(error, SignalInterrupt) else signal.SIGINT)


class SignalHandler:
    """The handler that `handle_signals` installs."""

    def __init__(self) -> None:
        self._received: int | None = None
        self._is_deferring = False

    def receive(self, number: int, _frame: object) -> None:
        """Raise `SignalInterrupt` for the first signal, unless it is deferred; ignore further signals."""
        if self._received is None:
            self._received = number
            if not self._is_deferring:
                raise SignalInterrupt(number)

    @contextlib.contextmanager
    def deferred(self) -> Iterator[None]:
        """Defer a signal that arrives in this block until the end of the block."""
        self._is_deferring = True
        try:
            yield
        finally:
            self._is_deferring = False
        if self._received is not None:
            raise SignalInterrupt(self._received)


def _handled_signals() -> list[int]:
    """Return the termination signals that are not ignored."""
    return [number for number in TERMINATION_SIGNALS if signal.getsignal(number) not in {signal.SIG_IGN, None}]


@contextlib.contextmanager
def handle_signals() -> Iterator[SignalHandler]:
    """Raise `SignalInterrupt` on the first Ctrl-C, SIGTERM or SIGHUP, so that a command can clean up undisturbed.

    Signals that are ignored stay ignored, and outside the main thread nothing changes.
    """
    handler = SignalHandler()
    is_main = threading.current_thread() is threading.main_thread()
    former = {number: signal.getsignal(number) for number in (_handled_signals() if is_main else ())}
    try:
        for number in former:
            signal.signal(number, handler.receive)
        yield handler
    finally:
        for number, previous in former.items():
            signal.signal(number, previous)


def run_until_signal(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine and return its result; a termination signal cancels it.

    `SignalInterrupt` is raised after the coroutine has cleaned up, even if it then finishes normally: with status 0 the
    signal would go unnoticed. Further signals are ignored.
    """
    import asyncio

    received: list[int] = []

    async def watch() -> T:
        loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)

        def cancel(number: int) -> None:
            if not received:
                task.cancel()
            received.append(number)

        for number in _handled_signals():
            # Some platforms do not support this, and only the main thread can do it.
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, cancel, number)
        return await task

    try:
        result = asyncio.run(watch())
    except asyncio.CancelledError:
        if received:
            raise SignalInterrupt(received[0]) from None
        raise
    if received:
        raise SignalInterrupt(received[0])
    return result


def typed_option(name: str) -> str:
    """Return the name by which an option was given on the command line; `name` if it was not given.

    `name` is one of its names, and an option such as `--fen` or `--position` has several.
    """
    context = click.get_current_context(silent=True)
    if context is None:
        return name
    names = next((each.opts for each in context.command.params if name in each.opts), [name])
    typed = (word.partition("=")[0] for word in reversed(context.meta.get(ARGUMENTS, ())))
    return next((word for word in typed if word in names), name)


class TablemenGroup(click.Group):
    """A group that imports a command's module when the command is called, and reports errors without a traceback.

    `abouts` maps each command to a short description, so that listing the commands imports none of them. `modules` are
    the names of commands with a module of their own in `package`.
    """

    def __init__(
        self,
        *,
        abouts: Mapping[str, str],
        modules: Iterable[str] | None = None,
        package: str = "tablemen.cli",
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self.abouts = abouts
        self.modules = tuple(abouts if modules is None else modules)
        self.package = package

    def main(self, *arguments: Any, **settings: Any) -> Any:
        """Run the program."""
        with _open_streams():
            return super().main(*arguments, **settings)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of the commands in their order in lists."""
        return list(self.abouts)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name: a registered one, or the one in the module of the same name (_ for -)."""
        name = SPELLINGS.get(cmd_name, cmd_name)
        command = super().get_command(ctx, name)
        if command is None and name in self.modules:
            module = name.replace("-", "_")
            command = getattr(import_module(f"{self.package}.{module}"), module)
            assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first word names, and the other words."""
        name = args[0]
        is_option = name.startswith("-")
        if not is_option and not ctx.resilient_parsing and self.get_command(ctx, name) is None:
            raise CommandUsageError(f"unknown command {name!r}; {self.hint(ctx, name)}")
        return super().resolve_command(ctx, args)

    def hint(self, ctx: click.Context, name: str) -> str:
        """Return a suggestion for an unknown command."""
        from difflib import get_close_matches

        near = get_close_matches(name.casefold(), self.list_commands(ctx), n=2)
        return f"did you mean {' or '.join(near)}?" if near else f"`{ctx.command_path} --help` lists them all"

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.abouts[name]) for name in self.list_commands(ctx)])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that start with a text."""
        from click.shell_completion import CompletionItem

        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        commands = [CompletionItem(name, help=self.abouts[name]) for name in names]
        return commands + click.Command.shell_complete(self, ctx, incomplete)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options of the group; keep all arguments for `typed_option`."""
        ctx.meta.setdefault(ARGUMENTS, tuple(args))
        return super().parse_args(ctx, args)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Parse the command line; turn colours off if `NO_COLOR` is set or the terminal is dumb."""
        is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        color = False if is_plain else None  # None: click decides by whether the output is a terminal
        with _suggest_options():
            return super().make_context(info_name, args, parent, **{"color": color, **extra})

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, and turn exceptions into messages and exit statuses."""
        try:
            with _suggest_options():
                return super().invoke(ctx)
        except TablemenError as error:
            raise CommandUsageError(str(error)) from error
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # click ends quietly if the reader of a pipe has closed it
            _discard_output(sys.stdout)
            place = f"{error.filename}: " if error.filename else ""
            raise click.ClickException(f"{place}{error.strerror or error}") from error
        except KeyboardInterrupt as error:
            with contextlib.suppress(OSError):  # the terminal may be closed
                click.echo(str(error) or "Interrupted.", err=True)
            _exit(ctx, interrupted_status(error))


@contextlib.contextmanager
def _open_streams() -> Iterator[None]:
    """Replace closed output streams by the null device.

    Python sets a closed stream to None, for which click would use the other stream. Besides, the next file to be opened
    would get the descriptor of the closed stream.
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
def _suggest_options() -> Iterator[None]:
    """Report an unknown option on one line, with suggestions."""
    try:
        yield
    except click.NoSuchOption as error:
        message = error.format_message()
        if not error.possibilities and error.ctx is not None:
            message += f" `{error.ctx.command_path} --help` lists them all."
        raise CommandUsageError(message) from error


def _discard_output(stream: TextIO) -> None:
    """Discard output that cannot be written, so that the flush at exit does not fail again."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _exit(context: click.Context, status: int) -> None:
    """End the program, immediately if other threads are running: the compiled core may still be counting."""
    if threading.active_count() > 1:
        processes = sys.modules.get("tablemen.protocols.transport.process")
        if processes is not None:  # `os._exit` skips the exit handler that would kill running engines
            processes.kill_all()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    context.exit(status)

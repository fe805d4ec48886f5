"""The options of commands that run tasks on a cluster, and the display of their progress."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from tablemen.cli.group import CommandUsageError
from tablemen.cli.parameters import POSITIVE, StatusLine, format_count, reported_for

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from tablemen.tasks import TaskProgress

Command = TypeVar("Command", bound=Callable[..., object])

LINE_INTERVAL = 10.0  # seconds between lines of progress, if standard error is not a terminal
ADDRESSES = {
    "local:": "processes on this machine, such as local:4",
    "tcp://": "the scheduler of a cluster, such as tcp://HOST:8786",
}


def _complete_address(_context: click.Context, _parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Complete the forms of addresses, and files."""
    from click.shell_completion import CompletionItem

    forms = [CompletionItem(form, help=about) for form, about in ADDRESSES.items() if form.startswith(prefix)]
    return forms or [CompletionItem(prefix, type="file")]


def cluster_option(command: Command) -> Command:
    """Add --cluster, passed as `cluster`."""
    about = "Run on a cluster: the address of its Dask scheduler, a scheduler file, or local:N for N processes."
    return click.option("--cluster", metavar="ADDRESS", shell_complete=_complete_address, help=about)(command)


def task_options(items: str, default: str) -> Callable[[Command], Command]:
    """Return a decorator that adds --cluster, --folder and --per-task."""

    def add(command: Command) -> Command:
        folder_about = "Folder of the tasks' files, which all workers see. An interrupted command continues with these."
        per_task = click.option(
            "--per-task",
            metavar="N",
            type=POSITIVE,
            help=f"Number of {items} in each task of a cluster. [default: {default}]",
        )
        folder = click.option(
            "--folder", metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path), help=folder_about
        )
        return cluster_option(folder(per_task(command)))

    return add


def check_task_options(cluster: str | None, folder: Path | None, per_task: int | None) -> None:
    """Raise `CommandUsageError` if only some of the options are given."""
    if cluster is None:
        for name, value in (("--folder", folder), ("--per-task", per_task)):
            if value is not None:
                raise CommandUsageError(f"{name} requires --cluster; local:N uses N processes of this machine")
    elif folder is None:
        raise CommandUsageError("--cluster requires --folder: a folder that all workers see under the same path")


@contextlib.contextmanager
def open_executor(address: str, folder: Path | None) -> Iterator[Executor]:
    """Connect to a cluster; cancel its tasks at the end of the block."""
    from tablemen.cluster import open_cluster

    with reported_for("--cluster", address):
        cluster = open_cluster(address, folder=folder)
    with cluster:
        click.echo(f"cluster {address}: {format_count(cluster.workers, 'task')} at a time", err=True)
        yield cluster


class TaskDisplay(StatusLine):
    """Shows the progress of tasks on standard error: a status line at a terminal, otherwise a line now and then."""

    def __init__(self) -> None:
        super().__init__()
        self._next = time.monotonic() + LINE_INTERVAL

    def show(self, progress: TaskProgress) -> None:
        """Show the progress."""
        if self.is_shown:
            self.write(str(progress))
        elif progress.is_over or time.monotonic() >= self._next:
            self._next = time.monotonic() + LINE_INTERVAL
            click.echo(str(progress), err=True)

"""`tablemen serve`: games and analysis in the browser."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tablemen.cli.completers import complete_machine
from tablemen.cli.group import BadQuestion, Ended
from tablemen.cli.parameters import check_host, host_option
from tablemen.errors import TablemenError

if TYPE_CHECKING:
    import socket
    from types import ModuleType

    from click.shell_completion import CompletionItem

NEEDED = ("fastapi", "pydantic", "starlette", "uvicorn", "websockets")
NO_WEB = "the server needs a few packages more: pip install 'tablemen[web]'"
DATABASE = "games.sqlite"

EXAMPLES = """\b
Examples:
  tablemen serve
  tablemen serve --port 9000 --no-browser
  tablemen serve --host 0.0.0.0 --public
  tablemen serve --engine Scan='hub:"scan hub",time=1'
  tablemen serve --engine Flits=dxp:localhost:27531
"""


def _read_engines(_context: click.Context, _parameter: click.Parameter, written: tuple[str, ...]) -> Mapping[str, str]:
    """The programs by their names."""
    if not written:
        return {}
    _load()
    from tablemen.web.games.engines import read_engine

    engines: dict[str, str] = {}
    for each in written:
        name, equals, text = (part.strip() for part in each.partition("="))
        if not equals:
            raise BadQuestion(f"--engine {each}: write NAME=PLAYER")
        if name in engines:
            raise BadQuestion(f"--engine {name}: there are two of this name")
        try:
            read_engine(name, text)
        except TablemenError as error:
            raise BadQuestion(f"--engine {name}: {error}") from error
        engines[name] = text
    return engines


def _complete_engine(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The players behind a name that is there."""
    from click.shell_completion import CompletionItem

    name, equals, player = begun.partition("=")
    found = complete_machine(context, parameter, player) if equals else []
    return [CompletionItem(f"{name}={each.value}", help=each.help) for each in found]


@click.command(epilog=EXAMPLES)
@click.option("--port", type=click.IntRange(0, 65535), help="The port; 0 takes any free one. [from 8080 on]")
@host_option
@click.option("--public", is_flag=True, help="Listen at an address that other machines reach.")
@click.option("--no-browser", is_flag=True, help="Open no browser.")
@click.option("--database", type=click.Path(dir_okay=False, path_type=Path), help="The file that games are kept in.")
@click.option(
    *("--engine", "engines"),
    metavar="NAME=PLAYER",
    multiple=True,
    callback=_read_engines,
    shell_complete=_complete_engine,
    help="Another program to play against, under a name; for several, once for each.",
)
def serve(
    *,
    port: int | None,
    host: str,
    public: bool,
    no_browser: bool,
    database: Path | None,
    engines: Mapping[str, str],
) -> None:
    """Serves games and analysis to the browser, until Ctrl-C stops it.

    It listens to this machine alone; for others there must be a --host that they reach, and --public. Games are kept
    in a file of the user's data folder, and go on when the server is started again.

    With --engine visitors can play against other programs too, which they choose by their names. A PLAYER is written
    as for `tablemen play`: hub:"COMMAND" or dxp:HOST:PORT for draughts, kgp:HOST:PORT for Kalah, and options behind a
    comma. Each plays one move at a time, and games wait for their turn.
    """
    serving = _load()
    check_host(host, public=public)
    from tablemen.paths import data_folder
    from tablemen.web.settings import Settings

    listening = serving.listen(host, port)
    settings = Settings(database=database or data_folder() / DATABASE, hosts=serving.names_of(host), engines=engines)
    with listening:
        stopped_by = serving.run(settings, listening, lambda: _announce(listening, serving, browser=not no_browser))
    if stopped_by is not None:
        raise Ended(stopped_by)


def _load() -> ModuleType:
    """What serves, if all that it needs is installed."""
    try:
        from tablemen.web import serve as serving
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in NEEDED:
            raise
        raise BadQuestion(NO_WEB) from error
    return serving


def _announce(listening: socket.socket, serving: ModuleType, *, browser: bool) -> None:
    url = serving.url_of(listening)
    click.echo(f"tablemen serves at {url} (Ctrl-C stops it)")
    if browser:
        import webbrowser

        webbrowser.open(url)

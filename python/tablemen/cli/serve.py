"""`tablemen serve`: games and analysis in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tablemen.cli.group import BadQuestion, Ended

if TYPE_CHECKING:
    import socket
    from types import ModuleType

NEEDED = ("fastapi", "pydantic", "starlette", "uvicorn", "websockets")
NO_WEB = "the server needs a few packages more: pip install 'tablemen[web]'"
DATABASE = "games.sqlite"

EXAMPLES = """\b
Examples:
  tablemen serve
  tablemen serve --port 9000 --no-browser
  tablemen serve --host 0.0.0.0 --public
"""


@click.command(epilog=EXAMPLES, short_help="play and analyse in the browser")
@click.option("--port", type=click.IntRange(0, 65535), help="The port; 0 takes any free one. [from 8080 on]")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address or name to listen at.")
@click.option("--public", is_flag=True, help="Listen at an address that other machines reach.")
@click.option("--no-browser", is_flag=True, help="Open no browser.")
@click.option("--database", type=click.Path(dir_okay=False, path_type=Path), help="The file that games are kept in.")
def serve(*, port: int | None, host: str, public: bool, no_browser: bool, database: Path | None) -> None:
    """Serves games and analysis to the browser, until Ctrl-C stops it.

    It listens to this machine alone; for others there must be a --host that they reach, and --public. Games are kept
    in a file of the user's data folder, and go on when the server is started again.
    """
    serving = _load()
    is_local = serving.is_loopback(host)
    if not is_local and not public:
        raise BadQuestion(f"other machines may reach {host}: add --public if they are to")
    from tablemen.folders import data_folder
    from tablemen.web.settings import Settings

    listening = serving.listen(host, port)
    settings = Settings(database=database or data_folder() / DATABASE, hosts=serving.names_of(host))
    if not is_local:
        click.echo(
            "Warning: whoever reaches this machine can use the server, and nothing that is sent is encrypted.", err=True
        )
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

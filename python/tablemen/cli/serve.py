"""`tablemen serve`: serve games and analysis to the browser."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tablemen.cli.group import CommandUsageError, SignalInterrupt, interrupted_status
from tablemen.cli.parameters import check_host, complete_machine, host_option
from tablemen.console import escape_controls
from tablemen.errors import TablemenError

if TYPE_CHECKING:
    from types import ModuleType

    from click.shell_completion import CompletionItem

    from tablemen.web.monitoring import LogFormat

WEB_PACKAGES = ("fastapi", "pydantic", "starlette", "uvicorn", "websockets")
NO_WEB = "the server needs more packages: pip install 'tablemen[web]'"
DATABASE = "games.sqlite"

EXAMPLES = """\b
Examples:
  tablemen serve
  tablemen serve --port 9000 --no-browser
  tablemen serve --host 0.0.0.0 --public --host-name play.example.org
  tablemen serve --host-name play.example.org --trusted-proxy 127.0.0.1
  tablemen serve --engine Scan='hub:"scan hub",time=1'
  tablemen serve --engine Flits=dxp:localhost:27531
"""


def _parse_engines(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> Mapping[str, str]:
    """Parse the values of --engine; return the text of each player by the engine's name."""
    if not texts:
        return {}
    _load_server()
    from tablemen.web.games.opponents import parse_engine

    engines: dict[str, str] = {}
    for each in texts:
        name, equals, text = (part.strip() for part in each.partition("="))
        option = f"--engine {escape_controls(name)}"
        if not equals:
            raise CommandUsageError(f"{option}: expected NAME=PLAYER")
        if name in engines:
            raise CommandUsageError(f"{option}: the name is given twice")
        try:
            parse_engine(name, text)
        except TablemenError as error:
            raise CommandUsageError(f"{option}: {escape_controls(str(error))}") from error
        engines[name] = text
    return engines


def _complete_engine(context: click.Context, parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Complete the player after `NAME=`."""
    from click.shell_completion import CompletionItem

    name, equals, player = prefix.partition("=")
    found = complete_machine(context, parameter, player) if equals else []
    return [CompletionItem(f"{name}={each.value}", help=each.help) for each in found]


@click.command(epilog=EXAMPLES)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Port to listen at; 0 for any free port. [default: the first free port from 8080 on]",
)
@host_option
@click.option("--public", is_flag=True, help="Allow a --host that other machines can reach.")
@click.option(
    *("--host-name", "host_names"),
    metavar="NAME",
    multiple=True,
    help="Accept requests for this name of the server, as in its URL; can be repeated.",
)
@click.option(
    *("--trusted-proxy", "trusted_proxies"),
    metavar="ADDRESS",
    multiple=True,
    help="Trust the X-Forwarded-For and X-Forwarded-Proto headers of this address or network; can be repeated.",
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option("--database", type=click.Path(dir_okay=False, path_type=Path), help="File that stores the games.")
@click.option(
    "--recover",
    is_flag=True,
    help="If the database is damaged, rename it, and continue with the games that can be read.",
)
@click.option(
    *("--engine", "engines"),
    metavar="NAME=PLAYER",
    multiple=True,
    callback=_parse_engines,
    shell_complete=_complete_engine,
    help="Offer another program as an opponent, under this name; can be repeated.",
)
@click.option(
    "--log-format",
    type=click.Choice(["plain", "json"]),
    default="plain",
    show_default=True,
    help="Format of the log on the standard error output; json also has a line for each request.",
)
@click.option(
    *("--metrics", "metrics_port"),
    metavar="PORT",
    type=click.IntRange(0, 65535),
    help="Serve metrics for Prometheus at this port of 127.0.0.1; 0 for any free port.",
)
def serve(
    *,
    port: int | None,
    host: str,
    public: bool,
    host_names: tuple[str, ...],
    trusted_proxies: tuple[str, ...],
    no_browser: bool,
    database: Path | None,
    recover: bool,
    engines: Mapping[str, str],
    log_format: LogFormat,
    metrics_port: int | None,
) -> None:
    """Start a web server for playing and analysing in the browser. Ctrl-C stops it.

    Only this machine can connect, unless --public and a --host that other machines can reach are given. Then browsers
    can use its address; other names need --host-name. Games are stored in a file in the user's data folder, and can be
    continued after a restart.

    --engine lets visitors play against another program, which they choose by its name. PLAYER is hub:"COMMAND" or
    dxp:HOST:PORT for draughts, or kgp:HOST:PORT for Kalah, with options after a comma. Each program plays one move at a
    time; other games wait.
    """
    serving = _load_server()
    check_host(host, public=public)
    from tablemen.paths import data_folder
    from tablemen.web.monitoring import listen_metrics
    from tablemen.web.settings import Settings

    settings = Settings(
        database=database or data_folder() / DATABASE,
        hosts=serving.accepted_hosts(host, host_names),
        trusted_proxies=trusted_proxies,
        engines=engines,
    )
    if recover:
        _recover(settings.database)
    with contextlib.ExitStack() as stack:
        listening = stack.enter_context(serving.listen(host, port))
        metrics = None if metrics_port is None else stack.enter_context(listen_metrics(metrics_port))
        urls = (serving.server_url(listening), None if metrics is None else f"{serving.server_url(metrics)}metrics")
        stopped_by = serving.run(
            settings,
            listening,
            lambda: _announce(*urls, browser=not no_browser),
            log_format=log_format,
            metrics=metrics,
        )
    if stopped_by is not None:
        interrupt = SignalInterrupt(stopped_by)
        if log_format == "json":  # the log contains the signal
            raise SystemExit(interrupted_status(interrupt))
        raise interrupt


def _load_server() -> ModuleType:
    """Import the server; raise `CommandUsageError` if its packages are not installed."""
    try:
        from tablemen.web import serve as serving
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in WEB_PACKAGES:
            raise
        raise CommandUsageError(NO_WEB) from error
    return serving


def _recover(database: Path) -> None:
    from tablemen.web.games.store import recover_database

    recovery = recover_database(database)
    if recovery is None:
        return
    games, lost, damaged = recovery
    click.echo(
        f"The database was damaged and is now {damaged}; {games:,} games were copied to {database}"
        + (f", and {lost:,} could not be read." if lost else "."),
        err=True,
    )


def _announce(url: str, metrics_url: str | None, *, browser: bool) -> None:
    click.echo(f"tablemen is running at {url} (press Ctrl-C to stop)")
    if metrics_url is not None:
        click.echo(f"metrics are at {metrics_url}")
    if browser:
        import webbrowser

        webbrowser.open(url)

"""The help of every command, with its wording in a golden file."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tablemen import __version__
from tablemen.cli import COMMANDS, main
from tests.golden import check_golden

GOLDEN = Path(__file__).with_name("help.txt")

# These commands are for people, browsers, other programs and shells.
WITHOUT_JSON = {"play", "serve", "engine", "completion"}
SUBCOMMANDS = [
    *(["play", game] for game in ("english", "kalah", "oware")),
    *(["engine", protocol] for protocol in ("hub", "dxp", "kgp")),
    *(["tablebase", action] for action in ("build", "list", "check", "probe", "remove")),
    *(["transcript", action] for action in ("run", "record")),
]
PAGES = [[], *([name] for name in COMMANDS), *SUBCOMMANDS]


def get_help(*words: str) -> str:
    result = CliRunner().invoke(main, [*words, "--help"], prog_name="tablemen", env={"COLUMNS": "80"})
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


@pytest.mark.golden
def test_wording() -> None:
    overview = CliRunner().invoke(main, prog_name="tablemen").stdout.replace(__version__, "VERSION")
    pages = {" ".join(["tablemen", *words, "--help"]): get_help(*words) for words in PAGES}
    check_golden(GOLDEN, {name: text.rstrip() for name, text in {"tablemen": overview, **pages}.items()})


@pytest.mark.parametrize("name", COMMANDS)
def test_command_has_examples_and_short_option(name: str) -> None:
    page = get_help(name)
    assert CliRunner().invoke(main, [name, "-h"], prog_name="tablemen", env={"COLUMNS": "80"}).stdout == page
    assert "Examples:" in page
    assert page.count(f"  tablemen {name}") >= 3


@pytest.mark.parametrize("name", COMMANDS)
def test_command_has_json_unless_it_is_interactive(name: str) -> None:
    assert ("--json" in get_help(name)) is (name not in WITHOUT_JSON)


@pytest.mark.parametrize("words", PAGES, ids=" ".join)
def test_page_fits_80_columns(words: list[str]) -> None:
    page = get_help(*words)
    assert "Examples:" in page
    assert [line for line in page.splitlines() if len(line) > 80] == []


def test_every_command_is_described() -> None:
    page = " ".join(get_help().split())
    assert all(f"{name} {listed.about}" in page for name, listed in COMMANDS.items())


@pytest.mark.parametrize("name", COMMANDS)
def test_usage_agrees_with_the_overview(name: str) -> None:
    usage = get_help(name).splitlines()[0]
    arguments = [word.strip("[].") for word in COMMANDS[name].usage.split()]
    assert [word.strip("[].") for word in usage.split() if word.strip("[].") in arguments] == arguments

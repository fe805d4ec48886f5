"""`tablemen completion`, and shell completion."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import CompletionItem, ShellComplete
from click.testing import CliRunner

from tablemen import mancala
from tablemen.cli import COMMANDS, main
from tablemen.cli.completion import BASH
from tablemen.draughts import VARIANTS
from tests.timeouts import TIMEOUT


def items(*words: str) -> list[CompletionItem[str]]:
    """Return the completions of the last word."""
    *given, incomplete = words
    return ShellComplete(main, {}, "tablemen", "_TABLEMEN_COMPLETE").get_completions(given, incomplete)


def offered(*words: str) -> list[str]:
    return [item.value for item in items(*words)]


def test_commands_have_descriptions() -> None:
    assert {item.value: item.help for item in items("")} == {name: each.about for name, each in COMMANDS.items()}
    assert offered("tr") == ["transcript"]
    assert offered("transcript", "") == ["run", "record"]
    assert offered("completion", "") == ["bash", "zsh", "fish"]


def test_options() -> None:
    assert offered("moves", "russian", "--p") == ["--position", "--paths"]
    assert offered("--v") == ["--version"]


@pytest.mark.parametrize("command", ["moves", "perft", "check", "match"])
def test_variants_of_both_families(command: str) -> None:
    assert offered(command, "") == [*VARIANTS, *mancala.VARIANTS]
    assert offered(command, "ka") == ["kalah"]


def test_variants_of_one_family() -> None:
    assert offered("solve", "") == ["kalah", "irving", "kgp", "open_spiel", "fairkalah"]
    assert offered("pdn", "games.pdn", "--variant", "") == list(VARIANTS)
    assert offered("analyse", "games.pdn", "--variant", "ka") == ["kalah"]
    assert {"kalah", "oware", "international"} <= set(offered("play", ""))


def test_players_and_their_settings() -> None:
    own = ("searcher", "mcts", "minimax", "random")
    settings = [f"{name}:" for name in own]
    assert offered("match", "english", "") == [*own, *settings, "hub:", "dxp:"]
    assert offered("match", "kalah", "") == [*own, "robot", *settings, "kgp:"]
    assert offered("match", "nonsense", "") == [*own, "robot", *settings, "hub:", "dxp:", "kgp:"]
    assert offered("match", "english", 'hub:"scan hub",t') == ['hub:"scan hub",time=']
    assert offered("match", "english", "dxp:localhost") == []
    assert offered("match", "english", "random", "mi") == ["minimax", "minimax:"]
    assert offered("match", "english", "searcher:d") == ["searcher:depth="]
    assert offered("match", "english", "searcher:depth=3,t") == ["searcher:depth=3,time=", *TAIL]
    assert "searcher:depth=3,depth=" not in offered("match", "english", "searcher:depth=3,")
    assert offered("match", "english", "unknown:") == []


def test_players_of_engine_and_server_commands() -> None:
    own = ("searcher", "mcts", "minimax", "random")
    settings = [f"{name}:" for name in own]
    all_players = [*own, "robot", *settings, "hub:", "dxp:", "kgp:"]
    for variant in ([], ["--variant", "frisian"]):
        assert offered("engine", "dxp", *variant, "--player", "") == [*own, *settings, "hub:", "dxp:"]
    assert offered("engine", "dxp", "--variant", "nonsense", "--player", "") == all_players
    assert offered("engine", "kgp", "--player", "") == all_players
    assert offered("kgp-server", "--against", "") == all_players
    assert offered("serve", "--engine", "Scan=h") == ["Scan=hub:"]


@pytest.mark.parametrize(
    "words", [["play", "english", "--white"], ["play", "oware", "--north"], ["play", "kalah", "--south"]]
)
def test_humans_are_offered_only_for_play(words: list[str]) -> None:
    assert "human" in offered(*words, "")
    assert ("robot" in offered(*words, "")) is ("english" not in words)
    assert offered(*words, "searcher:le") == ["searcher:level="]
    assert "human" not in offered("match", "english", "")


TAIL = [f"searcher:depth=3,{name}=" for name in ("threads", "table", "tablebase")]


@pytest.mark.parametrize(
    "words",
    [
        ["pdn", "ga"],
        ["moves", "english", "--board", "bo"],
        ["match", "english", "random", "random", "--openings", "op"],
        ["match", "english", "random", "random", "--pdn", "ga"],
        ["analyse", "games.pdn", "--pdn", "an"],
        ["analyse", "games.pdn", "--svg", "gr"],
        ["solve", "kalah", "--positions", "po"],
        ["transcript", "run", "sp"],
        ["transcript", "record", "ou"],
    ],
)
def test_shell_completes_files(words: list[str]) -> None:
    assert [(item.type, item.value) for item in items(*words)] == [("file", words[-1])]


@pytest.mark.parametrize("words", [["match"], ["analyse"], ["solve"], ["tablebase", "build"]])
def test_addresses_of_clusters(words: list[str]) -> None:
    assert offered(*words, "--cluster", "") == ["local:", "tcp://"]
    assert offered(*words, "--cluster", "lo") == ["local:"]
    assert [(item.type, item.value) for item in items(*words, "--cluster", "sch")] == [("file", "sch")]


def test_analyse_completes_variants_and_files() -> None:
    assert [(item.type, item.value) for item in items("analyse", "ir")] == [("plain", "irving"), ("file", "ir")]


def test_program_prints_completions_for_a_shell() -> None:
    request = {"_TABLEMEN_COMPLETE": "bash_complete", "COMP_WORDS": "tablemen moves fri", "COMP_CWORD": "2"}
    done = subprocess.run(
        [sys.executable, "-m", "tablemen"],
        env=os.environ | request,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=True,
    )
    assert done.stdout == "plain,frisian\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script_calls_the_program(shell: str) -> None:
    result = CliRunner().invoke(main, ["completion", shell])
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"_TABLEMEN_COMPLETE={shell}_complete" in result.stdout
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=result.stdout, text=True, timeout=TIMEOUT, check=True)


def test_unknown_shell_exits_with_2() -> None:
    result = CliRunner().invoke(main, ["completion", "tcsh"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert all(f"'{shell}'" in result.stderr for shell in ("tcsh", "bash", "zsh", "fish"))


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["tablemen", "mo"], ["moves"]),
        (["tablemen", "moves", "ta"], []),
        (["tablemen", "analyse", "it"], ["italian", "italics"]),
        (["tablemen", "analyse", "./it"], []),  # Bash completes files itself
        (["tablemen", "pdn", "it"], []),
        # Words as Bash splits them; Bash replaces only the last part.
        (["tablemen", "match", "kalah", "searcher", ":", "le"], ["level="]),
        (["tablemen", "match", "kalah", "random", ":"], ["seed="]),
        (["tablemen", "match", "kalah", "searcher", ":", "depth", "=", "3,th"], ["3,threads="]),
        (["tablemen", "match", "kalah", "searcher:le"], ["searcher:level="]),
        (["tablemen", "solve", "kalah", "--rules", "=", "ir"], ["irving"]),
    ],
)
def test_script_completes_in_bash(words: list[str], found: list[str], tmp_path: Path) -> None:
    (tmp_path / "italics").touch()
    program = tmp_path / "tablemen"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m tablemen "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    script = f"""{BASH}
COMP_WORDS=({shlex.join(words)}) COMP_CWORD={len(words) - 1}
_tablemen_completion {shlex.quote(str(program))}
printf '%s\\n' "${{COMPREPLY[@]}}"
complete -p tablemen >&2"""
    done = subprocess.run(
        ["bash", "--norc", "--noprofile", "-c", script],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout.split() == found
    assert done.stderr.strip().endswith("-F _tablemen_completion tablemen")

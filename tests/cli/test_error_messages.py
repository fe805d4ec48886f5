"""The error messages of all commands, with their wording in a golden file."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tablemen.cli import main
from tests.golden import check_golden

GOLDEN = Path(__file__).with_name("error_messages.txt")

GAMES = '[White "Ann"] [GameType "25"] 1. c3-d4 d6-c5 *\n[White "Bob"] [GameType "25"] 1. c3-d4 *\n'
WON = '[GameType "20"] [FEN "W:W28:B23"]'  # White wins with 28x19
FILES = {
    "games.pdn": GAMES,
    "graph-2.svg": GAMES,
    "empty.txt": "",
    "board.txt": "________\n",
    "illegal.pdn": '[GameType "20"]\n1. 32-29 *\n',
    "variation.pdn": "32-28 (",
    "two_results.pdn": '[Result "2-0"] 32-28 0-2',
    "not_a_result.pdn": '[Result "weird\x1b"] 32-28',
    "wrong_winner.pdn": f'{WON} [Result "0-2"] 28x19',
    "not_drawn.pdn": f'{WON} [Result "1-1"] 28x19',
    "no_result.pdn": f"{WON} 28x19",
    "unknown_result.pdn": f'{WON} [Result "*"] 28x19 *',
    "records.txt": "South: Eve\nVariant: kalah\nMoves: 3 9\n",
    "sessions/no_command.txt": ">Hi\n",
    "sessions/no_program.txt": "# command: no-such-program\n>a\n",
    "sessions/not_a_session.txt": "x",
    "files/notes.md": "",
}

# Each line is a command with status 2.
USAGE_ERRORS = """
perf
Variant
frobnicate
kalah
checkers
transcript rnu
transcript x
--versoin
moves english --bord x
moves english -q
play oware --noth random
transcript run x --timout 3

moves rusian
moves zzz
moves 99
moves kalaf
moves russian --fen W:Wc3,c4:Bd4
moves russian --fen ''
moves russian --fen Wc3:Bd4
moves russian --fen W:Wc3:Bz9
moves international --board games.pdn --fen W:W31:B1
moves kalah --paths
moves kalah --board board.txt
moves kalah --turn white
moves russian --turn white
moves kalah --fen W:W31:B1
moves international --board board.txt
moves international --board empty.txt

check english --white 33 9 2
check english --white 9 33 2
check english --white 9 9 0
check english --white 9 9 x
check english --white 9,,10 9 2
check english --black 9 --white 9 9 2
check english --white c3 c3 d4
check russian --white c4 c4 d5
check rusian --white c3 c3 d4
check english --white 9 9
check english --black 6,77 --white 9 9 2
check english --black 6 --white 9,77 9 2
check english --black 77 --white 77 9 2
check english --black 6 --white 9,6 9 2
check english --fen W:W9:B6 --white 9 9 2
check kalah 7
check kalah x
check kalah 3 4
check kalah 3 --white 3

perft russian -1
perft russian -12
perft kalah 3 --paths

analyse inglish
analyse missing.pdn
analyse .
analyse english --fen W:W99:B1
analyse oware --fen W:W99:B1
analyse english --moves '11-15 11-16'
analyse english --moves '1. 11-15 7. 11-16'
analyse international --fen W:W28:B23 --moves '28x19 1-6'
analyse english --pdn x.pdn
analyse english --game 1
analyse games.pdn --lines 2
analyse games.pdn --game 3
analyse games.pdn --game 3 --json
analyse empty.txt
analyse games.pdn --pdn games.pdn
analyse games.pdn --pdn link-3.svg
analyse games.pdn --pdn /nowhere/x.pdn
analyse games.pdn --svg sessions
analyse games.pdn --svg games.pdn
analyse games.pdn --svg link.svg
analyse games.pdn --pdn out --svg out
analyse games.pdn --svg - --json
analyse games.pdn --variant inglish
analyse games.pdn --encoding nonsense
analyse games.pdn --cluster local:2
analyse english --cluster local:2 --folder tasks
analyse games.pdn --cluster somewhere --folder tasks

pdn games.pdn --to fen --check
pdn games.pdn --to fen --json
pdn games.pdn --variant rusian
pdn games.pdn --encoding klingon
pdn games.pdn --encoding undefined
pdn - -

match englsh random random
match kala random random
match english randm random
match english random human
match english random robot
match english random random --openings random:x
match english random random --openings missing.pdn
match english random random --openings empty.txt
match english random random --clock-first soon
match english random random --resign x
match english random random --draw 1:0
match english random random --sprt 5,0
match english random random --pdn sessions
match english searcher:depth=x random
match english searcher:deepth=3 random
match english searcher:time=-1 random
match english random random --cluster local:2
match english random random --folder tasks
match english random random --per-task 4
match english random random --cluster somewhere --folder tasks
match english random random --cluster local:0 --folder tasks
match english random random --cluster local:2 --folder tasks --concurrency 2
match english random random --cluster local:2 --folder empty.txt
match english random random --cluster local:2 --folder tasks --per-task 3

solve oware
solve chess
solve checkers
solve kalah --houses 0
solve kalah --seeds 0
solve irving --rules kgp
solve kalah --position '<2,0,0,2,1,0> north'
solve kalah --position nonsense
solve kalah --position '<2,0,0,2,1,0,3>' --houses 3
solve kalah --position '<2,0,0,2,1,0,3>' --seeds 3
solve kalah --positions missing.txt
solve kalah --positions empty.txt
solve kalah --positions board.txt
solve kalah --positions records.txt --houses 3
solve kalah --cluster local:2 --folder tasks
solve kalah --positions records.txt --cluster local:2

play go
play rusian
play owari
play english --black serch
play oware --north robot:seed=1
play english --black robot
play english --clock soon
play english --fen W:W99:B1
play oware --fen '<3,1> north'
play kalah --houses 0
play kalah --houses 25
play kalah --seeds 0
play kalah now
play kalah --north random --menu
play kalah --position '<3,1> north'
play kalah --position '<3,1,2,3,0,1,0,2,2> north' --seeds 3
play kalah --position '<3,1,2,3,0,1,0,2,2> north' --menu

engine dxp --listen 1 --connect a:1
engine dxp --listen 0.0.0.0:0
engine dxp --listen somewhere.example:0
engine dxp --listen localhost:x
engine dxp --listen 99999
engine dxp --connect localhost:99999
engine dxp --player human
engine dxp --player robot
engine dxp --variant kalah
engine dxp --variant kala
engine dxp --listen 0 --pdn sessions
engine kgp --connect 'a b'
engine kgp --connect localhost --player human
engine kgp --connect localhost --token a --token-file b
engine kgp --connect localhost --token-file missing.txt
engine kgp --connect localhost --token-file empty.txt

kgp-server --host 0.0.0.0
kgp-server --host [fd00::1]
kgp-server --host example.org
kgp-server --host .. --public
kgp-server --against human
kgp-server --against serchr
kgp-server --houses 25
kgp-server --record /no/such/folder/games.txt

transcript run missing.txt
transcript run files
transcript run sessions -- no-such-program
transcript run sessions --timeout nan
transcript run sessions --timeout inf
transcript run sessions --timeout 1e300
transcript record out
transcript record games.pdn -- echo
transcript record missing/out -- echo
"""

# Each line is a command with status 1.
NEGATIVE_ANSWERS = """
check english --black 2,6 --white 9 9 2
check english --black 6 --white 9,2 9 2
check english --black 7,14 --white 17 17 10
check english --black 5 --white 9 9 4
check english --black 2 --white 1 1 3
check english --black 6 --white 1 1 10
check english --white 9,6 9 2
check english --black 1 --white 18 18 22
check english --black 1 --white 18 18 11
check english --black 1 --white 18 18 17
check english --black 1 --white 18 18 10
check english --black 1 --white 18,14 18 14
check english --black 1 --white 18 18 18
check english --black 6 --white 9,32 32 28
check english --black 14 --white 18 18 15
check international --black 5,41 --white 46,K36 36 31
check english --black 6 --white 9 20 16
check international --black 22,33,11 --white 28 28 39
check russian --black d4 --white c3 c3 b4
check russian --black h8 --white c3 c3 d2
check kalah 1 --position '<6,3,3,0,4,4,1,0,1,4,4,4,4,4,4> south'
check kalah swap
check oware 2 --position '<6,20,20,1,0,0,0,0,7,0,0,0,0,0,0> south'
check oware 1 --position '<6,20,20,1,0,0,0,1,6,0,0,0,0,0,0> south'

pdn --check illegal.pdn
pdn --check variation.pdn
pdn --check two_results.pdn
pdn --check not_a_result.pdn
pdn --check wrong_winner.pdn
pdn --check not_drawn.pdn
pdn --check no_result.pdn
pdn --check unknown_result.pdn
pdn two_results.pdn --to pdn
analyse records.txt --nodes 50

transcript run sessions/no_command.txt
transcript run sessions/no_program.txt
transcript run sessions/not_a_session.txt
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with the files."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "link-3.svg").symlink_to("games.pdn")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_commands(lines: str, *, status: int) -> Iterable[tuple[str, Result]]:
    """Yield each command with its result, after a check of its exit status."""
    for line in filter(None, lines.splitlines()):
        result = CliRunner().invoke(main, shlex.split(line), prog_name="tablemen")
        assert result.exit_code == status, (line, result.output)
        yield f"tablemen {line}", result


@pytest.mark.golden
def test_wording(folder: Path) -> None:
    messages = {}
    for name, result in run_commands(USAGE_ERRORS, status=2):
        *usage, messages[name] = result.stderr.splitlines()
        assert result.stdout == "", name
        assert messages[name].startswith("Error: "), name
        # Only some messages of click, and the warning about --public, have lines before the error.
        is_click = messages[name].startswith(("Error: Invalid value ", "Error: Got unexpected "))
        assert not usage or is_click or "--public" in name, name
    for name, result in run_commands(NEGATIVE_ANSWERS, status=1):
        messages[name] = result.output.rstrip()
    check_golden(GOLDEN, messages)
    for name, text in FILES.items():
        assert (folder / name).read_text(encoding="utf-8") == text

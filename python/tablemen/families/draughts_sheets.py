"""Games of draughts written down: PDN, with the notes of whoever played them."""

from __future__ import annotations

import io
from collections.abc import Mapping

from tablemen.draughts import DraughtsRules
from tablemen.draughts.pdn import PdnGame, PdnLine, PdnNode, Result, format_pdn, read_pdn
from tablemen.draughts.pdn.result import format_result, result_of
from tablemen.errors import PdnError, TablemenError
from tablemen.families.draughts import DraughtsGame
from tablemen.family import OnError, ScoreSheet
from tablemen.game import Game
from tablemen.outcome import Side


def format_sheet(sheet: ScoreSheet, head: Mapping[str, str]) -> str:
    """The game as PDN, with these tags first; a note stands as a comment behind the last move."""
    tags = dict(head)
    result = Result.NONE if sheet.outcome is None else result_of(sheet.outcome.winner)
    tags["Result"] = format_result(result, sheet.game.start.variant)
    if sheet.outcome is not None:
        tags["Termination"] = str(sheet.outcome.termination)
    return format_pdn(PdnGame(_line(sheet), tags))


def parse_sheets(
    text: str, rules: DraughtsRules, tags: Mapping[Side, str], on_error: OnError | None
) -> list[ScoreSheet]:
    """The games of a PDN file; `tags` name the players."""
    sheets = []
    with read_pdn(io.StringIO(text), variant=rules, on_error=on_error) as reader:
        for written in reader:
            try:
                game = _replay(written, reader.games_read, rules)
            except PdnError as error:
                if on_error is None:
                    raise
                on_error(error)
                continue
            players = {side: written.tags[tag] for side, tag in tags.items() if tag in written.tags}
            sheets.append(ScoreSheet(game=game, players=players, outcome=game.outcome()))
    return sheets


def _line(sheet: ScoreSheet) -> PdnLine:
    """The moves, the note behind the last or before the first."""
    line = PdnLine.from_moves(sheet.game.start, sheet.game.moves)
    if not sheet.note:
        return line
    if not line.nodes:
        return PdnLine(line.start, (), (sheet.note,))
    *nodes, last = line.nodes
    return PdnLine(line.start, (*nodes, PdnNode(last.move, last.strength, (sheet.note,))))


def _replay(written: PdnGame, number: int, rules: DraughtsRules) -> DraughtsGame:
    """The main line as a game that can go on."""
    if written.variant != rules:
        raise PdnError(f"the game is {written.variant.name}, and not {rules.name}", "", game=number)
    game: DraughtsGame = Game(written.start)
    try:
        for node in written.nodes:
            game.push(node.move)
    except TablemenError as error:
        raise PdnError(f"move {len(game.moves) + 1} cannot be played: {error}", "", game=number) from error
    if written.positions()[-1] != game.position:
        raise PdnError("the game has a set-up after its start", "", game=number)
    return game

"""What players do in a game: who may do what now, and what becomes of it. Nothing here waits."""

from __future__ import annotations

from tablemen.errors import GameError, GameOverError, TablemenError
from tablemen.outcome import Side, Termination
from tablemen.web.games.kept import DRAW, REMATCH, TAKEBACK
from tablemen.web.games.keys import new_game_id
from tablemen.web.games.table import Sides, Table
from tablemen.web.models import Action, ActionName

NOTHING_TO_TAKE_BACK = "there is no move of yours to take back"
LONGEST_GAME = 1000  # moves; each takes memory for as long as somebody has the game open


def actions_for(table: Table, sides: Sides) -> list[ActionName]:
    """What can be done now by whoever has these sides."""
    if not sides:
        return []
    is_over = table.game.outcome() is not None
    offered = {kind for kind, side in table.offers.items() if side not in sides}
    names: list[ActionName] = []
    if not is_over and table.game.position.turn in sides:
        names += ["move"] if table.is_between_two else ["move", "hint"]
    if _can_take_back(table, sides):
        names.append("takeback")
    if not is_over:
        can_offer = table.is_between_two and table.offers.get(DRAW) not in sides
        if table.game.claims() or can_offer or table.facts.opponent == "screen":
            names.append("draw")
        names.append("resign")
    elif table.is_between_two and table.next is None and table.offers.get(REMATCH) not in sides:
        names.append("rematch")
    if offered:
        names.append("decline")
    if table.can_retry:
        names.append("retry")
    return names


def _can_take_back(table: Table, sides: Sides) -> bool:
    if table.is_between_two:
        if table.game.outcome() is not None or table.offers.get(TAKEBACK) in sides:
            return False
        return TAKEBACK in table.offers or _has_moved(table, sides)
    return table.game.declared is not None or _has_moved(table, sides)


def _has_moved(table: Table, sides: Sides) -> bool:
    """Whether there is a move to take back: those that the game began with are nobody's."""
    return any(position.turn in sides for position in table.game.positions[table.facts.opening : -1])


def act(table: Table, action: Action, sides: Sides) -> bool:
    """Do it, and say whether anything has changed: a move that stands there already is not played again.

    Raises `TablemenError` where it cannot be done.
    """
    if action.action == "move":
        return _move(table, action, sides)
    if action.action == "rematch":
        return _rematch(table, sides)
    outcome = table.game.outcome()
    if outcome is not None and not _is_for_after_the_end(table, action.action):
        raise GameOverError(outcome)
    {"takeback": _take_back, "draw": _draw, "decline": _decline, "resign": _resign}[action.action](table, sides)
    return True


def _is_for_after_the_end(table: Table, name: ActionName) -> bool:
    if table.is_between_two:
        return name == "decline" and REMATCH in table.offers
    return name == "takeback"


def _move(table: Table, action: Action, sides: Sides) -> bool:
    text, count = action.move or "", len(table.game.moves)
    if action.ply is not None and action.ply != count:
        if action.ply < count and _stands_at(table, action.ply, text, sides):
            return False
        raise GameError(f"the game has changed: moves played by now: {count}, not {action.ply}")
    mover = table.game.position.turn
    if table.game.outcome() is None and mover not in sides:
        raise GameError(f"it is {table.session.family.side_name(mover)}'s turn")
    if count >= LONGEST_GAME:
        raise GameError(f"a game has {LONGEST_GAME:,} moves at most here")
    table.session.move(text)
    # To move is to turn down what was offered, and nobody takes back what is no longer the last.
    table.offers = {kind: side for kind, side in table.offers.items() if side is mover and kind != TAKEBACK}
    table.forget_offers()
    return True


def _stands_at(table: Table, ply: int, text: str, sides: Sides) -> bool:
    position = table.game.positions[ply]
    try:
        return position.turn in sides and bool(position.parse_move(text) == table.game.moves[ply])
    except TablemenError:
        return False


def _take_back(table: Table, sides: Sides) -> None:
    if table.is_between_two:
        _take_back_by_agreement(table, sides)
    else:
        _take_back_at_once(table, sides)


def _take_back_at_once(table: Table, sides: Sides) -> None:
    declared = table.game.declared
    if declared is not None and declared.termination is not Termination.TIME:
        table.session.reopen()
    elif _has_moved(table, sides):
        table.session.back()
    elif declared is not None:
        table.session.clock.control = None  # as when a move is taken back after the flag fell
        table.session.reopen()
    else:
        raise GameError(NOTHING_TO_TAKE_BACK)
    table.offers.clear()


def _take_back_by_agreement(table: Table, sides: Sides) -> None:
    asker = table.offers.get(TAKEBACK)
    if asker is None:
        if not _has_moved(table, sides):
            raise GameError(NOTHING_TO_TAKE_BACK)
        table.offers[TAKEBACK] = _only(sides)
    elif asker in sides:
        raise GameError("you have asked already")
    else:
        table.session.back(asker)
        table.offers.clear()


def _draw(table: Table, sides: Sides) -> None:
    offered = table.offers.get(DRAW)
    if table.game.claims():
        table.session.claim_draw()
    elif table.facts.opponent == "screen" or (offered is not None and offered not in sides):
        table.session.agree_draw()
    elif not table.is_between_two:
        raise GameError(f"no draw can be claimed now, and {table.facts.engine or 'the computer'} agrees to none")
    elif offered is not None:
        raise GameError("you have offered one already")
    else:
        table.offers[DRAW] = _only(sides)
    table.forget_offers()


def _decline(table: Table, sides: Sides) -> None:
    declined = {kind for kind, side in table.offers.items() if side not in sides}
    if not declined:
        raise GameError("nothing is offered to you")
    for kind in declined:
        del table.offers[kind]


def _rematch(table: Table, sides: Sides) -> bool:
    """Ask for another game, or accept; there is one at most, however often it is accepted."""
    if not table.is_between_two:
        raise GameError("a rematch is asked for between two people with a link: begin a new game")
    if table.game.outcome() is None:
        raise GameError("the game is not over")
    if table.next is not None:
        return False
    asker = table.offers.get(REMATCH)
    if asker is None:
        table.offers[REMATCH] = _only(sides)
    elif asker in sides:
        raise GameError("you have asked already")
    else:
        table.next = new_game_id()
        table.offers.clear()
    return True


def _resign(table: Table, sides: Sides) -> None:
    table.session.resign(_only(sides) if len(sides) == 1 else None)
    table.forget_offers()


def _only(sides: Sides) -> Side:
    (side,) = sides
    return side

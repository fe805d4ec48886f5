"""How games begin: as somebody asks for them, or as the rematch of another."""

from __future__ import annotations

import random
import time
from dataclasses import replace

from tablemen.clock import parse_time_control
from tablemen.errors import GameOverError
from tablemen.family import get_family
from tablemen.outcome import Side
from tablemen.web.games.computer import Computer
from tablemen.web.games.engines import Engines
from tablemen.web.games.kept import Facts, KeptGame, Standing
from tablemen.web.games.keys import hash_key, new_game_id, new_key
from tablemen.web.games.table import Table
from tablemen.web.models import CreatedGame, NewGame, Subject
from tablemen.web.subjects import find_game, find_rules, find_side


def new_table(asked: NewGame, computer: Computer, engines: Engines) -> tuple[Table, CreatedGame]:
    """A new game and its keys; raises `TablemenError` where it cannot be."""
    rules = find_rules(asked.variant, asked.houses, asked.seeds)
    family = get_family(rules)
    game = find_game(Subject(**asked.model_dump(include=set(Subject.model_fields))))
    if outcome := game.outcome():
        raise GameOverError(outcome)
    if asked.opponent == "engine":
        engines.find(asked.engine).check(game.position)
    control = None if asked.clock is None else str(parse_time_control(asked.clock))
    side = random.choice(list(Side)) if asked.side is None else find_side(asked.side, rules)
    if asked.opponent == "screen":
        side = game.position.turn
    keys = {side: new_key()}
    if asked.opponent == "screen":
        keys[side.opponent] = keys[side]
    elif asked.opponent == "link":
        keys[side.opponent] = new_key()
    hashes = {each: hash_key(key) for each, key in keys.items()}
    facts = Facts(
        id=new_game_id(),
        variant=rules.name,
        houses=asked.houses,
        seeds=asked.seeds,
        position=None if asked.position is None else family.format_position(game.start),
        opening=len(asked.moves),
        opponent=asked.opponent,
        level=asked.level if asked.opponent == "computer" else None,
        white_key=hashes.get(Side.WHITE),
        black_key=hashes.get(Side.BLACK),
        created=time.time(),
        engine=asked.engine if asked.opponent == "engine" else None,
    )
    kept = KeptGame(facts, Standing(control=control), tuple(map(str, asked.moves)))
    table = Table(kept, computer, engines)
    created = CreatedGame(
        id=facts.id, keys={family.sides[each]: key for each, key in keys.items()}, side=family.sides[side]
    )
    return table, created


def next_game(table: Table) -> KeptGame:
    """The game that follows, once both have agreed to a rematch: the same again with the sides changed.

    The keys change sides too, so that nobody has to be told anything but its name.
    """
    assert table.next is not None
    facts = table.facts
    changed = replace(facts, id=table.next, white_key=facts.black_key, black_key=facts.white_key, created=time.time())
    return KeptGame(changed, Standing(control=table.standing().control), table.opening)

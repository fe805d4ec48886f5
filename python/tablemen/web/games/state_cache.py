"""A cache for the JSON of a hosted game, whose parts are serialised only when they change."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

from pydantic import TypeAdapter

from tablemen.outcome import Side
from tablemen.web.games.hosted_game import HostedGame, Sides
from tablemen.web.models import MoveInfo, OutcomeInfo, PlayerInfo
from tablemen.web.serialize import serialize_legal_moves, serialize_outcome, serialize_ply, serialize_position

_MOVES = TypeAdapter(list[MoveInfo])
_OUTCOME = TypeAdapter(OutcomeInfo | None)
_PLAYERS = TypeAdapter(dict[str, PlayerInfo])


class GameStateCache:
    """The JSON of a `GameState` for each audience: the set of sides that the client may move.

    The parts that are the same for all audiences are serialised once per change.
    """

    def __init__(self, hosted: HostedGame) -> None:
        self._hosted = hosted
        rules = hosted.game.start.variant
        size = hosted.family.board_size(rules)
        self._names = hosted.family.sides
        self._fixed = _join_members(
            type='"state"',
            id=json.dumps(hosted.info.id),
            variant=json.dumps(rules.name),
            houses=json.dumps(size.get("houses")),
            seeds=json.dumps(size.get("seeds")),
            start=serialize_position(hosted.game.start).model_dump_json(),
            opening=json.dumps(hosted.info.opening),
        )
        self._plies: list[str] = []
        self._current = ""
        self.refresh(0)

    def refresh(self, keep: int) -> None:
        """Update the cache after a change of the game. Its first `keep` moves have not changed."""
        hosted = self._hosted
        game, position = hosted.game, hosted.game.position
        positions, moves = game.positions, game.moves
        del self._plies[keep:]
        for ply in range(keep, len(moves)):
            self._plies.append(serialize_ply(positions[ply], moves[ply], positions[ply + 1]).model_dump_json())
        self._current = _join_members(
            position=json.dumps(hosted.family.format_position(position)),
            turn=json.dumps(self._names[position.turn]),
            legal=_MOVES.dump_json(serialize_legal_moves(game)).decode(),
            outcome=_OUTCOME.dump_json(serialize_outcome(game.outcome(), position)).decode(),
            claims=json.dumps([str(rule.outcome(position).termination) for rule in game.claims()]),
            revision=json.dumps(hosted.revision),
            offers=json.dumps({offer: self._names[side] for offer, side in hosted.offers.items()}),
            next=json.dumps(hosted.next),
        )

    def serialize(
        self, audiences: Mapping[Sides, int], *, since: int = 0, connected: Collection[Side], thinking: bool
    ) -> dict[Sides, str]:
        """Return a `GameState` with the plies from `since` on for each audience, given with its number of devices."""
        hosted = self._hosted
        opponent = PlayerInfo(kind="computer", level=hosted.info.level, connected=True)
        if hosted.info.engine is not None:
            opponent = PlayerInfo(kind="engine", name=hosted.info.engine, connected=True)
        players = {
            name: PlayerInfo(kind="person", connected=side in connected) if side in hosted.people else opponent
            for side, name in self._names.items()
        }
        first = min(since, len(self._plies))
        shared = _join_members(
            since=json.dumps(first),
            plies=f"[{','.join(self._plies[first:])}]",
            players=_PLAYERS.dump_json(players).decode(),
            clock=self._serialize_clock(),
            thinking=json.dumps(thinking),
            problem=json.dumps(hosted.problem),
        )
        return {
            sides: f"{{{self._fixed},{self._current},{shared},{self._serialize_rights(sides, devices)}}}"
            for sides, devices in audiences.items()
        }

    def _serialize_rights(self, sides: Sides, devices: int) -> str:
        return _join_members(
            you=json.dumps([name for side, name in self._names.items() if side in sides]),
            devices=json.dumps(devices),
            actions=json.dumps(self._hosted.actions(sides)),
        )

    def _serialize_clock(self) -> str:
        clock = self._hosted.clock
        if clock.control is None:
            return "null"
        left = {name: round(max(0.0, clock.left(side) or 0.0), 3) for side, name in self._names.items()}
        running = None if clock.running is None else self._names[clock.running]
        return json.dumps({"control": str(clock.control), "left": left, "running": running})


def _join_members(**values: str) -> str:
    """Join the members of a JSON object, whose values are JSON already."""
    return ",".join(f'"{name}":{value}' for name, value in values.items())

"""What `tablemen match` tells: every game, the score, and all of it as JSON."""

from __future__ import annotations

import math

import click

from tablemen.cli.parameters import print_json
from tablemen.family import get_family
from tablemen.match import Match, MatchGame, MatchResults
from tablemen.outcome import Side


def tell_round(each: MatchGame, match: Match, tally: MatchResults) -> None:
    """Says how a game ended and how the match stands."""
    family, played = get_family(match.variant), each.played
    result = "draw" if played.outcome.winner is None else f"{family.side_name(played.outcome.winner)} wins"
    reason = played.note or str(played.outcome.termination)
    players = " - ".join(played.players[side] for side in Side)
    click.echo(f"game {each.number} of {match.games}: {players}: {result}, {reason}", err=True)
    click.echo(f"  {tally.score}{'' if match.sprt is None else f', {_llr(match, tally)}'}", err=True)


def print_result(match: Match, tally: MatchResults, *, as_json: bool, interrupted: bool, error: str | None) -> None:
    """Says how the match ended, on standard output."""
    if as_json:
        print_json(_facts(match, tally) | {"interrupted": interrupted, "error": error})
        return
    first, second = match.names
    games = tally.score.games
    click.echo(f"{first} against {second}, {match.variant}, {'1 game' if games == 1 else f'{games} games'}")
    click.echo(str(tally.score))
    if match.sprt is not None:
        click.echo(f"SPRT {match.sprt}: {tally.verdict}, {_llr(match, tally)}")


def _llr(match: Match, tally: MatchResults) -> str:
    assert match.sprt is not None
    low, high = match.sprt.bounds
    pairs = sum(tally.settled.pairs)
    return f"LLR {match.sprt.llr(tally.settled):+.2f} [{low:+.2f}, {high:+.2f}] of {pairs} pair{'s' * (pairs != 1)}"


def _facts(match: Match, tally: MatchResults) -> dict[str, object]:
    """The match as JSON has it; null where a difference in Elo is infinite."""
    score = tally.score
    return {
        "variant": match.variant.name,
        "players": list(match.names),
        "openings": match.openings.text or None,
        "openings_order": match.openings.order,
        "seed": match.seed,
        "longest": match.longest,
        "clocks": [None if control is None else str(control) for control in match.controls],
        "margin": match.margin,
        "resign": None if match.resign is None else str(match.resign),
        "draw": None if match.draw is None else str(match.draw),
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "pairs": list(score.pairs),
        "ratio": round(score.ratio, 4),
        "ratio_interval": [round(value, 4) for value in score.ratio_interval],
        "elo": _finite(score.elo),
        "elo_interval": [_finite(value) for value in score.elo_interval],
        "superiority": round(score.superiority, 4),
        "sprt": _sprt_facts(match, tally),
        "terminations": {str(reason): tally.terminations[reason] for reason in sorted(tally.terminations, key=str)},
        "failures": {str(number): tally.failures[number] for number in sorted(tally.failures)},
        "plies": tally.plies,
    }


def _sprt_facts(match: Match, tally: MatchResults) -> dict[str, object] | None:
    sprt = match.sprt
    if sprt is None:
        return None
    return {
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "alpha": sprt.alpha,
        "beta": sprt.beta,
        "bounds": [round(bound, 4) for bound in sprt.bounds],
        "llr": round(sprt.llr(tally.settled), 4),
        "pairs": list(tally.settled.pairs),
        "verdict": tally.verdict.name.lower(),
    }


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else round(value, 1)

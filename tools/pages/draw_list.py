"""The draw rules of every variant as text."""

from __future__ import annotations

from tablemen.draughts import VARIANTS, DraughtsRules
from tablemen.draws import DrawRule


def draw_list() -> str:
    """Return a Markdown list of the draw rules; variants with the same rules are grouped."""
    grouped: dict[tuple[DrawRule, ...], list[DraughtsRules]] = {}
    for rules in VARIANTS.values():
        grouped.setdefault(rules.draws, []).append(rules)
    parts = []
    for draws, variants in grouped.items():
        names = ", ".join(f"`{rules.name}`" for rules in variants)
        lines = [f"- {draw_line(rule)}\n" for rule in draws] or ["- no draw rules; the players can agree on a draw\n"]
        parts.append(f"{names}\n\n{''.join(lines)}")
    return "\n".join(parts)


def draw_line(rule: DrawRule) -> str:
    """Describe a draw rule, with its article."""
    claimed = ", if a player claims it" if rule.by_claim else ""
    return f"{rule}{claimed}{f' ({rule.article})' if rule.article else ''}: `{rule.termination.name}`"

"""The draw rules of every variant in words, from the rules themselves."""

from __future__ import annotations

from tablemen.draughts import VARIANTS, DraughtsRules
from tablemen.draws import DrawRule


def draw_list() -> str:
    """The variants that have the same draw rules, and these, as Markdown."""
    together: dict[tuple[DrawRule, ...], list[DraughtsRules]] = {}
    for rules in VARIANTS.values():
        together.setdefault(rules.draws, []).append(rules)
    parts = []
    for draws, variants in together.items():
        names = ", ".join(f"`{rules.name}`" for rules in variants)
        lines = [f"- {draw_line(rule)}\n" for rule in draws] or ["- no draws but by agreement\n"]
        parts.append(f"{names}\n\n{''.join(lines)}")
    return "\n".join(parts)


def draw_line(rule: DrawRule) -> str:
    """A draw rule in words, with its article."""
    claimed = ", if a player claims it" if rule.by_claim else ""
    return f"{rule}{claimed}{f' ({rule.article})' if rule.article else ''}: `{rule.termination.name}`"

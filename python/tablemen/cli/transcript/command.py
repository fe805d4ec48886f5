"""Commands that are followed by another command."""

from __future__ import annotations

import click


class CommandWithCommand(click.Command):
    """A command whose arguments may be followed by `--` and another command, which it finds in `context.obj`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What is left of the arguments."""
        at = args.index("--") if "--" in args else len(args)
        ctx.obj = tuple(args[at + 1 :])
        return super().parse_args(ctx, args[:at])

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """The words of the line that shows the usage."""
        return [*super().collect_usage_pieces(ctx), "[-- COMMAND...]" if self.name == "run" else "-- COMMAND..."]

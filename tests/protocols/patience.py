"""How long a test waits."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

LONG = 120.0  # seconds after which something hangs

T = TypeVar("T")


def run_in_time(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine comes to; a test fails where it would be waited for in vain."""

    async def run() -> T:
        async with asyncio.timeout(LONG):
            return await work

    return asyncio.run(run())

"""Somebody who thinks in a thread, and is told to stop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tablemen.threads import RETRY_INTERVAL


async def stop_until_done(thought: asyncio.Future[Any], stop: Callable[[], object], seconds: float) -> bool:
    """Tells a thought to stop until it does: perhaps it had not begun when it was told before.

    Gives whether it is done within the seconds.
    """
    now = asyncio.get_running_loop().time
    ends = now() + seconds
    while not thought.done() and now() < ends:
        stop()
        await asyncio.wait([thought], timeout=RETRY_INTERVAL)
    return thought.done()

"""Which browser the pages are looked at with, and how it is started."""

from __future__ import annotations

import os
import shutil
from typing import Any

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def launch_options() -> dict[str, Any] | None:
    """What playwright is told to start Debian's browser, in place of one that it would fetch; None where none is."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        return None
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0  # whom its sandbox turns away
    return {"executable_path": program, "args": ["--no-sandbox"] if is_root else []}

"""The installed browser and its launch options."""

from __future__ import annotations

import os
import shutil
from typing import Any

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
MISSING = "Chromium is not installed: apt-get install chromium-headless-shell"


def launch_options() -> dict[str, Any] | None:
    """Return playwright's launch options for the installed browser, or None if there is none."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        return None
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0  # the sandbox does not work for root
    return {"executable_path": program, "args": ["--no-sandbox"] if is_root else []}

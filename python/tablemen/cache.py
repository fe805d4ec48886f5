"""The folder for what was worked out once and can be worked out again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

VARIABLE = "TABLEMEN_CACHE"


def cache_folder() -> Path:
    """Where tables are kept: what `TABLEMEN_CACHE` names, else a folder in the user's own place for such things.

    It need not exist.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "tablemen" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "tablemen"
    # The XDG specification: a path that is not absolute is to be ignored.
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".cache") / "tablemen"

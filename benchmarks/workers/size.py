"""Bytes of an installed distribution, alone and with all that it needs. The name is the argument."""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path


def own_bytes(found: Distribution) -> int:
    """The distribution's own files, without compiled Python; an editable one is its package's folder."""
    if '"editable": true' in (found.read_text("direct_url.json") or "").replace('":true', '": true'):
        spec = find_spec(found.metadata["Name"])
        assert spec is not None
        assert spec.origin is not None
        paths = list(Path(spec.origin).parent.rglob("*"))
    else:
        paths = [Path(str(found.locate_file(each))) for each in found.files or ()]
    return sum(path.stat().st_size for path in paths if path.is_file() and path.suffix != ".pyc")


def with_needs(name: str) -> dict[str, Distribution]:
    """The distribution and everything it needs, as installed; extras are left out."""
    found: dict[str, Distribution] = {}
    waiting = [name]
    while waiting:
        each = re.split(r"[^\w.-]", waiting.pop(), maxsplit=1)[0]
        key = re.sub(r"[-_.]+", "-", each).lower()
        if key in found:
            continue
        try:
            found[key] = distribution(each)
        except PackageNotFoundError:
            continue  # for another system or another Python
        waiting += [need for need in found[key].requires or () if "extra ==" not in need]
    return found


if __name__ == "__main__":
    together = with_needs(sys.argv[1])
    alone = next(iter(together.values()))
    json.dump({"own": own_bytes(alone), "all": sum(map(own_bytes, together.values()))}, sys.stdout)

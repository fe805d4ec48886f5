"""Print the installed size of a distribution, alone and with its dependencies. The name is the argument."""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path


def measure_size(found: Distribution) -> int:
    """Return the size of the distribution's files without bytecode; for an editable install, of its package folder."""
    if '"editable": true' in (found.read_text("direct_url.json") or "").replace('":true', '": true'):
        spec = find_spec(found.metadata["Name"])
        assert spec is not None
        assert spec.origin is not None
        paths = list(Path(spec.origin).parent.rglob("*"))
    else:
        paths = [Path(str(found.locate_file(each))) for each in found.files or ()]
    return sum(path.stat().st_size for path in paths if path.is_file() and path.suffix != ".pyc")


def collect_dependencies(name: str) -> dict[str, Distribution]:
    """Return the distribution and its installed dependencies, without extras."""
    found: dict[str, Distribution] = {}
    pending = [name]
    while pending:
        each = re.split(r"[^\w.-]", pending.pop(), maxsplit=1)[0]
        key = re.sub(r"[-_.]+", "-", each).lower()
        if key in found:
            continue
        try:
            found[key] = distribution(each)
        except PackageNotFoundError:
            continue  # required only on another system or Python version
        pending += [requirement for requirement in found[key].requires or () if "extra ==" not in requirement]
    return found


if __name__ == "__main__":
    installed = collect_dependencies(sys.argv[1])
    alone = next(iter(installed.values()))
    json.dump({"own": measure_size(alone), "all": sum(map(measure_size, installed.values()))}, sys.stdout)

"""Writes the types of the API for the scripts of the page: `python -m tools.wire`."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from pydantic.json_schema import models_json_schema

from tablemen.web import models

ROOT = Path(__file__).parents[1]
PATH = ROOT / "python" / "tablemen" / "web" / "page" / "wire.d.ts"
HEAD = "// The types of what the server says and hears. Written by `python -m tools.wire` from tablemen.web.models.\n"

# What is sent to the server: fields with a default may be left out. All that it says, it says in full.
SENT = (
    *(models.Subject, models.PlaceQuestion, models.Setup, models.NewGame, models.Action, models.Request, models.Hello),
    *(models.AnalysisRequest, models.Analyse, models.Stop, models.GameRequest, models.GameFile, models.Tree),
    models.Node,
)
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def write_types() -> str:
    """The whole file."""
    kinds = [each for each in vars(models).values() if inspect.isclass(each) and issubclass(each, models.Model)]
    modes = [(kind, "validation") for kind in kinds if kind is not models.Model]
    _, schema = models_json_schema(modes, ref_template="{model}")  # type: ignore[arg-type]
    return HEAD + "".join(_interface(name, each) for name, each in sorted(schema["$defs"].items()))


def _interface(name: str, schema: dict[str, Any]) -> str:
    properties = schema.get("properties", {})
    required = schema.get("required", []) if name in {kind.__name__ for kind in SENT} else properties
    fields = "".join(
        f"  {field}{'' if field in required else '?'}: {_type(each)};\n" for field, each in properties.items()
    )
    return f"\nexport interface {name} {{\n{fields}}}\n"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"])
    if "anyOf" in schema:
        return " | ".join(map(_type, schema["anyOf"]))
    if "const" in schema or "enum" in schema:
        return " | ".join(f'"{each}"' for each in schema.get("enum", [schema.get("const")]))
    if schema["type"] == "array":
        inner = _type(schema["items"])
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if schema["type"] == "object":
        return f"Record<string, {_type(schema['additionalProperties'])}>"
    return PLAIN[schema["type"]]


if __name__ == "__main__":
    PATH.write_text(write_types(), encoding="utf-8")

"""The pages as a person uses them: by what they are called, never by how they are built."""

from __future__ import annotations

PHONE = {"width": 360, "height": 740}
WIDE = {"width": 1280, "height": 800}

"""What every test shares: how hypothesis searches."""

from __future__ import annotations

from hypothesis import settings

# A slow machine is not a wrong rule: examples have no deadline. Where CI is set, hypothesis derandomises by itself.
settings.register_profile("tablemen", deadline=None, print_blob=True)
settings.load_profile("tablemen")

"""Escaping of text for XML and SVG."""

from __future__ import annotations

import html
import re

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, 2.2
REPLACEMENT = "\ufffd"


def escape(text: str) -> str:
    r"""Escape a text for an element or an attribute; characters that XML forbids, such as control characters, become �.

    >>> escape('Ann & "Bob"\x1b')
    'Ann &amp; &quot;Bob&quot;�'
    """
    return html.escape(_FORBIDDEN.sub(REPLACEMENT, text))

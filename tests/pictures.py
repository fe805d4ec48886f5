"""Helpers for tests of SVG pictures."""

from __future__ import annotations

from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"  # the namespace before the name of every element


def parse(picture: str) -> ET.Element:
    """Parse a picture, and check that it is SVG."""
    root = ET.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    return root


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    """Return the elements of a class."""
    return [each for each in root.iter() if each.get("class") == name]

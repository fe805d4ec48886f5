"""Pictures as SVG, read for what is drawn in them."""

from __future__ import annotations

from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"  # what stands before the name of every element


def parse(picture: str) -> ET.Element:
    """The picture as a tree."""
    root = ET.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    return root


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    """The elements of a class."""
    return [each for each in root.iter() if each.get("class") == name]

"""HTML and SVG as trees; whatever is text is escaped when it is written."""

from __future__ import annotations

from xml.etree.ElementTree import Element, tostring

Child = Element | str | None


def el(name: str, /, *children: Child, **attributes: object) -> Element:
    """Return an element; `class_` loses its end, `x_y` becomes `x-y`, None leaves an attribute out."""
    made = Element(name)
    for key, value in attributes.items():
        if value is not None:
            made.set(key.rstrip("_").replace("_", "-"), _told(value))
    last: Element | None = None
    for child in children:
        if isinstance(child, Element):
            made.append(child)
            last = child
        elif child is not None and last is None:
            made.text = (made.text or "") + child
        elif child is not None and last is not None:
            last.tail = (last.tail or "") + child
    return made


def written(root: Element) -> str:
    """Return the tree as HTML."""
    return tostring(root, "unicode", method="html")


def _told(value: object) -> str:
    return f"{value:.5g}" if isinstance(value, float) else str(value)

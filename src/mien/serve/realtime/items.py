"""The items of a conversation, in order."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from mien.serve.refusals import RefusedError

MOST = 256
Tell = Callable[..., None]
"""`tell(type, **fields)` sends an event."""


def new_id(kind: str) -> str:
    """Return an id such as `item_…`; nobody can guess it."""
    return f"{kind}_{secrets.token_urlsafe(18)}"


class Items:
    """What was said, as the protocol shows it. The oldest go when there are more than `MOST`."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._items: dict[str, dict[str, Any]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._items

    @property
    def last(self) -> str | None:
        """The last item's id."""
        return next(reversed(self._items), None)

    def add(self, item: dict[str, Any], previous: str | None = None) -> None:
        """Append an item, or put it behind `previous` (`root`: first), and tell."""
        before = previous or self.last
        names = list(self._items)
        self._items[item["id"]] = item
        if previous is not None and previous != self.last:
            at = 0 if previous == "root" else names.index(previous) + 1
            names.insert(at, item["id"])
            self._items = {name: self._items[name] for name in names}
        while len(self._items) > MOST:
            del self._items[next(iter(self._items))]
        shown = None if before == "root" else before
        self._tell("conversation.item.added", item=dict(item), previous_item_id=shown)

    def done(self, name: str) -> None:
        """Tell that an item is whole."""
        if name in self._items:
            names = list(self._items)
            at = names.index(name)
            before = names[at - 1] if at else None
            self._tell("conversation.item.done", item=dict(self._items[name]), previous_item_id=before)

    def get(self, name: str) -> dict[str, Any]:
        """Return an item; raises `RefusedError`."""
        if name not in self._items:
            raise RefusedError(f"no item {name!r} in this conversation", "item_not_found", "item_id")
        return self._items[name]

    def delete(self, name: str) -> None:
        """Remove an item, and tell; raises `RefusedError`."""
        self.get(name)
        del self._items[name]
        self._tell("conversation.item.deleted", item_id=name)

    def check_place(self, previous: str | None) -> None:
        """Raise `RefusedError` when nothing can be put behind `previous`."""
        if previous is not None and previous != "root" and previous not in self._items:
            raise RefusedError(f"no item {previous!r} to follow", "item_not_found", "previous_item_id")

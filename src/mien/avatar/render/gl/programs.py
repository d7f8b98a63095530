"""The programs that all heads of one context share, compiled when they are first used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mien.avatar.render.shaders import chunk, program

GROUP = 64  # invocations of a group, in every compute shader
MOST = 128  # morph targets of a head, correctives among them
_SIZES = {"MOST": MOST}
_LIGHT, _SEEN = ("constants", "basics", "skin", "matter"), ("constants", "basics", "eye", "surface")


class Programs:
    """Belongs to `context`; used in its thread only."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._kept: dict[object, Any] = {}

    def light(self) -> Any:
        """Return what lights vertices."""
        texts = (*map(chunk, _LIGHT), _own("frame"), _own("light.comp"))
        return self._once("light", lambda: self._compute(*texts, defines=_SIZES))

    def head(self) -> Any:
        """Return what draws them."""
        return self._once("head", self._head)

    def pack(self, defines: dict[str, int]) -> Any:
        """Return what turns a picture into the bytes that are read back."""
        key = tuple(sorted(defines.items()))
        return self._once(key, lambda: self._compute(_own("pack.comp"), defines=defines))

    def _once(self, key: object, make: Callable[[], Any]) -> Any:
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def _compute(self, *texts: str, defines: dict[str, int] | None = None) -> Any:
        return self._context.compute_shader(program(*texts, defines=defines))

    def _head(self) -> Any:
        texts = (*map(chunk, _SEEN), _own("frame"), _own("head.frag"))
        seen = program(*texts, defines=_SIZES)
        return self._context.program(vertex_shader=program(_own("head.vert")), fragment_shader=seen)


def _own(name: str) -> str:
    return chunk(name, __package__)

"""The programs that all heads of one context share, compiled when they are first used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mien.avatar.render.gl.head import DELTA_WIDTH, TEXTURES
from mien.avatar.render.gl.pack import weights
from mien.avatar.render.shaders import chunk, program

_LIGHT, _SEEN = ("basics", "skin", "matter"), ("basics", "eye", "surface")  # of vertices, of points


class Programs:
    """Belongs to `context`; used in its thread only."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._kept: dict[object, Any] = {}

    def head(self) -> Any:
        """Return what draws heads."""
        return self._once("head", self._head)

    def backdrop(self) -> Any:
        """Return what draws a picture behind them."""
        return self._once(
            "backdrop", lambda: self._linked(program(_own("screen.vert")), _own("backdrop.frag"))
        )

    def pack(self, channels: int, *, planes: bool) -> Any:
        """Return what turns a picture into the bytes that are read back."""
        defines = {"CHANNELS": channels, "PLANES": int(planes), **weights()}
        return self._once(
            (channels, planes),
            lambda: self._linked(_screen(), _own("pack.frag"), defines=defines),
        )

    def _once(self, key: object, make: Callable[[], Any]) -> Any:
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def _linked(self, vertex: str, *fragment: str, defines: dict[str, int] | None = None) -> Any:
        text = program(*fragment, defines=defines)
        return self._context.program(vertex_shader=vertex, fragment_shader=text)

    def _head(self) -> Any:
        numbers, frame = chunk("constants"), _own("frame")
        lit = [numbers, *map(chunk, _LIGHT), frame, _own("head.vert")]
        seen = [numbers, *map(chunk, _SEEN), frame, _own("head.frag")]
        linked = self._linked(program(*lit, defines={"DELTA_WIDTH": DELTA_WIDTH}), *seen)
        for unit, name in enumerate(TEXTURES):
            if name in linked:
                linked[name].value = unit
        return linked


def _own(name: str) -> str:
    return chunk(name, __package__)


def _screen() -> str:
    return program(_own("screen.vert"))

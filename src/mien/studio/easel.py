"""Pictures of the head of the moment, as bytes that browsers show."""

from __future__ import annotations

import io

from mien.avatar.model import Avatar
from mien.avatar.render import SoftwareRenderer, compiled, warm_up
from mien.errors import require
from mien.progress import Progress, silent
from mien.studio.asked import View

SIZE = (640, 640)
QUALITY = 90


class Easel:
    """Draws one head after another; not for several threads at once."""

    def __init__(self, size: tuple[int, int] = SIZE) -> None:
        self._size = size
        self._head: Avatar | None = None
        self._background = ""
        self._renderer: SoftwareRenderer | None = None

    def picture(self, head: Avatar, view: View, progress: Progress = silent, *, draft: bool = False) -> bytes:
        """Return a WebP: the same head and view give the same bytes."""
        if not compiled():
            warm_up(lambda done, total, _: progress("compiling the renderer", done / total))
        return encoded(self._for(head, view.background, draft).render(view.posed()), "WEBP")

    def _for(self, head: Avatar, background: str, draft: bool) -> SoftwareRenderer:
        if self._renderer is None or head is not self._head or background != self._background:
            self.close()
            self._renderer = SoftwareRenderer(head, self._size, background=background, reduced=not draft)
            self._head, self._background = head, background
        return self._renderer

    def close(self) -> None:
        """End the renderer's threads."""
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None


def encoded(picture: object, kind: str) -> bytes:
    """Return a picture (H, W, 3 or 4) uint8 as WebP or PNG."""
    pillow, out = require("PIL.Image", extra="video"), io.BytesIO()
    options = {"quality": QUALITY, "method": 1} if kind == "WEBP" else {}
    pillow.fromarray(picture).save(out, kind, **options)
    return out.getvalue()

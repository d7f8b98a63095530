"""One OpenGL context in a thread of its own, and what the heads in it share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from typing import Any, ParamSpec, Self, TypeVar

from mien.avatar.render.gl.programs import Programs
from mien.errors import MissingError, require

P = ParamSpec("P")
T = TypeVar("T")
Context = Any  # moderngl's types are those of a lazy import
_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swiftshader")
_LIBRARIES: tuple[dict[str, str], ...] = (  # none: by the names that a compiler would link
    {},
    {"libgl": "libGL.so.1", "libegl": "libEGL.so.1"},
    {"libgl": "libOpenGL.so.0", "libegl": "libEGL.so.1"},
)


class Stage:
    """Where heads are drawn: `gpu` counts the devices that EGL knows, the first one is 0.

    All drawing happens in one thread, in the order in which it was asked for; any thread may ask. Raises
    `MissingError` when there is no moderngl, no EGL, or no driver of OpenGL 4.3.
    """

    def __init__(self, gpu: int = 0) -> None:
        library = require("moderngl", extra="gl")
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="mien-gl")
        self._kept: dict[object, tuple[Any, int]] = {}
        try:
            self.context: Context = self.run(_open, library, gpu)
        except MissingError:
            self._pool.shutdown()
            raise
        self.programs = Programs(self.context)
        self.device: str = self.run(lambda: self.context.info["GL_RENDERER"])

    def submit(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Let the stage's thread do `work`."""
        return self._pool.submit(work, *args, **kwargs)

    def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Let the stage's thread do `work`, and wait."""
        return self.submit(work, *args, **kwargs).result()

    def close(self) -> None:
        """Give back the context and all that is in it."""
        self.run(self.context.release)
        self._pool.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def share(self, key: object, make: Callable[[], T]) -> T:
        """Return what `key` stands for, made when no one holds it; in the stage's thread only."""
        thing, holders = self._kept.get(key, (None, 0))
        thing = thing or make()
        self._kept[key] = thing, holders + 1
        return thing

    def drop(self, key: object) -> None:
        """Let go of what was shared; the last one to do so gives it back."""
        thing, holders = self._kept.pop(key)
        if holders > 1:
            self._kept[key] = thing, holders - 1
        else:
            thing.release()


def _open(library: Any, gpu: int) -> Context:
    reasons = []
    for names in _LIBRARIES if sys.platform == "linux" else ({},):
        settings = {"backend": "egl", "device_index": gpu, **names} if sys.platform == "linux" else {}
        try:
            return library.create_context(require=430, standalone=True, **settings)
        except Exception as error:  # noqa: BLE001  # glcontext raises nothing more exact
            reasons.append(str(error))
    raise MissingError(
        f"no OpenGL 4.3 through EGL ({reasons[-1]}); install a GPU's driver, or Mesa: "
        "apt-get install libegl1 libgl1 libegl-mesa0 libgl1-mesa-dri; or draw with the renderer 'software'"
    )


@lru_cache(maxsize=1)
def device() -> str | None:
    """Return the name of the GPU that OpenGL draws with, llvmpipe for the CPU, None without OpenGL."""
    try:
        with Stage() as stage:
            return stage.device
    except MissingError:
        return None


def is_software(name: str) -> bool:
    """Return whether what calls itself `name` draws on the CPU."""
    return any(word in name.lower() for word in _SOFTWARE)

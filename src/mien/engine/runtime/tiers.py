"""One session for each size on a GPU, and few sizes: cuDNN plans every convolution anew at another shape.

On an H200 the first run of a new batch size of a vocoder took 240 ms, and a later one 1 to 11 ms. A session
that sees one shape alone can also be captured as a CUDA graph.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Final

from mien.engine.engine import Engine, Tensor
from mien.engine.runtime.layout import Layout
from mien.engine.runtime.ticket import Outputs
from mien.engine.stop import Stop
from mien.engine.wrapper import Described

SIZES: Final = (1, 2, 4, 8, 16, 32, 64)
_MOST: Final = 24  # sessions, each with its own weights


class TieredEngine(Described):
    """Fills each batch up to the next of `sizes` and runs it in the session of that size.

    Sessions are opened when their size first comes; beyond `most` the one used longest ago goes. A model
    without a batch axis gets a session for each shape. Safe to call from several threads.
    """

    def __init__(self, load: Callable[[], Engine], sizes: Sequence[int] = SIZES, most: int = _MOST) -> None:
        self._load, self._sizes, self._most = load, tuple(sorted(sizes)), most
        self._lock = threading.Lock()
        self._spare: Engine | None = load()
        self._sessions: OrderedDict[Hashable, Engine] = OrderedDict()
        self._layout = Layout(self._spare)
        self._describe(self._spare)

    def run(self, stop: Stop | None = None, /, **inputs: Tensor) -> Outputs:
        """Compute every output from all inputs; raises as `Engine.run`."""
        rows = self._layout.rows(inputs)
        size = next((size for size in self._sizes if size >= rows), rows)
        given = self._layout.filled(inputs, size) if rows < size else inputs
        outputs = self._session(given).run(stop, **given)
        return {name: value[:rows] for name, value in outputs.items()} if rows < size else outputs

    def _session(self, inputs: dict[str, Tensor]) -> Engine:
        key = tuple((name, value.shape) for name, value in sorted(inputs.items()))
        with self._lock:
            if key not in self._sessions:
                self._sessions[key] = self._spare or self._load()
                self._spare = None
                if len(self._sessions) > self._most:
                    self._sessions.popitem(last=False)
            self._sessions.move_to_end(key)
            return self._sessions[key]

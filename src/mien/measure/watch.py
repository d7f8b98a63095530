"""Picture after picture of a film → what its face does, keeping numbers only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mien.measure.features import NAMES, read_face, steady_shape
from mien.vision import EyeLids, FaceTracker, Landmarks

Floats = NDArray[np.float32]
Picture = NDArray[np.uint8]

THUMB = 96  # pixels across the picture when two pictures are compared


@dataclass(frozen=True, slots=True, eq=False)
class FaceSeries:
    """A face over the pictures of a film; rows of pictures without a face are NaN.

    `times_s` (T,): when each picture is shown. `features` (T, len(NAMES)): see `features.Face`.
    `shake` (T,): how far the steady points are from where the pictures before and after put them, RMS,
    in face widths. `change` (T,): mean difference from the picture before, levels of 255; 0 for the first.
    """

    times_s: NDArray[np.float64]
    features: Floats
    shake: Floats
    change: Floats

    def __len__(self) -> int:
        return len(self.times_s)

    def column(self, name: str) -> NDArray[np.float64]:
        """Return one of `features.NAMES` over time, `(T,)`."""
        return self.features[:, NAMES.index(name)].astype(np.float64)

    @property
    def seen(self) -> NDArray[np.bool_]:
        """`(T,)`: where there is a face."""
        return ~np.isnan(self.features[:, 0])

    @property
    def mouth_width(self) -> float:
        """Median width of the mouth in outer eye distances; NaN when no face was seen."""
        width = self.column("width")[self.seen]
        return float(np.median(width)) if len(width) else float("nan")

    def in_mouths(self, name: str) -> NDArray[np.float64]:
        """Return a length over time in units of the film's median mouth width, `(T,)`."""
        return self.column(name) / self.mouth_width


class Watcher:
    """Looks at one picture after the other."""

    def __init__(self) -> None:
        self._track, self._lids = FaceTracker(), EyeLids()
        self._shapes: list[Floats | None] = [None, None]
        self._thumb: NDArray[np.int16] | None = None
        self._rows: list[tuple[float, ...]] = []
        self._times: list[float] = []

    def see(self, picture: Picture, time_s: float) -> Landmarks | None:
        """Take the next picture `(H, W, 3)` uint8 RGB, shown from `time_s` on; return its face."""
        found = self._track(picture)
        face = read_face(found, self._lids(picture, found)) if found else None
        values = [getattr(face, name) for name in NAMES] if face else [np.nan] * len(NAMES)
        self._rows.append((*values, self._shake(found), self._change(picture)))
        self._times.append(time_s)
        return found

    def finish(self) -> FaceSeries:
        """Return all that was seen."""
        table = np.array(self._rows, np.float32).reshape(-1, len(NAMES) + 2)
        shake = np.roll(table[:, -2], -1)  # a second difference belongs to its middle
        shake[-1:] = np.nan
        return FaceSeries(np.array(self._times), table[:, :-2], shake, table[:, -1])

    def _shake(self, found: Landmarks | None) -> float:
        """Return the RMS second difference over √6: the standard deviation, were the motion white noise."""
        shape = steady_shape(found) if found else None
        before, middle = self._shapes
        self._shapes = [middle, shape]
        if before is None or middle is None or shape is None:
            return float("nan")
        return float(np.sqrt(np.mean((before - 2 * middle + shape) ** 2) / 6))

    def _change(self, picture: Picture) -> float:
        step = max(1, picture.shape[1] // THUMB)
        thumb = picture[::step, ::step, 1].astype(np.int16)
        before, self._thumb = self._thumb, thumb
        if before is None or before.shape != thumb.shape:
            return 0.0
        return float(np.mean(np.abs(thumb - before)))


def watch(pictures: Iterable[tuple[float, Picture]]) -> FaceSeries:
    """Watch all of `(time_s, picture)`."""
    watcher = Watcher()
    for time_s, picture in pictures:
        watcher.see(picture, time_s)
    return watcher.finish()

"""The skin's pictures as the kernels read them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.avatar.model import Avatar
from mien.avatar.render import tone

Bytes = NDArray[np.uint8]
_QUARTER = np.float32(0.25)
_FLAT = 128  # relief that does not tilt the normal
_FINE = 640  # pixels of height from which the whole skin texture is worth its memory traffic


def texels_for(size: tuple[int, int]) -> int:
    """Return how high the skin's pictures need to be for a picture of `size`."""
    return 1024 if size[1] > _FINE else 512


def pack(avatar: Avatar, most: int) -> Bytes:
    """Return (H, W, 6): square roots of linear albedo, gloss, and tilt of the normal along u and v.

    Halved, as a mean of light and of tilt, until no higher than `most`.
    """
    albedo, gloss = tone.decode(avatar.skin[..., :3]), avatar.skin[..., 3:].astype(np.float32)
    layers = _halved(np.concatenate([albedo, gloss], axis=2), most)
    relief = avatar.skin_detail if avatar.skin_detail is not None else np.full((2, 2, 2), _FLAT, np.uint8)
    tilt = _fitted(_halved(relief.astype(np.float32), most), layers.shape[:2])
    packed = np.concatenate([np.sqrt(layers[..., :3]) * 255, layers[..., 3:], tilt], axis=2)
    return np.ascontiguousarray((packed + 0.5).clip(0, 255), np.uint8)


def _halved(layers: NDArray[np.float32], most: int) -> NDArray[np.float32]:
    while layers.shape[0] > most and layers.shape[0] % 2 == 0 and layers.shape[1] % 2 == 0:
        layers = (layers[::2, ::2] + layers[1::2, ::2] + layers[::2, 1::2] + layers[1::2, 1::2]) * _QUARTER
    return layers


def _fitted(layers: NDArray[np.float32], shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Return `layers` in another size: the nearest texel of each."""
    rows = np.arange(shape[0]) * layers.shape[0] // shape[0]
    columns = np.arange(shape[1]) * layers.shape[1] // shape[1]
    fitted: NDArray[np.float32] = layers[rows[:, None], columns]
    return fitted

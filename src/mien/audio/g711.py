"""G.711: telephone sound in 8 bits a sample (ITU-T G.711, tables 1a to 2b)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.audio.pcm import Samples

RATE_HZ = 8000
_BIAS, _CLIP = 132, 32_635  # of the µ-law, on a scale of 16 bits


def decode_mulaw(data: bytes) -> Samples:
    """Return samples of µ-law bytes."""
    return _MULAW[np.frombuffer(data, np.uint8)]


def decode_alaw(data: bytes) -> Samples:
    """Return samples of A-law bytes."""
    return _ALAW[np.frombuffer(data, np.uint8)]


def encode_mulaw(samples: Samples) -> bytes:
    """Return µ-law bytes; what is beyond full scale is clipped."""
    whole = _whole(samples)
    biased = np.minimum(np.abs(whole), _CLIP) + _BIAS
    exponent = np.maximum(np.floor(np.log2(biased)).astype(np.int32) - 7, 0)
    mantissa = (biased >> (exponent + 3)) & 0x0F
    sign = np.where(whole < 0, 0x80, 0)
    return bytes((~(sign | (exponent << 4) | mantissa) & 0xFF).astype(np.uint8))


def encode_alaw(samples: Samples) -> bytes:
    """Return A-law bytes; what is beyond full scale is clipped."""
    whole = _whole(samples)
    size = np.where(whole < 0, -whole - 1, whole) >> 3  # 13 bits, as the law is written
    exponent = np.maximum(np.floor(np.log2(np.maximum(size, 1))).astype(np.int32) - 4, 0)
    mantissa = (size >> np.maximum(exponent, 1)) & 0x0F
    sign = np.where(whole < 0, 0, 0x80)
    return bytes(((sign | (exponent << 4) | mantissa) ^ 0x55).astype(np.uint8))


def _whole(samples: Samples) -> NDArray[np.int32]:
    whole: NDArray[np.int32] = np.clip(np.rint(samples * 32_768.0), -32_768, 32_767).astype(np.int32)
    return whole


def _mulaw_table() -> Samples:
    code = ~np.arange(256) & 0xFF
    size = ((((code & 0x0F) << 3) + _BIAS) << ((code >> 4) & 7)) - _BIAS
    return (np.where(code & 0x80, -size, size) / 32_768.0).astype(np.float32)


def _alaw_table() -> Samples:
    code = np.arange(256) ^ 0x55
    exponent, mantissa = (code >> 4) & 7, code & 0x0F
    size = np.where(
        exponent == 0, (mantissa << 4) + 8, ((mantissa << 4) + 0x108) << np.maximum(exponent - 1, 0)
    )
    return (np.where(code & 0x80, size, -size) / 32_768.0).astype(np.float32)


_MULAW, _ALAW = _mulaw_table(), _alaw_table()

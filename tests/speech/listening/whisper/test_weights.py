import struct

import numpy as np
import pytest

from mien import packs
from mien.errors import CorruptError, MissingError
from mien.speech.listening.whisper import weights


def packed(tensors: dict[str, np.ndarray], version: int = 6, spec: str = "WhisperSpec") -> bytes:
    def text(value: str) -> bytes:
        return struct.pack("<H", len(value) + 1) + value.encode() + b"\0"

    codes = {"float32": 0, "int8": 1, "int16": 2, "float16": 4}
    out = struct.pack("<I", version) + text(spec) + struct.pack("<II", 3, len(tensors))
    for name, value in tensors.items():
        out += text(name) + struct.pack("<B", value.ndim) + struct.pack(f"<{value.ndim}I", *value.shape)
        out += struct.pack("<BI", codes[value.dtype.name], value.nbytes) + value.tobytes()
    return out


SMALL = {
    "decoder/num_heads": np.array(2, np.int16),
    "decoder/embeddings/weight": np.ones((5, 4), np.float16),
    "decoder/position_encodings/encodings": np.zeros((7, 4), np.float16),
    "encoder/conv1/weight": np.zeros((4, 3, 3), np.float32),
    "encoder/position_encodings/encodings": np.zeros((6, 4), np.float16),
    "encoder/layer_0/x": np.zeros(1, np.float32),
    "encoder/layer_norm/beta": np.zeros(4, np.float32),
    "decoder/layer_0/x": np.zeros(1, np.float32),
    "decoder/layer_1/x": np.zeros(1, np.float32),
}


def test_sizes_follow_from_the_tensors(tmp_path):
    (tmp_path / "model.bin").write_bytes(packed(SMALL))
    made = weights.read(tmp_path / "model.bin")
    assert (made.encoder_layers, made.decoder_layers, made.heads, made.width) == (1, 2, 2, 4)
    assert (made.mels, made.positions, made.context, made.vocabulary) == (3, 6, 7, 5)
    assert made["decoder/embeddings/weight"].dtype == np.float32


def test_the_real_model_has_the_sizes_of_tiny():
    made = weights.read(packs.path("whisper-tiny-en") / "model.bin")
    assert (made.encoder_layers, made.decoder_layers, made.heads, made.width) == (4, 4, 6, 384)
    assert (made.mels, made.positions, made.context, made.vocabulary) == (80, 1500, 448, 51864)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "requires"),
        (packed(SMALL)[:-9], "buffer"),
        (packed(SMALL)[:40], "requires"),
        (packed(SMALL, version=3), "version 3"),
        (packed(SMALL, spec="TransformerSpec"), "TransformerSpec"),
        (packed(SMALL | {"decoder/embeddings/weight": np.ones((5, 4), np.int8)}), "quantised"),
        (packed(SMALL | {"decoder/num_heads": np.array(3, np.int16)}), "3 heads"),
        (b"\xff" * 4096, "version 4294967295"),
    ],
)
def test_what_is_no_model_is_named(tmp_path, data, said):
    (tmp_path / "model.bin").write_bytes(data)
    with pytest.raises(CorruptError, match=said):
        weights.read(tmp_path / "model.bin")


def test_a_missing_tensor_is_named(tmp_path):
    (tmp_path / "model.bin").write_bytes(packed(SMALL))
    with pytest.raises(CorruptError, match="encoder/conv2/weight"):
        weights.read(tmp_path / "model.bin")["encoder/conv2/weight"]


def test_no_file_says_what_to_pull(tmp_path):
    with pytest.raises(MissingError, match="mien packs pull listen"):
        weights.read(tmp_path / "model.bin")

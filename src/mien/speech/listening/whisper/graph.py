"""Whisper as two ONNX models made from its weights: an encoder of any length, a decoder with a cache.

Whisper was trained on 30 s, with silence behind what was said; cut short, it invents and repeats. Yet
the states of silence hardly depend on what was said before. So they are computed once, when the models are
made: an encoder of only the frames that came reads, beside its own keys and values, those of the silence
up to 30 s. They are so alike that one of `STRIDE` stands for its neighbours, with log(STRIDE) added to its
scores: so many equal keys would weigh as much. The time follows the length of the sound, the words are
those of the full window (docs/listening.md).

The encoder also projects the keys and values that the decoder's cross-attention reads, once for all tokens.
The decoder takes any number of tokens at once behind those it has in its cache, so that a draft of words is
checked in one run, and tells where the alignment heads look (Radford et al., Robust Speech Recognition via
Large-Scale Weak Supervision, 2022; openai/whisper `timing.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from mien.speech.listening.whisper.mel import SILENCE
from mien.speech.listening.whisper.weights import Weights

_OPSET = 20
_EPSILON = 1e-5  # of the layer norms
_BLOCK = 32  # inputs that share a scale in an 8-bit matrix
STRIDE = 8  # states of silence that one stands for: 160 ms
Values = NDArray[np.generic]
Run = Callable[[ModelProto, NDArray[np.float32]], Mapping[str, NDArray[np.float32]]]


def build(weights: Weights, alignment_heads: Sequence[tuple[int, int]], run: Run) -> dict[str, ModelProto]:
    """Return `encoder` and `decoder`; `alignment_heads` are (layer, head) of the decoder.

    encoder: `mel (1, mels, frames)`, frames / 2 a multiple of `STRIDE` → `keys (L, H, D, T)`,
    `values (L, H, T, D)`, and `bias (T)`, which is added to their scores. T: frames / 2 states of the sound,
    then those of the silence. decoder: `tokens (n)`, `past_keys` and `past_values (L, H, p, D)`, `keys`,
    `values`, `bias` → `logits (n, vocabulary)`, `new_keys` and `new_values (L, H, p + n, D)`, `attention
    (A, n, T)`.
    """
    frames = np.full((1, weights.mels, 2 * weights.positions), SILENCE, np.float32)
    silence = run(_encoder(weights, None), frames)
    return {"encoder": _encoder(weights, silence), "decoder": _decoder(weights, alignment_heads)}


class _Builder:
    """Collects nodes; each method returns the name of what it computes."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.nodes: list[NodeProto] = []
        self._constants: dict[str, TensorProto] = {}
        self._count = 0

    def op(self, kind: str, *inputs: str, outputs: int = 1, domain: str = "", **attributes: Any) -> str:
        self._count += 1
        names = [f"{kind}_{self._count}" + (f"_{i}" if i else "") for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, domain=domain, **attributes))
        return names[0]

    def split(self, value: str, parts: int, axis: int) -> list[str]:
        first = self.op("Split", value, outputs=parts, axis=axis, num_outputs=parts)
        return [first] + [f"{first}_{i}" for i in range(1, parts)]

    def constant(self, value: Values | Sequence[int], name: str = "") -> str:
        array = value if isinstance(value, np.ndarray) else np.array(value, np.int64)
        key = name or f"constant_{array.dtype}_{array.shape}_{array.tobytes()[:64].hex()}"
        if key not in self._constants:
            self._constants[key] = numpy_helper.from_array(array.copy(order="C"), key)
        return key

    def linear(self, value: str, name: str) -> str:
        """Multiply with a weight in 32 bits."""
        matrix = self.constant(self.weights[f"{name}/weight"].T, f"{name}/weight")
        return self.biased(self.op("MatMul", value, matrix), name)

    def biased(self, value: str, name: str) -> str:
        if f"{name}/bias" not in self.weights.tensors:
            return value
        return self.op("Add", value, self.constant(self.weights[f"{name}/bias"], f"{name}/bias"))

    def small(self, value: str, name: str) -> str:
        """Multiply with a weight in 8 bits, a scale for each 32 inputs of an output; sums are of integers.

        A decoder's step reads every weight once: it takes the time of reading them.
        """
        matrix = self.weights[f"{name}/weight"]
        rows, columns = matrix.shape
        blocks = matrix.reshape(rows, columns // _BLOCK, _BLOCK)
        scales = np.maximum(np.abs(blocks).max(axis=2), 1e-12) / np.float32(127.0)
        codes = (np.rint(blocks / scales[:, :, None]) + 128).astype(np.uint8)
        product = self.op(
            "MatMulNBits",
            value,
            self.constant(codes, f"{name}/codes"),
            self.constant(scales.reshape(-1).astype(np.float32), f"{name}/scales"),
            domain="com.microsoft",
            K=columns,
            N=rows,
            bits=8,
            block_size=_BLOCK,
            accuracy_level=4,
        )
        return self.biased(product, name)

    def norm(self, value: str, name: str) -> str:
        gamma, beta = (self.constant(self.weights[f"{name}/{k}"], f"{name}/{k}") for k in ("gamma", "beta"))
        return self.op("LayerNormalization", value, gamma, beta, axis=-1, epsilon=_EPSILON)

    def heads(self, value: str, order: Sequence[int]) -> str:
        """Turn `(n, H * D)` into three dimensions in the `order` of (n, H, D)."""
        shape = self.constant([0, self.weights.heads, self.weights.width // self.weights.heads])
        return self.op("Transpose", self.op("Reshape", value, shape), perm=list(order))

    def attend(self, queries: str, keys: str, values: str, mask: str = "") -> tuple[str, str]:
        """Return what `queries (H, n, D)` read `(n, H * D)`, and the weights `(H, n, T)` they read with."""
        scale = np.array((self.weights.width // self.weights.heads) ** -0.5, np.float32)
        scores = self.op("MatMul", self.op("Mul", queries, self.constant(scale)), keys)
        if mask:
            scores = self.op("Add", scores, mask)
        weights = self.op("Softmax", scores, axis=-1)
        read = self.op("Transpose", self.op("MatMul", weights, values), perm=[1, 0, 2])
        return self.op("Reshape", read, self.constant([0, self.weights.width])), weights

    def stacked(self, parts: Sequence[str]) -> str:
        axis = self.constant([0])
        return self.op("Concat", *(self.op("Unsqueeze", part, axis) for part in parts), axis=0)

    def rows(self, table: str, start: str, count: str) -> str:
        """Return rows `start` to `start + count` of a table; both are `(1,)`."""
        end = self.op("Add", start, count)
        return self.op("Slice", self.constant(self.weights[table], table), start, end, self.constant([0]))

    def model(
        self, inputs: Sequence[ValueInfoProto], outputs: Sequence[tuple[str, ValueInfoProto]]
    ) -> ModelProto:
        for value, info in outputs:
            self.nodes.append(helper.make_node("Identity", [value], [info.name]))
        named = [info for _, info in outputs]
        made = helper.make_graph(self.nodes, "whisper", inputs, named, list(self._constants.values()))
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(made, opset_imports=opsets, ir_version=9)


def _floats(name: str, *shape: int | str) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def _encoder(weights: Weights, silence: Mapping[str, NDArray[np.float32]] | None) -> ModelProto:
    """Return the encoder; without `silence` one that also tells what all its layers read of each state."""
    b = _Builder(weights)
    value = b.op("Gelu", _convolution(b, "mel", "encoder/conv1", 1))
    value = b.op("Gelu", _convolution(b, value, "encoder/conv2", 2))
    value = b.op("Transpose", b.op("Squeeze", value, b.constant([0])), perm=[1, 0])
    length = b.op("Shape", value, start=0, end=1)
    value = b.op("Add", value, b.rows("encoder/position_encodings/encodings", b.constant([0]), length))
    rest = _Rest(b, length, silence)
    own: list[tuple[str, str]] = []
    for layer in range(weights.encoder_layers):
        value, read = _encoder_layer(b, value, layer, rest)
        own.append(read)
    value = b.norm(value, "encoder/layer_norm")
    cross = []
    for layer in range(weights.decoder_layers):
        pair = b.split(b.linear(value, f"decoder/layer_{layer}/attention/linear_1"), 2, axis=1)
        cross.append((b.heads(pair[0], (1, 2, 0)), b.heads(pair[1], (1, 0, 2))))
    made = _pairs(b, cross, "", rest) + ([] if silence else _pairs(b, own, "own_", rest))
    made.append((rest.bias, _floats("bias", "T")))
    return b.model([_floats("mel", 1, weights.mels, "frames")], made)


def _pairs(
    b: _Builder, pairs: Sequence[tuple[str, str]], name: str, rest: _Rest
) -> list[tuple[str, ValueInfoProto]]:
    depth, heads = b.weights.width // b.weights.heads, b.weights.heads
    keys, values = (b.stacked(side) for side in zip(*pairs, strict=True))
    if not name:
        keys, values = rest.behind(keys, "keys", 3), rest.behind(values, "values", 2)
    return [
        (keys, _floats(f"{name}keys", len(pairs), heads, depth, "T")),
        (values, _floats(f"{name}values", len(pairs), heads, "T", depth)),
    ]


class _Rest:
    """The silence behind the sound, up to 30 s."""

    def __init__(self, b: _Builder, length: str, silence: Mapping[str, NDArray[np.float32]] | None) -> None:
        self._b, self._silence = b, silence
        zeros = b.op("Expand", b.constant(np.zeros(1, np.float32)), length)
        self.bias = zeros
        if silence is not None:
            self._from = b.op("Div", length, b.constant([STRIDE]))
            count = b.weights.positions // STRIDE
            weight = b.constant(np.full(count, np.log(STRIDE), np.float32), "rest/bias")
            self.bias = b.op("Concat", zeros, self._cut(weight, 0), axis=0)

    def behind(self, value: str, name: str, axis: int, layer: int | None = None) -> str:
        """Return `value` with the silence's `name` behind it along `axis`."""
        if self._silence is None:
            return value
        table = self._silence[name] if layer is None else self._silence[name][layer]
        picked = np.take(table, np.arange(STRIDE // 2, table.shape[axis], STRIDE), axis)
        kept = self._cut(self._b.constant(picked, f"rest/{name}/{layer}"), axis)
        return self._b.op("Concat", value, kept, axis=axis)

    def _cut(self, table: str, axis: int) -> str:
        end = self._b.constant([self._b.weights.positions])
        return self._b.op("Slice", table, self._from, end, self._b.constant([axis]))


def _convolution(b: _Builder, value: str, name: str, stride: int) -> str:
    weight, bias = (b.constant(b.weights[f"{name}/{k}"], f"{name}/{k}") for k in ("weight", "bias"))
    return b.op("Conv", value, weight, bias, kernel_shape=[3], pads=[1, 1], strides=[stride])


def _encoder_layer(b: _Builder, value: str, layer: int, rest: _Rest) -> tuple[str, tuple[str, str]]:
    name = f"encoder/layer_{layer}"
    inner = b.norm(value, f"{name}/self_attention/layer_norm")
    queries, keys, values = b.split(b.linear(inner, f"{name}/self_attention/linear_0"), 3, axis=1)
    own = (b.heads(keys, (1, 2, 0)), b.heads(values, (1, 0, 2)))
    keys, values = rest.behind(own[0], "own_keys", 2, layer), rest.behind(own[1], "own_values", 1, layer)
    read, _ = b.attend(b.heads(queries, (1, 0, 2)), keys, values, rest.bias)
    value = b.op("Add", value, b.linear(read, f"{name}/self_attention/linear_1"))
    inner = b.norm(value, f"{name}/ffn/layer_norm")
    inner = b.op("Gelu", b.linear(inner, f"{name}/ffn/linear_0"))
    return b.op("Add", value, b.linear(inner, f"{name}/ffn/linear_1")), own


def _decoder(weights: Weights, alignment_heads: Sequence[tuple[int, int]]) -> ModelProto:
    b = _Builder(weights)
    count, past = b.op("Shape", "tokens"), b.op("Shape", "past_keys", start=2, end=3)
    embeddings = b.constant(
        weights["decoder/embeddings/weight"].astype(np.float16), "decoder/embeddings/half"
    )
    value = b.op("Cast", b.op("Gather", embeddings, "tokens", axis=0), to=TensorProto.FLOAT)
    value = b.op("Add", value, b.rows("decoder/position_encodings/encodings", past, count))
    mask = _mask(b, count, past)
    new: list[tuple[str, str]] = []
    looks: list[str] = []
    for layer in range(weights.decoder_layers):
        value, cache, weight = _decoder_layer(b, value, layer, mask)
        new.append(cache)
        looks += [
            b.op("Gather", weight, b.constant([head]), axis=0) for at, head in alignment_heads if at == layer
        ]
    value = b.norm(value, "decoder/layer_norm")
    shape = (weights.decoder_layers, weights.heads)
    depth = weights.width // weights.heads
    made = [
        (b.small(value, "decoder/embeddings"), _floats("logits", "n", weights.vocabulary)),
        (b.stacked([keys for keys, _ in new]), _floats("new_keys", *shape, "p_and_n", depth)),
        (b.stacked([values for _, values in new]), _floats("new_values", *shape, "p_and_n", depth)),
        (b.op("Concat", *looks, axis=0), _floats("attention", len(looks), "n", "T")),
    ]
    inputs = [
        helper.make_tensor_value_info("tokens", TensorProto.INT64, ["n"]),
        _floats("past_keys", *shape, "p", depth),
        _floats("past_values", *shape, "p", depth),
        _floats("keys", *shape, depth, "T"),
        _floats("values", *shape, "T", depth),
        _floats("bias", "T"),
    ]
    return b.model(inputs, made)


def _mask(b: _Builder, count: str, past: str) -> str:
    """Return `(n, p + n)`: 0 where a token may look, else a large negative number."""
    zero, one = b.constant(np.array(0, np.int64)), b.constant(np.array(1, np.int64))
    none = b.constant([0])
    end = b.op("Squeeze", b.op("Add", past, count), none)
    seen = b.op("Range", zero, end, one)
    own = b.op("Unsqueeze", b.op("Range", b.op("Squeeze", past, none), end, one), b.constant([1]))
    open_, shut = (b.constant(np.array(value, np.float32)) for value in (0.0, -1e9))
    return b.op("Where", b.op("LessOrEqual", seen, own), open_, shut)


def _decoder_layer(b: _Builder, value: str, layer: int, mask: str) -> tuple[str, tuple[str, str], str]:
    name, this = f"decoder/layer_{layer}", b.constant(np.array(layer, np.int64))
    inner = b.norm(value, f"{name}/self_attention/layer_norm")
    queries, keys, values = b.split(b.small(inner, f"{name}/self_attention/linear_0"), 3, axis=1)
    caches = [
        b.op("Concat", b.op("Gather", past, this, axis=0), b.heads(fresh, (1, 0, 2)), axis=1)
        for past, fresh in (("past_keys", keys), ("past_values", values))
    ]
    turned = b.op("Transpose", caches[0], perm=[0, 2, 1])
    read, _ = b.attend(b.heads(queries, (1, 0, 2)), turned, caches[1], mask)
    value = b.op("Add", value, b.small(read, f"{name}/self_attention/linear_1"))
    inner = b.norm(value, f"{name}/attention/layer_norm")
    queries = b.heads(b.small(inner, f"{name}/attention/linear_0"), (1, 0, 2))
    sound = [b.op("Gather", each, this, axis=0) for each in ("keys", "values")]
    read, looks = b.attend(queries, sound[0], sound[1], "bias")
    value = b.op("Add", value, b.small(read, f"{name}/attention/linear_2"))
    inner = b.norm(value, f"{name}/ffn/layer_norm")
    inner = b.op("Gelu", b.small(inner, f"{name}/ffn/linear_0"))
    return b.op("Add", value, b.small(inner, f"{name}/ffn/linear_1")), (caches[0], caches[1]), looks

"""The activation of periodic signals, `x + sin²(a x) / a` (Snake: Ziyin, Hartwig and Ueda, 2020, equation 3).

With `w = a x` it is `(w + sin² w) / a`. The scale `a` goes into the normalisation in front, and `1 / a` into
the weights of the convolution behind, where both cost nothing: of five nodes over the signal three remain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, helper

from mien.engine.passes import edit
from mien.engine.passes.base import FunctionPass, Outcome, tell
from mien.engine.passes.conditions import WELLFORMED, WHOLE
from mien.engine.passes.dead import sweep
from mien.engine.passes.match import Match

_CLOSE = 1e-5  # of 1: how near the two stated scales must come to being inverses


@dataclass(frozen=True, slots=True, eq=False)
class _Snake:
    """`norm` → snake → `conv`; `scale` `(channels,)` is the activation's `a`."""

    norm: NodeProto
    conv: NodeProto
    out: str
    scale: NDArray[np.float32]


def snakes(model: ModelProto) -> Outcome:
    """Return `model` with the activations between a normalisation and a convolution in three nodes each."""
    made = edit.copied(model)
    finder = _Finder(made)
    found = [snake for node in made.graph.node if (snake := finder.snake(node)) is not None]
    if not found:
        return Outcome(model, changed=False, note=tell("", 0))
    for snake in found:
        _rewrite(made, snake, finder.match)
    sweep(made.graph)
    return Outcome(made, changed=True, note=tell("activations shortened", len(found)))


def _rewrite(model: ModelProto, snake: _Snake, match: Match) -> None:
    """Put the new nodes in front of the convolution; the old ones are read by nobody any more."""
    given, out = snake.norm.output[0], snake.out
    edit.put(model, f"{out}/a", snake.scale)
    scales = []
    for place in (1, 2):
        name = snake.norm.input[place]
        model.graph.node.insert(
            _place(model, snake.norm), helper.make_node("Mul", [name, f"{out}/a"], [f"{out}/a{place}"])
        )
        scales.append(f"{out}/a{place}")
    del snake.norm.input[1:]
    snake.norm.input.extend(scales)
    wave, square, total = (f"{out}/{name}" for name in ("sin", "sin2", "w"))
    at = _place(model, snake.conv)
    for node in (
        helper.make_node("Add", [given, square], [total]),
        helper.make_node("Mul", [wave, wave], [square]),
        helper.make_node("Sin", [given], [wave]),
    ):
        model.graph.node.insert(at, node)
    weights = match.value(snake.conv.input[1])
    assert weights is not None
    each = snake.scale.reshape(1, -1, *[1] * (weights.ndim - 2))
    edit.put(model, f"{out}/weights", (weights / each).astype(np.float32))
    snake.conv.input[0], snake.conv.input[1] = total, f"{out}/weights"


def _place(model: ModelProto, wanted: NodeProto) -> int:
    return next(n for n, node in enumerate(model.graph.node) if node.output[:1] == wanted.output[:1])


class _Finder:
    def __init__(self, model: ModelProto) -> None:
        self.match = Match(model)

    def snake(self, conv: NodeProto) -> _Snake | None:
        """Return the activation that a convolution reads."""
        if not edit.is_standard(conv, "Conv") or self.match.uses[conv.input[0]] != 1:
            return None
        total = self.match.made(conv.input[0], "Add")
        weights = self.match.value(conv.input[1])
        if total is None or weights is None or edit.attributes(conv).get("group", 1) != 1:
            return None
        for given, wave in (total.input, reversed(total.input)):
            norm, scale = self.match.made(given, "InstanceNormalization"), self._scale(wave, given)
            if norm is not None and scale is not None and scale.size == weights.shape[1]:
                return _Snake(norm, conv, total.output[0], scale)
        return None

    def _scale(self, wave: str, given: str) -> NDArray[np.float32] | None:
        """Return `a` when `wave` is `sin²(a · given) / a`, with an `a` for each channel."""
        product = self.match.alone(wave, "Mul")
        outer = self.match.with_constant(product) if product is not None else None
        sine = self._squared(outer[1]) if outer is not None else None
        angle = self.match.alone(sine.input[0], "Mul") if sine is not None else None
        inner = self.match.with_constant(angle) if angle is not None else None
        if outer is None or inner is None or inner[1] != given or self.match.uses[given] != 2:
            return None
        scale, inverse = self.match.value(inner[0]), self.match.value(outer[0])
        assert scale is not None
        assert inverse is not None
        if scale.ndim != 3 or scale.shape != inverse.shape or scale.size != scale.shape[1]:
            return None
        fits = np.abs(scale * inverse - 1).max() < _CLOSE  # also no zero
        return scale.reshape(-1).astype(np.float32) if fits else None

    def _squared(self, name: str) -> NodeProto | None:
        """Return the sine whose square a tensor is."""
        power = self.match.alone(name, "Pow")
        if power is not None and self.match.scalar(power.input[1]) == 2:
            return self.match.alone(power.input[0], "Sin")
        product = self.match.alone(name, "Mul")
        if product is None or product.input[0] != product.input[1] or self.match.uses[product.input[0]] != 2:
            return None
        return self.match.made(product.input[0], "Sin")


SNAKE = FunctionPass("shorten-snakes", snakes, requires=(WELLFORMED, WHOLE), ensures=(WELLFORMED,))

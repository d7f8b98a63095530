"""Each channel's normalisation written out in seven nodes becomes one `InstanceNormalization`.

`y = (x - mean(x)) / sqrt(mean((x - mean(x))²) + e) · s + t` over time (Ulyanov, Vedaldi and Lempitsky, 2016,
equation 2). Where `s` and `t` are computed from a style (AdaIN: Huang and Belongie, 2017) they are taken in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from onnx import ModelProto, NodeProto, helper

from mien.engine.passes import edit
from mien.engine.passes.base import FunctionPass, Outcome, tell
from mien.engine.passes.conditions import WELLFORMED, WHOLE
from mien.engine.passes.dead import sweep
from mien.engine.passes.match import Match

_FLAT: Final = "join-instance-norms/flat"


@dataclass(frozen=True, slots=True)
class _Norm:
    """What replaces the node that makes `out`; without `scale` there is neither scale nor shift."""

    out: str
    given: str
    channels: int
    epsilon: float
    scale: str = ""
    shift: str = ""


def instance_norms(model: ModelProto) -> Outcome:
    """Return `model` with each written-out normalisation over the last of three axes as one node."""
    made = edit.copied(model)
    found = _Finder(made).all()
    if not found:
        return Outcome(model, changed=False, note=tell("", 0))
    _write(made, found)
    sweep(made.graph)
    return Outcome(made, changed=True, note=tell("channel normalisations joined", len(found)))


def _write(model: ModelProto, found: dict[str, _Norm]) -> None:
    nodes: list[NodeProto] = []
    for node in model.graph.node:
        norm = found.get(node.output[0]) if node.output else None
        nodes += [node] if norm is None else _nodes(norm, node.name)
    edit.keep_nodes(model.graph, nodes)
    edit.put(model, _FLAT, np.array([-1], np.int64))
    for channels in {norm.channels for norm in found.values() if not norm.scale}:
        edit.put(model, f"{_FLAT}/ones{channels}", np.ones(channels, np.float32))
        edit.put(model, f"{_FLAT}/zeros{channels}", np.zeros(channels, np.float32))


def _nodes(norm: _Norm, name: str) -> list[NodeProto]:
    scale, shift = f"{_FLAT}/ones{norm.channels}", f"{_FLAT}/zeros{norm.channels}"
    flat = []
    if norm.scale:
        scale, shift = f"{norm.out}/scale", f"{norm.out}/shift"
        flat = [
            helper.make_node("Reshape", [given, _FLAT], [made])
            for given, made in ((norm.scale, scale), (norm.shift, shift))
        ]
    inputs = [norm.given, scale, shift]
    return [*flat, helper.make_node("InstanceNormalization", inputs, [norm.out], name, epsilon=norm.epsilon)]


class _Finder:
    def __init__(self, model: ModelProto) -> None:
        self._match = Match(model)
        self._shapes = edit.shapes(model)

    def all(self) -> dict[str, _Norm]:
        """Return what replaces a node, by the node's output: with scale and shift where there are both."""
        bare = {
            norm.out: norm for node in self._match.model.graph.node if (norm := self._bare(node)) is not None
        }
        full = {
            norm.out: norm
            for node in self._match.model.graph.node
            if (norm := self._scaled(node, bare)) is not None
        }
        return {out: norm for out, norm in (bare | full).items() if norm.channels}

    def _bare(self, quotient: NodeProto) -> _Norm | None:
        if not edit.is_standard(quotient, "Div"):
            return None
        centred, root = (
            self._match.made(quotient.input[0], "Sub"),
            self._match.made(quotient.input[1], "Sqrt"),
        )
        if centred is None or root is None or not self._is_mean(centred.input[1], centred.input[0]):
            return None
        total = self._match.made(root.input[0], "Add")
        parts = self._match.with_constant(total) if total is not None else None
        epsilon = self._match.scalar(parts[0]) if parts is not None else None
        if parts is None or epsilon is None or not self._is_variance(parts[1], centred.output[0]):
            return None
        given = centred.input[0]
        return _Norm(quotient.output[0], given, self._channels(given), epsilon)

    def _scaled(self, last: NodeProto, bare: dict[str, _Norm]) -> _Norm | None:
        """Return the normalisation whose scaled and shifted result `last` makes."""
        if not edit.is_standard(last, "Add"):
            return None
        for inner, shift in (last.input, reversed(last.input)):
            product = self._match.alone(inner, "Mul")
            if product is None:
                continue
            for given, scale in (product.input, reversed(product.input)):
                norm = bare.get(given)
                channels = self._each(scale)
                if norm and self._match.uses[given] == 1 and channels and channels == self._each(shift):
                    return replace(norm, out=last.output[0], channels=channels, scale=scale, shift=shift)
        return None

    def _is_mean(self, name: str, given: str) -> bool:
        """Whether a tensor is the mean of `given` over time, which stays with size 1."""
        node = self._match.made(name, "ReduceMean")
        if node is None or node.input[0] != given or edit.attributes(node).get("keepdims", 1) != 1:
            return False
        return self._match.axes(node) in ([2], [-1])

    def _is_variance(self, name: str, centred: str) -> bool:
        node = self._match.made(name, "ReduceMean")
        square = self._match.made(node.input[0], "Mul") if node is not None else None
        return (
            square is not None
            and list(square.input) == [centred, centred]
            and self._is_mean(name, square.output[0])
        )

    def _channels(self, name: str) -> int:
        """Return how many channels a tensor `(n, channels, time)` has; 0 when that is not known."""
        shape = self._shapes.get(name, ())
        return shape[1] or 0 if len(shape) == 3 else 0

    def _each(self, name: str) -> int:
        """Return of how many channels a tensor `(1, channels, 1)` is; 0 for another shape."""
        shape = self._shapes.get(name, ())
        return shape[1] or 0 if len(shape) == 3 and shape[0] == shape[2] == 1 else 0


INSTANCENORM = FunctionPass(
    "join-instance-norms", instance_norms, requires=(WELLFORMED, WHOLE), ensures=(WELLFORMED,)
)

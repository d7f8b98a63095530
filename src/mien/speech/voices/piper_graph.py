"""A Piper (VITS) model cut in two: text → latent with durations, and latent → sound.

The cut points are found by structure, since every export names its tensors anew: the durations
are the `Ceil` that feeds the length regulator's `CumSum`; the latent is what the convolution before the
first `ConvTranspose` reads. The vocoder behind it only looks a few frames to each side, so it
can decode windows: `reach` says how many.
"""

from __future__ import annotations

import logging
import math

import numpy as np
from onnx import ModelProto, NodeProto, helper, numpy_helper

from mien.engine import graph
from mien.engine.noise import seed_noise
from mien.engine.spread import spread
from mien.engine.widen import widen
from mien.errors import InputError

_INPUTS = {"input": "ids", "input_lengths": "lengths", "scales": "scales", "sid": "speaker"}
_POINTWISE = {
    "Add", "Sub", "Mul", "Div", "Neg", "Pow", "Exp", "Sin", "Tanh", "Relu", "LeakyRelu", "PRelu", "Elu",
    "Sigmoid", "Softplus", "Clip", "Cast", "Identity", "Unsqueeze", "Squeeze",
}  # fmt: skip

_log = logging.getLogger(__name__)


def split(model: ModelProto, threads: int = 1) -> dict[str, ModelProto]:
    """Return `front` and `decoder`, or `whole` when the model has no place to cut.

    `front`: ids `(1, n)`, lengths, scales, noise `(k,)`, stretch `(1, 1, n)` → latent `(1, c, frames)` and
    durations `(1, 1, n)` in frames. `decoder`: latent → audio, its metadata tell `hop` (samples a frame) and
    `context` (frames). `whole` gives audio, and durations if they can be found. `threads`: for how
    many the vocoder's convolutions are laid out. Raises `InputError` for a model that is not Piper's.
    """
    model = _renamed(model)
    durations = _durations(model)
    if durations is None:
        _log.warning(
            "this Piper export shows no durations: its voice has no phone times, lips follow the sound"
        )
        return {"whole": seed_noise(graph.cut(model, [], ["audio"]))}
    model = graph.rename(_stretchable(model, durations), {durations.output[0]: "durations"})
    parts = _cut(model, threads)
    if parts is None:
        _log.warning(
            "this Piper export can not be cut before its vocoder: sound starts when the breath is done"
        )
        return {"whole": seed_noise(graph.cut(model, [], ["audio", "durations"]))}
    return parts


def _renamed(model: ModelProto) -> ModelProto:
    names = {info.name for info in model.graph.input}
    if not {"input", "input_lengths", "scales"} <= names <= set(_INPUTS):
        raise InputError(f"not a Piper voice: the model's inputs are {', '.join(sorted(names))}")
    output = model.graph.output[0].name
    return graph.rename(model, {**_INPUTS, output: "audio"})


def _durations(model: ModelProto) -> NodeProto | None:
    """Return the `Ceil` whose values are summed up into the phonemes' places."""
    after = graph.consumers(model)
    found = [
        node
        for node in model.graph.node
        if node.op_type == "Ceil" and "CumSum" in {n.op_type for n in after.get(node.output[0], [])}
    ]
    return found[0] if len(found) == 1 else None


def _stretchable(model: ModelProto, durations: NodeProto) -> ModelProto:
    """Return the model with an input `stretch` that scales each id's duration before it is rounded up."""
    made = ModelProto()
    made.CopyFrom(model)
    at = next(i for i, node in enumerate(made.graph.node) if node.output[0] == durations.output[0])
    before = durations.input[0]
    made.graph.node[at].input[0] = "durations/stretched"
    made.graph.node.insert(at, helper.make_node("Mul", [before, "stretch"], ["durations/stretched"]))
    made.graph.input.append(helper.make_tensor_value_info("stretch", 1, [1, 1, "phonemes"]))
    return made


def _cut(model: ModelProto, threads: int) -> dict[str, ModelProto] | None:
    latent = _latent(model)
    if latent is None:
        return None
    model = graph.rename(model, {latent: "latent"})
    decoder = graph.cut(model, ["latent"], ["audio"])
    measured = _measure(decoder)
    if measured is None or {info.name for info in decoder.graph.input} - {"latent", "speaker"}:
        return None
    hop, context = measured
    decoder = _described(spread(decoder, threads))
    helper.set_model_props(decoder, {"hop": str(hop), "context": str(context)})
    front = _of_one(graph.cut(model, [], ["latent", "durations"]))
    return {"front": seed_noise(widen(front)), "decoder": decoder}


def _described(decoder: ModelProto) -> ModelProto:
    """Return the model with the latent's shape `(batch, channels, frames)`, which the cut has lost."""
    weights = graph.constants(decoder)
    reads = next(node for node in decoder.graph.node if node.op_type == "Conv")
    batch = decoder.graph.output[0].type.tensor_type.shape.dim[0].dim_param or "batch"
    latent = helper.make_tensor_value_info("latent", 1, [batch, weights[reads.input[1]].dims[1], "frames"])
    kept = [info for info in decoder.graph.input if info.name != "latent"]
    del decoder.graph.input[:]
    decoder.graph.input.extend([latent, *kept])
    return decoder


def _of_one(front: ModelProto) -> ModelProto:
    """Return the model for one sentence at a time, so that sizes are known which else are computed."""
    for info in front.graph.input:
        if info.name in ("ids", "lengths"):
            info.type.tensor_type.shape.dim[0].dim_value = 1
    del front.graph.value_info[:]  # they tell of any number of sentences
    return front


def _latent(model: ModelProto) -> str | None:
    """Return what the convolution in front of the first `ConvTranspose` reads."""
    producer = graph.producers(model)
    ups = next((node for node in model.graph.node if node.op_type == "ConvTranspose"), None)
    node = None if ups is None else producer.get(ups.input[0])
    while (
        node is not None and node.op_type in _POINTWISE
    ):  # a speaker's colour is added behind the first input
        node = producer.get(node.input[0])
    return node.input[0] if node is not None and node.op_type == "Conv" else None


def _measure(decoder: ModelProto) -> tuple[int, int] | None:
    """Return samples a frame, and the frames to each side that a frame's sound can depend on.

    None when an operator is in the way that looks at everything.
    """
    known = graph.constants(decoder)
    reach: dict[str, tuple[int, float]] = {"latent": (1, 0.0)}  # samples a frame, frames seen to a side
    for node in decoder.graph.node:
        seen = [reach[name] for name in node.input if name in reach]
        if not seen or node.op_type == "Constant":
            continue
        rate, far = max(rate for rate, _ in seen), max(far for _, far in seen)
        if node.op_type in ("Conv", "ConvTranspose"):
            if node.input[1] not in known:
                return None
            kernel = numpy_helper.to_array(known[node.input[1]]).shape[-1]
            rate, far = _through(node, kernel, rate, far)
        elif node.op_type not in _POINTWISE:
            return None
        reach[node.output[0]] = (rate, far)
    hop, far = reach["audio"]
    return hop, math.ceil(far)


def _through(node: NodeProto, kernel: int, rate: int, far: float) -> tuple[int, float]:
    values = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    stride = int(np.prod(values.get("strides", [1])))
    if node.op_type == "ConvTranspose":
        return rate * stride, far + math.ceil(kernel / stride) / rate
    return rate, far + (kernel - 1) * int(np.prod(values.get("dilations", [1]))) / 2 / rate

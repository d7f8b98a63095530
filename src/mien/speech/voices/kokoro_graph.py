"""The Kokoro model made ready: float, its durations shown, and each token's length adjustable."""

from __future__ import annotations

from onnx import ModelProto, NodeProto, helper

from mien.engine import graph
from mien.engine.dequantise import dequantise, is_dynamic
from mien.engine.passes import INSTANCENORM, SNAKE
from mien.engine.widen import widen
from mien.errors import InputError

_INPUTS = {"tokens", "style", "speed"}


def prepare(model: ModelProto) -> ModelProto:
    """Return the model: tokens `(1, n)`, style `(1, 256)`, speed `(1,)`, stretch `(1, n)` → sound.

    Its second output, durations `(1, n)`, is in frames of 600 samples. A token input called `input_ids` is
    taken as well. Raises `InputError` for a model that is not Kokoro's.
    """
    model = graph.rename(model, {"input_ids": "tokens", model.graph.output[0].name: "audio"})
    names = {info.name for info in model.graph.input}
    if names != _INPUTS:
        raise InputError(f"not a Kokoro model: its inputs are {', '.join(sorted(names))}")
    if is_dynamic(model):
        model = dequantise(model)
    rounding, durations = _durations(model)
    model = graph.rename(_stretchable(model, rounding), {durations: "durations"})
    return widen(_shorter(graph.expose(model, ["durations"])))


def _shorter(model: ModelProto) -> ModelProto:
    for each in (INSTANCENORM, SNAKE):
        model = each(model).model
    return model


def _durations(model: ModelProto) -> tuple[NodeProto, str]:
    """Return the `Round` of the predicted durations, and the tensor where each is at least one frame."""
    after = graph.consumers(model)
    for node in model.graph.node:
        for clip in after.get(node.output[0], []) if node.op_type == "Round" else []:
            if clip.op_type in ("Clip", "Max"):
                return node, clip.output[0]
    raise InputError("this Kokoro model shows no durations: no Round followed by Clip")


def _stretchable(model: ModelProto, rounding: NodeProto) -> ModelProto:
    made = ModelProto()
    made.CopyFrom(model)
    at = next(i for i, node in enumerate(made.graph.node) if node.output[:1] == rounding.output[:1])
    made.graph.node[at].input[0] = "durations/stretched"
    made.graph.node.insert(
        at, helper.make_node("Mul", [rounding.input[0], "stretch"], ["durations/stretched"])
    )
    made.graph.input.append(helper.make_tensor_value_info("stretch", 1, [1, "sequence_length"]))
    return made

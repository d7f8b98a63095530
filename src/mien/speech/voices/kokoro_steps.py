"""Kokoro's sentences in lengths of whole steps: for devices that plan anew for every length.

The silence at a sentence's end is made longer until the frames are a multiple of the step; what the model
says before it stays. On a GPU a server then meets a dozen lengths, all planned when it starts.
"""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from mien.errors import InputError

_PREDICTED, _KEPT, _LAST = "steps/predicted", "steps/kept", "steps/last"


def stepped(model: ModelProto) -> ModelProto:
    """Return a prepared model with one more input, `step` `(1,)` float32: frames of 600 samples, 1 = none.

    `durations`, too, tells of the longer last token. Raises `InputError` for a model without durations.
    """
    made = ModelProto()
    made.CopyFrom(model)
    nodes = list(made.graph.node)
    at = next((i for i, node in enumerate(nodes) if "durations" in node.output), None)
    if at is None:
        raise InputError("this model shows no durations; give what kokoro_graph.prepare returns")
    nodes[at].output[:] = [_PREDICTED if name == "durations" else name for name in nodes[at].output]
    del made.graph.node[:]
    made.graph.node.extend([*nodes[: at + 1], *_longer(), *nodes[at + 1 :]])
    made.graph.initializer.extend(_constants())
    made.graph.input.append(helper.make_tensor_value_info("step", 1, [1]))
    return made


def _longer() -> list[NodeProto]:
    """Return the nodes from what is predicted to `durations` `(1, n)`: the last takes what the step lacks."""
    return [
        helper.make_node("ReduceSum", [_PREDICTED], ["steps/sum"], keepdims=0),
        helper.make_node("Neg", ["steps/sum"], ["steps/below"]),
        helper.make_node("Div", ["steps/below", "step"], ["steps/share"]),
        helper.make_node("Floor", ["steps/share"], ["steps/whole"]),
        helper.make_node("Mul", ["steps/whole", "step"], ["steps/multiple"]),
        helper.make_node("Sub", ["steps/below", "steps/multiple"], ["steps/more"]),
        helper.make_node("Slice", [_PREDICTED, "steps/0", "steps/-1", "steps/1"], [_KEPT]),
        helper.make_node("Slice", [_PREDICTED, "steps/-1", "steps/end", "steps/1"], [_LAST]),
        helper.make_node("Add", [_LAST, "steps/more"], ["steps/longer"]),
        helper.make_node("Concat", [_KEPT, "steps/longer"], ["durations"], axis=1),
    ]


def _constants() -> list[TensorProto]:
    values = {"steps/0": 0, "steps/1": 1, "steps/-1": -1, "steps/end": np.iinfo(np.int64).max}
    return [numpy_helper.from_array(np.array([value], np.int64), name) for name, value in values.items()]

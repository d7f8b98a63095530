"""A very small model with the structure of a Piper export, under names of its own."""

import json

import numpy as np
from onnx import TensorProto, helper, numpy_helper

HOP = 4
RNG = np.random.default_rng(5)


def constant(name, value, kind=np.int64):
    return numpy_helper.from_array(np.array(value, kind), name)


def weights(name, *shape):
    return numpy_helper.from_array(RNG.uniform(-0.5, 0.5, shape).astype(np.float32), name)


def front():
    """ids → durations (the `Ceil`) → the embedding of each frame, with noise in both."""
    n = helper.make_node
    return [
        n("Gather", ["table", "input"], ["emb"]),
        n("Gather", ["scales", "one"], ["slow"]),
        n("Gather", ["scales", "two"], ["jitter"]),
        n("Gather", ["scales", "zero"], ["colour"]),
        n("ReduceSum", ["emb", "last"], ["sum"]),
        n("RandomNormalLike", ["sum"], ["draw"]),
        n("Mul", ["draw", "jitter"], ["drawn"]),
        n("Add", ["sum", "drawn"], ["logw"]),
        n("Exp", ["logw"], ["w0"]),
        n("Transpose", ["w0"], ["w1"], perm=[0, 2, 1]),
        n("Mul", ["w1", "slow"], ["w2"]),
        n("Ceil", ["w2"], ["q17"]),
        n("CumSum", ["q17", "two"], ["until"]),
        n("ReduceMax", ["until"], ["length"], keepdims=0),
        n("Cast", ["length"], ["frames"], to=TensorProto.INT64),
        n("Range", ["zero", "frames", "one"], ["t"]),
        n("Cast", ["t"], ["tf"], to=TensorProto.FLOAT),
        n("Unsqueeze", ["tf", "columns"], ["tc"]),
        n("LessOrEqual", ["until", "tc"], ["past"]),
        n("Cast", ["past"], ["pastn"], to=TensorProto.INT64),
        n("ReduceSum", ["pastn", "last"], ["index"], keepdims=0),
        n("Squeeze", ["emb", "first"], ["rows"]),
        n("Gather", ["rows", "index"], ["spread"]),
        n("Transpose", ["spread"], ["z0"], perm=[0, 2, 1]),
        n("RandomNormalLike", ["z0"], ["zdraw"]),
        n("Mul", ["zdraw", "colour"], ["znoise"]),
        n("Add", ["z0", "znoise"], ["z"]),
    ]


def decoder(speakers, pointwise="LeakyRelu"):
    n = helper.make_node
    colour = [n("Gather", ["voices", "sid"], ["g0"]), n("Unsqueeze", ["g0", "tail"], ["g"]),
              n("Conv", ["g", "wc"], ["gc"]), n("Add", ["pre", "gc"], ["pre2"])]  # fmt: skip
    return [
        n("Conv", ["z", "w1c"], ["pre"], pads=[1, 1]),
        *(colour if speakers > 1 else [n("Identity", ["pre"], ["pre2"])]),
        n(pointwise, ["pre2"], ["a1"]),
        n("ConvTranspose", ["a1", "wu"], ["up"], strides=[HOP], pads=[2, 2]),
        n("LeakyRelu", ["up"], ["a2"]),
        n("Conv", ["a2", "w2c"], ["post"], pads=[6, 6], dilations=[6]),
        n(pointwise if pointwise == "Softmax" else "Tanh", ["post"], ["flat"]),
        n("Unsqueeze", ["flat", "first"], ["sound"]),
    ]


def model(speakers=1, *, pointwise="LeakyRelu", durations="Ceil"):
    tensor = helper.make_tensor_value_info
    nodes = front() + decoder(speakers, pointwise)
    for node in nodes:
        node.op_type = durations if node.op_type == "Ceil" else node.op_type
    inputs = [
        tensor("input", TensorProto.INT64, [1, "phonemes"]),
        tensor("input_lengths", TensorProto.INT64, [1]),
        tensor("scales", TensorProto.FLOAT, [3]),
    ]
    more = []
    if speakers > 1:
        inputs.append(tensor("sid", TensorProto.INT64, [1]))
        more = [weights("voices", speakers, 3), weights("wc", 5, 3, 1), constant("tail", [2])]
    initial = [
        weights("table", 40, 4), weights("w1c", 5, 4, 3), weights("wu", 5, 5, 8), weights("w2c", 1, 5, 3),
        constant("zero", 0), constant("one", 1), constant("two", 2), constant("last", [-1]),
        constant("first", [0]), constant("columns", [0, 2]), *more,
    ]  # fmt: skip
    graph = helper.make_graph(
        nodes, "g", inputs, [tensor("sound", TensorProto.FLOAT, ["a", "b", "c", "time"])], initial
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def config(speakers=1, **changes):
    symbols = "_^$ abdehilmnoptəɛʌˈˌ.,?!ː"
    return {
        "audio": {"sample_rate": 1600},
        "espeak": {"voice": "en-us"},
        "phoneme_id_map": {symbol: [i] for i, symbol in enumerate(symbols)},
        "num_speakers": speakers,
        "speaker_id_map": {"ann": 0, "bob": 1} if speakers > 1 else {},
    } | changes


def write(folder, speakers=1, *, changes=None, **options):
    path = folder / "small.onnx"
    path.write_bytes(model(speakers, **options).SerializeToString())
    path.with_name("small.onnx.json").write_text(json.dumps(config(speakers, **(changes or {}))))
    return path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper


def make_net(scale=1.0, channels=8, seed=0):
    """Three convolutions over `(1, 4, n)` with LeakyRelu and a residual sum between: a vocoder in small."""
    draw = np.random.default_rng(seed)

    def weight(name, *shape):
        return numpy_helper.from_array(
            (draw.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))).astype(np.float32), name
        )

    nodes = [
        helper.make_node("Conv", ["x", "w0", "b0"], ["a"], "first", pads=[1, 1]),
        helper.make_node("LeakyRelu", ["a"], ["r"], "bend", alpha=0.1),
        helper.make_node("Conv", ["r", "w1"], ["c"], "second", pads=[2, 2], dilations=[2]),
        helper.make_node("Add", ["c", "a"], ["s"], "sum"),
        helper.make_node("Mul", ["s", "gain"], ["g"], "loud"),
        helper.make_node("Conv", ["g", "w2"], ["h"], "third", pads=[1, 1]),
        helper.make_node("Tanh", ["h"], ["out"], "tame"),
    ]
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4, "n"])],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, [1, 1, "n"])],
        [
            weight("w0", channels, 4, 3),
            weight("b0", channels),
            weight("w1", channels, channels, 3),
            weight("w2", 1, channels, 3),
            numpy_helper.from_array(np.float32(scale), "gain"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    return model


@pytest.fixture
def net():
    return make_net()


@pytest.fixture
def big_net():
    return make_net(channels=64)


@pytest.fixture
def loud_net():
    return make_net(scale=1e5)


@pytest.fixture
def net_file(net, tmp_path):
    path = tmp_path / "net.onnx"
    path.write_bytes(net.SerializeToString())
    return path


@pytest.fixture
def data_file(tmp_path):
    path = tmp_path / "samples.npz"
    x = np.random.default_rng(5).standard_normal((20, 1, 4, 64)).astype(np.float32)
    np.savez(path, x=x)
    return path


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    home = tmp_path / "home"
    monkeypatch.setenv("MIEN_HOME", str(home))
    return home / "engines"

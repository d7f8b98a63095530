"""Small broken model files, each with the code of the finding it must give: `python broken.py FOLDER`."""

import sys
import zipfile
from pathlib import Path

import numpy as np
from onnx import GraphProto, ModelProto, TensorProto, helper, numpy_helper, parser

TEXT = """<ir_version: 9, opset_import: ["" : 18]>
g (float[1, n] x) => (float[1, n] y) <float[1, 4] w = {1.0, 2.0, 3.0, 4.0}> { h = Mul(x, w) y = Neg(h) }"""


def model(text: str = TEXT) -> ModelProto:
    return parser.parse_model(text)


def varint(value: int) -> bytes:
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def field(number: int, data: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(data)) + data


def cyclic() -> ModelProto:
    made = model()
    made.graph.node[0].input[1] = "y"
    return made


def unsorted() -> ModelProto:
    made = model()
    first = made.graph.node[0]
    made.graph.node.append(first)
    del made.graph.node[0]
    return made


def many_nodes(count: int = 2_000_000) -> bytes:
    node = field(1, helper.make_node("Neg", ["x"], ["y"]).SerializeToString())
    return field(7, node * count)


def deep_ifs(depth: int) -> bytes:
    """Return `If` inside `If` as bytes: protobuf's own writer gives up earlier."""
    graph = GraphProto(name="g").SerializeToString()
    for _ in range(depth):
        attribute = field(1, b"then_branch") + field(6, graph) + b"\xa0\x01\x05"
        graph = field(1, field(4, b"If") + field(5, attribute)) + field(2, b"g")
    return field(7, graph)


def external(location: str, length: int = 16) -> ModelProto:
    made = model()
    weight = made.graph.initializer[0]
    weight.ClearField("float_data")
    weight.data_location = TensorProto.EXTERNAL
    for key, value in (("location", location), ("length", str(length))):
        weight.external_data.add(key=key, value=value)
    return made


def weights(values: list[float]) -> ModelProto:
    made = model()
    made.graph.initializer[0].CopyFrom(numpy_helper.from_array(np.array([values], np.float32), "w"))
    return made


def huge() -> ModelProto:
    made = model()
    made.graph.initializer[0].dims[:] = [1 << 30, 1 << 30]
    return made


def short_weight() -> ModelProto:
    made = weights([1, 2, 3, 4])
    made.graph.initializer[0].dims[:] = [1, 5]
    return made


def opset(version: int) -> ModelProto:
    made = model()
    made.opset_import[0].version = version
    return made


def edited(old: str, new: str) -> ModelProto:
    return model(TEXT.replace(old, new))


def renamed(node: int, **changes: str) -> ModelProto:
    made = model()
    for key, value in changes.items():
        setattr(made.graph.node[node], key, value)
    return made


def twice() -> ModelProto:
    made = model()
    made.graph.node[1].output[0] = "h"
    return made


def recursive() -> ModelProto:
    """Return a model whose function calls itself."""
    text = """<ir_version: 9, opset_import: ["" : 18, "own" : 1]>
    g (float[n] x) => (float[n] y) { y = own.f(x) }
    <domain: "own", opset_import: ["" : 18, "own" : 1]> f (a) => (b) { c = Neg(a) b = own.f(c) }"""
    return model(text)


# File → (what it holds, the code of the finding).
MODELS = {
    "truncated.onnx": (lambda: model().SerializeToString()[:-9], "broken-file"),
    "zero.onnx": (lambda: b"", "empty-file"),
    "text.onnx": (lambda: b"This is not the model you are looking for.\n", "other-format"),
    "lfs.onnx": (
        lambda: b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n",
        "other-format",
    ),
    "noise.onnx": (lambda: np.random.default_rng(1).bytes(4096), "broken-file"),
    "cyclic.onnx": (cyclic, "cycle"),
    "unsorted.onnx": (unsorted, "unsorted"),
    "many-nodes.onnx": (many_nodes, "too-many-nodes"),
    "deep-if.onnx": (lambda: deep_ifs(200), "nested-too-deep"),
    "if-16.onnx": (lambda: deep_ifs(17), "nested-too-deep"),
    "passwd.onnx": (lambda: external("../../etc/passwd"), "external-escape"),
    "absolute.onnx": (lambda: external("/etc/passwd"), "external-escape"),
    "windows.onnx": (lambda: external("C:\\weights.bin"), "external-escape"),
    "backslash.onnx": (lambda: external("..\\weights.bin"), "external-escape"),
    "nowhere.onnx": (lambda: external("nowhere.bin"), "external-missing"),
    "linked.onnx": (lambda: external("link.bin"), "external-escape"),
    "short-data.onnx": (lambda: external("short.bin"), "external-cut-short"),
    "no-number.onnx": (lambda: external("short.bin", "many"), "external-data"),
    "nan.onnx": (lambda: weights([1, float("nan"), 3, 4]), "nan-weights"),
    "inf.onnx": (lambda: weights([1, float("-inf"), 3, 4]), "inf-weights"),
    "huge.onnx": (huge, "tensor-too-large"),
    "huge-input.onnx": (lambda: edited("float[1, n] x", "float[4000000, 4000000] x"), "tensor-too-large"),
    "short-weight.onnx": (short_weight, "tensor-cut-short"),
    "opset-0.onnx": (lambda: opset(0), "opset-range"),
    "opset-999.onnx": (lambda: opset(999), "opset-range"),
    "opset-5.onnx": (lambda: opset(5), "opset-old"),
    "no-domain.onnx": (lambda: renamed(1, domain="com.example"), "domain-not-imported"),
    "no-operator.onnx": (lambda: renamed(1, op_type="Nege"), "unknown-operator"),
    "new-operator.onnx": (lambda: renamed(1, op_type="Gelu"), "unknown-operator"),
    "old-operator.onnx": (lambda: renamed(1, op_type="Upsample"), "withdrawn-operator"),
    "arity.onnx": (lambda: renamed(1, op_type="Mul"), "wrong-arity"),
    "attribute.onnx": (lambda: renamed(1, op_type="Cast"), "missing-attribute"),
    "unmade.onnx": (lambda: edited("Mul(x, w)", "Mul(x, q)"), "missing-input"),
    "no-output.onnx": (lambda: edited("y = Neg(h)", "z = Neg(h)"), "missing-output"),
    "recursive.onnx": (recursive, "recursion"),
    "twice.onnx": (twice, "duplicate-name"),
}


def write(folder: Path) -> None:
    """Write all of them, and the files that some of them need."""
    for name, (make, _) in MODELS.items():
        data = make()
        (folder / name).write_bytes(data if isinstance(data, bytes) else data.SerializeToString())
    with zipfile.ZipFile(folder / "zip.onnx", "w") as archive:
        archive.writestr("model.onnx", model().SerializeToString())
    with (folder / "sparse-3gb.onnx").open("wb") as file:
        file.truncate(3 << 30)
    (folder / "short.bin").write_bytes(bytes(7))
    (folder / "link.bin").symlink_to("/etc/hostname")


CODES = {name: code for name, (_, code) in MODELS.items()} | {
    "zip.onnx": "other-format",
    "sparse-3gb.onnx": "file-too-large",
}

if __name__ == "__main__":
    write(Path(sys.argv[1]))

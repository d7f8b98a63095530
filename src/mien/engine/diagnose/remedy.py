"""What to do about a root cause: a command, or an edit of the model that is named."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto

from mien.engine.backends.tensorrt_rtx import shapes
from mien.engine.diagnose.cause import Cause

_INSTEAD: Final = {
    "Det": "write it out with Mul and Sub (2x2, 3x3), or compute it outside of the model",
    "NonZero": "keep the size fixed: multiply by the mask with Where, or take the TopK of it",
    "Unique": "keep the size fixed: sort with TopK and mark repeats, or do it outside of the model",
    "Compress": "keep the size fixed: Where with the condition instead of dropping rows",
    "NonMaxSuppression": "end the model before it and suppress outside, or fix the number of boxes with TopK",
    "STFT": "write it as a convolution with the window's sine and cosine",
    "DFT": "write it as a product with the matrix of sines and cosines",
    "DynamicQuantizeLinear": "make it float first: mien compile does it (pass dequantise) when given --data",
    "MatMulInteger": "make it float first: mien compile does it (pass dequantise) when given --data",
    "ConvInteger": "make it float first: mien compile does it (pass dequantise) when given --data",
}
_FIXED: Final[Mapping[Cause, str]] = {
    Cause.MEMORY: "ask for less: smaller sizes (--shape AXIS=1:16:64), a smaller batch, --precision fp16",
    Cause.VERSION: "export again with an opset_version that has the operators (20 or so), or update mien",
    Cause.DRIVER: "install the GPU's driver (see nvidia-smi); building a plan needs none, running it does",
    Cause.CRASH: "send the smallest part (-o FOLDER) to the library's makers; try another version of it",
    Cause.UNKNOWN: "read the library's message; -o FOLDER writes the smallest part that fails in this way",
}


@dataclass(frozen=True, slots=True)
class Case:
    """What a remedy depends on; `node` None when the cause is at none."""

    path: Path
    target: str
    model: ModelProto
    node: NodeProto | None
    infos: Mapping[str, ValueInfoProto]
    message: str

    @property
    def at(self) -> str:
        """The operator and its node, as text."""
        return f"{self.node.op_type} ({self.node.name})" if self.node is not None else "the model"


def remedy(cause: Cause, case: Case) -> str:
    """Return what to do, in one line."""
    return _FIXED[cause] if cause in _FIXED else _REMEDIES[cause](case)


def _operator(case: Case) -> str:
    name = case.node.op_type if case.node is not None else ""
    if name in _INSTEAD:
        return _INSTEAD[name]
    if name == "Cast" or "Unsupported data type" in case.message:
        return _element(case)
    return (
        f"export {case.at} in other operators (a newer opset_version often writes it out), or elsewhere: "
        f"{_elsewhere(case)}"
    )


def _shape(case: Case) -> str:
    if case.node is not None and case.node.op_type in _INSTEAD:
        return _INSTEAD[case.node.op_type]
    computed = [name for name in case.node.input[1:] if name] if case.node is not None else []
    which = f" ({', '.join(computed)})" if computed else ""
    return (
        f"make what decides the shape at {case.at}{which} a constant: export with fixed sizes, or store it "
        "as an initialiser; bounded free axes are given with --shape"
    )


def _control(case: Case) -> str:
    if case.node is not None and case.node.op_type in ("If", "Loop"):
        kind = "static-if" if case.node.op_type == "If" else "static-loop"
        return (
            f"see whether it is fixed: mien inspect {_name(case)} (pass {kind}); "
            "if it depends on the inputs, export both branches with Where, or a fixed number of turns"
        )
    return "stack what the sequence or option holds into one tensor of fixed size before export"


def _custom(case: Case) -> str:
    domain = case.node.domain if case.node is not None else "its domain"
    if domain.startswith("com.microsoft"):
        return (
            f"{case.at} is ONNX Runtime's own: take the model as it was exported, before its tools "
            f"quantised or fused it; on the CPU it runs: mien compile {_name(case)} --target cpu"
        )
    return (
        f"add {case.at} as a function of ONNX operators to the model (onnx.helper.make_function, domain "
        f"{domain!r}), or export it in standard operators"
    )


def _mismatch(case: Case) -> str:
    kinds = {}
    for name in case.node.input if case.node is not None else ():
        if name in case.infos:
            kind = case.infos[name].type.tensor_type.elem_type
            kinds[name] = TensorProto.DataType.Name(TensorProto.DataType.ValueType(kind)).lower()
    told = ", ".join(f"{name}: {kind}" for name, kind in kinds.items())
    wanted = max(kinds.values(), key=len, default="the other's type") if kinds else "the other's type"
    return f"put a Cast to {wanted.replace('float16', 'float')} before {case.at}" + (
        f" ({told})" if told else ""
    )


def _element(case: Case) -> str:
    if case.node is not None and case.node.op_type in ("QuantizeLinear", "DequantizeLinear"):
        return _asymmetric(case)
    return (
        f"cast to float, float16, int32 or int64 before {case.at}; text and other types must be turned into "
        "numbers outside of the model"
    )


def _asymmetric(case: Case) -> str:
    return (
        "quantise the float model as the target wants it (symmetric, biases in float): "
        f"mien compile FLOAT.onnx --target {case.target} --precision int8 --data samples.npz"
    )


def _profile(case: Case) -> str:
    ranges = [
        f"--shape {shlex.quote(f'{axis}={least}:{usual}:{most}')}"
        for axis, (least, usual, most) in shapes.usual(case.model).items()
    ]
    return f"say how large it gets: mien compile {_name(case)} --target {case.target} {' '.join(ranges)}"


def _kernel(case: Case) -> str:
    return (
        f"give {case.at} another element type (float) or its usual attributes, or export it in other "
        f"operators; elsewhere: {_elsewhere(case)}"
    )


def _corrupt(case: Case) -> str:
    return f"fetch or export the file again; mien inspect {_name(case)} tells what is wrong with it"


def _elsewhere(case: Case) -> str:
    """Return a command for another target."""
    if case.target in ("cpu", "onnxruntime-cpu"):
        return f"mien diagnose {_name(case)} --target openvino"
    return f"mien compile {_name(case)} --target cpu"


def _name(case: Case) -> str:
    return shlex.quote(str(case.path))


_REMEDIES: Final[Mapping[Cause, Callable[[Case], str]]] = {
    Cause.OPERATOR: _operator,
    Cause.SHAPE: _shape,
    Cause.CONTROL: _control,
    Cause.CUSTOM: _custom,
    Cause.MISMATCH: _mismatch,
    Cause.ELEMENT: _element,
    Cause.ASYMMETRIC: _asymmetric,
    Cause.PROFILE: _profile,
    Cause.KERNEL: _kernel,
    Cause.CORRUPT: _corrupt,
}

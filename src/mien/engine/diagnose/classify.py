"""From a library's complaint to a root cause: its code, its words, and the node that it names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from mien.engine.backends.report import Report
from mien.engine.diagnose.cause import Cause

_COUNTING: Final = frozenset(("NonZero", "Unique", "Compress", "NonMaxSuppression"))
_FLOW: Final = frozenset("If Loop Scan SequenceMap".split())
_SEQUENCE: Final = re.compile(r"Sequence|Optional|SplitToSequence|ConcatFromSequence")
_ONNX: Final = (
    "",
    "ai.onnx",
    "ai.onnx.ml",
    "ai.onnx.training",
    "ai.onnx.preview",
    "ai.onnx.preview.training",
)


@dataclass(frozen=True, slots=True)
class _Rule:
    cause: Cause
    words: re.Pattern[str]


def _rule(cause: Cause, words: str) -> _Rule:
    return _Rule(cause, re.compile(words, re.IGNORECASE | re.DOTALL))


# The first that fits counts: what is told in plain words comes before what is only hinted at.
_WORDS: Final = (
    _rule(Cause.ASYMMETRIC, r"non-?zero zero.?point|shiftIsAllZeros|asymmetric quanti"),
    _rule(Cause.PROFILE, r"no optimization profile|profile.*(not|missing).*(dimension|set|defined)"),
    _rule(Cause.MEMORY, r"out of memory|bad_alloc|insufficient workspace|failed to allocate|more memory"),
    _rule(
        Cause.MISMATCH,
        r"must have (the )?same (input )?types?|bound to different types|types? mismatch"
        r"|same type as|same element type|different data types|must be of the same type|types .* do not match"
        r"|inconsistent (element )?types?|argument element types|should have the same type",
    ),
    _rule(Cause.SHAPE, r"is a shape tensor and must have type"),  # scales of Resize that are computed
    _rule(
        Cause.ELEMENT,
        r"convertDtype|unsupported (onnx )?(data|input) ?type|unsupported.{0,40}element type|legalUINT8"
        r"|Type '?tensor\(\w+\)'? of (input|output)|(requires inputs with|must have) type k?(Float|INT|FP)"
        r"|has datatype \w+ but is not|type == DataType::k|only supports int\d+.{0,40} types",
    ),
    _rule(
        Cause.VERSION, r"unsupported model IR version|opset (version )?\d+ is under dev|opset.*not supported"
    ),
    _rule(Cause.CORRUPT, r"protobuf parsing failed|failed to parse the onnx model|ModelProto does not have"),
    _rule(Cause.OPERATOR, r"training"),
    _rule(
        Cause.SHAPE,
        r"getSymbolicValue|symbolic execution|build.?time constant|must be (an )?initializer"
        r"|data.dependent|dynamic rank|must be constant|not be? ?a? constant"
        r"|is not an? (constant|initializer)|shape tensor|isInFlight|is_weights|unknown rank",
    ),
    _rule(
        Cause.KERNEL,
        r"could not find an(y)? implementation|Error Code 10|no kernel|has no runner|Myelin|during initiali",
    ),
    _rule(Cause.OPERATOR, r"plugin (was )?not found|failed to load \w+ plugin|is not a registered function"),
    _rule(Cause.DRIVER, r"cudaError 35|driver version is insufficient|libcuda"),
    _rule(Cause.OPERATOR, r"no op registered|supported|unsupported|no conversion rule|support"),
)
_CODES: Final = {
    "SHAPE_INPUT": Cause.SHAPE,
    "NOT_IMPLEMENTED": Cause.KERNEL,
    "INVALID_GRAPH": Cause.CORRUPT,
    "NO_RULE": Cause.OPERATOR,
    "CONVERSION": Cause.OPERATOR,
    "INVALID_NODE": Cause.OPERATOR,
    "INVALID_VALUE": Cause.OPERATOR,
    "MODEL_DESERIALIZE_FAILED": Cause.CORRUPT,
    "INVALID_PROTOBUF": Cause.CORRUPT,
    "MEM_ALLOC_FAILED": Cause.MEMORY,
    "UNSUPPORTED_NODE_DATATYPE": Cause.ELEMENT,
    "UNSUPPORTED_NODE_DYNAMIC": Cause.SHAPE,
    "UNSUPPORTED_NODE_SHAPE": Cause.SHAPE,
    "UNSUPPORTED_NODE": Cause.OPERATOR,
    "UNSUPPORTED_NODE_ATTR": Cause.OPERATOR,
    "UNSUPPORTED_NODE_INPUT": Cause.OPERATOR,
    "UNSUPPORTED_GRAPH": Cause.OPERATOR,
}
_ABSENT: Final = re.compile(r"plugin not found|no conversion rule|not a registered", re.IGNORECASE)
_SURE: Final = frozenset(("MODEL_DESERIALIZE_FAILED", "INVALID_PROTOBUF", "MEM_ALLOC_FAILED", "SHAPE_INPUT"))


def classify(report: Report, domain: str = "") -> Cause:
    """Return the root cause of a complaint; `domain` is that of the node it names."""
    if report.code in _SURE:
        return _CODES[report.code]
    if domain not in _ONNX and not domain.startswith("com.microsoft"):
        return Cause.CUSTOM
    if domain.startswith("com.microsoft") and _ABSENT.search(report.message):
        return Cause.CUSTOM
    if report.operator in _COUNTING and report.code.startswith(("UNSUPPORTED", "INVALID")):
        return Cause.SHAPE
    if report.operator in _FLOW or _SEQUENCE.search(report.operator):
        return Cause.CONTROL
    for rule in _WORDS:
        if rule.words.search(report.message):
            return rule.cause
    if report.code not in _CODES and report.stage == "build" and report.code.startswith("Error Code"):
        return Cause.KERNEL  # parsed, and nothing could be made of it
    return _CODES.get(report.code, Cause.UNKNOWN)


def of_failure(failure: str) -> Cause:
    """Return the root cause of a child's end."""
    return Cause.MEMORY if "memory" in failure else Cause.CRASH

import pytest

from mien.engine.backends.report import Report
from mien.engine.diagnose.cause import Cause
from mien.engine.diagnose.classify import classify, of_failure

# Words that the libraries have used: TensorRT-RTX 1.7, ONNX Runtime 1.32, OpenVINO 2026.4.
SAID = [
    ("parse", "UNSUPPORTED_NODE", "BitShift", "checkBitShift: false", "", Cause.OPERATOR),
    ("parse", "UNSUPPORTED_NODE", "ReduceSum", "resolve to a build-time constant", "", Cause.SHAPE),
    ("parse", "UNSUPPORTED_NODE", "Unique", "false", "", Cause.SHAPE),
    ("parse", "INVALID_NODE", "Unsqueeze", "(unsqueeze axis is not a constant In", "", Cause.SHAPE),
    ("parse", "INVALID_NODE", "DFT", "Plugin not found, are the plugin name", "", Cause.OPERATOR),
    ("parse", "INVALID_NODE", "Snake", "Plugin not found, are the plugin name", "mine", Cause.CUSTOM),
    ("parse", "INVALID_NODE", "FastGelu", "Plugin not found, are", "com.microsoft", Cause.CUSTOM),
    ("build", "NOT_IMPLEMENTED", "FastGelu", "find an implementation", "com.microsoft", Cause.KERNEL),
    ("parse", "INVALID_NODE", "Loop", "anything", "", Cause.CONTROL),
    ("parse", "UNSUPPORTED_NODE", "SequenceConstruct", "false", "", Cause.CONTROL),
    ("parse", "INVALID_NODE", "Add", "SUM requires inputs with type kFLOAT, kHALF", "", Cause.ELEMENT),
    ("parse", "INVALID_NODE", "DequantizeLinear", "input has type Int32 but must have type FP8, FP4", "",
     Cause.ELEMENT),
    ("parse", "UNSUPPORTED_NODE_DATATYPE", "Mod", "Inputs cannot be of integral type", "", Cause.ELEMENT),
    ("build", "Error Code 4", "", "Tensor output has datatype FP8 but is not produced by", "", Cause.ELEMENT),
    ("parse", "INVALID_NODE", "Resize", "scales is a shape tensor and must have type Int32 or Int64", "",
     Cause.SHAPE),
    ("build", "Error Code 10", "", "Could not find any implementation for node a", "", Cause.KERNEL),
    ("build", "Error Code 1", "", "Myelin ([myelin_graph.h:1]) decompose", "", Cause.KERNEL),
    ("build", "Error Code 2", "", "Out of memory", "", Cause.MEMORY),
    ("build", "Error Code 9", "", "something that nobody has seen", "", Cause.KERNEL),
    ("build", "SHAPE_INPUT", "", "the values of input sizes decide a shape", "", Cause.SHAPE),
    ("build", "Error Code 1", "", "Cuda Runtime (cudaError 35)", "", Cause.DRIVER),
    ("build", "NOT_IMPLEMENTED", "Det", "implementation for Det(11) node with name 'd'", "", Cause.KERNEL),
    ("build", "FAIL", "Add", "Optype (Add) bound to different types (tensor(float16)", "", Cause.MISMATCH),
    ("build", "FAIL", "", "Type 'tensor(int8)' of input parameter (x) of operator", "", Cause.ELEMENT),
    ("build", "FAIL", "", "Unsupported model IR version: 99, max", "", Cause.VERSION),
    ("parse", "NO_RULE", "Det", "No conversion rule found for operations: Det-20", "", Cause.OPERATOR),
    ("parse", "ERROR", "", "words without a meaning", "", Cause.UNKNOWN),
]  # fmt: skip


@pytest.mark.parametrize(("stage", "code", "operator", "message", "domain", "cause"), SAID)
def test_words_become_a_cause(stage, code, operator, message, domain, cause):
    assert classify(Report(stage, code, message, operator=operator), domain) is cause


def test_how_a_child_ended_becomes_a_cause():
    assert of_failure("it needed more memory than allowed") is Cause.MEMORY
    assert of_failure("it crashed (SIGSEGV)") is Cause.CRASH
    assert of_failure("it was stopped after 300 s") is Cause.CRASH

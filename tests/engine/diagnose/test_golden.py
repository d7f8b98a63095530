import importlib.util
import sys
from pathlib import Path

import onnx
import pytest

from mien.engine.backends.tensorrt_rtx.shapes import parse
from mien.engine.diagnose import Cause
from mien.engine.diagnose.ask import Backend
from mien.engine.diagnose.diagnose import Options, examine

spec = importlib.util.spec_from_file_location("golden", Path(__file__).with_name("golden.py"))
golden = importlib.util.module_from_spec(spec)
spec.loader.exec_module(golden)

TARGETS = ("tensorrt-rtx:sm89", "openvino", "onnxruntime-cpu")
no_rtx = importlib.util.find_spec("tensorrt_rtx_bindings") is None
CASES = [
    pytest.param(target, build, id=f"{target}-{build.__name__}")
    for target in TARGETS
    for build in golden.GOLDEN
]


@pytest.fixture(scope="module")
def backends():
    with Backend(TARGETS[1]) as openvino, Backend(TARGETS[2]) as runtime:
        found = {TARGETS[1]: openvino, TARGETS[2]: runtime}
        if no_rtx:
            yield found
            return
        with Backend(TARGETS[0]) as rtx:
            yield found | {TARGETS[0]: rtx}


@pytest.mark.parametrize(("target", "build"), CASES)
def test_the_root_cause_is_found_and_the_smallest_part_fails_alike(target, build, backends, tmp_path):
    if target not in backends:
        pytest.skip("the extra tensorrt-rtx is not installed")
    path = tmp_path / "model.onnx"
    path.write_bytes(build())
    sizes, *wanted = golden.GOLDEN[build]
    options = Options(trusted=True, sizes=parse(sizes))
    result = examine(path, backends[target], options)
    expected = wanted[TARGETS.index(target)]
    assert [each.cause for each in result.diagnoses[:1]] == ([Cause(expected)] if expected else [])
    for each in result.diagnoses:
        assert each.evidence
        assert each.remedy
        assert "\n" not in each.evidence + each.remedy
        if each.part is not None:
            assert each.part_nodes == 1
            aside = tmp_path / "part.onnx"
            aside.write_bytes(each.part.SerializeToString())
            again = examine(aside, backends[target], Options(trusted=True, reduce=False)).diagnoses[0]
            assert (again.cause, again.operator, again.code) == (each.cause, each.operator, each.code)


@pytest.mark.skipif(no_rtx, reason="the extra tensorrt-rtx is not installed")
def test_the_node_the_message_and_the_way_out_are_named(backends, tmp_path):
    path = tmp_path / "model.onnx"
    for build, node, evidence, remedy in (
        (golden.asymmetric, "x_QuantizeLinear", "Non-zero zero point", "--precision int8 --data"),
        (golden.mixed, "Add_2", "types Half and Float", "put a Cast to float before Add (Add_2) (a: float16"),
        (golden.determinant, "Det_2", "checkDet: false", "write it out"),
        (golden.dynamic_rank, "Reshape_1", "getSymbolicValue", "(shape) a constant"),
        (golden.no_profile, "", "no optimization profile", "--shape frames=1:16:64"),
        (golden.strings, "", "input x: ", "numbers outside of the model"),
    ):
        path.write_bytes(build())
        (found,) = examine(path, backends[TARGETS[0]], Options(trusted=True, reduce=False)).diagnoses
        assert found.node == node
        assert evidence in found.evidence
        assert remedy in found.remedy


@pytest.mark.skipif(no_rtx, reason="the extra tensorrt-rtx is not installed")
def test_a_remedy_for_a_missing_profile_was_tried(backends, tmp_path):
    path = tmp_path / "model.onnx"
    path.write_bytes(golden.no_profile())
    assert examine(path, backends[TARGETS[0]], Options(trusted=True)).notes == (
        "tried with frames 1:16:64: it builds",
    )
    model = onnx.load_from_string(golden.no_profile())
    model.graph.node[1].op_type = "Det"
    path.write_bytes(model.SerializeToString())
    assert {each.cause for each in examine(path, backends[TARGETS[0]], Options(trusted=True)).diagnoses} == {
        Cause.OPERATOR
    }


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_a_library_that_dies_is_a_diagnosis(tmp_path):
    path = tmp_path / "model.onnx"
    path.write_bytes(golden.halves())
    with Backend("onnxruntime-cpu") as backend:
        model = onnx.load(path)
        backend.ask(model, {})
        backend._worker._child.kill()
        backend._worker._child.wait()
        (found,) = examine(path, backend, Options(trusted=True, reduce=False)).diagnoses
    assert found.cause is Cause.CRASH
    assert found.evidence == "it was stopped (SIGKILL)"

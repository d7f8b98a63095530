import importlib.util
from pathlib import Path

import numpy as np
import pytest

from mien.engine import package
from mien.engine.compile import compile_model
from mien.engine.diagnose import Cause, diagnose
from mien.engine.importers import imported
from mien.engine.request import Request
from mien.errors import InputError, MissingError

FOLDER = Path(__file__).parent
has_torch = importlib.util.find_spec("torch") is not None
pytestmark = pytest.mark.usefixtures("own_cache")
needs_torch = pytest.mark.skipif(not has_torch, reason="the extra torch is not installed")


@pytest.fixture(autouse=True)
def beside_the_factories(monkeypatch):
    monkeypatch.chdir(FOLDER)


@pytest.mark.skipif(has_torch, reason="torch is installed")
def test_without_torch_the_extra_is_named():
    with pytest.raises(MissingError, match=r"torch is not installed; run: pip install 'mien\[torch\]'"):
        imported(Path("factories:plain"))


@needs_torch
def test_a_module_becomes_an_engine_with_its_bounded_axis(tmp_path):
    made = compile_model(Request(Path("factories:plain"), tmp_path / "m.engine"))
    assert made.manifest.source["path"] == "factories:plain"
    engine = package.load(made.folder)
    assert engine.inputs[0].shape == (1, 4, "frames")
    assert engine.run(x=np.zeros((1, 4, 9), np.float32))[engine.outputs[0].name].shape == (1, 8, 9)


@needs_torch
@pytest.mark.parametrize(
    ("factory", "line", "kind", "cause"),
    [
        ("branch", "if x.sum() > 0", "branch", Cause.CONTROL),
        ("turns", "for _ in range(int(n))", "loop", Cause.CONTROL),
        ("size", "return torch.zeros(int(x.max().item())) + 1", "shape", Cause.SHAPE),
    ],
)
def test_what_depends_on_data_is_told_with_file_and_line(factory, line, kind, cause):
    source = (FOLDER / "factories.py").read_text().splitlines()
    number = next(place for place, text in enumerate(source, 1) if line in text)
    with pytest.raises(InputError) as caught:
        imported(Path(f"factories:{factory}"))
    assert str(caught.value).startswith(f"{FOLDER}/factories.py:{number}: data-dependent {kind}: {line}; ")
    (found,) = diagnose(Path(f"factories:{factory}"), "onnxruntime-cpu").diagnoses
    assert found.cause is cause
    assert found.remedy


@needs_torch
def test_a_size_that_depends_on_values_is_a_remark():
    (note,) = imported(Path("factories:mask")).notes
    assert "data-dependent shape: return x[x > 0] * 2; keep the size fixed" in note


@needs_torch
@pytest.mark.parametrize(
    ("factory", "error", "message"),
    [
        (
            "factories:nothing",
            InputError,
            r"nothing\(\) returned NoneType; it must return \(module, inputs\)",
        ),
        ("factories:plan", InputError, "no function 'plan'; did you mean 'plain'"),
        ("factory:plain", MissingError, "no Python module 'factory'"),
        ("factories:broken", InputError, r"can not read factories:broken: .*factories.py:\d+"),
    ],
)
def test_a_factory_that_is_none_is_one_line(factory, error, message):
    with pytest.raises(error, match=message) as caught:
        imported(Path(factory))
    assert "\n" not in str(caught.value)

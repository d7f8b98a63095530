import _ctypes
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from onnx import parser

import mien.engine
from mien.engine.backends import plugins
from mien.engine.runtime import Machine
from mien.errors import InputError, MissingError, ResourceError

SUM = """
<ir_version: 9, opset_import: ["" : 18]>
agraph (float[n] x, float[1] k) => (float[n] y) { y = Add(x, k) }
"""
LIBRARY = Path(_ctypes.__file__ or "")  # a library, and no execution provider


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(parser.parse_model(SUM).SerializeToString())
    return path


def test_a_plugin_that_is_not_there_is_named(model, tmp_path):
    with pytest.raises(MissingError, match=r"no plugin .*ep\.so"):
        mien.engine.load(model, machine=Machine(plugin=tmp_path / "ep.so"))


def test_a_library_that_is_none_is_refused_each_time(model, tmp_path):
    (tmp_path / "text.so").write_text("no library")
    for _ in range(2):
        for library in (LIBRARY, tmp_path / "text.so"):
            with pytest.raises(ResourceError, match=r"is no execution provider for ONNX Runtime \d"):
                mien.engine.load(model, machine=Machine(plugin=library))


def test_a_provider_runs_a_model_on_its_device(model):
    engine = plugins.on_provider(onnxruntime, model, "CPUExecutionProvider", fallback=True)
    found = engine.run(x=np.arange(3, dtype=np.float32), k=np.ones(1, np.float32))
    np.testing.assert_array_equal(found["y"], [1, 2, 3])


def test_a_provider_without_a_device_is_an_error(model):
    with pytest.raises(ResourceError, match="NoSuchProvider finds no device"):
        plugins.on_provider(onnxruntime, model, "NoSuchProvider")


def test_a_plugin_has_its_own_device(model):
    with pytest.raises(InputError, match="brings its own device"):
        mien.engine.load(model, machine=Machine(plugin=LIBRARY, device="cuda"))

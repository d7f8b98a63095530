import numpy as np
import pytest

import mien.engine
from mien.engine.runtime import names
from mien.engine.runtime.loading import Machine
from mien.errors import InputError, MissingError

from .nets import CAUSAL, engine, model, wave


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "net.onnx"
    file.write_bytes(model(CAUSAL).SerializeToString())
    return file


class Finder:
    def __init__(self, path):
        self._path = path

    def names(self):
        return ["ann/vocoder"]

    def find(self, name):
        return self._path


def test_a_file_is_an_engine(path):
    with mien.engine.load(path, machine=Machine(threads=2, cores=(0, 1))) as made:
        np.testing.assert_array_equal(made.run(x=wave())["out"], engine(CAUSAL).run(x=wave())["out"])


def test_an_engine_has_a_name(path, monkeypatch):
    monkeypatch.setattr(names, "_finders", lambda: iter([Finder(path)]))
    assert mien.engine.load("ann/vocoder").inputs[0].name == "x"
    with pytest.raises(MissingError, match=r"no engine 'ann/vocodr'.*did you mean 'ann/vocoder'"):
        mien.engine.load("ann/vocodr")


def test_what_is_not_there_says_so(tmp_path):
    for name in (tmp_path / "no", str(tmp_path / "no"), "no.onnx", "no.engine"):
        with pytest.raises(MissingError, match=r"no model '.*no"):
            mien.engine.load(name)


def test_without_a_gpu_the_chain_answers_on_the_cpu(path, caplog):
    onnxruntime = pytest.importorskip("onnxruntime")
    if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        pytest.skip("there is a GPU")
    with mien.engine.load(path, machine=Machine(device="cuda")) as made:
        assert made.run(x=wave())["out"].shape == (1, 1, 8)
    assert "net.onnx on cuda is set aside: this ONNX Runtime has no CUDA" in caplog.text


def test_a_device_that_is_none_is_refused(path):
    with pytest.raises(InputError, match="no device 'tpu'; valid: cpu, cuda"):
        mien.engine.load(path, machine=Machine(device="tpu"))

"""Environments that are broken on purpose: each is found, named, and given the right fix."""

import sys

from mien.check import Place, Status
from mien.check.probes import versions

from .expected import found


def test_two_builds_of_onnx_runtime(installed):
    installed("onnxruntime", "1.32.0")
    installed("onnxruntime-gpu", "1.30.0")
    remedy = "pip uninstall -y onnxruntime onnxruntime-gpu && pip install onnxruntime-gpu"
    found(versions.onnxruntimes(Place()), Status.FAILED, "share one folder", remedy)


def test_cuda_12_beside_cuda_13(installed):
    installed("nvidia-cublas-cu12", "12.9.1")
    installed("nvidia-cudnn-cu13", "9.17.0")
    found(
        versions.cuda_wheels(Place()), Status.FAILED, "CUDA 12 and 13", "pip uninstall -y nvidia-cublas-cu12"
    )


def test_pytorch_for_another_cuda_than_onnx_runtime(installed):
    installed("torch", "2.11.0", {"torch/version.py": "cuda: Optional[str] = '12.8'\n"})
    told = {"onnxruntime/capi/build_and_package_info.py": "cuda_version = '13.1'\n"}
    installed("onnxruntime-gpu", "1.30.0", told)
    found(versions.cuda_wheels(Place()), Status.FAILED, "CUDA 12: torch", "pip uninstall -y torch")


def test_a_package_built_against_another_numpy(installed, monkeypatch):
    installed("soxr", "0.5", {"soxr.py": "raise ValueError('numpy.dtype size changed, may indicate')\n"})
    monkeypatch.delitem(sys.modules, "soxr", raising=False)
    monkeypatch.setattr(versions, "_COMPILED", ("soxr",))
    found(
        versions.numpy_abi(Place()),
        Status.FAILED,
        "soxr was compiled against another NumPy",
        "--no-deps soxr",
    )


def test_a_package_that_is_too_old(installed):
    installed("click", "7.1.2")
    found(
        versions.requirements(Place()), Status.FAILED, "click 7.1.2, needed is 8", "pip install -U 'click>=8"
    )

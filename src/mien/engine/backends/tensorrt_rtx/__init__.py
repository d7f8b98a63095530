"""TensorRT for RTX: ONNX models parsed and built ahead of time, on machines with or without a GPU.

The library is NVIDIA's and closed; it is imported by child processes only, so that a crash inside it
is an answer. Loading a plan needs a GPU: what a plan holds is read from its own text (`plan`).
"""

from mien.engine.backends.tensorrt_rtx.client import Built, build, version

__all__ = ["Built", "build", "version"]

"""Everything that is tried on this machine, in the order in which it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_HERE: Final = "mien.check.probes."
_REINSTALL: Final = "pip install --force-reinstall --no-deps "


@dataclass(frozen=True, slots=True)
class Probe:
    """`where`: the function, `module:name`. `limit_s`: after that it is stopped. `tried`: what it does.

    Probes with the same `process` run in one child, one after the other. `remedy`: for when it crashes or
    hangs, or says nothing better.
    """

    name: str
    group: str
    where: str
    limit_s: float
    tried: str
    process: str
    remedy: str = ""


def _probe(
    group: str, process: str, name: str, where: str, limit_s: float, tried: str, remedy: str = ""
) -> Probe:
    return Probe(name, group, _HERE + where, limit_s, tried, process, remedy)


PROBES: Final = (
    _probe("machine", "light", "processor", "cores:processor", 2, "read the instruction sets"),
    _probe("machine", "light", "cores", "cores:cores", 2, "count cores after affinity and control groups"),
    _probe("machine", "light", "memory", "cores:memory", 2, "read what is left after control groups"),
    _probe("machine", "light", "limits", "limits:limits", 2, "read the limits of this shell"),
    _probe("machine", "light", "disk", "disk:disk", 8, "write, flush and remove 16 MB in MIEN_HOME"),
    _probe("machine", "light", "temporary files", "disk:temporary", 8, "write, flush and remove 16 MB"),
    _probe("machine", "light", "clock", "limits:clock", 5, "compare with a time server, if one is named"),
    _probe("Python", "light", "interpreter", "versions:python", 2, "read its version"),
    _probe(
        "Python", "light", "packages", "versions:requirements", 5, "compare versions with what mien needs"
    ),
    _probe(
        "Python", "light", "ONNX Runtime builds", "versions:onnxruntimes", 5, "count the builds installed"
    ),
    _probe(
        "Python", "light", "CUDA libraries", "versions:cuda_wheels", 5, "compare the CUDA of all packages"
    ),
    _probe(
        "Python",
        "numpy",
        "NumPy ABI",
        "versions:numpy_abi",
        15,
        "import what was compiled against it",
        _REINSTALL + "numpy soxr onnx scipy numba",
    ),
    _probe("models", "packs", "packs", "packs:packs", 20, "hash every file", "mien packs verify"),
    _probe("models", "voice", "voice", "packs:voice", 20, "speak two words", "mien packs verify voice-joe"),
    _probe(
        "backends",
        "onnx",
        "reference",
        "backends:reference",
        10,
        "run a small model, compare with NumPy",
        _REINSTALL + "onnxruntime onnx",
    ),
    _probe(
        "backends",
        "onnx",
        "ONNX Runtime",
        "backends:onnxruntime",
        10,
        "run a small model, compare with the reference",
        _REINSTALL + "onnxruntime",
    ),
    _probe(
        "backends",
        "openvino",
        "OpenVINO",
        "backends:openvino",
        10,
        "run a small model, compare with the reference",
        _REINSTALL + "openvino",
    ),
    _probe(
        "backends",
        "rtx",
        "TensorRT-RTX",
        "backends:tensorrt_rtx",
        20,
        "parse and build a small model",
        _REINSTALL + "tensorrt_rtx_cu13_bindings tensorrt_rtx_cu13_libs",
    ),
    _probe(
        "backends",
        "cuda",
        "ONNX Runtime CUDA",
        "backends:cuda",
        30,
        "run a small model, compare with the reference",
        "nvidia-smi && " + _REINSTALL + "onnxruntime-gpu",
    ),
    _probe(
        "backends",
        "torch",
        "PyTorch",
        "backends:torch",
        30,
        "run a small model, compare with the reference",
        _REINSTALL + "torch",
    ),
    _probe(
        "pictures",
        "gl",
        "OpenGL",
        "pictures:opengl",
        10,
        "make a context, draw, read back",
        "mien say --renderer software  # and update the GPU's driver",
    ),
    _probe("pictures", "light", "renderer", "pictures:renderer", 5, "look for compiled code"),
    _probe("encoders", "video", "H.264", "pictures:h264", 10, "encode eight pictures", _REINSTALL + "av"),
    _probe("encoders", "video", "VP9", "pictures:vp9", 10, "encode eight pictures", _REINSTALL + "av"),
    _probe("encoders", "video", "Opus", "pictures:opus", 10, "encode a fifth of a second", _REINSTALL + "av"),
    _probe("encoders", "video", "AAC", "pictures:aac", 10, "encode a fifth of a second", _REINSTALL + "av"),
    _probe(
        "encoders",
        "nvenc",
        "NVENC",
        "pictures:nvenc",
        15,
        "encode eight pictures on the GPU",
        "unset MIEN_H264_ENCODER",
    ),
    _probe("devices", "devices", "microphone", "devices:microphone", 5, "open it"),
    _probe("devices", "devices", "loudspeaker", "devices:loudspeaker", 5, "open it"),
    _probe("devices", "devices", "camera", "devices:camera", 5, "ask it what it can do"),
    _probe("devices", "devices", "virtual camera", "devices:virtual_camera", 5, "ask it what it can do"),
    _probe("network", "light", "port", "network:port", 5, "listen, connect, pass a byte"),
    _probe("network", "light", "UDP ports", "network:udp", 10, "bind, send a datagram to each"),
    _probe("network", "light", "names", "network:names", 5, "resolve localhost, look for a proxy"),
    _probe("network", "light", "TLS", "network:trust", 5, "load the authorities"),
    _probe("network", "light", "certificate", "network:certificate", 5, "read it, shake hands with it"),
    _probe("GPU", "gpu", "GPU driver", "gpu:driver", 10, "ask nvidia-smi", "nvidia-smi"),
    _probe("GPU", "gpu", "GPU settings", "gpu:settings", 15, "ask nvidia-smi for MIG and persistence"),
    _probe("GPU", "libcuda", "CUDA", "gpu:cuda", 15, "load libcuda, initialise it", "sudo reboot"),
    _probe("GPU", "libcuda", "cuDNN", "gpu:cudnn", 10, "load it and ask its version"),
)

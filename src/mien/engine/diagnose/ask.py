"""Asking a target about models: each backend answers from a child process of its own."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from onnx import ModelProto, TensorProto

from mien.engine.backends import openvino
from mien.engine.backends.report import Report
from mien.engine.backends.tensorrt_rtx import shapes
from mien.engine.backends.tensorrt_rtx import version as rtx_version
from mien.engine.backends.tensorrt_rtx.shapes import Sizes
from mien.engine.sandbox import Worker
from mien.engine.targets import choose
from mien.engine.validate.tensors import tensors
from mien.errors import InputError, nearest, require

CPU: Final = ("cpu", "onnxruntime-cpu")
OPENVINO: Final = "openvino"
RTX: Final = "tensorrt-rtx"
TENSORRT: Final = "tensorrt"  # its parser is the same; types and kernels are its own, and a GPU is needed
_GIB: Final = 1 << 30
_TIME_S: Final = 300.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What a backend said: complaints, or how its process ended (`failure`); neither when it builds."""

    reports: tuple[Report, ...] = ()
    failure: str = ""
    notes: tuple[str, ...] = ()

    @property
    def builds(self) -> bool:
        """Whether there is nothing to complain about."""
        return not self.reports and not self.failure


class Backend:
    """One target, asked about any number of models: `cpu`, `openvino`, `tensorrt-rtx:sm89`, `tensorrt`."""

    def __init__(self, target: str, *, model_bytes: int = 0) -> None:
        """Raises `InputError` for an unknown target, `MissingError` when its library is not installed."""
        self.target = target
        self.symmetric = False
        task = self._task()
        room = 12 * _GIB + 8 * model_bytes
        self._worker = Worker(task, memory_bytes=room, file_bytes=2 * _GIB + 4 * model_bytes)
        self._folder = tempfile.TemporaryDirectory()

    def __enter__(self) -> Backend:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._worker.close()
        self._folder.cleanup()

    def ask(self, model: ModelProto, sizes: Mapping[str, Sizes], *, folder: Path | None = None) -> Answer:
        """Return what the backend says; `folder` holds the model's external data.

        `sizes` count where the target needs them; an axis that the model does not have is left out.
        """
        aside = Path(self._folder.name) / "model.onnx"
        if folder is not None:
            _copy(model, folder, aside.parent)
        aside.write_bytes(model.SerializeToString())
        outcome = self._worker.ask(aside, time_s=_TIME_S, **self._options(model, sizes))
        if outcome.failure:
            return Answer(failure=outcome.failure)
        reports = tuple(Report(**fields) for fields in outcome.answer["reports"])
        return Answer(reports, notes=tuple(outcome.answer.get("notes", ())))

    def _task(self) -> str:
        if self.target in CPU:
            require("onnxruntime", extra="voice")
            return "onnxruntime"
        if self.target == OPENVINO:
            openvino.library()
            return "openvino"
        self._library = self.target.partition(":")[0]
        if self._library not in (RTX, TENSORRT):
            known = [*CPU, OPENVINO, RTX, f"{RTX}:sm89", TENSORRT]
            raise InputError(f"no target {self.target!r} to diagnose for{nearest(self.target, known)}")
        self._capabilities = list(choose(self.target).compute_capabilities)
        self.symmetric = True
        rtx_version(self._library)
        return "tensorrt-rtx-build"

    def _options(self, model: ModelProto, sizes: Mapping[str, Sizes]) -> dict[str, Any]:
        if not self.symmetric:
            return {}
        known = shapes.axes(model)
        wanted = {axis: size for axis, size in sizes.items() if axis in known}
        complete = not known.keys() - wanted.keys()
        profile = shapes.profile(model, wanted) if complete else {}
        return {"capabilities": self._capabilities, "profile": profile, "out": None, "name": self._library}


def _copy(model: ModelProto, source: Path, aside: Path) -> None:
    """Put the data files that a model names beside its copy, and nothing else of their folder.

    Copies: libraries refuse links of any kind, which could lead out of the folder.
    """
    outside = [tensor for tensor in tensors(model) if tensor.data_location == TensorProto.EXTERNAL]
    named = {entry.value for tensor in outside for entry in tensor.external_data if entry.key == "location"}
    for name in named:
        file, place = source / name, aside / name
        if file.resolve().is_relative_to(source.resolve()) and file.is_file() and not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)

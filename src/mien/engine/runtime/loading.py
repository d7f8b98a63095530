"""From a name, a file or a folder to an engine that many may use."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mien.engine.backends import onnxruntime
from mien.engine.engine import Engine
from mien.engine.runtime.chain import LIMITS, Chain, Limits, Link
from mien.engine.runtime.layout import Layout
from mien.engine.runtime.proof import TF32_TOLERANCE
from mien.engine.runtime.served import DEFAULTS, ServedEngine, Settings
from mien.engine.runtime.ticket import Clock
from mien.engine.runtime.tiers import TieredEngine
from mien.errors import CorruptError, InputError, MissingError

Name = Path | str

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Machine:
    """Where an engine runs: `cpu`, `cuda` or `cuda:1`; the rest as in `onnxruntime.Options`.

    `backend`: what runs a model's file, `onnxruntime`, or on the CPU `openvino`; an engine's folder says it
    itself. `plugin`: the library of an execution provider for ONNX Runtime, which then runs every node.
    """

    device: str = "cpu"
    backend: str = "onnxruntime"
    threads: int = 0
    cores: tuple[int, ...] = ()
    spin: bool = True
    tf32: bool = True
    plugin: Path | None = None


def load(
    name: Name,
    *,
    machine: Machine = Machine(),
    fallbacks: Sequence[Name] = (),
    settings: Settings = DEFAULTS,
    limits: Limits = LIMITS,
    clock: Clock = time.monotonic,
) -> ServedEngine:
    """Load an engine: an `.onnx` file, an engine's folder, or a name as `joe/vocoder`.

    `fallbacks` are engines of the same model that answer when this one is slow, fails, or memory is short:
    first on the same device, at last the last of them (or this one) on the CPU. Raises `InputError`
    for no such machine, `MissingError`, `CorruptError` and, when the engine does not fit this machine,
    `ResourceError`.
    """
    _check(machine)
    paths = [find(each) for each in (name, *fallbacks)]
    engine: Engine
    if len(paths) == 1 and machine.device == "cpu":
        engine = _loaded(paths[0], machine)
    else:
        engine = Chain(_links(paths, machine), limits, clock)
    return ServedEngine(
        engine, _tolerant(settings, machine), clock, lambda path: _opened(path, machine), _shown(paths[0])
    )


def _check(machine: Machine) -> None:
    onnxruntime.check_device(machine.device)
    if (machine.backend, machine.device) != ("openvino", "cpu") and machine.backend != "onnxruntime":
        raise InputError(
            f"no backend {machine.backend!r} on {machine.device}; valid: onnxruntime, and openvino on cpu"
        )
    if machine.plugin is not None and (machine.backend, machine.device) != ("onnxruntime", "cpu"):
        raise InputError(
            "a plugin brings its own device and runs in onnxruntime; leave device and backend out"
        )


def _shown(path: Path) -> str:
    """Return a name without the fingerprint of a folder that was derived."""
    folder = re.sub(r"-[0-9a-f]{32}$", "", path.absolute().parent.name)
    return f"{folder}/{path.stem}"


def find(name: Name) -> Path:
    """Return the engine's file or folder; raises `MissingError`."""
    path = Path(name)
    if path.exists():
        return path
    if isinstance(name, Path) or path.suffix in (".onnx", ".engine") or path.is_absolute():
        raise MissingError(f"no model {str(path)!r}; give the path of an .onnx file or an engine's folder")
    from mien.engine.runtime import names

    return names.find(name)


def _links(paths: Sequence[Path], machine: Machine) -> list[Link]:
    links = [_link(path, machine) for path in paths]
    if machine.device != "cpu":
        links.append(_link(paths[-1], replace(machine, device="cpu")))
    return links


def _link(path: Path, machine: Machine) -> Link:
    return Link(
        f"{path.absolute().parent.name}/{path.name} on {machine.device}",
        lambda: _opened(path, machine),
    )


def _opened(path: Path, machine: Machine) -> Engine:
    return _loaded(path, machine) if machine.device == "cpu" else _on_gpu(path, machine)


def _on_gpu(path: Path, machine: Machine) -> Engine:
    """Open a session for each size, captured where that can be; one for all where sizes can not be known."""
    one = _loaded(path, machine)
    if not Layout(one).stacks and any(not isinstance(n, int) for port in one.inputs for n in port.shape):
        return one
    del one
    captures = [True]

    def opened() -> Engine:
        if captures[0]:
            try:
                return _loaded(path, machine, capture=True)
            except CorruptError as error:  # control flow, or an operator that runs on the CPU
                _log.info("%s is not captured: %s", path.name, error)
                captures[0] = False
        return _loaded(path, machine)

    return TieredEngine(opened)


def _loaded(path: Path, machine: Machine, *, capture: bool = False) -> Engine:
    options = replace(_options(machine), capture=capture)
    if not path.is_dir():
        return _from_file(path, machine, options)
    from mien.engine import package  # it knows targets and compilers, which a file alone does not need

    return package.load(path, options)


def _from_file(path: Path, machine: Machine, options: onnxruntime.Options) -> Engine:
    if machine.plugin is not None:
        from mien.engine.backends import plugins

        return plugins.load(path, machine.plugin, threads=machine.threads)
    if machine.backend == "onnxruntime":
        return onnxruntime.load(path, options)
    from mien.engine.backends import openvino  # a library of its own, which few need

    return openvino.load(path, threads=machine.threads)


def _options(machine: Machine) -> onnxruntime.Options:
    return onnxruntime.Options(
        threads=machine.threads,
        cores=machine.cores,
        device=machine.device,
        spin=machine.spin,
        tf32=machine.tf32,
    )


def _tolerant(settings: Settings, machine: Machine) -> Settings:
    """Return the settings with a tolerance that TF32's sums can keep, unless one was asked for."""
    rounded = machine.tf32 and machine.device != "cpu" and settings.tolerance is None
    return replace(settings, tolerance=TF32_TOLERANCE) if rounded else settings

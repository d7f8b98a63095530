"""Installed packages that do not fit each other."""

from __future__ import annotations

import importlib
import re
import struct
import sys
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Final

from mien.check.place import Place
from mien.check.result import Result, failed, not_run, ok

_RUNTIMES: Final = (  # each writes the same folder `onnxruntime`
    "onnxruntime",
    "onnxruntime-gpu",
    "onnxruntime-directml",
    "onnxruntime-openvino",
    "onnxruntime-qnn",
    "onnxruntime-rocm",
    "onnxruntime-silicon",
    "onnxruntime-training",
    "onnxruntime-trt-rtx",
)
_COMPILED: Final = ("soxr", "soundfile", "ml_dtypes", "onnx", "scipy.special", "numba")  # built against NumPy
_ABI: Final = re.compile(
    r"compiled using NumPy 1|numpy\.dtype size changed|numpy\.core\.multiarray|_ARRAY_API"
)
_AT_LEAST: Final = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*>=\s*([0-9][0-9.]*)")
_CUDA_OF: Final = re.compile(r"[-_]cu(1[1-9])(?:[-_]|$)")


def python(_: Place) -> Result:
    """The interpreter itself."""
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < (3, 11):  # noqa: UP036  # a probe says so, an import would not
        return failed(f"Python {version}; mien needs 3.11 or later", "uv venv --python 3.12")
    if struct.calcsize("P") != 8:
        return failed("Python is a 32-bit program", "install a 64-bit Python: uv python install 3.12")
    return ok(f"Python {version}", sys.executable)


def requirements(_: Place) -> Result:
    """Whether each installed package is as new as mien needs."""
    present = installed()
    old, absent = [], []
    for line in metadata.requires("mien") or []:
        match = _AT_LEAST.match(line)
        if match is None:
            continue
        name, least = canonical(match[1]), match[2]
        here = present.get(name)
        if here is None and "extra ==" not in line:
            absent.append(name)
        elif here is not None and _number(here) < _number(least):
            old.append(f"{name} {here}, needed is {least}")
    if absent:
        return failed(f"not installed: {', '.join(absent)}", f"pip install {' '.join(sorted(absent))}")
    if old:
        names = " ".join(sorted({f"'{each.split()[0]}>={each.split()[-1]}'" for each in old}))
        return failed(f"too old: {'; '.join(sorted(set(old)))}", f"pip install -U {names}")
    return ok("every installed package is as new as mien needs")


def onnxruntimes(_: Place) -> Result:
    """Whether several builds of ONNX Runtime write over each other."""
    present = installed()
    here = [name for name in _RUNTIMES if name in present]
    if not here:
        return failed("ONNX Runtime is not installed", "pip install 'mien[voice]'")
    if len(here) == 1:
        return ok(f"{here[0]} {present[here[0]]}, the only one")
    wanted = "onnxruntime-gpu" if "onnxruntime-gpu" in here else here[-1]
    together = ", ".join(f"{name} {present[name]}" for name in here)
    return failed(
        f"{together} are installed together: they share one folder, and the last one written wins",
        f"pip uninstall -y {' '.join(here)} && pip install {wanted}",
    )


def cuda_wheels(_: Place) -> Result:
    """Whether wheels for different CUDA versions lie beside each other."""
    by_cuda = _by_cuda(installed())
    if not by_cuda:
        return not_run("no CUDA libraries are installed")
    if len(by_cuda) == 1:
        ((version, names),) = by_cuda.items()
        return ok(f"all for CUDA {version}", ", ".join(names))
    kept = max(by_cuda)
    others = [name for version, names in by_cuda.items() if version != kept for name in names]
    told = "; ".join(f"CUDA {version}: {', '.join(names[:3])}" for version, names in sorted(by_cuda.items()))
    return failed(
        f"libraries for CUDA {' and '.join(sorted(by_cuda))} are installed together ({told})",
        f"pip uninstall -y {' '.join(others)}  # then what needs them, for CUDA {kept}",
    )


def numpy_abi(_: Place) -> Result:
    """Import what was compiled against NumPy."""
    import numpy as np

    absent, broken = [], []
    for name in _COMPILED:
        try:
            importlib.import_module(name)
        except ModuleNotFoundError:
            absent.append(name)
        except Exception as error:  # noqa: BLE001  # extension modules raise what they like
            broken.append((name.split(".")[0], f"{type(error).__name__}: {error}"))
    if not broken:
        return ok(f"NumPy {np.__version__} fits what was compiled against it", f"not installed: {absent}")
    names = " ".join(name for name, _ in broken)
    if any(_ABI.search(reason) for _, reason in broken):
        line = f"{names} was compiled against another NumPy than {np.__version__}"
    else:
        line = f"{names} can not be imported"
    return failed(line, f"pip install --force-reinstall --no-deps {names}", broken[0][1][:300])


def _by_cuda(present: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the major version of CUDA → the packages that are for it."""
    by_cuda: dict[str, list[str]] = {}
    for name in sorted(present):
        if match := _CUDA_OF.search(name):
            by_cuda.setdefault(match[1], []).append(name)
    for module, file, pattern in (
        ("torch", "torch/version.py", r"cuda[^=\n]*= '(\d+)"),
        ("onnxruntime-gpu", "onnxruntime/capi/build_and_package_info.py", r"cuda_version = '(\d+)"),
    ):
        if module in present and (found := _told(module, file, pattern)):
            by_cuda.setdefault(found, []).append(module)
    return by_cuda


def installed() -> dict[str, str]:
    """Return the installed packages by their canonical names (PEP 503) → version; the first found counts."""
    found: dict[str, str] = {}
    for each in metadata.distributions():
        name = each.metadata["Name"] if each.metadata else None
        if name:
            found.setdefault(canonical(name), each.version or "0")
    return found


def _told(distribution: str, file: str, pattern: str) -> str:
    """Return what a file of a distribution says, without importing it."""
    try:
        text = Path(str(metadata.distribution(distribution).locate_file(file))).read_text("utf-8")
    except (OSError, metadata.PackageNotFoundError):
        return ""
    match = re.search(pattern, text)
    return match[1] if match else ""


def canonical(name: str) -> str:
    """Return a package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _number(version: str) -> list[int]:
    return [int(part) for part in _digits(version.split("+")[0].split("."))]


def _digits(parts: Iterable[str]) -> Iterable[str]:
    for part in parts:
        match = re.match(r"\d+", part)
        if match is None:
            return
        yield match[0]


def cuda_major() -> str:
    """Return the newest CUDA that an installed package is for, `""` for none: `"13"`."""
    return max(_by_cuda(installed()), default="")

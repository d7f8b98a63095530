"""NVIDIA GPUs: the driver, what it can run, and how it is set."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from importlib import metadata
from typing import Final

from mien.check.place import Place
from mien.check.probes.versions import cuda_major
from mien.check.result import Result, failed, not_run, ok, warning

_FIELDS: Final = "name,driver_version,compute_cap,memory.total,mig.mode.current,persistence_mode"
_NVIDIA: Final = "0x10de"
# CUDA → the oldest driver on Linux that runs what is built with it (CUDA toolkit release notes, table 3).
_DRIVER: Final = {"11": 450, "12": 525, "13": 580}
_OLDEST: Final = 7.5  # Turing: CUDA 13 and TensorRT 11 run on nothing older
_WAIT_S: Final = 6.0


def driver(place: Place) -> Result:
    """Ask `nvidia-smi` what is here."""
    cards = _cards(place)
    tool = shutil.which("nvidia-smi")
    if tool is None:
        if not cards and not place.at("/dev/nvidiactl").exists():
            return not_run("no NVIDIA GPU")
        if place.at("/.dockerenv").exists() or not cards:
            return failed(
                "the GPU's device is here, and nvidia-smi is not: the container lacks the driver's files",
                "docker run --gpus all  # with the NVIDIA Container Toolkit on the host",
            )
        return failed("an NVIDIA GPU is here without its driver", "sudo ubuntu-drivers install")
    code, said = _asked(tool, f"--query-gpu={_FIELDS}", "--format=csv,noheader,nounits")
    if code:
        return _silent(said)
    rows = [[cell.strip() for cell in line.split(",")] for line in said.splitlines() if line.count(",") >= 5]
    if not rows:
        return failed("nvidia-smi lists no GPU", "nvidia-smi -L; sudo dmesg | grep -i NVRM", said[:200])
    return _judged(rows)


def _judged(rows: list[list[str]]) -> Result:
    name, version, capability, memory = rows[0][:4]
    line = f"{len(rows)} × {name}, driver {version}, compute capability {capability}, {memory} MiB"
    wanted = cuda_major()
    least = _DRIVER.get(wanted, 0)
    if _first(version) < least:
        return failed(
            f"driver {version} is too old for CUDA {wanted}, which needs {least} or later",
            f"sudo apt-get install nvidia-driver-{least}  # or install the wheels for an older CUDA",
            line,
        )
    if float(capability or 0) < _OLDEST:
        return warning(f"{line}: CUDA 13 runs on 7.5 and later", "mien serve  # on the CPU", line)
    return ok(line)


def settings(_: Place) -> Result:
    """MIG and persistence."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return not_run("no nvidia-smi")
    code, said = _asked(tool, f"--query-gpu={_FIELDS}", "--format=csv,noheader,nounits")
    if code:
        return not_run("nvidia-smi does not answer: see 'GPU driver'")
    parts = _asked(tool, "-L")[1]
    rows = [[cell.strip() for cell in line.split(",")] for line in said.splitlines() if line.count(",") >= 5]
    if any(row[4] == "Enabled" for row in rows) and "MIG" not in parts:
        return failed(
            "MIG is on, and no instance was made: nothing can run",
            "sudo nvidia-smi mig -cgi 19 -C  # or switch it off: sudo nvidia-smi -mig 0",
        )
    if any(row[5] == "Disabled" for row in rows):
        return warning(
            "persistence is off: the first work after a pause waits for the driver", "sudo nvidia-smi -pm 1"
        )
    mig = f"{parts.count('MIG')} MIG instances" if "MIG" in parts else "MIG off"
    return ok(f"persistence on, {mig}")


def cuda(place: Place) -> Result:
    """Load the driver's library and ask which CUDA it runs."""
    try:
        library = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        if not _cards(place) and not place.at("/dev/nvidiactl").exists():
            return not_run("no NVIDIA GPU")
        return failed(f"libcuda can not be loaded: {error}", "docker run --gpus all  # or install the driver")
    if code := library.cuInit(0):
        return failed(f"cuInit says {code}{_CODES.get(code, '')}", "sudo modprobe nvidia && nvidia-smi")
    version, count = ctypes.c_int(), ctypes.c_int()
    library.cuDriverGetVersion(ctypes.byref(version))
    library.cuDeviceGetCount(ctypes.byref(count))
    line = (
        f"the driver runs CUDA {version.value // 1000}.{version.value % 1000 // 10} on {count.value} devices"
    )
    wanted = cuda_major()
    if wanted and version.value // 1000 < int(wanted):
        return failed(
            f"{line}; the wheels here are for CUDA {wanted}",
            f"sudo apt-get install nvidia-driver-{_DRIVER.get(wanted, 580)}",
        )
    return ok(line)


_CODES: Final = {
    100: ": no device can be seen; is CUDA_VISIBLE_DEVICES right?",
    803: ": the driver and its library are of different versions",
    999: ": an unknown error of the driver",
}


def cudnn(_: Place) -> Result:
    """Load cuDNN, which ONNX Runtime's CUDA provider needs."""
    try:
        metadata.version("onnxruntime-gpu")
    except metadata.PackageNotFoundError:
        return not_run("onnxruntime-gpu is not installed")
    tried = []
    for path in _cudnn_files():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            tried.append(str(error))
            continue
        library.cudnnGetVersion.restype = ctypes.c_size_t
        version = library.cudnnGetVersion()
        return ok(f"cuDNN {version // 10_000}.{version % 10_000 // 100}.{version % 100}", path)
    major = cuda_major() or "13"
    return failed("cuDNN 9 can not be loaded", f"pip install nvidia-cudnn-cu{major}", tried[0][:200])


def _cudnn_files() -> list[str]:
    found = []
    for each in metadata.distributions():
        if str(each.metadata["Name"]).startswith("nvidia-cudnn"):
            names = [file for file in each.files or [] if re.fullmatch(r"libcudnn\.so\.9", file.name)]
            found += [str(each.locate_file(name)) for name in names]
    return [*found, "libcudnn.so.9"]


def _silent(said: str) -> Result:
    reason = next((line.strip() for line in said.splitlines() if line.strip()), "it gave no reason")
    if "version mismatch" in said:
        return failed(
            "the driver was updated, and the old one still runs: " + reason, "sudo reboot", said[:300]
        )
    if "communicate with the NVIDIA driver" in said:
        return failed(
            "the driver's kernel module does not run",
            "sudo modprobe nvidia  # after a new kernel: sudo dkms autoinstall",
        )
    return failed(f"nvidia-smi fails: {reason[:150]}", "sudo dmesg | grep -i NVRM", said[:300])


def _asked(tool: str, *words: str) -> tuple[int, str]:
    try:
        done = subprocess.run([tool, *words], capture_output=True, text=True, timeout=_WAIT_S, check=False)
    except subprocess.TimeoutExpired:
        return 1, f"nvidia-smi did not answer within {_WAIT_S:g} s"
    except OSError as error:
        return 1, str(error)
    return done.returncode, done.stdout if not done.returncode else done.stdout + done.stderr


def _cards(place: Place) -> list[str]:
    found = []
    for vendor in sorted(place.at("/sys/bus/pci/devices").glob("*/vendor")):
        kind = vendor.with_name("class")
        try:
            if vendor.read_text().strip() == _NVIDIA and kind.read_text().startswith("0x03"):
                found.append(vendor.parent.name)
        except OSError:
            continue
    return found


def _first(version: str) -> int:
    match = re.match(r"\d+", version)
    return int(match[0]) if match else 0

"""What of this machine a compiled model depends on."""

from __future__ import annotations

import platform
import re
from functools import cache
from pathlib import Path

_TELLING = frozenset(
    {"sse4_2", "avx", "avx2", "fma", "avx512f", "avx512_vnni", "avx_vnni", "amx_int8", "asimd"}
)
_BY_DEFAULT = {"arm64": {"asimd"}, "aarch64": {"asimd"}}


@cache
def cpu_features() -> frozenset[str]:
    """Return the instruction sets that kernels choose by; what the system does not tell is taken as there.

    Linux lists them; elsewhere every x86-64 processor made since 2015 is taken to have AVX2.
    """
    machine = platform.machine().lower()
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8", "replace")
    except OSError:
        text = ""
    match = re.search(r"^(?:flags|Features)\s*:(.*)$", text, re.MULTILINE)
    if match:
        return _TELLING & set(match[1].split())
    return frozenset(_BY_DEFAULT.get(machine, {"sse4_2", "avx", "avx2", "fma"}))


def architecture() -> str:
    """Return the processor's family: `x86_64`, `aarch64`."""
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())


@cache
def processor() -> str:
    """Return the processor's name."""
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8", "replace")
    except OSError:
        text = ""
    match = re.search(r"^model name\s*:\s*(.*)$", text, re.MULTILINE)
    return match[1] if match else platform.processor() or platform.machine()

"""Processor, cores and memory, as they are left to this process by control groups and limits."""

from __future__ import annotations

import os
import re
from typing import Final

from mien.check.place import Place
from mien.check.result import Result, failed, not_run, ok, warning
from mien.engine import machine

GB: Final = 1e9  # bytes
_FEATURES: Final = {  # as Linux names it → as people do
    "avx2": "AVX2",
    "fma": "FMA",
    "avx512f": "AVX-512",
    "avx512_vnni": "VNNI",
    "avx_vnni": "AVX-VNNI",
    "amx_int8": "AMX",
    "asimd": "NEON",
    "asimddp": "dot products",
}
_FAST_INT8: Final = {"avx512_vnni", "avx_vnni", "amx_int8", "asimddp"}
_UNLIMITED: Final = 1 << 60  # what version 1 writes for no limit is about 2**63
_LEAST_GB: Final = 1.0
_GOOD_GB: Final = 2.0


def processor(place: Place) -> Result:
    """Which instruction sets kernels can choose."""
    text = place.text("/proc/cpuinfo")
    match = re.search(r"^(?:flags|Features)\s*:(.*)$", text, re.MULTILINE)
    flags = set(match[1].split()) if match else set(machine.cpu_features())
    here = ", ".join(name for flag, name in _FEATURES.items() if flag in flags)
    arm = "asimd" in flags or machine.architecture() == "aarch64"
    if not arm and "avx2" not in flags:
        return failed(
            f"the processor has no AVX2 ({here or 'none of AVX2, FMA, AVX-512'}): speech comes late",
            "show the guest the host's processor: qemu-system-x86_64 -cpu host (libvirt: "
            "virt-xml NAME --edit --cpu host-passthrough)",
            "; ".join(sorted(flags))[:200],
        )
    int8 = "" if flags & _FAST_INT8 else "; no VNNI: int8 gains little"
    return ok(f"{here}{int8}", machine.processor() if place.root.parent == place.root else "")


def cores(place: Place) -> Result:
    """How many cores are left after affinity and control groups."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = cpu_quota(place)
    left = min(float(usable), quota) if quota else float(usable)
    evidence = f"{os.cpu_count()} in the machine, {usable} by affinity" + (
        f", {quota:g} by the control group" if quota else ""
    )
    if left >= 2:
        return ok(f"{left:g} cores", evidence)
    if quota and quota < usable:
        remedy = "docker update --cpus 2 CONTAINER  # Kubernetes: resources.limits.cpu: 2"
    else:
        remedy = "taskset -cp 0-1 PID  # or give the machine a second core"
    say = failed if left < 0.5 else warning
    return say(f"{left:g} of a core is left; two are needed to talk in real time", remedy, evidence)


def memory(place: Place) -> Result:
    """How much memory is left after control groups."""
    free = _available(place.text("/proc/meminfo"))
    limit = memory_limit(place)
    left = min(value for value in (free, limit) if value is not None) if free or limit else None
    if left is None:
        return not_run("this system does not say how much memory is free")
    evidence = ", ".join(
        f"{value / GB:.1f} GB {what}"
        for value, what in ((free, "available"), (limit, "left by the control group"))
        if value is not None
    )
    line = f"{left / GB:.1f} GB of memory is left"
    if left >= _GOOD_GB * GB:
        return ok(line, evidence)
    limited = limit is not None and limit == left
    remedy = (
        "docker update --memory 4g --memory-swap 4g CONTAINER  # Kubernetes: resources.limits.memory: 4Gi"
        if limited
        else "end what holds most: ps -eo pid,rss,comm --sort=-rss | head"
    )
    say = failed if left < _LEAST_GB * GB else warning
    return say(f"{line}; a film takes up to 1.4 GB, a server 2 GB", remedy, evidence)


def cpu_quota(place: Place) -> float | None:
    """Return the cores that control groups of version 2 or 1 leave, None for no limit."""
    quotas = []
    for folder in _groups(place, ""):
        match = re.match(r"(\d+) (\d+)", place.text(f"{folder}/cpu.max"))
        if match:
            quotas.append(int(match[1]) / int(match[2]))
    for folder in _groups(place, "cpu"):
        quota, period = (place.text(f"{folder}/cpu.cfs_{name}_us").strip() for name in ("quota", "period"))
        if quota.isdigit() and period.isdigit() and int(period):
            quotas.append(int(quota) / int(period))
    return min(quotas, default=None)


def memory_limit(place: Place) -> float | None:
    """Return the bytes that control groups of version 2 or 1 leave, None for no limit."""
    left = []
    for controller, limit, used in (
        ("", "memory.max", "memory.current"),
        ("memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
    ):
        for folder in _groups(place, controller):
            text, now = (place.text(f"{folder}/{name}").strip() for name in (limit, used))
            if text.isdigit() and int(text) < _UNLIMITED:
                left.append(float(int(text) - (int(now) if now.isdigit() else 0)))
    return max(min(left), 0.0) if left else None


def _groups(place: Place, controller: str) -> list[str]:
    """Return the folders of this process's group and of those around it; `""`: of version 2."""
    root = f"/sys/fs/cgroup/{controller}".rstrip("/")
    match = re.search(
        rf"^\d+:(?:[^:]*,)?{controller}(?:,[^:]*)?:(/.*)$", place.text("/proc/self/cgroup"), re.M
    )
    parts = match[1].strip("/").split("/") if match else []
    return [root, *(f"{root}/{'/'.join(parts[: end + 1])}" for end in range(len(parts)) if parts[0])]


def _available(text: str) -> float | None:
    match = re.search(r"^MemAvailable:\s*(\d+) kB", text, re.MULTILINE)
    return int(match[1]) * 1024.0 if match else None

"""Whether the machine was quiet while something was measured, and what disturbed it."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

STEAL, OTHERS, DRIFT, JITTER, SWITCHES_PER_S = 0.01, 0.10, 0.05, 0.25, 200.0
_LOOP: Final = 60_000
_LOOPS: Final = 9


@dataclass(frozen=True, slots=True)
class Noise:
    """`steal`: the share of the cores that the hypervisor kept; `others`: that other processes took.

    `loop_before_ms`, `loop_after_ms`: a fixed loop of Python, best of nine; `jitter`: how far its median
    lies over its best. `switches_per_s`: how often this process had to wait for a core. `throttled_ms`: by
    its control group. `mhz`: before and after, where it is told; `hot`: how often heat slowed down a core.
    """

    steal: float = 0.0
    others: float = 0.0
    loop_before_ms: float = 0.0
    loop_after_ms: float = 0.0
    jitter: float = 0.0
    switches_per_s: float = 0.0
    throttled_ms: float = 0.0
    mhz: tuple[float, ...] = ()
    hot: int = 0
    reasons: tuple[str, ...] = field(default=())

    @property
    def is_quiet(self) -> bool:
        """Whether nothing disturbed."""
        return not self.reasons

    @property
    def drift(self) -> float:
        """By what share the loop took longer, or less, at the end."""
        return self.loop_after_ms / self.loop_before_ms - 1 if self.loop_before_ms else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self) | {"quiet": self.is_quiet}

    @classmethod
    def from_json(cls, table: Mapping[str, Any]) -> Noise:
        """Read what `to_json` wrote."""
        known = {name: table[name] for name in cls.__dataclass_fields__ if name in table}
        return cls(**known | {"reasons": tuple(table["reasons"]), "mhz": tuple(table["mhz"])})


class Listener:
    """Hears the machine from the moment it is made until `heard`."""

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root
        self._loops = [loop_ms() for _ in range(_LOOPS)]
        self._before = _Counted.now(root)
        self._mhz = _mhz(root)

    def heard(self) -> Noise:
        """Return what disturbed since then."""
        passed = _Counted.now(self._root).since(self._before)
        loops = [loop_ms() for _ in range(_LOOPS)]
        whole = max(passed.all_s, 1e-9)
        known = passed.all_s > 0
        every = sorted([*self._loops, *loops])
        noise = Noise(
            steal=passed.steal_s / whole if known else 0.0,
            others=max(0.0, (passed.busy_s - passed.own_s) / whole) if known else 0.0,
            loop_before_ms=min(self._loops),
            loop_after_ms=min(loops),
            jitter=every[len(every) // 2] / every[0] - 1,
            switches_per_s=passed.switches / max(passed.wall_s, 1e-9),
            throttled_ms=passed.throttled_ms,
            mhz=tuple(each for each in (self._mhz, _mhz(self._root)) if each),
            hot=passed.hot,
        )
        return Noise(**asdict(noise) | {"mhz": noise.mhz, "reasons": judged(noise)})


def judged(noise: Noise) -> tuple[str, ...]:
    """Return why the machine was not quiet, each with its figure.

    A process with more threads than cores waits for itself: that alone disturbs nobody.
    """
    slower = "longer" if noise.drift > 0 else "less"
    tests = (
        (noise.steal > STEAL, f"the hypervisor kept {noise.steal:.1%} of the cores"),
        (noise.others > OTHERS, f"other processes took {noise.others:.0%} of the cores"),
        (abs(noise.drift) > DRIFT, f"a fixed loop took {abs(noise.drift):.0%} {slower} at the end"),
        (noise.jitter > JITTER, f"a fixed loop's median lay {noise.jitter:.0%} over its best"),
        (
            noise.switches_per_s > SWITCHES_PER_S and noise.others > OTHERS / 2,
            f"this process had to wait for a core {noise.switches_per_s:.0f} times a second",
        ),
        (noise.throttled_ms > 0, f"its control group was throttled for {noise.throttled_ms:.0f} ms"),
        (noise.hot > 0, f"cores slowed down {noise.hot} times for their heat"),
    )
    return tuple(reason for holds, reason in tests if holds)


def loop_ms() -> float:
    """Return the milliseconds of a loop that touches no memory and calls nothing."""
    began, total = time.perf_counter(), 0
    for i in range(_LOOP):
        total += i & 7
    return 1e3 * (time.perf_counter() - began)


@dataclass(frozen=True, slots=True)
class _Counted:
    """The system's counters; seconds of all cores together. What it does not tell stays 0."""

    wall_s: float
    all_s: float
    busy_s: float
    steal_s: float
    own_s: float
    switches: int
    throttled_ms: float
    hot: int

    @classmethod
    def now(cls, root: Path) -> _Counted:
        times, (every, busy, steal) = os.times(), _cores(root)
        return cls(
            time.monotonic(), every, busy, steal, sum(times[:4]), _switches(),
            _throttled_us(root) / 1e3, _hot(root),
        )  # fmt: skip

    def since(self, before: _Counted) -> _Counted:
        names = self.__dataclass_fields__
        return _Counted(**{name: getattr(self, name) - getattr(before, name) for name in names})


def _cores(root: Path) -> tuple[float, float, float]:
    """Return the seconds of all cores that passed, were busy, were stolen."""
    line = next(iter(_lines(root / "proc/stat")), "")
    parts = [int(word) for word in line.split()[1:9]]
    if len(parts) < 8:
        return 0.0, 0.0, 0.0
    user, nice, system, idle, wait, hard, soft, steal = parts
    tick = os.sysconf("SC_CLK_TCK")
    busy = user + nice + system + hard + soft
    return (busy + idle + wait + steal) / tick, busy / tick, steal / tick


def _switches() -> int:
    try:
        import resource
    except ImportError:  # Windows
        return 0
    return sum(
        resource.getrusage(each).ru_nivcsw for each in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )


def _throttled_us(root: Path) -> float:
    rows = (line.split() for line in _lines(root / "sys/fs/cgroup/cpu.stat"))
    return float({row[0]: row[1] for row in rows if len(row) == 2}.get("throttled_usec", 0))


def _hot(root: Path) -> int:
    files = (root / "sys/devices/system/cpu").glob("cpu[0-9]*/thermal_throttle/core_throttle_count")
    return sum(int(line) for file in files for line in _lines(file)[:1] if line.isdigit())


def _mhz(root: Path) -> float:
    """Return the mean frequency of the cores; 0 where the system does not tell."""
    files = (root / "sys/devices/system/cpu").glob("cpu[0-9]*/cpufreq/scaling_cur_freq")
    told = [int(line) / 1e3 for file in files for line in _lines(file)[:1] if line.isdigit()]
    return sum(told) / len(told) if told else 0.0


def _lines(file: Path) -> list[str]:
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return file.read_text("utf-8").splitlines()
    return []

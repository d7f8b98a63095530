from dataclasses import replace
from pathlib import Path

from mien.bench.timed.noise import Listener, Noise, judged, loop_ms


def machine(
    root: Path, *, busy: int, idle: int, steal: int, throttled_us: int = 0, khz: int = 2_000_000
) -> None:
    for folder in ("proc", "sys/fs/cgroup", "sys/devices/system/cpu/cpu0/cpufreq"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "proc/stat").write_text(f"cpu  {busy} 0 0 {idle} 0 0 0 {steal} 0 0\n")
    (root / "sys/fs/cgroup/cpu.stat").write_text(f"usage_usec 5\nthrottled_usec {throttled_us}\n")
    (root / "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq").write_text(f"{khz}\n")


def test_what_the_system_counts_is_told(tmp_path):
    machine(tmp_path, busy=1000, idle=1000, steal=0)
    listener = Listener(tmp_path)
    machine(tmp_path, busy=1600, idle=1300, steal=100, throttled_us=3000, khz=1_500_000)
    noise = listener.heard()
    assert noise.steal == 0.1
    assert 0.5 < noise.others <= 0.6  # of which this process took little
    assert noise.throttled_ms == 3.0
    assert noise.mhz == (2000.0, 1500.0)
    told = "; ".join(noise.reasons)
    for words in ("hypervisor kept 10.0%", "other processes took", "throttled for 3 ms"):
        assert words in told
    assert not noise.is_quiet


def test_a_system_that_tells_nothing_disturbs_nothing(tmp_path):
    noise = Listener(tmp_path / "none").heard()
    assert (noise.steal, noise.others, noise.throttled_ms, noise.mhz) == (0.0, 0.0, 0.0, ())
    assert noise.loop_before_ms > 0


def test_each_disturbance_has_its_reason():
    quiet = Noise(loop_before_ms=2.0, loop_after_ms=2.02)
    assert judged(quiet) == ()
    assert "took 20% longer at the end" in judged(replace(quiet, loop_after_ms=2.4))[0]
    assert "took 10% less at the end" in judged(replace(quiet, loop_after_ms=1.8))[0]
    assert "50% over its best" in judged(replace(quiet, jitter=0.5))[0]
    assert "300 times a second" in judged(replace(quiet, switches_per_s=300, others=0.08))[0]
    assert judged(replace(quiet, switches_per_s=300)) == ()  # its own threads
    assert "for their heat" in judged(replace(quiet, hot=2))[0]


def test_it_survives_json():
    noise = Noise(0.1, 0.2, 2.0, 2.1, 0.0, 3.0, 0.0, (2000.0,), 0, ("why",))
    assert Noise.from_json(noise.to_json()) == noise


def test_the_loop_takes_time():
    assert loop_ms() > 0.1

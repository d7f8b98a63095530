"""Environments that are broken on purpose: each is found, named, and given the right fix."""

from mien.check import Status
from mien.check.probes import cores

from .expected import found, linux


@linux
def test_a_processor_without_avx2(root, monkeypatch):
    monkeypatch.setattr("mien.engine.machine.architecture", lambda: "x86_64")
    place = root({"proc/cpuinfo": "model name : QEMU\nflags : sse4_2 fpu\n"})
    found(cores.processor(place), Status.FAILED, "no AVX2", "-cpu host")


@linux
def test_half_a_core_by_a_control_group_of_version_2(root):
    files = {"proc/self/cgroup": "0::/pod/web\n", "sys/fs/cgroup/pod/cpu.max": "40000 100000\n"}
    found(cores.cores(root(files)), Status.FAILED, "0.4 of a core", "docker update --cpus 2")


@linux
def test_one_core_by_a_control_group_of_version_1(root):
    place = root(
        {
            "proc/self/cgroup": "4:memory:/a\n3:cpu,cpuacct:/docker/1\n",
            "sys/fs/cgroup/cpu/docker/1/cpu.cfs_quota_us": "100000\n",
            "sys/fs/cgroup/cpu/docker/1/cpu.cfs_period_us": "100000\n",
        }
    )
    found(cores.cores(place), Status.WARNING, "1 of a core", "cpus 2")


@linux
def test_little_memory_by_a_control_group_of_version_2(root):
    place = root(
        {
            "proc/meminfo": "MemAvailable:   16000000 kB\n",
            "proc/self/cgroup": "0::/pod\n",
            "sys/fs/cgroup/pod/memory.max": "900000000\n",
            "sys/fs/cgroup/pod/memory.current": "300000000\n",
        }
    )
    found(cores.memory(place), Status.FAILED, "0.6 GB of memory", "docker update --memory 4g")


@linux
def test_little_memory_by_a_control_group_of_version_1(root):
    place = root(
        {
            "proc/meminfo": "MemAvailable:   16000000 kB\n",
            "proc/self/cgroup": "4:memory:/a\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "1500000000\n",
        }
    )
    found(cores.memory(place), Status.WARNING, "1.5 GB of memory", "resources.limits.memory")


@linux
def test_little_memory_in_the_machine(root):
    place = root({"proc/meminfo": "MemAvailable:   400000 kB\n"})
    found(cores.memory(place), Status.FAILED, "0.4 GB", "ps -eo")

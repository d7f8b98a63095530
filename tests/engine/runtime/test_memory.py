import pytest

from mien.engine.runtime.memory import Level, fullest, levels, resident_bytes


@pytest.fixture
def root(tmp_path):
    def write(files):
        for name, text in files.items():
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return tmp_path

    return write


MEMINFO = "MemTotal:  1000 kB\nMemFree: 1 kB\nMemAvailable:  400 kB\n"


def test_the_fullest_of_machine_and_groups_counts(root):
    here = root(
        {
            "proc/meminfo": MEMINFO,
            "proc/self/cgroup": "0::/app/worker\n",
            "sys/fs/cgroup/app/worker/memory.max": "max\n",
            "sys/fs/cgroup/app/worker/memory.current": "700\n",
            "sys/fs/cgroup/app/memory.max": "1000\n",
            "sys/fs/cgroup/app/memory.current": "990\n",
            "sys/fs/cgroup/app/memory.stat": "anon 5\ninactive_file 190\n",
        }
    )
    assert levels(here) == [Level("control group app", 800, 1000), Level("machine", 614_400, 1_024_000)]
    assert fullest(here).share == 0.8


def test_a_container_sees_its_own_group_as_the_top(root):
    here = root(
        {
            "proc/self/cgroup": "0::/../../outside\n",
            "sys/fs/cgroup/memory.max": "2000\n",
            "sys/fs/cgroup/memory.current": "1500\n",
        }
    )
    assert fullest(here) == Level("control group cgroup", 1500, 2000)


def test_the_first_version_of_groups(root):
    here = root(
        {
            "proc/self/cgroup": "11:cpu,cpuacct:/x\n4:memory:/x\n",
            "sys/fs/cgroup/memory/x/memory.limit_in_bytes": "100\n",
            "sys/fs/cgroup/memory/x/memory.usage_in_bytes": "96\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            "sys/fs/cgroup/memory/memory.usage_in_bytes": "96\n",
        }
    )
    assert levels(here) == [Level("control group x", 96, 100)]


def test_nothing_to_read_is_no_bound(root):
    assert fullest(root({})) is None
    assert levels(root({"proc/meminfo": "garbage\n"})) == []


def test_this_process_takes_memory():
    size = resident_bytes()
    assert size is None or size > 1 << 20

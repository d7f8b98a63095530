from __future__ import annotations

import errno
import signal
import sys

import pytest

from mien import packs
from mien.errors import CorruptError, InputError, MissingError, ResourceError
from mien.packs import blocks
from mien.packs.progress import Step

ONE, TWO = b"1" * 70_000, b"2" * 50_000
posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and limits")


def joined(world, *, pip=False):
    """A pack whose model is joined from two wheels, and a licence from a folder."""
    first = world.wheel("part_one", {"part_one/data.bin": ONE}, pip=pip)
    hostile = {"part_two/data.bin": TWO, "part_two/__init__.py": b"raise SystemExit"}
    second = world.wheel("part_two", hostile, pip=pip)
    source = (
        f"archives = [{first}, {second}]\n"
        'members = { "model.onnx" = ["part_one/data.bin", "part_two/data.bin"] }'
    )
    licence = world.folder("texts", {"LICENSE": b"CC0"})
    world.manifest(
        "demo", ({"model.onnx": ONE + TWO}, [source]), ({"LICENSE": b"CC0"}, [f"archives = [{licence}]"])
    )


def leftovers(world):
    return [p for p in (world.home / "packs").glob(".demo*") if p.suffix != ".lock"]


def test_wheels_are_joined_and_never_imported(world):
    joined(world, pip=True)
    seen = []
    assert packs.pull(["demo"], seen.append) == ["demo"]
    assert (packs.path("demo") / "model.onnx").read_bytes() == ONE + TWO
    assert not (world.home / "downloads" / "demo").exists()
    assert seen[-1].step is Step.DONE
    unpacked = [p.done for p in seen if p.step is Step.UNPACK]
    assert unpacked == sorted(unpacked)
    assert unpacked[-1] == seen[-1].total == len(ONE + TWO) + 3


def test_a_second_pull_needs_no_source(world):
    files = world.simple()
    packs.pull(["demo"])
    for path in files:
        (world.root / "demo-origin" / path).unlink()
    assert packs.pull(["demo"]) == []


def test_a_folder_whose_files_verify_is_adopted(world):
    files = world.simple()
    for path, data in files.items():
        target = world.home / "packs" / "demo" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        (world.root / "demo-origin" / path).unlink()
    assert packs.pull(["demo"]) == ["demo"]
    assert packs.path("demo")


def test_verify_names_the_corrupt_file_and_pull_mends_only_its_part(world):
    joined(world)
    packs.pull(["demo"])
    kept = (packs.path("demo") / "LICENSE").stat().st_ino
    (packs.path("demo") / "model.onnx").write_bytes(b"x" * len(ONE + TWO))
    (fault,) = packs.verify(["demo"])
    assert (fault.pack, fault.path) == ("demo", "model.onnx")
    assert "expected" in fault.what
    assert packs.pull(["demo"]) == ["demo"]
    assert packs.verify(["demo"]) == []
    assert (packs.path("demo") / "LICENSE").stat().st_ino == kept


def test_sources_are_tried_in_order(world):
    files = {"a": b"right"}
    wrong = world.folder("wrong", {"a": b"wrong"})
    right = world.folder("right", files)
    gone = '{ file = "/nowhere/at/all" }'
    world.manifest("demo", (files, [f"archives = [{row}]" for row in (gone, wrong, right)]))
    packs.pull(["demo"])
    assert (packs.path("demo") / "a").read_bytes() == b"right"


def test_when_no_source_works_each_says_why_on_one_line(world):
    files = {"a": b"right"}
    wrong = world.folder("wrong", {"a": b"wrong"})
    world.manifest("demo", (files, ['archives = [{ file = "/nowhere" }]', f"archives = [{wrong}]"]))
    with pytest.raises(MissingError) as caught:
        packs.pull(["demo"])
    said = str(caught.value)
    assert "/nowhere is not there" in said
    assert "a has sha256" in said
    assert "\n" not in said
    assert not (world.home / "packs" / "demo").exists()
    assert not leftovers(world)


def test_a_wheel_that_is_not_there_is_named(world):
    joined(world, pip=True)
    (world.wheels / "part_one-1.0-py3-none-any.whl").unlink()
    with pytest.raises(MissingError, match=r"pypi:part_one==1\.0: pip could not download it: No matching"):
        packs.pull(["demo"])
    assert not (world.home / "packs" / "demo").exists()


def test_a_changed_wheel_is_refused_and_not_kept(world):
    joined(world, pip=True)
    with (world.wheels / "part_two-1.0-py3-none-any.whl").open("ab") as wheel:
        wheel.write(b"hostile")
    with pytest.raises(CorruptError, match=r"part_two-1\.0-py3-none-any\.whl has sha256 \w+, expected"):
        packs.pull(["demo"])
    kept = [p.name for p in (world.home / "downloads" / "demo").iterdir()]
    assert kept == ["part_one-1.0-py3-none-any.whl"]


def test_a_broken_archive_is_named(world):
    (world.root / "x.whl").write_bytes(b"PK not really")
    world.manifest("demo", ({"a": b"1"}, [f'archives = [{{ file = "{world.root / "x.whl"}" }}]']))
    with pytest.raises(CorruptError, match=r"x\.whl is not a whole archive"):
        packs.pull(["demo"])


def test_no_network_is_said_so(world, monkeypatch):
    joined(world, pip=True)
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_FIND_LINKS", str(world.root / "home"))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    with pytest.raises(ResourceError, match=r"pypi:part_one==1\.0: pip reaches no package index"):
        packs.pull(["demo"])


def test_a_full_disk_leaves_nothing_and_the_next_pull_goes_on(world, monkeypatch):
    joined(world, pip=True)

    def full(_writer, _stream):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(blocks.Writer, "add", full)
        with pytest.raises(ResourceError, match=r"disk full at .* then run: mien packs pull demo"):
            packs.pull(["demo"])
    assert not (world.home / "packs" / "demo").exists()
    assert not leftovers(world)
    for wheel in world.wheels.iterdir():
        wheel.unlink()  # what was downloaded is enough
    assert packs.pull(["demo"]) == ["demo"]


def test_a_disk_that_is_too_small_is_said_so_before_any_download(world, monkeypatch):
    joined(world)
    small = type("Usage", (), {"free": 100_000})
    monkeypatch.setattr("mien.packs.installer.shutil.disk_usage", lambda _: small)
    with pytest.raises(ResourceError, match="demo needs 1 MB and 0 MB are free"):
        packs.pull(["demo"])


@posix
def test_a_disk_that_really_refuses(world):
    world.simple(files={"model.onnx": b"m" * 300_000})
    code = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "from mien import packs, errors\n"
        "try: packs.pull(['demo'])\n"
        "except errors.ResourceError as error: print(error)\n"
    )
    said, wrong = world.python(code).communicate(timeout=60)
    assert said.startswith("disk full at"), wrong
    assert not leftovers(world)


@posix
def test_no_permission_is_said_so(world):
    import os

    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    world.simple()
    world.home.chmod(0o500)
    with pytest.raises(ResourceError, match="no permission to write"):
        packs.pull(["demo"])
    world.home.chmod(0o700)


def test_a_home_that_is_a_file_is_said_so(world, monkeypatch):
    (world.home / "packs").write_bytes(b"")
    world.simple()
    with pytest.raises(ResourceError, match="then run: mien packs pull demo"):
        packs.pull(["demo"])


def test_two_pulls_at_once_install_once(world):
    from mien.packs import store

    world.simple()
    code = (
        "from mien import packs\n"
        "new = packs.pull(['demo'], lambda now: print(now.step, flush=True))\n"
        "print(new, packs.installed())\n"
    )
    with store.locked("demo"):  # both must wait for this process
        both = [world.python(code) for _ in range(2)]
        for one in both:
            assert one.stdout.readline().strip() == Step.WAIT
    said = [one.communicate(timeout=60)[0].splitlines()[-1] for one in both]
    assert sorted(said) == ["['demo'] ['demo']", "[] ['demo']"]


@posix
def test_a_killed_pull_is_taken_up_by_the_next(world):
    joined(world, pip=True)
    code = (
        "import sys; from mien import packs\n"
        "def stop(now):\n"
        "    if now.step == 'unpack': print('unpacking', flush=True); sys.stdin.read()\n"
        "packs.pull(['demo'], stop)\n"
    )
    process = world.python(code)
    assert process.stdout.readline().strip() == "unpacking"
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    assert leftovers(world)  # it really was in the middle
    with pytest.raises(MissingError, match="not installed"):
        packs.path("demo")
    for wheel in world.wheels.iterdir():
        wheel.unlink()  # the finished downloads are enough
    assert packs.pull(["demo"]) == ["demo"]
    assert (packs.path("demo") / "model.onnx").read_bytes() == ONE + TWO
    assert not leftovers(world)


def test_an_unknown_name_pulls_nothing(world):
    world.simple()
    with pytest.raises(InputError, match="no pack 'nope'"):
        packs.pull(["demo", "nope"])
    assert packs.installed() == []

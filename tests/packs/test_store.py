from __future__ import annotations

import pytest

from mien import packs
from mien.errors import InputError, MissingError
from mien.packs import catalogue, store


def state(name="demo"):
    return store.state(catalogue.manifest(name))


def test_a_pack_that_is_not_there_says_how_to_get_it(world):
    world.simple()
    with pytest.raises(MissingError, match="pack 'demo' is not installed; run: mien packs pull demo"):
        packs.path("demo")
    with pytest.raises(InputError, match="did you mean 'demo'"):
        packs.path("demmo")


def test_a_pulled_pack_is_installed_and_can_be_removed(world):
    files = world.simple()
    packs.pull(["demo"])
    root = packs.path("demo")
    assert {p: (root / p).read_bytes() for p in files} == files
    assert packs.installed() == ["demo"]
    assert packs.remove("demo")
    assert not root.exists()
    assert not packs.remove("demo")
    assert state() is store.State.ABSENT


@pytest.mark.parametrize(
    "harm",
    [
        lambda root: (root / "model.onnx").unlink(),
        lambda root: (root / "model.onnx").write_bytes(b"short"),
        lambda root: (root / "pack.json").unlink(),
        lambda root: (root / "pack.json").write_text("{"),
        lambda root: (root / "pack.json").write_text("[1]"),
        lambda root: (root / "pack.json").write_bytes(b"\xff\xfe"),
    ],
)
def test_a_half_installed_pack_is_never_used(world, harm):
    world.simple()
    packs.pull(["demo"])
    harm(packs.path("demo"))
    with pytest.raises(MissingError, match="pack 'demo' is incomplete; run: mien packs pull demo"):
        packs.path("demo")
    assert packs.pull(["demo"]) == ["demo"]
    assert packs.path("demo")


def test_a_pack_of_another_version_is_outdated_and_replaced(world):
    world.simple(files={"a": b"one", "old": b"x"})
    packs.pull(["demo"])
    world.simple(files={"a": b"two"})
    assert state() is store.State.OUTDATED
    with pytest.raises(MissingError, match="outdated"):
        packs.path("demo")
    packs.pull(["demo"])
    assert sorted(p.name for p in packs.path("demo").iterdir()) == ["a", "pack.json"]


def test_a_replacement_killed_between_its_renames_is_undone(world):
    world.simple()
    packs.pull(["demo"])
    root = packs.path("demo")
    root.rename(root.with_name(".demo.old"))
    assert state() is store.State.ABSENT
    with store.locked("demo"):
        assert state() is store.State.INSTALLED
    assert not root.with_name(".demo.old").exists()


def fail_while_staging(manifest):
    with store.staged(manifest) as stage:
        (stage / "model.onnx").write_bytes(b"x")
        raise RuntimeError


def test_an_error_while_staging_leaves_nothing(world):
    world.simple()
    with pytest.raises(RuntimeError):
        fail_while_staging(catalogue.manifest("demo"))
    assert list(store.packs_folder().iterdir()) == []

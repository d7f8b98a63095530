from __future__ import annotations

import io
import tarfile

import pytest

from mien import packs
from mien.errors import CorruptError, InputError, MissingError


@pytest.fixture
def bundle(world):
    """A bundle of `demo`, which is then removed."""
    world.simple()
    packs.pull(["demo"])
    file = packs.bundle(["demo"], world.root / "packs.tar")
    packs.remove("demo")
    return file


def rebuilt(bundle, change):
    """Write the bundle again with `change(member, data)` giving the members to put in each one's place."""
    out = bundle.with_name("changed.tar")
    with tarfile.open(bundle) as old, tarfile.open(out, "w") as new:
        for member in old:
            for info, data in change(member, old.extractfile(member).read()):
                new.addfile(info, io.BytesIO(data))
    return out


def named(name, data, **fields):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for key, value in fields.items():
        setattr(info, key, value)
    return info, data


def test_a_bundle_carries_everything_and_installs(world, bundle):
    with tarfile.open(bundle) as tar:
        names = tar.getnames()
        licences = tar.extractfile("LICENCES.txt").read().decode()
    assert names == [
        "manifests/demo.toml",
        "LICENCES.txt",
        "packs/demo/model.onnx",
        "packs/demo/sub/voice.bin",
    ]
    assert "CC0-1.0" in licences
    assert packs.install(bundle) == ["demo"]
    assert packs.verify(["demo"]) == []
    assert packs.install(bundle) == ["demo"]  # again, over itself


def test_the_same_packs_give_the_same_bytes(world, bundle):
    packs.install(bundle)
    (packs.path("demo") / "model.onnx").touch()
    again = packs.bundle(["demo"], world.root / "again.tar")
    assert again.read_bytes() == bundle.read_bytes()


def test_a_built_in_companion_travels_too(world):
    from mien.packs import catalogue

    assert set(catalogue.manifest("human").texts) == {"human.toml", "human-files.txt"}


def test_only_whole_packs_are_bundled(world):
    world.simple()
    out = world.root / "x.tar"
    with pytest.raises(MissingError, match="mien packs pull demo"):
        packs.bundle(["demo"], out)
    packs.pull(["demo"])
    (packs.path("demo") / "model.onnx").write_bytes(b"y" * 5000)
    with pytest.raises(CorruptError, match=r"demo: model\.onnx has sha256"):
        packs.bundle(["demo"], out)
    with pytest.raises(MissingError, match="no folder"):
        packs.bundle(["demo"], world.root / "nowhere" / "x.tar")
    assert not list(world.root.glob("*x.tar*"))


@pytest.mark.parametrize("share", [0.0, 0.05, 0.3, 0.4])
def test_a_truncated_bundle_installs_nothing(world, bundle, share):
    data = bundle.read_bytes()
    bundle.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(CorruptError, match=r"packs\.tar|bytes, expected"):
        packs.install(bundle)
    assert [p.name for p in (world.home / "packs").glob("*") if p.suffix != ".lock"] == []


HOSTILE = {
    "a name that climbs": (
        lambda m, d: [named("packs/demo/../../../evil", d) if m.name.endswith("onnx") else (m, d)],
        "in no manifest",
    ),
    "a file too many": (lambda m, d: [(m, d), named(m.name + ".py", b"x")], "in no manifest"),
    "a file twice": (lambda m, d: [(m, d), (m, d)], "in no manifest"),
    "a symbolic link": (
        lambda m, d: [named(m.name, b"", type=tarfile.SYMTYPE, linkname="/etc/passwd")],
        "is not a plain file",
    ),
    "a hard link": (
        lambda m, d: [named(m.name, b"", type=tarfile.LNKTYPE, linkname="LICENCES.txt")],
        "is not a plain file",
    ),
    "a device": (lambda m, d: [named(m.name, b"", type=tarfile.CHRTYPE)], "is not a plain file"),
    "too many bytes": (lambda m, d: [named(m.name, d + bytes(10**6))], "is longer than its"),
    "other bytes": (lambda m, d: [named(m.name, bytes(len(d)))], "has sha256"),
    "a file cut short": (lambda m, d: [named(m.name, d[:-1])], "is cut short"),
    "a file left out": (lambda m, d: [] if m.name.endswith("onnx") else [(m, d)], "is missing"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_bundle_installs_nothing(world, bundle, name):
    change, said = HOSTILE[name]
    hostile = rebuilt(bundle, lambda m, d: change(m, d) if m.name.startswith("packs/") else [(m, d)])
    with pytest.raises(CorruptError, match=said):
        packs.install(hostile)
    assert [p.name for p in (world.home / "packs").iterdir() if p.suffix != ".lock"] == []
    assert not list(world.root.rglob("evil"))


def test_a_bundle_cut_between_two_packs_installs_neither(world, bundle):
    world.simple("other", {"a": b"1"})
    packs.pull(["demo", "other"])
    both = packs.bundle(["demo", "other"], world.root / "both.tar")
    packs.remove("demo")
    cut = rebuilt(both, lambda m, d: [] if m.name.startswith("packs/other") else [(m, d)])
    with pytest.raises(CorruptError, match="packs/other is missing"):
        packs.install(cut)
    assert packs.installed() == ["other"]


def test_a_bundle_of_another_version_says_so(world, bundle):
    world.simple(files={"model.onnx": b"new" * 1000, "sub/voice.bin": b"voice" * 100})
    with pytest.raises(InputError, match=r"holds demo of another version .* make it again"):
        packs.install(bundle)
    assert packs.installed() == []


def test_a_bundle_whose_manifest_differs_only_in_its_sources_installs(world, bundle):
    manifest = world.home / "manifests" / "demo.toml"
    manifest.write_text(manifest.read_text().replace("demo-origin", "elsewhere"))
    assert packs.install(bundle) == ["demo"]


def test_a_pack_that_this_mien_does_not_know_is_refused(world, bundle):
    (world.home / "manifests" / "demo.toml").rename(world.home / "manifests" / "demos.toml")
    with pytest.raises(InputError, match="'demo' that this mien does not know; did you mean 'demos'"):
        packs.install(bundle)


def test_a_hostile_bundle_leaves_the_installed_pack_alone(world, bundle):
    packs.install(bundle)
    change = HOSTILE["other bytes"][0]
    hostile = rebuilt(bundle, lambda m, d: change(m, d) if m.name.startswith("packs/") else [(m, d)])
    with pytest.raises(CorruptError):
        packs.install(hostile)
    assert packs.verify(["demo"]) == []


def test_a_bundle_that_is_none(world):
    with pytest.raises(MissingError, match="mien packs bundle FILE"):
        packs.install(world.root / "none.tar")
    (world.root / "text.tar").write_text("not a tar at all")
    with pytest.raises(CorruptError, match=r"text\.tar is not a whole bundle"):
        packs.install(world.root / "text.tar")

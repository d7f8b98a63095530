"""Environments that are broken on purpose: each is found, named, and given the right fix."""

from mien.check import Place, Status
from mien.check.probes import packs

from .expected import found


def test_no_packs(tmp_path, monkeypatch):
    monkeypatch.setenv("MIEN_HOME", str(tmp_path))
    found(packs.packs(Place()), Status.FAILED, "voice-joe", "mien packs pull core listen")


def test_a_pack_with_a_flipped_bit(tmp_path, monkeypatch):
    monkeypatch.setenv("MIEN_HOME", str(tmp_path))
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "tiny.toml").write_text(
        'title = "t"\nversion = "1"\nlicence = "CC0-1.0"\norigin = "here"\n[[parts]]\n'
        f'files = [{{ path = "a", size = 1, sha256 = "{"0" * 64}" }}]\n'
        'sources = [{ archives = [{ file = "x" }] }]\n'
    )
    from mien.packs import catalogue, store

    folder = tmp_path / "packs" / "tiny"
    folder.mkdir(parents=True)
    (folder / "a").write_text("b")
    store.write_receipt(catalogue.manifest("tiny"), folder)
    found(packs.packs(Place()), Status.FAILED, "not what their hashes say: tiny/a", "mien packs pull tiny")
    (folder / "a").unlink()
    found(packs.packs(Place()), Status.FAILED, "tiny is incomplete", "mien packs pull tiny")

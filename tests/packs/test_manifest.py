from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.errors import CorruptError, InputError, MissingError
from mien.packs import catalogue
from mien.packs.manifest import load, safe_path

HEAD = 'title = "t"\nversion = "1"\nlicence = "CC0"\norigin = "o"\n'
FILE = f'{{path = "a", size = 1, sha256 = "{"0" * 64}"}}'
GOOD = f'{HEAD}[[parts]]\nfiles = [{FILE}]\n[[parts.sources]]\narchives = [{{file = "/x"}}]\n'


@pytest.mark.parametrize("name", ["voice-joe", "kokoro", "human", "faces", "samples"])
def test_every_built_in_manifest_is_whole(name):
    manifest = catalogue.manifest(name)
    assert manifest.files
    assert all([manifest.title, manifest.version, manifest.licence, manifest.origin])
    for part in manifest.parts:
        for source in part.sources:
            assert all(a.sha256 or a.kind in ("huggingface", "file") for a in source.archives)


def test_the_companion_file_lists_what_a_human_needs():
    paths = {file.path for file in catalogue.manifest("human").files}
    assert "mpfb2/3dobjs/base.obj" in paths
    assert len([p for p in paths if p.startswith("faceunits01/targets/faceunits/")]) >= 52


def test_a_joined_file_names_its_pieces_in_order():
    (source,) = catalogue.manifest("kokoro").parts[0].sources
    pieces = source.pieces("kokoro-v1.0.int8.onnx")
    assert [piece.split("/")[0][-1] for piece in pieces] == ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("licence", "licens"), "unknown key 'licens'; did you mean 'licence'?"),
        (('title = "t"\n', ""), "'title' is missing"),
        (("0" * 64, "0" * 63), "64 hex digits"),
        (("size = 1", "size = -1"), "size in bytes"),
        (('file = "/x"', 'ftp = "/x"'), "an archive needs one of pypi, npm, huggingface, file"),
        (('file = "/x"', 'pypi = "x", version = "1"'), "'sha256' is missing"),
        (("[[parts]]", "[[parts"), "is not TOML"),
        ((FILE, f"{FILE}, {FILE}"), "lists a twice"),
    ],
)
def test_a_manifest_that_is_not_right_says_where(tmp_path, change, said):
    file = tmp_path / "demo.toml"
    file.write_text(GOOD.replace(*change))
    with pytest.raises(InputError, match=r"demo\.toml") as caught:
        load(file)
    assert said in str(caught.value)


def test_a_companion_that_is_missing_is_named(tmp_path):
    file = tmp_path / "demo.toml"
    file.write_text(GOOD.replace(f"[{FILE}]", '"demo.txt"'))
    with pytest.raises(MissingError, match=r"demo\.txt is not there"):
        load(file)


def test_the_digest_follows_the_files_and_not_the_sources(tmp_path):
    digests = []
    for number, text in enumerate([GOOD, GOOD.replace("/x", "/y"), GOOD.replace("size = 1", "size = 2")]):
        file = tmp_path / f"m{number}.toml"
        file.write_text(text)
        digests.append(load(file).digest)
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.parametrize(
    "path", ["", ".", "/etc/x", "../x", "a/../../x", "a\\b", "C:x", "a//b", "./a", "a/", "x\0", "pack.json"]
)
def test_an_unsafe_path_is_refused(path):
    with pytest.raises(CorruptError, match="unsafe file name"):
        safe_path(path)


@given(st.text(alphabet=string.ascii_letters + "./\\:", max_size=12))
def test_a_path_that_is_taken_stays_inside(text):
    import posixpath

    try:
        path = safe_path(text)
    except CorruptError:
        return
    assert posixpath.normpath(posixpath.join("/root", path)).startswith("/root/")

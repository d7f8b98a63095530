import os

import pytest

from mien.avatar.build.person import parse_person
from mien.bench.timed import files, matrix
from mien.choose import constraints
from mien.contents import contents, parse_json, parse_toml
from mien.errors import CorruptError, InputError, MissingError, ResourceError
from mien.face.formats import a2f
from mien.measure.phones import read_phones
from mien.persona import spec
from mien.speech.text.lexicon import Lexicon
from mien.speech.voices import piper_config


def test_a_file_is_read(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    assert contents(tmp_path / "a") == b"abc"


@pytest.mark.parametrize("name", ["a", "file/a"])
def test_a_missing_file_is_named_with_what_to_do(tmp_path, name):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(MissingError, match=rf"no lexicon .*{name}; create it"):
        contents(tmp_path / name, "lexicon", "create it")


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(ResourceError, match="is a directory"):
        contents(tmp_path)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_says_so(tmp_path):
    (tmp_path / "a").write_bytes(b"")
    (tmp_path / "a").chmod(0)
    with pytest.raises(ResourceError, match="permission denied"):
        contents(tmp_path / "a")


def test_json_and_toml_say_what_is_in_them():
    assert parse_json(b'{"a": [1]}') == parse_toml(b"a = [1]") == {"a": [1]}


@pytest.mark.parametrize("parse", [parse_json, parse_toml])
def test_bytes_that_are_no_text_are_a_value_error(parse):
    with pytest.raises(ValueError, match="utf-8"):
        parse(b'"\xc3')


@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 5_000], ids=["nested", "long number"])
@pytest.mark.parametrize(
    ("read", "start", "name"),
    [
        (a2f.read, "", "x.json"),
        (read_phones, "", "x.json"),
        (files.read, "", "x.json"),
        (matrix.read, "", "x.json"),
        (lambda file: piper_config.read(file.with_suffix("")), "", "x.onnx.json"),
        (Lexicon.load, "", "x.json"),
        (Lexicon.load, "a = ", "x.toml"),
        (constraints.read, "cores = ", "x.toml"),
        (spec.read, "name = ", "x.toml"),
        (lambda file: parse_person(file.read_text(), "x"), "age = ", "x.toml"),
    ],
)
def test_hostile_files_of_people_are_refused_in_words(tmp_path, read, start, name, text):
    file = tmp_path / name
    file.write_text(start + text)
    with pytest.raises((CorruptError, InputError), match=r"JSON|TOML|matrix"):
        read(file)

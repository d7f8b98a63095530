import pytest

from mien.errors import InputError, MissingError
from mien.persona import spec

GOOD = 'language = "en"\navatar = "ava"\n[voice]\nkind = "piper"\nname = "joe"\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("MIEN_PERSONAS", str(tmp_path))
    return tmp_path


def test_the_shipped_personas_can_be_read():
    assert {"ava", "joe", "xiaoxiao"} <= set(spec.names())
    for name in spec.names():
        assert spec.read(name).name == name


def test_a_user_folder_comes_first(folder):
    (folder / "ava.toml").write_text(GOOD.replace('"ava"', '"mine"'))
    assert spec.read("ava").avatar == "mine"


def test_a_path_is_read(tmp_path):
    file = tmp_path / "clinic.toml"
    file.write_text(GOOD)
    assert spec.read(str(file)).name == "clinic"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("titel = 'x'\n" + GOOD, "no key titel; did you mean 'title'"),
        (GOOD + "[manners]\nenergie = 1\n", "no key manners.energie; did you mean 'energy'"),
        (GOOD + "[manners]\nenergy = 3\n", "a number from 0 to 1"),
        (GOOD + "[manners]\nemotion = 'hapy'\n", "did you mean 'happy'"),
        (GOOD.replace('avatar = "ava"\n', ""), "'avatar' is missing"),
        ("voice = 3\nlanguage = 'en'\navatar = 'ava'\n", "must be a table"),
        ("= 3", "not valid TOML"),
        (GOOD + "[voices.chinese]\nkind = 'piper'\n", "voices.chinese: no language"),
        (GOOD + "[voices]\nzh = 3\n", "'voices.zh' must be a table, written as [voices.zh]"),
        (GOOD + "[voices.zh]\nvolume = 'loud'\n", "volume is 'loud'"),
        ("volume = 'loud'\n" + GOOD, "volume is 'loud'; it must be a number from -40 to 20"),
    ],
)
def test_a_wrong_file_is_an_error_that_names_it(folder, text, says):
    (folder / "wrong.toml").write_text(text)
    with pytest.raises(InputError) as error:
        spec.read("wrong")
    assert says in str(error.value)
    assert "wrong.toml" in str(error.value)
    assert "\n" not in str(error.value)


def test_an_unknown_persona_names_the_nearest():
    with pytest.raises(MissingError, match="did you mean 'xiaoxiao'"):
        spec.read("xiaoxio")


@pytest.mark.parametrize("line", ["title = {}", "background = 7", "[manners]\nenergy = true"])
def test_a_value_of_another_kind_is_told(tmp_path, line):
    voice = 'voice = {kind = "piper", name = "joe"}\n'
    (tmp_path / "a.toml").write_text(f'language = "en"\navatar = "joe"\n{voice}{line}\n')
    with pytest.raises(InputError, match="it must be"):
        spec.read(tmp_path / "a.toml")

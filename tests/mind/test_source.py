import pytest

from mien.errors import InputError, MissingError
from mien.mind import source


def read(tmp_path, text):
    file = tmp_path / "a.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return source.read(file)


def test_entries_know_their_lines_and_scalars_stay_as_written(tmp_path):
    table = read(tmp_path, "no: yes\nlist:\n  - a\n  - 012\n").table("it")
    assert table["no"].text("no") == "yes"
    assert [(each.text("x"), each.place.line) for each in table["list"].entries("list")] == [
        ("a", 3),
        ("012", 4),
    ]


def test_an_empty_file_is_an_empty_table(tmp_path):
    assert read(tmp_path, "# nothing\n").table("it") == {}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: 1\nb: [1, 2\n", "a.yaml:3: not valid YAML"),
        ("a: what: is\n", "a.yaml:1: not valid YAML (mapping values are not allowed here); put texts"),
        ("a: 1\na: 2\n", "a.yaml:2: 'a' is here twice"),
        ("a: &x 1\nb: *x\n", "a.yaml:2: '*' refers"),
        ("a: 1\n\tb: 2\n", "a.yaml:2: not valid YAML"),
        (b"a: 1\nb: \xff\n", "a.yaml:2: this line is not UTF-8"),
        ("a: 1\n---\nb: 2\n", "a.yaml:2: not valid YAML"),
        ("a: !!python/object:os.system x\n? [b]\n: c\n", "a.yaml:2: a key must be a word"),
        ("[" * 4000, "nested too deeply"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path, text, says):
    with pytest.raises(InputError) as error:
        read(tmp_path, text)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "ask", "says"),
    [
        ("k: 1", lambda e: e.table("it", ["key"]), ":1: it has no key 'k'"),
        ("- 1", lambda e: e.table("it"), "must be a table"),
        ("k: [a]", lambda e: e.table("it")["k"].text("k"), "must be one text"),
        ("k:", lambda e: e.table("it")["k"].text("k"), "k is empty"),
        ("k: x", lambda e: e.table("it")["k"].number("k", 0, 9), "a number from 0 to 9"),
        ("k: nan", lambda e: e.table("it")["k"].number("k", 0, 9), "a number from 0 to 9"),
        ("k: rigt", lambda e: e.table("it")["k"].choice("k", ["right"]), "did you mean 'right'"),
        ("k: {a: b}", lambda e: e.table("it")["k"].entries("k"), "must be a list"),
    ],
)
def test_a_wrong_kind_of_entry_says_what_to_write(tmp_path, text, ask, says):
    entry = read(tmp_path, text)
    with pytest.raises(InputError, match=says.replace("(", r"\(")):
        ask(entry)


def test_too_large_and_missing_files(tmp_path):
    with pytest.raises(MissingError, match="no file of a mind"):
        source.read(tmp_path / "b.yaml")
    with pytest.raises(InputError, match="split it"):
        read(tmp_path, b"#" * (source.MAX_BYTES + 1))

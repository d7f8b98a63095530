import io
import sys

import pytest


@pytest.fixture(autouse=True)
def home(monkeypatch, request):
    """Vectors are kept between tests, apart from mien's own cache."""
    monkeypatch.setenv("MIEN_HOME", str(request.config.cache.mkdir("home")))
    monkeypatch.delenv("MIEN_PERSONAS", raising=False)


def test_new_test_and_chat(run, monkeypatch):
    code, out, _ = run("persona", "new", "clinic")
    assert code == 0
    assert out.endswith("edit these, then: mien persona test clinic\n")
    code, out, _ = run("persona", "test", "clinic")
    assert code == 0
    assert "examples found by the others" in out
    monkeypatch.setattr(
        sys, "stdin", io.StringIO("can I book an appointment\nThursday\nAnna\nyes\n\n转人工\n")
    )
    code, out, _ = run("persona", "chat", "clinic")
    assert code == 0
    assert "Thursday, for Anna. Is that right?" in out
    assert "(a human takes over: hand_over)" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["test", "ava"], "ava has no mind; make a persona with one: mien persona new NAME"),
        (["chat", "bnak"], "no persona 'bnak'; did you mean 'bank'?"),
        (["new", "My Clinic"], "can not be a persona's name"),
    ],
)
def test_what_can_not_be_done_is_one_line(run, words, says):
    code, _, err = run("persona", *words)
    assert code == 1
    assert says in err
    assert err.count("\n") == 1


def test_an_error_in_a_file_names_its_line(run, tmp_path):
    run("persona", "new", "clinic")
    file = tmp_path / "clinic" / "mind" / "manners.yaml"
    file.write_text(file.read_text("utf-8").replace("patience:", "patiense:"), "utf-8")
    code, _, err = run("persona", "test", "clinic")
    assert code == 1
    assert "manners.yaml:9: manners.yaml has no key 'patiense'; did you mean 'patience'?" in err


@pytest.mark.parametrize("name", ["", "..", "a/b", "/tmp/x", "诊所", "1st", "-x-", "a" * 60, "a\nb"])
def test_names_that_can_not_be_write_nothing(run, tmp_path, name):
    code, _, err = run("persona", "new", "--", name)
    assert (code, err.count("\n")) == (1, 1)
    assert "can not be a persona's name" in err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_stays_as_it_is(run, tmp_path):
    (tmp_path / "clinic").mkdir()
    code, _, err = run("persona", "new", "clinic")
    assert (code, err.count("\n")) == (1, 1)
    assert "is there already" in err
    assert list((tmp_path / "clinic").iterdir()) == []


def test_a_folder_that_can_not_be_written_is_one_line(run, tmp_path):
    (tmp_path / "file").write_text("no folder")  # as root nothing is read-only
    code, _, err = run("persona", "new", "clinic", "--folder", str(tmp_path / "file" / "in"))
    assert (code, err.count("\n")) == (1, 1)
    assert "file" in err


def test_a_broken_toml_is_one_line(run, tmp_path):
    run("persona", "new", "clinic")
    file = tmp_path / "clinic" / "persona.toml"
    file.write_text("title = [\n" + file.read_text("utf-8"), "utf-8")
    code, _, err = run("persona", "test", "clinic")
    assert (code, err.count("\n")) == (1, 1)
    assert "persona.toml" in err


def test_examples_that_are_too_near_are_shown(run, tmp_path):
    run("persona", "new", "clinic")
    file = tmp_path / "clinic" / "mind" / "intents.yaml"
    twice = "\nother:\n  examples:\n    en: [may I book an appointment, please book an appointment]\n"
    again = '    zh: [我要预约看病, 帮我预约一下看病]\n  answer: {en: ["No."], zh: ["不。"]}\n'
    file.write_text(file.read_text("utf-8") + twice + again, "utf-8")
    code, out, _ = run("persona", "test", "clinic")
    assert code == 0  # left out, an example may be confused also where all is well
    assert "reword what is too near, then test again" in out
    assert "please book" in out
    assert "预约" in out

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

import pytest

from mien.errors import InputError, MissingError
from mien.mind import embedding, folder, scaffold
from mien.mind.rehearsal import rehearse
from mien.mind.understand import Understander
from mien.persona import spec


def test_a_new_persona_runs_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setenv("MIEN_PERSONAS", str(tmp_path))
    own = scaffold.new("eye-clinic", tmp_path)
    persona = spec.read("eye-clinic")
    assert (persona.name, persona.title) == ("eye-clinic", "Eye Clinic")
    content = folder.read(persona.mind)
    assert content.topics["appointment"].slots[0].options
    assert content.languages == ("en", "zh")
    assert "eye-clinic" in spec.names()
    with pytest.raises(InputError, match="is there already"):
        scaffold.new("eye-clinic", own.parent)


@pytest.mark.parametrize("name", ["", "A", "../x", "a b", "a/b", "x" * 60])
def test_a_name_that_is_none(tmp_path, name):
    with pytest.raises(InputError, match="can not be a persona's name"):
        scaffold.new(name, tmp_path)


def test_examples_that_say_the_same_are_found(tmp_path, minds):
    (tmp_path / "intents.yaml").write_text(
        "pay:\n  examples: [I want to pay my bill, pay the bill please, settle my invoice, pay my bill now]\n"
        "  answer: Gladly.\n"
        "bill:\n  examples: [I want to pay the bill, send the bill by post]\n  answer: Yes.\n"
    )
    content = folder.read(tmp_path)
    found = rehearse(content, Understander(content, embedding.shared(), minds))
    assert {near.topics for near in found.near} >= {("pay", "bill")}
    assert ("bill", "en", 2) in found.few
    assert sum(found.counts("pay").values()) == 4
    assert {trial.outcome for trial in found.trials} <= {"right", "asks", "unknown", "wrong"}
    assert any("bill" in pair for pair in found.confused())


def test_the_banks_topics_stand_apart(bank):
    found = rehearse(*bank)
    assert found.few == ()
    right = sum(trial.outcome == "right" for trial in found.trials)
    assert right >= 0.55 * len(found.trials)


def test_a_persona_without_a_mind_is_told_so(tmp_path):
    with pytest.raises(MissingError, match="no mind"):
        folder.read(tmp_path / "mind")

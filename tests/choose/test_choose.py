import json

import pytest
from click.testing import CliRunner
from tests.bench.timed.conftest import made

from mien.bench.timed import files
from mien.bench.timed.files import Report
from mien.choose import Constraints, choose, constraints
from mien.choose.figures import Figures
from mien.choose.filters import reasons
from mien.choose.options import KINDS, Option, options, parse
from mien.cli.choose import command
from mien.errors import CorruptError, InputError

NONE = Figures()


def names(stack):
    return {part.kind: part.name for part in stack.parts}


def test_the_usual_wishes_have_a_stack_that_holds_them():
    best = choose(Constraints(), NONE).stacks[0]
    assert names(best) == {
        "voice": "piper-joe",
        "recogniser": "tiny-en",
        "mind": "folder",
        "renderer": "browser",
    }
    assert best.answer_ms == 187
    assert best.sessions >= 1


@pytest.mark.parametrize(
    ("wish", "out", "why"),
    [
        ({"language": "zh"}, "piper-joe", "knows en, not zh"),
        (
            {"offline": True, "words_may_go": "anywhere", "budget_per_hour": 9.0},
            "provider",
            "needs a network",
        ),
        ({"words_may_go": "network", "offline": False}, "provider", "whoever runs the service"),
        ({"client": "browser-without-webgl"}, "browser", "shows a face in: browser"),
        ({"knowledge": "open"}, "folder", "open answers are wanted"),
        ({"licence": "no-copyleft"}, "piper-joe", "GPL"),
        ({"use": "film", "client": "film"}, "gl", "needs a GPU"),
        ({"memory_gb": 1.0}, "kokoro-en", None),
        ({"offline": False, "words_may_go": "anywhere"}, "provider", "costs about 0.2"),
    ],
)
def test_each_constraint_leaves_out_what_does_not_hold_it(wish, out, why):
    found = choose(Constraints(**wish), NONE)
    held = {part.name for stack in found.stacks for part in stack.parts}
    assert out not in held
    excluded = {option.name: "; ".join(told) for option, told in found.excluded}
    assert why is None or why in excluded[out]
    assert all(not reasons(part, Constraints(**wish)) for stack in found.stacks for part in stack.parts)


def test_what_parts_do_not_hold_together_is_told():
    found = choose(Constraints(language="zh", sessions=8), NONE)
    assert not found.stacks
    assert any("8 are wanted" in reason for reason in found.failing[0].against)
    assert choose(Constraints(language="zh", sessions=8, cores=16, memory_gb=16.0), NONE).stacks
    slow = choose(Constraints(answer_ms=100.0), NONE)
    assert all("ms, 100 are allowed" in "; ".join(stack.against) for stack in slow.failing)


def test_no_option_of_a_kind_is_told():
    found = choose(Constraints(language="xx"), NONE)
    assert found.empty == ["voice", "mind"]
    assert not found.stacks


def test_what_was_not_measured_ranks_last_and_is_told():
    wish = Constraints(knowledge="open", words_may_go="network", offline=False)
    stack = choose(wish, NONE).stacks[0]
    assert stack.answer_ms is None
    assert any("what it adds to an answer" in word for word in stack.unknown)


def test_own_figures_go_before_shipped_ones(tmp_path):
    result = made("say")
    result.add("Piper, English: first sound", "ms", [33.0] * 5)
    talk = made("live")
    talk.add("last voiced sample to first sound", "ms", [412.0] * 5)
    files.write(Report("x", [result, talk], environment={"processor": "A fast one"}), tmp_path / "r.json")
    best = choose(Constraints(), Figures(tmp_path / "r.json")).stacks[0]
    figures = dict(best.figures)
    assert figures["Piper, the voice joe: first_sound_ms"].value == 33
    assert "measured here: A fast one" in figures["Piper, the voice joe: first_sound_ms"].whence
    assert not figures["Whisper tiny.en: words_ms"].own
    # Kokoro's 188 ms are another machine's: what was measured here goes before it
    assert (names(best)["voice"], best.answer_ms, best.own) == ("piper-joe", 412, True)


def test_data_is_whole_and_wrong_data_is_refused():
    assert {each.kind for each in options()} == set(KINDS)
    for each in options():
        assert all((each.title, each.licence, each.take))
        assert all(figure.how in ("run", "inferred") and figure.source for figure in each.measured.values())
    with pytest.raises(CorruptError, match="did you mean 'licence'"):
        parse("voice", "x", {"title": "x", "license": "MIT"}, {})
    bad = {"title": "x", "measured": {"a": {"value": 1, "machine": "none"}}}
    with pytest.raises(CorruptError, match="figures can not be read"):
        parse("voice", "x", bad, {})
    assert isinstance(parse("voice", "x", {"title": "x"}, {}), Option)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('langage = "en"', "did you mean 'language'"),
        ("cores = 2.5", "write a whole number"),
        ('use = "talks"', "did you mean 'talk'"),
        ("offline = 1", "write true or false"),
        ("sessions = 0", "write a larger number"),
        ("= 1", "is no TOML"),
    ],
)
def test_wrong_constraints_are_refused(tmp_path, text, told):
    (tmp_path / "c.toml").write_text(text)
    with pytest.raises(InputError, match=told):
        constraints.read(tmp_path / "c.toml")


def test_the_example_is_a_file_of_the_usual_constraints(tmp_path):
    done = CliRunner().invoke(command, ["--example"])
    (tmp_path / "c.toml").write_text(done.output)
    assert constraints.read(tmp_path / "c.toml") == Constraints()


def test_the_command(tmp_path):
    (tmp_path / "c.toml").write_text('language = "en"\nanswer_ms = 300\n')
    done = CliRunner().invoke(command, [str(tmp_path / "c.toml")], catch_exceptions=False)
    assert done.exit_code == 0
    for words in ("piper", "because", "not known", "Left out", "next: mien bench all"):
        assert words in done.output
    told = CliRunner().invoke(command, [str(tmp_path / "c.toml"), "--json"])
    assert json.loads(told.output)["stacks"][0]["parts"]["voice"] == "piper-joe"
    (tmp_path / "c.toml").write_text("sessions = 500\n")
    none = CliRunner().invoke(command, [str(tmp_path / "c.toml")])
    assert none.exit_code == 1
    assert "loosen a constraint" in none.output
    assert "no terminal to ask on" in CliRunner().invoke(command, []).output

import pytest

from mien.errors import InputError, MissingError
from mien.mind import folder
from mien.mind.intents import address

TOPIC = "pay:\n  examples: [I want to pay]\n  answer: Gladly.\n"
FORM = """\
pay:
  examples: [I want to pay, 我要付款]
  slots:
    sum:
      kind: number
      least: 1
      most: 500
      ask: How much?
  confirm: "{sum}?"
  action:
    url: https://bank.example/{sum}
    gives: {rest: account.rest}
  answer: "{sum} paid, {rest} left."
"""


def read(tmp_path, **files):
    for name, text in files.items():
        path = (
            tmp_path
            / {"intents": "intents.yaml", "manners": "manners.yaml", "facts": "knowledge/facts.md"}[name]
        )
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return folder.read(tmp_path)


def test_a_form_is_read(tmp_path):
    topic = read(tmp_path, intents=FORM).topics["pay"]
    assert topic.examples == {"en": ("I want to pay",), "zh": ("我要付款",)}
    assert (topic.slots[0].least, topic.slots[0].most) == (1, 500)
    assert topic.action.gives == {"rest": "account.rest"}
    assert topic.answer.of("zh") == ("{sum} paid, {rest} left.",)


def test_knowledge_is_headings_with_ways_to_ask_and_an_answer(tmp_path):
    content = read(
        tmp_path,
        facts="# Title\n<!-- a\nnote -->\n## When?\n- At what time?\n\nAt *nine*,\nor ten.\n\nOr never.\n",
    )
    (topic,) = content.of_kind("knowledge")
    assert topic.examples == {"en": ("When?", "At what time?")}
    assert topic.answer.of("en") == ("At *nine*, or ten.\n\nOr never.",)
    assert content.languages == ("en",)


def test_own_manners_are_laid_over_miens(tmp_path):
    content = read(tmp_path, intents=TOPIC, manners="unknown: What?\ntone: happy 0.2\n")
    assert content.manners.phrases["unknown"].of("en") == ("What?",)
    assert content.manners.phrases["welcome"].of("zh")
    assert content.manners.tone.strength == 0.2
    assert content.topics["thanks"].kind == "small_talk"


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"intents": "pay:\n  answer: x\n"}, "intents.yaml:1: pay has no 'examples'"),
        (
            {"intents": TOPIC + "  answr: x\n"},
            "intents.yaml:4: pay has no key 'answr'; did you mean 'answer'",
        ),
        ({"intents": TOPIC.replace("Gladly.", "'{sum}'")}, "intents.yaml:3: nothing fills {sum}"),
        ({"intents": TOPIC.replace("Gladly.", "'[hapy] x'")}, "did you mean 'happy'"),
        ({"intents": TOPIC.replace("Gladly.", "'[happy 3] x'")}, "outside 0 to 1"),
        ({"intents": TOPIC + "  confirm: Right?\n"}, "intents.yaml:4: pay confirms, but asks for nothing"),
        ({"intents": TOPIC + "  then: hand_ovr\n"}, "did you mean 'hand_over'"),
        (
            {"intents": FORM.replace("kind: number", "kind: numbr")},
            "intents.yaml:5: sum: kind can not be 'numbr'",
        ),
        ({"intents": FORM.replace("kind: number", "kind: choice").replace("500", "50")}, "needs 'options:'"),
        ({"intents": FORM.replace("least: 1\n", "least: 900\n")}, "swap them"),
        (
            {"intents": FORM.replace("/{sum}", "/{som}")},
            "intents.yaml:11: no slot 'som' fills {som}; did you mean",
        ),
        ({"intents": FORM.replace("https://", "ftp://")}, "must begin with http://"),
        ({"intents": FORM.replace("      ask: How much?\n", "")}, "slot sum has no 'ask'"),
        ({"intents": FORM.replace("{sum} paid", "{sum|loud} paid")}, "no way to write 'loud'"),
        ({"intents": TOPIC, "manners": "unknwn: x\n"}, "did you mean 'unknown'"),
        ({"intents": TOPIC, "manners": "clarify: '{third}'\n"}, "nothing fills {third}"),
        ({"intents": TOPIC, "manners": "tone: merry 1\n"}, "write it as 'tone: happy 0.3'"),
        ({"intents": TOPIC.replace("pay", "thanks", 1)}, "'thanks' is here twice"),
        ({"facts": "text\n"}, "facts.md:1: text before the first heading"),
        ({"facts": "# A\n\n## Q?\n- R?\n"}, "facts.md:3: 'Q?' has no answer"),
        ({"manners": "patience: 2\n"}, "knows nothing"),
    ],
)
def test_what_is_wrong_is_named_with_its_file_and_line(tmp_path, files, says):
    with pytest.raises(InputError) as error:
        read(tmp_path, **files)
    assert says in str(error.value)


def test_a_stray_file_and_a_missing_folder(tmp_path):
    (tmp_path / "intent.yml").write_text(TOPIC)
    with pytest.raises(InputError, match=r"intent\.yml is not read"):
        read(tmp_path, intents=TOPIC)
    with pytest.raises(MissingError, match="mien persona new"):
        folder.read(tmp_path / "none")


def test_an_address_takes_its_variables_from_the_environment(monkeypatch):
    monkeypatch.setenv("PLACE", "http://here")
    assert address("${PLACE}/a/${NOT_SET_AT_ALL}") == "http://here/a/${NOT_SET_AT_ALL}"

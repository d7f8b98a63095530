from __future__ import annotations

import pytest

from mien.speech.text import breaths

CASES = {
    "# Title\n\nText.": ["Title.", "Text."],
    "Some **bold**, *italic*, __strong__, ~~gone~~ and `code`.": [
        "Some bold, italic, strong, gone and code."
    ],
    "A snake_case name.": ["A snake case name."],
    "See [the docs](http://x.y/z_a_b) and ![a cat](c.png).": ["See the docs and a cat."],
    "[![badge](a)](b) Hello.": ["badge Hello."],
    "A fact [1] and another[^2].": ["A fact and another."],
    "[^2]: http://x.y\n\nHello.": ["Hello."],
    "[Note]: this matters.": ["Note: this matters."],
    "- one\n- two\n* three": ["one.", "two.", "three"],
    "1. First\n2) Second": ["one, First.", "two, Second"],
    "- [ ] open\n- [x] done": ["open.", "done"],
    "Before\n```python\nprint('no')\n```\nAfter": ["Before.", "After"],
    "Before\n~~~\nno\n```\nno\n~~~\nAfter": ["Before.", "After"],
    "```\nunclosed\nHello": None,
    "| Name | Age |\n|------|----:|\n| Bob | 42 |": ["Name, Age.", "Bob, forty two."],
    "> quoted\n> text": ["quoted text"],
    "Above\n\n---\n\nBelow": ["Above.", "Below"],
    "a<br>b <b>c</b> <!-- no\nno --> d": ["a b c d"],
    "Hello. <!-- never closed": ["Hello."],
    "Fish &amp; chips &lt;3 &#65; &hearts;": ["Fish and chips <three A"],
    "Great 😀👍🏽 work 👨‍👩‍👧 1️⃣!": ["Great work one!"],
    r"Not \*bold\* here": ["Not *bold* here"],
    "3 * 4 is 12": ["three times four is twelve"],
    "hard\nwrapped\ntext": ["hard wrapped text"],
    "An [unclosed bracket, see": ["An unclosed bracket, see"],
    "x < y and y > z": ["x is less than y and y is greater than z"],
    "-5 degrees": ["negative five degrees"],
    "#1 fan": ["number one fan"],
    "© 2026 Acme™": ["copyright twenty twenty six Acme trademark"],
}


@pytest.mark.parametrize(("text", "spoken"), CASES.items())
def test_what_is_heard_of_markdown(text: str, spoken: list[str] | None) -> None:
    if spoken is None:
        with pytest.raises(Exception, match="nothing to speak"):
            breaths(text, language="en")
    else:
        assert " ".join(breath.text for breath in breaths(text, language="en")) == " ".join(spoken)

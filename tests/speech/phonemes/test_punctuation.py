import pytest

from mien.speech.phonemes.punctuation import clauses, final_mark, leading_mark


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One, two.", [("One", ","), ("two", ".")]),
        ("Really?!", [("Really", "?")]),
        ("Wait... what", [("Wait", "."), ("what", "")]),
        ("It is 3.5 at 10:30.", [("It is 3.5 at 10:30", ".")]),
        ('He (the "boss") left', [("He the boss left", "")]),
        ("你好，世界。", [("你好", ","), ("世界", ".")]),
        ("a — b", [("a", ","), ("b", "")]),
        (", start", [("start", "")]),
        ("", []),
    ],
)
def test_clauses(text: str, expected: list[tuple[str, str]]) -> None:
    assert list(clauses(text)) == expected


def test_marks_at_the_edges() -> None:
    assert (leading_mark("，然后"), leading_mark("then,"), final_mark("好。 "), final_mark("ok")) == (
        ",",
        "",
        ".",
        "",
    )

import pytest

from mien.speech.listening.error_rate import edits, error_rate


@pytest.mark.parametrize(
    ("reference", "heard", "language", "rate"),
    [
        ("It was, it WAS.", "it was it was", "en", 0.0),
        ("one two three four", "one too three", "en", 0.5),
        ("don't", "dont", "en", 0.0),
        ("你好，世界", "你好世间", "zh", 0.25),
        ("", "", "en", 0.0),
        ("", "you", "en", 1.0),
        ("a b", "", "en", 1.0),
    ],
)
def test_rates(reference, heard, language, rate):
    assert error_rate(reference, heard, language) == rate


def test_edits_of_a_known_pair():
    assert edits("kitten", "sitting") == 3

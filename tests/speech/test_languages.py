import pytest

from mien.speech.languages import base


@pytest.mark.parametrize(
    ("tag", "plain"),
    [("en", "en"), ("en-GB", "en"), ("pt_BR", "pt"), ("zh-CN", "zh"), ("cmn", "zh"), ("", "")],
)
def test_a_language_without_its_region(tag, plain):
    assert base(tag) == plain

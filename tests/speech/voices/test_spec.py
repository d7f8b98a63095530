import pytest

from mien.errors import InputError
from mien.speech.voices.spec import parse


def test_equal_tables_are_equal_specs():
    assert parse({"kind": "piper", "name": "joe", "speaker": 1}) == parse(
        {"speaker": 1, "name": "joe", "kind": "piper"}
    )


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"name": "joe"}, "'kind' is missing; valid: kokoro, openai, piper"),
        ({"kind": "piperr", "name": "joe"}, "no kind 'piperr'; did you mean 'piper'"),
        ({"kind": "piper", "nam": "joe"}, "piper has no key 'nam'; did you mean 'name'"),
        ({"kind": "kokoro"}, "either 'name' or 'path'"),
        ({"kind": "kokoro", "name": "af_sky", "path": "x.bin"}, "either 'name' or 'path'"),
        ({"kind": "piper", "name": ["joe"]}, r"name is \['joe'\]"),
        ({"kind": ["piper"], "name": "joe"}, "no kind"),
    ],
)
def test_wrong_tables_say_what_is_wrong(table, message):
    with pytest.raises(InputError, match=message):
        parse(table)

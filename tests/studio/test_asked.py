"""What a page may ask for."""

import json

import pytest

from mien.errors import InputError
from mien.studio import asked


def test_a_wish_is_read(pack):
    wish = asked.read('{"generation": 3, "values": {"like": "joe", "age": 50}, "pose": "smile", "yaw": -20}')
    assert wish.generation == 3
    assert wish.person.clothes == asked.person({"like": "joe"}).clothes
    assert wish.view == asked.View("smile", -20.0, "studio")


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ("", "not JSON"),
        ("[" * 60_000, "not JSON"),
        ("[]", "no JSON object"),
        ({"value": {}}, "no key 'value'; did you mean 'values'?"),
        ({"generation": "1"}, "generation is '1'"),
        ({"values": [1]}, "values are [1]"),
        ({"values": {"age": 1e400}}, "age is inf"),
        ({"pose": "smil"}, "no pose 'smil'; did you mean 'smile'?"),
        ({"yaw": 90}, "yaw is 90 degrees"),
        ({"yaw": None}, "yaw is None"),
        ({"background": "/etc/passwd"}, "no background '/etc/passwd'"),
        ({"background": "#12"}, "'#12' is no colour"),
    ],
)
def test_what_can_not_be_is_refused_in_one_line(pack, sent, said):
    with pytest.raises(InputError) as refused:
        asked.read(sent if isinstance(sent, str) else json.dumps(sent))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)

import json

from mien.live.waterfall import Waterfall


def test_stages_come_in_the_order_in_which_they_were_reached():
    waterfall = Waterfall(3, 10.0)
    reached = {"pause": 10.1, "words": 10.2, "sound": 10.25, "endpoint": 10.24, "sent": 10.26}
    for stage, at in reached.items():
        waterfall.mark(stage, at)
    waterfall.mark("pause", 99.0)
    assert json.loads(json.dumps(waterfall.table())) == {
        "turn": 3,
        "ms": {"pause": 100.0, "words": 200.0, "endpoint": 240.0, "sound": 250.0, "sent": 260.0},
    }
    lines = waterfall.picture().splitlines()
    assert [line.split()[0] for line in lines] == ["pause", "words", "endpoint", "sound", "sent"]
    assert lines[-1].endswith("260 ms")
    assert round(waterfall.answered_s or 0.0, 3) == 0.26


def test_a_turn_without_sound_has_no_figure():
    assert Waterfall(1, 0.0).answered_s is None
    assert Waterfall(1, 0.0).picture() == ""

from mien.engine.pareto import Trial, draw, front

TRIALS = [
    Trial("source", 0, 0.0, 100.0, 4_000_000),
    Trial("int8", 0, 5.0, 50.0, 1_000_000),
    Trial("mixed", 2, 2.0, 60.0, 1_500_000, chosen=True),
    Trial("worse", 3, 3.0, 70.0, 1_600_000),
]


def test_the_front_is_what_nothing_beats():
    assert [t.name for t in front(TRIALS)] == ["int8", "mixed", "source"]
    assert [t.name for t in front(TRIALS, higher_is_better=True)] == ["int8"]


def test_a_plan_without_a_number_is_never_on_the_front():
    assert front([Trial("broken", 0, float("nan"), 1.0, 1), TRIALS[0]]) == [TRIALS[0]]


def test_trials_survive_json():
    odd = Trial("odd", 0, float("inf"), 1.0, 1)
    assert Trial.from_json(odd.to_json()) == odd
    assert odd.to_json()["value"] == "inf"


def test_the_picture_is_drawn(tmp_path):
    draw([*TRIALS, Trial("broken", 0, float("nan"), 40.0, 1)], "log-mel", 2.5, tmp_path / "p.png")
    from PIL import Image

    with Image.open(tmp_path / "p.png") as image:
        assert image.size == (1000, 620)
        colors = {color for _, color in image.convert("RGB").getcolors(1 << 20)}
    assert {(0xC0, 0x39, 0x2B), (0x2C, 0x5F, 0x8A), (0x9D, 0xB8, 0xD2)} <= colors

import numpy as np

from mien.speech.voices.pauses import kept_frames, pauses


def level(*parts: tuple[float, int]) -> np.ndarray:
    return np.concatenate([np.full(count, db, np.float32) for db, count in parts])


def test_finds_pauses_but_not_closures() -> None:
    assert pauses(level((-90, 10), (-20, 100), (-90, 15), (-20, 100), (-90, 40), (-20, 60), (-90, 4))) == (
        (0, 10),
        (225, 265),
        (325, 329),
    )


def test_noise_is_silence_too() -> None:
    assert pauses(level((-20, 200), (-45, 60), (-20, 200))) == ((200, 260),)


def test_a_click_does_not_end_a_pause() -> None:
    assert pauses(level((-20, 100), (-90, 30), (-30, 2), (-90, 30), (-20, 100))) == ((100, 162),)


def test_an_even_sound_has_no_pause() -> None:
    assert pauses(level((-30, 300))) == ()
    assert pauses(np.zeros(0, np.float32)) == ()


def test_edges_of_a_pause_are_kept() -> None:
    kept = kept_frames(100, ((20, 60),))
    assert len(kept) == 100 - 40 + 12
    assert {25, 54} <= set(kept)
    assert 40 not in kept

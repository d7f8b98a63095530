from mien.audio.pcm import Pcm
from mien.face.pose import FaceTrack
from mien.live.events import Committed, Interrupted, Listening, Stopped, Stretch
from mien.live.subtitles import Subtitles
from mien.live.waterfall import Waterfall

HZ = 1000


def sound(start, length, text="", turn=1):
    return Stretch(turn, start, length, FaceTrack.empty(), Pcm.silence(length / HZ, HZ), turn, text)


def silence(start, length):
    return Stretch(0, start, length, FaceTrack.empty())


def shown(*outputs):
    subtitles = Subtitles(HZ, 100)
    for output in outputs:
        subtitles.take(output)
    return [(each.start_s, each.end_s, each.text) for each in subtitles.captions()]


def test_both_are_shown_while_they_speak():
    said = [Listening(50, 0.0), Stopped(150), Committed(1, "When?", "en")]
    told = [
        sound(2000, 500, "At nine."),
        sound(2500, 500),
        sound(3000, 400, "Every day."),
        silence(3400, 100),
    ]
    assert shown(*said, *told) == [(0.5, 1.5, "– When?"), (2.0, 3.0, "At nine."), (3.0, 3.4, "Every day.")]


def test_of_an_answer_that_was_cut_only_what_was_heard_is_shown():
    cut = [silence(2600, 100), Interrupted(1, 2600, "At nine. Every", 0.6, Waterfall(1, 0.0))]
    told = [
        sound(2000, 500, "At nine."),
        sound(2500, 500, "Every day of the week."),
        sound(3000, 300, "Yes."),
    ]
    assert shown(*told, *cut) == [(2.0, 2.5, "At nine."), (2.5, 2.6, "Every –")]


def test_nothing_is_shown_of_what_nobody_heard():
    cut = [silence(1990, 100), Interrupted(1, 1990, "", 0.0, Waterfall(1, 0.0))]
    assert shown(sound(2000, 500, "At nine."), *cut) == []


def test_an_answer_that_goes_on_after_a_cough_is_shown_whole():
    held = [silence(2300, 400), sound(2700, 300)]
    assert shown(sound(2000, 800, "At nine, every day."), *held) == [(2.0, 3.0, "At nine, every day.")]


def test_a_caption_gives_way_to_the_next():
    said = [Listening(240, 0.0), Stopped(290), Committed(2, "Sorry.", "en")]
    told = [sound(2000, 500, "At nine."), silence(2500, 100)]
    assert shown(*told, *said) == [(2.0, 2.4, "At nine."), (2.4, 2.9, "– Sorry.")]


def test_a_line_that_began_too_late_to_be_heard_is_not_shown():
    cut = [silence(2600, 100), Interrupted(1, 2600, "At", 0.6, Waterfall(1, 0.0))]
    assert shown(sound(2000, 500, "At nine."), sound(2500, 500, "Every day."), *cut) == [(2.0, 2.5, "At –")]

import numpy as np

from mien.speech.listening import Models
from mien.speech.listening.utterance import SEGMENT


def test_the_longest_sound_is_heard_before_anybody_speaks():
    heard = []

    class Recogniser:
        def hear(self, samples):
            heard.append(samples)

    models = Models(None, None, Recogniser())
    try:
        models.warm()
    finally:
        models.close()
    (sound,) = heard
    assert sound.shape == (SEGMENT,)
    assert sound.dtype == np.float32

import numpy as np
import pytest

import mien.engine
from mien import packs
from mien.errors import MissingError
from mien.speech.voices import parts


def test_the_parts_of_all_voices_have_names():
    assert {"joe/vocoder", "joe/text", "kokoro/speech"} <= set(parts.names())
    with pytest.raises(MissingError, match=r"no part 'joe/vocal'.*did you mean 'joe/vocoder'"):
        parts.find("joe/vocal")


def test_a_part_loads_by_its_name_and_is_batched():
    if "voice-joe" not in packs.installed():
        pytest.skip("the pack voice-joe is not installed")
    with mien.engine.load("joe/vocoder") as vocoder:
        latent = np.random.default_rng(0).standard_normal((2, 192, 12)).astype(np.float32)
        both = vocoder.run(latent=latent)["audio"]
        alone = [vocoder.run(latent=latent[i : i + 1])["audio"] for i in range(2)]
        np.testing.assert_allclose(both, np.concatenate(alone), atol=1e-5)
        vocoder.warm_up(latent=latent[:1])
        assert vocoder.unbatched == ""

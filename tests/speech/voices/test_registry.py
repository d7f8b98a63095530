import pytest

from mien.errors import InputError, MissingError
from mien.speech import voices

from . import small_piper

pytestmark = pytest.mark.usefixtures("engines_aside")


def test_equal_tables_share_a_voice_and_speakers_share_a_model(tmp_path):
    path = str(small_piper.write(tmp_path, 2))
    ann = voices.load({"kind": "piper", "path": path, "speaker": "ann"})
    assert voices.load({"path": path, "kind": "piper", "speaker": "ann"}) is ann
    bob = voices.load({"kind": "piper", "path": path, "speaker": "bob"})
    assert bob is not ann
    assert bob._model is ann._model


def test_an_unknown_voice_names_the_nearest():
    with pytest.raises(MissingError, match="no Piper voice 'jo'; did you mean 'joe'"):
        voices.load({"kind": "piper", "name": "jo"})


def test_a_pack_that_is_not_there_says_how_to_get_it():
    with pytest.raises(MissingError, match="mien packs pull kokoro"):
        voices.load({"kind": "kokoro", "name": "af_nova"})


def test_a_path_that_is_not_there_is_missing():
    with pytest.raises(MissingError, match="nowhere"):
        voices.load({"kind": "piper", "path": "nowhere.onnx"})


def test_a_wrong_table_is_an_input_error():
    with pytest.raises(InputError, match="no kind"):
        voices.load({"kind": "parrot"})


@pytest.mark.parametrize(
    ("path", "error"), [("~nobody-of-that-name/v.onnx", MissingError), ("a\0b.onnx", InputError)]
)
def test_a_path_that_can_not_be_is_told(path, error):
    with pytest.raises(error):
        voices.load({"kind": "piper", "path": path})

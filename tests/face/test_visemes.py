import logging

import numpy as np
import pytest

from mien.face.pose import ARKIT_INDEX
from mien.face.visemes import visemes_of

JAW, PUCKER = ARKIT_INDEX["jawOpen"], ARKIT_INDEX["mouthPucker"]
SMILE, STRETCH = ARKIT_INDEX["mouthSmileLeft"], ARKIT_INDEX["mouthStretchLeft"]


def shape(symbol: str) -> np.ndarray:
    return visemes_of(symbol)[0].weights


@pytest.mark.parametrize("symbol", ["p", "b", "m", "pʰ", "mː", "m̩", "pʲ", "b̥"])
def test_bilabials_with_any_mark_close_the_lips(symbol):
    assert [v.hold for v in visemes_of(symbol)] == ["bilabial"]


@pytest.mark.parametrize("symbol", ["f", "v", "ʋ", "vʲ", "pf"])
def test_labiodentals_bite(symbol):
    assert visemes_of(symbol)[-1].hold == "labiodental"


@pytest.mark.parametrize(
    "symbol",
    [
        "s",
        "z",
        "ts",
        "tsʰ",
        "t͡s",
        "dz",
        "ʃ",
        "ʦ",
        "ʣ",
        "tʃ",
        "t͡ʃ",
        "ʧ",
        "dʒ",
        "ɕ",
        "tɕ",
        "tɕʰ",
        "ʂ",
        "ʈʂ",
        "ʈʂʰ",
        "ʐ",
    ],
)
def test_sibilants_close_the_teeth(symbol):
    assert visemes_of(symbol)[0].hold == "sibilant"
    assert shape(symbol)[JAW] <= 0.06


@pytest.mark.parametrize(
    ("symbol", "names"),
    [
        ("aɪ", ["open", "near_close_front"]),
        ("I", ["open", "near_close_front"]),
        ("oʊ", ["close_mid_back_rounded", "near_close_back"]),
        ("iɛn", ["close_front", "open_mid_front", "alveolar"]),
        ("aɪə", ["open", "near_close_front", "central"]),
        ("ɥ", ["labiovelar"]),
    ],
)
def test_a_symbol_may_pass_through_several_shapes(symbol, names):
    assert [v.name for v in visemes_of(symbol)] == names


def test_shapes_order_as_in_a_mouth():
    assert shape("ɑ")[JAW] > shape("ɛ")[JAW] > shape("i")[JAW]
    assert min(shape(s)[PUCKER] for s in "uywoø") > 0.4 > shape("ɹ")[PUCKER] > shape("a")[PUCKER] == 0
    assert min(shape(s)[SMILE] + shape(s)[STRETCH] for s in "ie") > 0.4


def test_every_shape_is_within_its_limits():
    symbols = "pbmfvʋθðtdnszlɹrʃʒjkɡŋxhwɥɕʑʂʐɻʈɖɳɭɟcɲʎçʝqɢχʁħʕɦʔɸβɬɮɾɽʙʀaɑɒæɐʌɛœɔɜɞəɵɘɤoøeɪʏʊiyɨʉɯuɝɚᵻ"
    for symbol in symbols:
        (viseme,) = visemes_of(symbol)
        assert viseme.weights.min() >= 0
        assert viseme.weights.max() <= 1
        assert viseme.dominance.min() > 0


def test_unknown_symbols_become_neutral_and_are_logged_once(caplog):
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert visemes_of("☃")[0].name == "central"
    assert caplog.text.count("☃") == 1


def test_letters_outside_the_alphabet_use_their_base_letter():
    assert visemes_of("é")[0].name == "close_mid_front"
    assert visemes_of("ï")[0].name == "close_front"
    assert visemes_of("5")[0].name == "central"

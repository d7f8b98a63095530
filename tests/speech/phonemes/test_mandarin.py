import pytest

from mien.errors import InputError
from mien.speech.phonemes import mandarin


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("他在银行工作", "ta1 zai4 yin2 hang2 gong1 zuo4"),
        ("行走在路上", "xing2 zou3 zai4 lu4 shang4"),
        ("重庆很重要", "chong2 qing4 hen3 zhong4 yao4"),
        ("他长大了", "ta1 zhang3 da4 le5"),
        ("这个长度", "zhe4 ge5 chang2 du4"),
        ("了解", "liao2 jie3"),
        ("他跑得快", "ta1 pao3 de5 kuai4"),
        ("取得成功", "qu3 de2 cheng2 gong1"),
        ("他得去", "ta1 dei3 qu4"),
        ("你还好吗", "ni3 hai2 hao3 ma5"),
        ("他还钱了", "ta1 huan2 qian2 le5"),
        ("还书", "huan2 shu1"),
        ("慢慢地走", "man4 man4 de5 zou3"),
        ("土地", "tu3 di4"),
        ("睡着了", "shui4 zhao2 le5"),
        ("银行行长", "yin2 hang2 hang2 zhang3"),
    ],
)
def test_polyphones(text: str, spoken: str) -> None:
    assert " ".join(mandarin.readings(text)) == spoken


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("你好", "ni2 hao3"),
        ("我很好", "wo2 hen2 hao3"),
        ("展览馆", "zhan2 lan2 guan3"),
        ("小老虎", "xiao3 lao2 hu3"),
        ("不是", "bu2 shi4"),
        ("不好", "bu4 hao3"),
        ("好不好", "hao3 bu5 hao3"),
        ("不得了", "bu4 de2 liao3"),
        ("一个人", "yi2 ge4 ren2"),
        ("一天", "yi4 tian1"),
        ("一年", "yi4 nian2"),
        ("第一名", "di4 yi1 ming2"),
        ("看一看", "kan4 yi5 kan4"),
        ("二零二一年", "er4 ling2 er4 yi1 nian2"),
        ("星期一", "xing1 qi1 yi1"),
        ("统一", "tong3 yi1"),
        ("谢谢", "xie4 xie5"),
    ],
)
def test_sandhi(text: str, spoken: str) -> None:
    assert " ".join(mandarin.readings(text)) == spoken


@pytest.mark.parametrize(
    ("text", "ipa"), [("花儿", "xwa→ɚ"), ("一点儿", "i↘tjɛ↓ɚ"), ("女儿", "ny↓ɚ↗"), ("儿子", "ɚ↗ʦɨ")]
)
def test_erhua(text: str, ipa: str) -> None:
    assert mandarin.transcribe(text) == ipa


def test_words_are_parted_and_the_rest_left_out() -> None:
    assert mandarin.transcribe("欢迎, 银行 ABC") == "xwa→ni↗ŋ i↗nxa↗ŋ"


def test_pinyin_is_taken_as_it_is() -> None:
    assert mandarin.transcribe_pinyin("chong2 qing4") == "ꭧʰʊ↗ŋʨʰi↘ŋ"
    with pytest.raises(InputError, match="empty"):
        mandarin.transcribe_pinyin("  ")

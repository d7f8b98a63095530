from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.speech.text.normalise import normalise

ENGLISH = {
    "It costs $12.50 today.": "It costs twelve dollars and fifty cents today.",
    "$1,200.50": "one thousand two hundred dollars and fifty cents",
    "$0.99": "ninety nine cents",
    "$3.5 million": "three point five million dollars",
    "$5-10": "five dollars to ten dollars",
    "€3.50": "three euros and fifty cents",
    "3/4/2026": "March fourth, twenty twenty six",
    "2026-11-30": "November thirtieth, twenty twenty six",
    "March 4, 2026": "March fourth, twenty twenty six",
    "Dr. Smith lives at 221B Baker St.": "Doctor Smith lives at two hundred twenty one B Baker Street.",
    "St. John": "Saint John",
    "at 10:30am": "at ten thirty A M",
    "at 10 a.m. sharp": "at ten A M sharp",
    "12:05": "twelve oh five",
    "12:00": "twelve o'clock",
    "20%": "twenty percent",
    "1,500 people": "one thousand five hundred people",
    "3.14": "three point one four",
    "+1 (555) 010-9999": "plus one, five five five, zero one zero, nine nine nine nine",
    "555-0199": "five five five, zero one nine nine",
    "50km/h": "fifty kilometers per hour",
    "100m": "one hundred meters",
    "e.g. this": "for example, this",
    "2nd": "second",
    "in 1999": "in nineteen ninety nine",
    "the 1990s": "the nineteen nineties",
    "1939–1945": "nineteen thirty nine to nineteen forty five",
    "10-20 people": "ten to twenty people",
    "-5°C": "negative five degrees Celsius",
    "24/7": "twenty four seven",
    "v1.2.3": "version one point two point three",
    "#1": "number one",
    "World War II": "World War two",
    "https://www.example.com/a-b?x=1": "example dot com slash a dash b",
    "joe@example.com": "joe at example dot com",
    "see example.com.": "see example dot com.",
    "5 + 3 = 8": "five plus three equals eight",
    "the U.S. economy": "the U S economy",
    '"5" apples': '"five" apples',
}
CHINESE = {
    "¥1,200.50": "一千二百元五角",
    "价格是1,234,567元": "价格是一百二十三万四千五百六十七元",
    "3月4日下午3点": "三月四日下午三点",
    "2026-11-30": "二零二六年十一月三十日",
    "100㎡": "一百平方米",
    "电话13800138000": "电话幺三八零零幺三八零零零",
    "010-62345678": "零幺零，六二三四五六七八",
    "1999年": "一九九九年",
    "20%": "百分之二十",
    "３．１４": "三点一四",
    "10:30": "十点三十分",
    "第2名": "第二名",
    "2个": "两个",
    "-5℃": "负五摄氏度",
    "25-30岁": "二十五到三十岁",
    "$20": "二十美元",
    "男/女": "男或女",
}


@pytest.mark.parametrize(("written", "spoken"), ENGLISH.items())
def test_english(written: str, spoken: str) -> None:
    assert normalise(written, "en") == spoken


@pytest.mark.parametrize(("written", "spoken"), CHINESE.items())
def test_chinese(written: str, spoken: str) -> None:
    assert normalise(written, "zh") == spoken


def test_british_dates_begin_with_the_day() -> None:
    assert normalise("3/4/2026", "en-gb").startswith("the third of april")


def test_other_languages_pass_through() -> None:
    assert normalise("Das kostet 12,50 €.", "de") == "Das kostet 12,50 €."


@given(st.text(max_size=40), st.sampled_from(["en", "zh"]))
def test_nothing_breaks_the_normaliser(text: str, language: str) -> None:
    assert isinstance(normalise(f"5 {text}", language), str)


@given(st.integers(0, 10**9), st.sampled_from(["en", "zh"]))
def test_no_digit_is_left(number: int, language: str) -> None:
    assert not any(map(str.isdigit, normalise(f"{number}", language)))

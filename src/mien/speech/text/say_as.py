"""SSML's `<say-as>`: text of a stated kind → words (https://www.w3.org/TR/ssml-sayas/)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from mien.errors import InputError, nearest
from mien.speech.languages import base
from mien.speech.text.english_words import MONTHS
from mien.speech.text.normalise import normalise

_DIGITS = {
    "en": "zero one two three four five six seven eight nine".split(),
    "zh": list("零一二三四五六七八九"),
    "phone-zh": list("零幺二三四五六七八九"),
}
_SIGNS = {
    "en": {
        ".": "dot",
        "-": "dash",
        "_": "underscore",
        "@": "at",
        "/": "slash",
        "\\": "backslash",
        ":": "colon",
        "+": "plus",
        "#": "hash",
        "*": "star",
        "&": "and",
        "%": "percent",
        "$": "dollar",
        ",": "comma",
        "!": "exclamation mark",
        "?": "question mark",
        "=": "equals",
    },
    "zh": {
        ".": "点",
        "-": "杠",
        "_": "下划线",
        "@": "艾特",
        "/": "斜杠",
        ":": "冒号",
        "+": "加号",
        "#": "井号",
        "*": "星号",
    },
}
_CURRENCIES = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CNY": "元", "RMB": "元"}
_FORMATS = frozenset("mdy dmy ymd md dm ym my y m d yyyymmdd".split())


def say_as(text: str, kind: str, form: str, language: str) -> str:
    """Return the words for `text` read as `kind` (`interpret-as`) with `form` (`format`).

    Raises `InputError` for a kind that is not known or a text that is not of its kind.
    """
    name = kind.strip().lower()
    if name not in _KINDS:
        raise InputError(f"interpret-as {kind!r} is unknown{nearest(name, _KINDS)}")
    return _KINDS[name](text, form.strip().lower(), language)


def _number(text: str, what: str) -> str:
    digits = re.sub(r"[,\s]", "", text)
    if not re.fullmatch(r"[+-]?\d{1,15}(\.\d{1,15})?", digits):
        raise InputError(f"{text!r} is not a number; a {what} holds digits only")
    return digits


def _cardinal(text: str, _: str, language: str) -> str:
    digits = _number(text, "cardinal")
    if base(language) != "en":
        return normalise(digits, language)
    whole, dot, rest = digits.partition(".")
    return normalise(f"{int(whole):,}{dot}{rest}", language)


def _ordinal(text: str, _: str, language: str) -> str:
    digits = re.sub(r"(?i)(st|nd|rd|th)$", "", text.strip().removeprefix("第"))
    value = int(float(_number(digits, "ordinal")))
    if base(language) == "zh":
        return normalise(f"第{value}", language)
    if base(language) != "en":
        return f"{value}."
    return normalise(f"{value}{suffix(value)}", language)


def suffix(value: int) -> str:
    """Return the ending of an English ordinal in digits."""
    if 10 <= value % 100 <= 20:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")


def _characters(text: str, _: str, language: str) -> str:
    digits, signs = _DIGITS.get(base(language), []), _SIGNS.get(base(language), {})
    spoken = []
    for char in text:
        if char.isspace():
            continue
        spoken.append(digits[int(char)] if digits and char in "0123456789" else signs.get(char, char.upper()))
    return " ".join(spoken)


def _digits(text: str, _: str, language: str) -> str:
    if not re.search(r"\d", text):
        raise InputError(f"{text!r} has no digits")
    return _characters(re.sub(r"[^\d.+-]", "", text), "", language)


def _telephone(text: str, _: str, language: str) -> str:
    if not re.search(r"\d", text):
        raise InputError(f"{text!r} is not a telephone number; it has no digits")
    names = _DIGITS.get({"zh": "phone-zh"}.get(base(language), base(language)), list("0123456789"))
    plus = {"en": "plus ", "zh": "加"}.get(base(language), "+") if "+" in text else ""
    groups = [" ".join(names[int(d)] for d in group) for group in re.findall(r"[0-9]+", text)]
    comma, joint = ("，", "") if base(language) == "zh" else (", ", " ")
    return plus + comma.join(group.replace(" ", joint) for group in groups)


def _date(text: str, form: str, language: str) -> str:
    form = form or ("ymd" if re.match(r"\d{4}", text) else "mdy")
    if form not in _FORMATS:
        raise InputError(f"date format {form!r} is unknown{nearest(form, _FORMATS)}")
    order = "ymd" if form == "yyyymmdd" else form
    compact = re.fullmatch(r"(\d{4})(\d\d)(\d\d)", text)
    parts = list(compact.groups()) if compact else re.findall(r"[0-9]+", text)
    if len(parts) != len(order):
        raise InputError(f"{text!r} does not have the {len(order)} numbers of the date format {form!r}")
    date = {key: int(part) for key, part in zip(order, parts, strict=True)}
    if not 1 <= date.get("m", 1) <= 12 or not 1 <= date.get("d", 1) <= 31:
        raise InputError(f"{text!r} is no date in the format {form!r}; month is 1 to 12, day 1 to 31")
    return _chinese_date(date, language) if base(language) == "zh" else _other_date(date, text, language)


def _chinese_date(date: Mapping[str, int], language: str) -> str:
    units = (("y", "年"), ("m", "月"), ("d", "日"))
    return normalise("".join(f"{date[key]}{unit}" for key, unit in units if key in date), language)


def _other_date(date: Mapping[str, int], text: str, language: str) -> str:
    if base(language) != "en":
        return text
    month = MONTHS[date["m"] - 1] if "m" in date else ""
    day = normalise(f"{date['d']}{suffix(date['d'])}", language) if "d" in date else ""
    year = normalise(f"in {date['y']}", language).removeprefix("in ") if "y" in date else ""
    words = " ".join(filter(None, (month, day)))
    return ", ".join(filter(None, (words, year))) if day else " ".join(filter(None, (words, year)))


def _time(text: str, _: str, language: str) -> str:
    match = re.fullmatch(r"(\d{1,2})[:：h](\d\d)(?:[:：](\d\d))?\s*([aApP]\.?[mM]\.?)?", text)
    if not match or int(match[1]) > 24 or int(match[2]) > 59 or int(match[3] or 0) > 59:
        raise InputError(f"{text!r} is not a time; write it as 14:05 or 2:05 pm")
    return normalise(text.replace("：", ":"), language)


def _currency(text: str, _: str, language: str) -> str:
    code = next((c for c in _CURRENCIES if c in text.upper()), "")
    amount = re.sub(r"(?i)" + code, "", text).strip() if code else text
    if not re.search(r"\d", amount):
        raise InputError(f"{text!r} is not an amount of money; write it as $12.50 or USD 12.50")
    sign = _CURRENCIES.get(code, "")
    return normalise(f"{amount}元" if sign == "元" else f"{sign}{amount}", language)


def _fraction(text: str, _: str, language: str) -> str:
    if not re.fullmatch(r"(?:\d{1,6}[\s+])?\d{1,6}\s*/\s*0*[1-9]\d{0,5}", text):
        raise InputError(f"{text!r} is not a fraction; write it as 2/3 or 1 1/2")
    return normalise(re.sub(r"\s*/\s*", "/", text).replace("+", " "), language)


def _unit(text: str, _: str, language: str) -> str:
    if not re.search(r"\d", text):
        raise InputError(f"{text!r} has no number; write the unit as 10 kg")
    return normalise(text, language)


_KINDS: Mapping[str, Callable[[str, str, str], str]] = {
    "cardinal": _cardinal,
    "number": _cardinal,
    "ordinal": _ordinal,
    "digits": _digits,
    "characters": _characters,
    "spell-out": _characters,
    "verbatim": _characters,
    "date": _date,
    "time": _time,
    "telephone": _telephone,
    "currency": _currency,
    "fraction": _fraction,
    "unit": _unit,
}

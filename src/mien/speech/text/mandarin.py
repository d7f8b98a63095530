"""What Mandarin writes and wetext misreads, brought into a form that it reads."""

from __future__ import annotations

import re
from collections.abc import Callable

from mien.speech.text.addresses import spoken_addresses

Rule = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]

_FULLWIDTH = {
    code: code - 0xFEE0 for code in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))
}
_SIGNS = {
    ord("％"): "%",
    ord("￥"): "¥",
    ord("＄"): "$",
    ord("－"): "-",
    ord("．"): ".",
    ord("＋"): "+",
    ord("＝"): "=",
}
_PHONE_DIGITS = "零幺二三四五六七八九"
_UNITS = {
    "㎡": "平方米",
    "m²": "平方米",
    "m2": "平方米",
    "km²": "平方公里",
    "m³": "立方米",
    "㎥": "立方米",
    "㎏": "千克",
    "㎞": "公里",
    "㎝": "厘米",
    "㎜": "毫米",
}
_UNIT = "|".join(map(re.escape, _UNITS))


def before(text: str) -> str:
    """Return `text` with its money, telephone numbers, units and addresses in a form wetext reads."""
    text = text.translate(_FULLWIDTH | _SIGNS)
    text = spoken_addresses(text, dot="点", slash="斜杠", at="艾特", dash="杠", underscore="下划线")
    for pattern, spoken in _RULES:
        text = pattern.sub(spoken, text)
    return text


def _yuan(match: re.Match[str]) -> str:
    """`¥12.50` is 12元5角; with a magnitude or other fractions it is a number of 元."""
    whole, _, part = match["amount"].partition(".")
    if match["magnitude"] or len(part) not in (1, 2):
        return f"{match['amount']}{match['magnitude'] or ''}元"
    jiao, fen = part[0], part[1:] or "0"
    said = f"{whole}元" if int(whole) or not int(part) else ""
    said += f"{jiao}角" if jiao != "0" else "零" if fen != "0" and said else ""
    return said + (f"{fen}分" if fen != "0" else "")


def _phone(match: re.Match[str]) -> str:
    plus = "加" if match[0].startswith("+") else ""
    groups = re.findall(r"\d+", match[0])
    return plus + "，".join("".join(_PHONE_DIGITS[int(d)] for d in group) for group in groups)


def _years(match: re.Match[str]) -> str:
    first, last = ("".join("零一二三四五六七八九"[int(d)] for d in year) for year in match.groups())
    return f"{first}到{last}"


_RULES: tuple[Rule, ...] = (
    (re.compile(r"(?<=\d),(?=\d{3}(?!\d))"), ""),
    (re.compile(r"(?<![\d.+])\+\d{1,3}[ -]?\d{2,4}(?:[ -]?\d{3,4}){1,3}(?!\d)"), _phone),
    (
        re.compile(r"(?<![\d.-])(?:0\d{2,3}-\d{7,8}|[48]00-\d{3,4}-\d{3,4}|1[3-9]\d-\d{4}-\d{4})(?![\d-])"),
        _phone,
    ),
    (re.compile(r"¥ ?(?P<amount>\d+(?:\.\d+)?)(?P<magnitude>[万亿])?(?:元|块)?"), _yuan),
    (re.compile(r"(?<!\d)([12]\d{3})[-–—~～到至]([12]\d{3})(?=年|$|[，。；、])"), _years),
    (re.compile(rf"(?<=\d) ?({_UNIT})"), lambda match: _UNITS[match[1]]),
    (re.compile(r"(?<=\d)\s?[–—~～]\s?(?=\d)"), "到"),
    (re.compile(r"#(?=\d)"), "第"),
    (re.compile(r"第 ?2(?!\d)"), "第二"),
    (re.compile(r"(?<=[\u4e00-\u9fff])\s?&\s?(?=[\u4e00-\u9fff])"), "和"),
    (re.compile(r"(?<=[\u4e00-\u9fff])/(?=[\u4e00-\u9fff])"), "或"),
    (re.compile(r"\s?(?:→|->|=>)\s?"), "到"),
)

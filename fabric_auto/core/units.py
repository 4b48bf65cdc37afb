"""Quantities with units, as people write them and as devices want them.

Speeds are integers in Mb/s (CONFIG_DB ``PORT.speed``), lengths are integers in metres.
"""

import re
from typing import Final

_SPEED: Final = re.compile(r"([1-9]\d*(?:\.\d+)?)([GT])")
_LENGTH: Final = re.compile(r"(\d+(?:\.\d+)?)(m|km)")
_DURATION: Final = re.compile(r"(\d+)(s|m|min|h)")
_MBPS: Final = {"G": 1_000, "T": 1_000_000}
_METRES: Final = {"m": 1, "km": 1_000}
_SECONDS: Final = {"s": 1, "m": 60, "min": 60, "h": 3600}


def parse_speed(text: str) -> int:
    """Return a link speed in Mb/s.

    >>> parse_speed("400G"), parse_speed("1.6T")
    (400000, 1600000)

    Raises:
        ValueError: no unit, or not a speed.
    """
    match = _SPEED.fullmatch(text)
    if match is None:
        raise ValueError(f"`{text}` is not a speed; write it with its unit, like `400G`")
    return _whole(float(match[1]) * _MBPS[match[2]], text, "Mb/s")


def format_speed(mbps: int) -> str:
    """Spell a speed as people do.

    >>> format_speed(400000), format_speed(1600000), format_speed(2500)
    ('400G', '1600G', '2.5G')
    """
    return f"{mbps / 1_000:g}G"


def parse_length(text: str) -> int:
    """Return a cable length in whole metres.

    >>> parse_length("30m"), parse_length("31km"), parse_length("0.5km")
    (30, 31000, 500)

    Raises:
        ValueError: no unit, not a length, or not a whole number of metres.
    """
    match = _LENGTH.fullmatch(text)
    if match is None:
        raise ValueError(f"`{text}` is not a length; write it with its unit, like `30m` or `31km`")
    return _whole(float(match[1]) * _METRES[match[2]], text, "metres")


def format_length(metres: int) -> str:
    """Spell a length as people do.

    >>> format_length(30), format_length(31000)
    ('30m', '31km')
    """
    return f"{metres // 1_000}km" if metres and metres % 1_000 == 0 else f"{metres}m"


def parse_duration(text: str) -> int:
    """Return a duration in seconds.

    >>> parse_duration("300s"), parse_duration("10m")
    (300, 600)

    Raises:
        ValueError: no unit, or not a duration.
    """
    match = _DURATION.fullmatch(text)
    if match is None:
        raise ValueError(f"`{text}` is not a duration; write it with its unit, like `300s` or `10m`")
    return int(match[1]) * _SECONDS[match[2]]


def _whole(value: float, text: str, unit: str) -> int:
    if value != int(value):
        raise ValueError(f"`{text}` is not a whole number of {unit}")
    return int(value)

import pytest

from fabric_auto.core.units import parse_duration, parse_length, parse_speed


@pytest.mark.parametrize(
    ("text", "mbps"), [("100G", 100_000), ("400G", 400_000), ("800G", 800_000), ("1.6T", 1_600_000), ("2.5G", 2_500)]
)
def test_a_speed_is_mbps(text: str, mbps: int) -> None:
    assert parse_speed(text) == mbps


@pytest.mark.parametrize("text", ["400", "400g", "400 G", "0G", "-1G", "G", "1e3G", "400Gb", ""])
def test_what_is_no_speed_is_refused_with_its_text(text: str) -> None:
    with pytest.raises(ValueError, match=f"`{text}` is not a speed"):
        parse_speed(text)


@pytest.mark.parametrize(("text", "metres"), [("3m", 3), ("30m", 30), ("31km", 31_000), ("0.5km", 500)])
def test_a_length_is_whole_metres(text: str, metres: int) -> None:
    assert parse_length(text) == metres


@pytest.mark.parametrize("text", ["30", "30 m", "3ft", "m", "-3m", "0.5m", "1.2345km"])
def test_what_is_no_length_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a (length|whole)"):
        parse_length(text)


@pytest.mark.parametrize(("text", "seconds"), [("300s", 300), ("10m", 600), ("10min", 600), ("1h", 3600)])
def test_a_duration_is_seconds(text: str, seconds: int) -> None:
    assert parse_duration(text) == seconds

"""How long ``fabric-auto deploy`` waits; the numbers are those of architecture and of what a SONiC switch needs to reload."""

import pytest

from fabric_auto.cli.deployment import Windows, windows
from fabric_auto.errors import FabricAutoError
from fabric_auto.intent.project import Deploy
from fabric_auto.plan.model import Impact


@pytest.mark.parametrize(
    ("impact", "gate_s", "confirm_s", "expected"),
    [
        (Impact.HITLESS, None, None, Windows(90, 300)),
        (Impact.PORT_BOUNCE, None, None, Windows(90, 300)),
        (Impact.RELOAD, None, None, Windows(360, 600)),
        (Impact.RELOAD, 3, None, Windows(3, 600)),
        (Impact.RELOAD, None, 900, Windows(360, 900)),
        (Impact.HITLESS, 240, 300, Windows(240, 300)),
    ],
)
def test_what_is_not_stated_follows_from_the_worst_impact(
    impact: Impact, gate_s: int | None, confirm_s: int | None, expected: Windows
) -> None:
    assert windows(impact, gate_s, confirm_s) == expected


@pytest.mark.parametrize(
    ("impact", "gate_s", "confirm_s", "both"),
    [
        (Impact.HITLESS, 241, None, ("300 s", "241 s", "--confirm 301s")),
        (Impact.HITLESS, None, 100, ("100 s", "90 s", "--confirm 150s")),
        (Impact.RELOAD, None, 300, ("300 s", "360 s", "--confirm 420s")),
    ],
)
def test_a_change_that_would_revert_while_it_is_verified_is_refused_with_both_numbers(
    impact: Impact, gate_s: int | None, confirm_s: int | None, both: tuple[str, str, str]
) -> None:
    with pytest.raises(FabricAutoError) as caught:
        windows(impact, gate_s, confirm_s)
    assert caught.value.exit_code == 64
    assert both[0] in caught.value.message
    assert both[1] in caught.value.message
    assert both[2] in str(caught.value.help)


def test_a_project_that_says_nothing_of_the_window_has_not_stated_it() -> None:
    assert Deploy().confirm is None

"""The device state file: read back as written, refused when it is not one."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from fabric_auto.errors import FabricAutoError
from fabric_auto.plan.state import DeviceState
from fabric_auto.vendors.base import Ownership

STATE = DeviceState(
    device="east-leaf-01",
    nos="sonic",
    digest="ab" * 32,
    when=datetime(2026, 12, 1, 2, 30, tzinfo=UTC),
    ownership=Ownership(frozenset({("INTERFACE", "Ethernet0|*")}), frozenset({("PORT", "Ethernet0", "mtu")})),
    previous={("PORT", "Ethernet0", "mtu"): "9100", ("ACL_TABLE", "EDGE", "ports"): ("Ethernet0", "Ethernet8")},
)


def changed(**values: object) -> str:
    return json.dumps({**json.loads(STATE.dump()), **values})


def test_a_state_reads_back_as_it_was_written() -> None:
    assert DeviceState.load(STATE.dump()) == STATE


def test_the_file_says_its_format_and_the_time_in_utc() -> None:
    east = DeviceState("leaf", "sonic", "0" * 64, datetime(2026, 12, 1, 4, 30, tzinfo=timezone(timedelta(hours=2))))
    written = json.loads(east.dump())
    assert written["format_version"] == "1.0"
    assert written["when"] == "2026-12-01T02:30:00Z"


def test_a_later_minor_version_is_read_and_its_new_keys_are_ignored() -> None:
    assert DeviceState.load(changed(format_version="1.7", approved_by="somebody")) == STATE


def test_a_later_major_version_is_refused_as_unusable() -> None:
    with pytest.raises(FabricAutoError, match=r"format 2.0, this version reads 1.0") as caught:
        DeviceState.load(changed(format_version="2.0"))
    assert caught.value.exit_code == 4


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "document"),
        ("[]", "document"),
        (changed(device="../../etc/passwd"), "device"),
        (changed(nos="ios"), "nos"),
        (changed(digest="xyz"), "digest"),
        (changed(when="2026-12-01T02:30:00"), "when"),
        (changed(previous=[{"path": [], "value": "x"}]), "previous.0.path"),
        (changed(previous=[{"path": ["PORT", "Ethernet0", "mtu"], "value": {"a": 1}}]), "previous.0.value"),
        (changed(entries=[["PORT"]]), "document"),
        (changed(fields=[["PORT", "Ethernet0", "mtu", "deeper"]]), "document"),
    ],
)
def test_what_is_not_a_state_is_refused_with_the_place(text: str, where: str) -> None:
    with pytest.raises(FabricAutoError, match=f"the device state cannot be read: {where}"):
        DeviceState.load(text)

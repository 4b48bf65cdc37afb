"""A plan is refused when what is on the box would make it pointless."""

import json

import pytest

from fabric_auto.device.derive import derive
from fabric_auto.errors import FabricAutoError
from fabric_auto.plan.build import plan_device, read
from fabric_auto.plan.model import DevicePlan
from fabric_auto.vendors.registry import vendor
from tests.fabrics import fabric_of
from tests.strategies import Shape

LEAF = "east-leaf-01"


def planned(config: dict[str, dict[str, dict[str, str]]]) -> DevicePlan:
    rendered = vendor("sonic").render(derive(fabric_of(Shape().intent), LEAF))
    return plan_device(LEAF, "sonic", read("sonic", json.dumps(config).encode()), rendered, None, release="202505")


def test_an_address_of_somebody_else_that_overlaps_ours_is_named() -> None:
    config = {"PORT": {}, "INTERFACE": {"Ethernet128": {}, "Ethernet128|10.11.0.0/30": {}}}
    with pytest.raises(FabricAutoError) as caught:
        planned(config)
    assert caught.value.message == (
        "east-leaf-01 has `INTERFACE/Ethernet128|10.11.0.0/30`, which is not ours and overlaps "
        "`INTERFACE/Ethernet496|10.11.0.2/31` of the fabric"
    )


def test_an_address_that_we_replace_is_in_nobodys_way() -> None:
    config = {"PORT": {}, "INTERFACE": {"Ethernet504": {}, "Ethernet504|10.11.0.0/30": {}}}
    assert ("INTERFACE", "Ethernet504|10.11.0.0/30") not in planned(config).target


def test_addresses_elsewhere_are_left_alone() -> None:
    config = {"PORT": {}, "INTERFACE": {"Ethernet128": {}, "Ethernet128|10.0.0.32/31": {}}}
    assert ("INTERFACE", "Ethernet128|10.0.0.32/31") in planned(config).target


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("docker_routing_config_mode", "split"),
        ("docker_routing_config_mode", "split-unified"),
        ("frr_mgmt_framework_config", "true"),
    ],
)
def test_a_box_that_would_ignore_our_sessions_is_refused(field: str, value: str) -> None:
    with pytest.raises(FabricAutoError, match=f"{field} `{value}`"):
        planned({"DEVICE_METADATA": {"localhost": {field: value}}})


@pytest.mark.parametrize("mode", ["separated", "unified"])
def test_modes_that_bgpcfgd_serves_are_taken(mode: str) -> None:
    assert planned({"DEVICE_METADATA": {"localhost": {"docker_routing_config_mode": mode}}}).changes

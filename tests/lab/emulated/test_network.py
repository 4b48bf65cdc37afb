"""The network: cables that are swapped, cut and mended, and when devices are told."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import pytest

from fabric_auto.lab.emulated.network import Network
from fabric_auto.lab.emulated.topology import CableEnd
from tests.lab.emulated.clos import clos, port
from tests.lab.emulated.fake import FakeDevice, hardware

LEAF_TO_SPINE_0, LEAF_TO_SPINE_1 = CableEnd("leaf-0", "Ethernet0"), CableEnd("leaf-0", "Ethernet1")


def network_of(leaves: int = 2, spines: int = 2) -> tuple[Network, dict[str, FakeDevice]]:
    views, cables = clos(leaves, spines)
    network = Network(cables, settle_s=0.001)
    devices = {}
    for name, view in views.items():
        devices[name] = FakeDevice(hardware(name), partial(network.changed, name), view)
        network.add(devices[name])
    return network, devices


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - the condition is the network's, it sets no event
            await asyncio.sleep(0)


def run(test: Awaitable[None]) -> None:
    async def main() -> None:
        await test

    asyncio.run(main())


def established(device: FakeDevice) -> int:
    return sum(each.state == "Established" for each in device.state.sessions.values())


def test_swapping_two_ends_exchanges_what_is_plugged_opposite_them() -> None:
    network, devices = network_of()
    network.swap(LEAF_TO_SPINE_0, LEAF_TO_SPINE_1)
    network.recompute()
    heard = devices["leaf-0"].state.lldp
    assert (heard["Ethernet0"].system_name, heard["Ethernet1"].system_name) == ("spine-1", "spine-0")
    assert established(devices["leaf-0"]) == 0
    assert established(devices["leaf-1"]) == 4


def test_swapping_spine_ends_of_two_leaves_moves_the_leaves() -> None:
    network, _ = network_of()
    network.swap(CableEnd("spine-0", "Ethernet0"), CableEnd("spine-0", "Ethernet1"))
    plugged = {frozenset((each.a, each.b)) for each in network.cables}
    assert {CableEnd("spine-0", "Ethernet0"), CableEnd("leaf-1", "Ethernet0")} in plugged
    assert {CableEnd("spine-0", "Ethernet1"), CableEnd("leaf-0", "Ethernet0")} in plugged


def test_swapping_twice_is_as_built() -> None:
    network, _ = network_of()
    as_built = {frozenset((each.a, each.b)) for each in network.cables}
    network.swap(LEAF_TO_SPINE_0, LEAF_TO_SPINE_1)
    network.swap(LEAF_TO_SPINE_0, LEAF_TO_SPINE_1)
    assert {frozenset((each.a, each.b)) for each in network.cables} == as_built


def test_a_cut_cable_takes_both_ends_down_and_mending_brings_them_back() -> None:
    network, devices = network_of()
    network.cut(LEAF_TO_SPINE_0)
    network.recompute()
    assert "Ethernet0" not in devices["leaf-0"].state.ports_up
    assert "Ethernet0" not in devices["spine-0"].state.ports_up
    assert established(devices["leaf-0"]) == 2
    network.swap(CableEnd("leaf-1", "Ethernet0"), CableEnd("leaf-1", "Ethernet1"))
    network.mend()
    network.recompute()
    assert all(established(device) == 4 for device in devices.values())


def test_ends_without_a_cable_are_refused() -> None:
    network, _ = network_of()
    nowhere = CableEnd("leaf-0", "Ethernet77")
    with pytest.raises(ValueError, match="no cable at leaf-0 Ethernet77"):
        network.cut(nowhere)
    with pytest.raises(ValueError, match="no cable at leaf-0 Ethernet77"):
        network.swap(LEAF_TO_SPINE_0, nowhere)
    with pytest.raises(ValueError, match="two ends of one cable"):
        network.swap(LEAF_TO_SPINE_0, CableEnd("spine-0", "Ethernet0"))


def test_a_change_reaches_the_other_devices_by_itself() -> None:
    async def scenario() -> None:
        network, devices = network_of()
        await until(lambda: established(devices["leaf-0"]) == 4)
        leaf = devices["leaf-0"]
        leaf.configure(replace(leaf.view(), ports=leaf.view().ports | {"Ethernet0": port("Ethernet0", enabled=False)}))
        await until(lambda: established(devices["spine-0"]) == 2)
        network.close()

    run(scenario())


def test_a_read_after_a_change_is_never_stale() -> None:
    async def scenario() -> None:
        network, devices = network_of()
        leaf = devices["leaf-0"]
        leaf.configure(replace(leaf.view(), asn=65111))
        assert all(each.state == "Idle" for each in network.states()["leaf-0"].sessions.values())
        network.close()

    run(scenario())


def test_many_changes_at_once_are_one_computation_and_only_changed_devices_are_asked() -> None:
    async def scenario() -> None:
        network, devices = network_of()
        network.recompute()
        asked = {name: device.views for name, device in devices.items()}
        for _ in range(20):
            network.changed("leaf-1")
        network.states()
        assert {name: device.views - asked[name] for name, device in devices.items()} == {
            "leaf-0": 0,
            "leaf-1": 1,
            "spine-0": 0,
            "spine-1": 0,
        }
        network.close()

    run(scenario())


def test_the_topology_s_cables_are_not_touched() -> None:
    _, cables = clos(1, 2)
    network = Network(cables)
    network.swap(LEAF_TO_SPINE_0, LEAF_TO_SPINE_1)
    network.cut(LEAF_TO_SPINE_0)
    network.mend()
    assert network.cables == cables

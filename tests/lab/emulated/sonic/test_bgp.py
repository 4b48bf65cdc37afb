"""BGP: what is fixed at the start of the container, and what follows CONFIG_DB.

Facts: sonic-buildimage, ``dockers/docker-fpm-frr/frr/bgpd/bgpd.main.conf.j2`` and
``src/sonic-bgpcfgd/bgpcfgd/managers_bgp.py``.
"""

from collections.abc import Callable
from ipaddress import IPv4Network, IPv6Network

import pytest

from fabric_auto.lab.emulated.device import SessionView, View

ROUTED = {
    "LOOPBACK_INTERFACE": {"Loopback0": {}, "Loopback0|10.0.0.1/32": {}, "Loopback0|2001:db8:0:1::1/128": {}},
    "INTERFACE": {
        "Ethernet0": {},
        "Ethernet0|10.1.0.0/31": {},
        "Ethernet0|2001:db8:1::/127": {},
    },
    "VLAN": {"Vlan100": {"vlanid": "100"}},
    "VLAN_MEMBER": {"Vlan100|Ethernet8": {"tagging_mode": "untagged"}},
    "VLAN_INTERFACE": {"Vlan100": {}, "Vlan100|10.2.0.1/24": {}},
}
NEIGHBORS = {
    "10.1.0.1": {"asn": "65100", "name": "spine", "local_addr": "10.1.0.0", "keepalive": "3", "holdtime": "9"},
    "2001:db8:1::1": {"asn": "65100", "name": "spine", "local_addr": "2001:db8:1::"},
}
ASN = {"bgp_asn": "4200000001", "bgp_adv_lo_prefix_as_128": "true"}
LOOPBACK4, VLAN = (IPv4Network("10.0.0.1/32"), "Loopback0"), (IPv4Network("10.2.0.0/24"), "Vlan100")
LOOPBACK128 = (IPv6Network("2001:db8:0:1::1/128"), "Loopback0")


def started(box, metadata: dict[str, str] = ASN, **tables: object) -> View:
    """Load a configuration and start BGP on it."""
    config = {"DEVICE_METADATA": {"localhost": metadata}, **ROUTED, "BGP_NEIGHBOR": NEIGHBORS, **tables}
    box.run(f"sudo config load -y {box.write('/home/admin/bgp.json', config)}")
    assert box.run("sudo systemctl restart bgp").code == 0
    return view(box)


def view(box) -> View:
    return box.lab.run(box.device.view)


def add(path: str, value: object) -> dict[str, object]:
    return {"op": "add", "path": path, "value": value}


def test_a_configuration_that_was_there_at_the_start_speaks_bgp(box) -> None:
    seen = started(box)
    assert (seen.asn, seen.router_id) == (4200000001, "10.0.0.1")
    assert seen.originates == (LOOPBACK4, LOOPBACK128, VLAN)
    assert seen.sessions == (
        SessionView("10.1.0.1", "10.1.0.0", 65100, frozenset({"ipv4"})),
        SessionView("2001:db8:1::1", "2001:db8:1::", 65100, frozenset({"ipv6"})),
    )
    assert seen.maximum_paths == {"ipv4": 514, "ipv6": 514}


def test_a_reload_starts_bgp_on_the_new_configuration(lab, box, wait: Callable) -> None:
    config = box.config() | ROUTED | {"BGP_NEIGHBOR": NEIGHBORS}
    config["DEVICE_METADATA"]["localhost"] |= ASN
    assert box.reload(config).code == 0
    assert view(box).originates == (LOOPBACK4, LOOPBACK128, VLAN)
    wait(lambda: lab.run(box.device._outage.done))


def test_the_ipv6_loopback_is_a_64_unless_128_is_asked_for(box) -> None:
    seen = started(box, {"bgp_asn": "4200000001"})
    assert (IPv6Network("2001:db8:0:1::/64"), "Loopback0") in seen.originates


def test_bgp_that_a_patch_brings_to_a_running_box_originates_nothing(box) -> None:
    tables = [add(f"/{table}", rows) for table, rows in {**ROUTED, "BGP_NEIGHBOR": NEIGHBORS}.items()]
    metadata = [add(f"/DEVICE_METADATA/localhost/{name}", value) for name, value in ASN.items()]
    assert box.patch([*metadata, *tables]).code == 0
    seen = view(box)
    assert seen.asn == 4200000001
    assert len(seen.sessions) == 2
    assert seen.originates == ()
    box.run("sudo systemctl restart bgp")
    assert view(box).originates == (LOOPBACK4, LOOPBACK128, VLAN)


def test_a_running_bgp_keeps_its_as_number_and_its_peers(box) -> None:
    before = started(box)
    assert box.patch([{"op": "replace", "path": "/DEVICE_METADATA/localhost/bgp_asn", "value": "65001"}]).code == 0
    assert box.patch([{"op": "remove", "path": "/BGP_NEIGHBOR/10.1.0.1"}]).code == 0
    seen = view(box)
    assert (seen.asn, seen.sessions) == (before.asn, before.sessions)


def test_a_network_that_comes_later_is_not_originated(box) -> None:
    started(box)
    assert box.patch([add("/VLAN_INTERFACE/Vlan100|10.3.0.1~124", {})]).code == 0
    assert (IPv4Network("10.3.0.0/24"), "Vlan100") not in view(box).originates


def test_peers_come_and_go_live(box) -> None:
    started(box)
    assert box.patch([{"op": "remove", "path": "/BGP_NEIGHBOR/10.1.0.1"}]).code == 0
    assert [each.address for each in view(box).sessions] == ["2001:db8:1::1"]
    assert box.patch([add("/BGP_NEIGHBOR/10.1.0.1", NEIGHBORS["10.1.0.1"] | {"asn": "65200"})]).code == 0
    assert {each.address: each.peer_asn for each in view(box).sessions}["10.1.0.1"] == 65200


def test_a_patch_of_the_as_number_of_a_peer_deletes_and_adds_it(box) -> None:
    started(box)
    assert box.patch([{"op": "replace", "path": "/BGP_NEIGHBOR/10.1.0.1/asn", "value": "65200"}]).code == 0
    assert {each.address: each.peer_asn for each in view(box).sessions}["10.1.0.1"] == 65200


def test_a_peer_that_is_there_follows_its_admin_status_alone(box) -> None:
    started(box)
    box.run("sonic-db-cli CONFIG_DB HSET 'BGP_NEIGHBOR|10.1.0.1' asn 65200")
    assert {each.address: each.peer_asn for each in view(box).sessions}["10.1.0.1"] == 65100
    box.run("sonic-db-cli CONFIG_DB HSET 'BGP_NEIGHBOR|10.1.0.1' admin_status down")
    assert [each.address for each in view(box).sessions] == ["2001:db8:1::1"]
    box.run("sonic-db-cli CONFIG_DB HSET 'BGP_NEIGHBOR|10.1.0.1' admin_status up")
    assert len(view(box).sessions) == 2


@pytest.mark.parametrize(
    "missing",
    [
        {"LOOPBACK_INTERFACE": {"Loopback0": {}}},
        {"LOOPBACK_INTERFACE": {"Loopback1": {}, "Loopback1|10.0.0.1/32": {}}},
        {"INTERFACE": {"Ethernet0": {}}},
        {"INTERFACE": {"Ethernet0": {"vrf_name": "VrfX"}, "Ethernet0|10.1.0.0/31": {}}},
    ],
)
def test_a_peer_waits_for_its_address_and_for_the_loopback(box, missing: dict) -> None:
    assert started(box, **missing).sessions == ()


def test_a_peer_that_waited_comes_with_its_address(box) -> None:
    started(box, INTERFACE={"Ethernet0": {}})
    assert box.patch([add("/INTERFACE/Ethernet0|10.1.0.0~131", {})]).code == 0
    assert [each.address for each in view(box).sessions] == ["10.1.0.1"]


def test_without_a_type_no_peer_is_made(box) -> None:
    box.run("sonic-db-cli CONFIG_DB HDEL 'DEVICE_METADATA|localhost' type")
    assert started(box).sessions == ()


def test_a_frr_of_the_operators_own_takes_nothing_from_config_db_at_the_start(box) -> None:
    seen = started(box, ASN | {"docker_routing_config_mode": "split-unified"})
    assert seen.originates == ()


@pytest.mark.parametrize(("kind", "count"), [("ToRRouter", 1), ("LeafRouter", 0), ("SpineRouter", 0)])
def test_only_a_tor_lets_its_own_as_number_back_in(box, kind: str, count: int) -> None:
    assert started(box, ASN | {"type": kind}).allow_own_as == count


def test_the_view_has_the_addresses_and_ports_of_the_configuration(box) -> None:
    seen = started(box)
    assert {(each.interface, str(each.address), each.port, each.members) for each in seen.addresses} == {
        ("Loopback0", "10.0.0.1/32", "", ()),
        ("Loopback0", "2001:db8:0:1::1/128", "", ()),
        ("Ethernet0", "10.1.0.0/31", "Ethernet0", ()),
        ("Ethernet0", "2001:db8:1::/127", "Ethernet0", ()),
        ("Vlan100", "10.2.0.1/24", "", ("Ethernet8",)),
    }
    port = seen.ports["Ethernet8"]
    assert (port.enabled, port.speed_mbps, port.fec, port.lldp_port_id, port.lldp) == (
        True,
        800_000,
        "rs",
        "etp2",
        True,
    )


def test_the_view_is_the_same_object_until_something_changes(box) -> None:
    before = started(box)
    assert view(box) is before
    box.run("sonic-db-cli CONFIG_DB HSET 'PORT|Ethernet0' admin_status down")
    assert view(box) is not before
    assert not view(box).ports["Ethernet0"].enabled
    assert not [each for each in view(box).addresses if each.port == "Ethernet0"]


def test_the_running_configuration_of_frr_shows_what_runs(box) -> None:
    started(box)
    text = box.run("vtysh -c 'show running-config'").out
    lines = [line.strip() for line in text.splitlines()]
    assert "frr version 10.3" in lines
    for line in (
        "router bgp 4200000001",
        "bgp router-id 10.0.0.1",
        "no bgp ebgp-requires-policy",
        "bgp bestpath as-path multipath-relax",
        "neighbor 10.1.0.1 remote-as 65100",
        "neighbor 10.1.0.1 timers 3 9",
        "network 10.0.0.1/32",
        "network 2001:db8:0:1::1/128",
        "network 10.2.0.0/24",
        "maximum-paths 514",
    ):
        assert line in lines
    assert "neighbor 2001:db8:1::1 timers 60 180" not in lines

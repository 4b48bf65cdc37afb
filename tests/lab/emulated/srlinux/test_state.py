"""State trees: names from the vendor's models 25.3.1 (srl_nokia-lldp, -bgp, -ip-route-tables, -interfaces, -system)."""

from ipaddress import ip_network

import pytest
from lxml import etree

from fabric_auto.lab.emulated.device import LldpNeighbor, Route, SessionState, State
from fabric_auto.lab.emulated.srlinux.state import features

pytestmark = pytest.mark.lab

CONFIG = """
<interface xmlns="urn:nokia.com:srlinux:chassis:interfaces"><name>ethernet-1/1</name>
  <subinterface><index>0</index><ipv4><admin-state>enable</admin-state>
    <address><ip-prefix>10.1.0.0/31</ip-prefix></address></ipv4></subinterface></interface>
<interface xmlns="urn:nokia.com:srlinux:chassis:interfaces"><name>ethernet-1/2</name>
  <subinterface><index>0</index><ipv4><admin-state>enable</admin-state>
    <address><ip-prefix>10.1.0.2/31</ip-prefix></address></ipv4></subinterface></interface>
<interface xmlns="urn:nokia.com:srlinux:chassis:interfaces"><name>system0</name>
  <subinterface><index>0</index><ipv4><admin-state>enable</admin-state>
    <address><ip-prefix>10.255.0.1/32</ip-prefix></address></ipv4></subinterface></interface>
<network-instance xmlns="urn:nokia.com:srlinux:net-inst:network-instance"><name>default</name><type>default</type>
  <interface><name>ethernet-1/1.0</name></interface><interface><name>ethernet-1/2.0</name></interface>
  <interface><name>system0.0</name></interface>
  <protocols><bgp xmlns="urn:nokia.com:srlinux:bgp:bgp">
    <autonomous-system>65001</autonomous-system><router-id>10.255.0.1</router-id>
    <afi-safi xmlns:srl_nokia-common="urn:nokia.com:srlinux:general:common">
      <afi-safi-name>srl_nokia-common:ipv4-unicast</afi-safi-name><admin-state>enable</admin-state></afi-safi>
    <group><group-name>spines</group-name><peer-as>65000</peer-as></group>
    <neighbor><peer-address>10.1.0.1</peer-address><peer-group>spines</peer-group></neighbor>
    <neighbor><peer-address>10.1.0.3</peer-address><peer-group>spines</peer-group></neighbor>
  </bgp></protocols></network-instance>
"""
REMOTE, LOCAL, OWN = ip_network("10.255.0.2/32"), ip_network("10.1.0.0/31"), ip_network("10.255.0.1/32")
STATE = State(
    ports_up=frozenset({"ethernet-1/1"}),
    lldp={"ethernet-1/1": LldpNeighbor("east-spine-01", "Ethernet4", "to leaf")},
    sessions={
        "10.1.0.1": SessionState("10.1.0.1", 65000, "Established", frozenset({"ipv4"}), {"ipv4": 7}, {"ipv4": 3}),
        "10.1.0.3": SessionState("10.1.0.3", 65000, "Active"),
    },
    routes={
        REMOTE: Route(REMOTE, "bgp", ("10.1.0.1", "10.1.0.3"), (65000, 65002)),
        LOCAL: Route(LOCAL, "local", ()),
        OWN: Route(OWN, "local", ()),
    },
)


@pytest.fixture
def get(lab, switch, client, payload, find):
    client.edit_config(target="running", config=payload(CONFIG))
    lab.run(lambda: switch.set_state(STATE))
    reply = client.get()
    return lambda path: find(reply, path)


def test_the_release_the_chassis_and_the_features_can_be_read(get):
    (version,) = get("/*/sys:system/info:information/info:version/text()")
    assert version.startswith("v25.3.1")
    assert get("/*/plat:platform/chas:chassis/chas:type/text()") == ["7220 IXR-H4"]
    assert {"netconf", "qos-pfc", "bgp-unnumbered-peers"} <= set(get("/*/sys:system/sys:features/text()"))


def test_features_follow_platform_and_release(hardware, h5):
    # features/v25.3.1.json has no dynamic-load-balancing for any chassis, v25.10.1.json has it for H4 and H5
    assert "dynamic-load-balancing" not in features(hardware)
    assert "dynamic-load-balancing" in features(h5)


@pytest.mark.parametrize("release", ["25.3.1", "25.7.2", "25.10.1"])
def test_the_features_are_the_vendors(shared, hardware, h5, release: str):
    import json
    from dataclasses import replace

    vendor = json.loads((shared / f"yang/srlinux/features/v{release}.json").read_text(encoding="utf-8"))
    for chassis in (hardware, h5):
        listed = vendor.get(chassis.model.replace(" ", "-"))
        if listed is not None:
            assert set(features(replace(chassis, release=release))) <= set(listed)


def test_every_port_of_the_chassis_has_a_state(get):
    assert len(get("/*/if:interface[starts-with(if:name, 'ethernet-')]/if:oper-state")) == 64
    state = "/*/if:interface[if:name='ethernet-1/{}']/if:oper-state/text()"
    assert [get(state.format(port)) for port in (1, 2, 3)] == [["up"], ["down"], ["down"]]
    assert get("/*/if:interface[if:name='system0']/if:oper-state/text()") == ["up"]
    assert get("/*/if:interface[if:name='ethernet-1/3']/if:oper-down-reason/text()") == ["port-admin-disabled"]


def test_subinterfaces_follow_their_port(get):
    state = "/*/if:interface[if:name='{}']/if:subinterface[if:index='0']/if:oper-state/text()"
    assert [get(state.format(name)) for name in ("ethernet-1/1", "ethernet-1/2", "system0")] == [
        ["up"],
        ["down"],
        ["up"],
    ]


def test_a_subinterface_that_does_not_fit_says_why(lab, switch, client, payload, find):
    # srl_nokia-interfaces, subif-oper-down-reason: l2-mtu-too-large, ip-mtu-larger-than-oper-mac-vrf-mtu
    new = 'xmlns="urn:nokia.com:srlinux:{}"'
    interface, instance = new.format("chassis:interfaces"), new.format("net-inst:network-instance")
    client.edit_config(
        target="running",
        config=payload(
            f"<interface {interface}><name>ethernet-1/1</name><mtu>9114</mtu>"
            "<subinterface><index>0</index><type>bridged</type></subinterface></interface>"
            f"<interface {interface}><name>ethernet-1/2</name>"
            "<subinterface><index>0</index><type>bridged</type></subinterface></interface>"
            f"<interface {interface}><name>irb0</name>"
            "<subinterface><index>0</index><ip-mtu>9300</ip-mtu></subinterface></interface>"
            f"<network-instance {instance}><name>hosts</name><type>mac-vrf</type><interface><name>ethernet-1/1.0</name>"
            "</interface><interface><name>ethernet-1/2.0</name></interface><interface><name>irb0.0</name></interface>"
            "</network-instance>"
        ),
    )
    lab.run(lambda: switch.set_state(State(ports_up=frozenset({"ethernet-1/1", "ethernet-1/2"}))))
    reply = client.get()
    reason = "/*/if:interface[if:name='{}']/if:subinterface/if:oper-down-reason/text()"
    assert [find(reply, reason.format(name)) for name in ("ethernet-1/1", "ethernet-1/2", "irb0")] == [
        ["l2-mtu-too-large"],
        [],
        ["ip-mtu-larger-than-oper-mac-vrf-mtu"],
    ]
    assert find(reply, "/*/if:interface[if:name='ethernet-1/1']/if:oper-state/text()") == ["up"]


def test_lldp_neighbours_are_what_the_cables_say(get):
    base = "/*/sys:system/lldp:lldp/lldp:interface[lldp:name='ethernet-1/1']/lldp:neighbor"
    assert get(f"{base}/lldp:system-name/text()") == ["east-spine-01"]
    assert get(f"{base}/lldp:port-id/text()") == ["Ethernet4"]
    assert get(f"{base}/lldp:port-description/text()") == ["to leaf"]
    assert get(f"{base}/lldp:id/text()") == get(f"{base}/lldp:chassis-id/text()")
    assert get("/*/sys:system/lldp:lldp/lldp:interface[lldp:name='ethernet-1/2']/lldp:neighbor") == []


def test_bgp_sessions_and_their_counts(get):
    base = "/*/ni:network-instance[ni:name='default']/ni:protocols/bgp:bgp/bgp:neighbor[bgp:peer-address='{}']"
    up, down = base.format("10.1.0.1"), base.format("10.1.0.3")
    assert get(f"{up}/bgp:session-state/text()") == ["established"]
    assert get(f"{down}/bgp:session-state/text()") == ["active"]
    assert get(f"{up}/bgp:peer-as/text()") == ["65000"]
    family = f"{up}/bgp:afi-safi[bgp:afi-safi-name='srl_nokia-common:ipv4-unicast']"
    counts = [
        get(f"{family}/bgp:{leaf}/text()") for leaf in ("oper-state", "received-routes", "active-routes", "sent-routes")
    ]
    assert counts == [["up"], ["7"], ["7"], ["3"]]
    assert get(f"{down}/bgp:afi-safi/bgp:received-routes/text()") == ["0"]


def test_a_route_leads_over_its_group_to_addresses_and_subinterfaces(get):
    table = "/*/ni:network-instance[ni:name='default']/ni:route-table"
    route = f"{table}/fib:ipv4-unicast/fib:route[fib:ipv4-prefix='{{}}']"
    remote = route.format("10.255.0.2/32")
    assert get(f"{remote}/fib:active/text()") == ["true"]
    assert get(f"{remote}/fib:route-owner/text()") == ["bgp_mgr"]
    (group,) = get(f"{remote}/fib:next-hop-group/text()")
    hops = get(f"{table}/fib:next-hop-group[fib:index='{group}']/fib:next-hop/fib:next-hop/text()")
    found = {
        (get(f"{table}/fib:next-hop[fib:index='{hop}']/fib:ip-address/text()")[0],
         get(f"{table}/fib:next-hop[fib:index='{hop}']/fib:subinterface/text()")[0])
        for hop in hops
    }  # fmt: skip
    assert found == {("10.1.0.1", "ethernet-1/1.0"), ("10.1.0.3", "ethernet-1/2.0")}
    assert get(f"{route.format('10.255.0.1/32')}/fib:route-owner/text()") == ["net_inst_mgr"]


def test_a_filter_reaches_into_state(lab, switch, client, payload, find):
    client.edit_config(target="running", config=payload(CONFIG))
    lab.run(lambda: switch.set_state(STATE))
    wanted = (
        '<system xmlns="urn:nokia.com:srlinux:general:system"><lldp xmlns="urn:nokia.com:srlinux:lldp:lldp">'
        "<interface><neighbor><system-name/></neighbor></interface></lldp></system>"
    )
    reply = client.get(filter=("subtree", wanted))
    assert find(reply, "//lldp:interface/lldp:name/text()") == ["ethernet-1/1"]
    assert find(reply, "//lldp:neighbor/*[local-name()!='id']/text()") == ["east-spine-01"]
    assert find(reply, "/*/*[not(self::sys:system)]") == []


def test_get_config_has_no_state(client):
    names = {
        etree.QName(each).localname for each in etree.fromstring(client.get_config("running").data_xml.encode()).iter()
    }
    assert names.isdisjoint({"oper-state", "features", "neighbor", "route-table", "version"})

"""SR Linux: NETCONF state, and what we make of it. Names are those of the models (release 25.3.1)."""

from ipaddress import ip_network

import pytest
from lxml import etree

from fabric_auto.device.observed import Neighbor, Session
from fabric_auto.vendors.registry import VENDORS
from fabric_auto.vendors.srlinux.observe import CHASSIS, INTERFACES, ROUTING, SYSTEM

SRLINUX = VENDORS["srlinux"]
U = "urn:nokia.com:srlinux:"


def data(body: str) -> str:
    return f'<data xmlns="urn:ietf:params:xml:ns:netconf:base:1.0">{body}</data>'


def interface(name: str, state: str, *subinterfaces: str) -> str:
    below = "".join(
        f"<subinterface><index>{index}</index><oper-state>{each}</oper-state></subinterface>"
        for index, each in enumerate(subinterfaces)
    )
    return f'<interface xmlns="{U}chassis:interfaces"><name>{name}</name><oper-state>{state}</oper-state>{below}</interface>'


def lldp(port: str, system: str, port_id: str) -> str:
    return (
        f"<interface><name>{port}</name><neighbor><id>1A:2B:3C:00:00:01</id><system-name>{system}</system-name>"
        f"<port-id>{port_id}</port-id><port-id-type>LOCAL</port-id-type></neighbor></interface>"
    )


def peer(address: str, asn: int, state: str, received: int, rejected: int = 0) -> str:
    return (
        f"<neighbor><peer-address>{address}</peer-address><peer-as>{asn}</peer-as><session-state>{state}</session-state>"
        f'<afi-safi><afi-safi-name xmlns:c="{U}general:common">c:ipv4-unicast</afi-safi-name>'
        f"<received-routes>{received}</received-routes><rejected-routes>{rejected}</rejected-routes></afi-safi></neighbor>"
    )


def route(family: int, prefix: str, kind: str, group: int, active: str = "true") -> str:
    return (
        f"<route><ipv{family}-prefix>{prefix}</ipv{family}-prefix>"
        f'<route-type xmlns:c="{U}general:common">c:{kind}</route-type><route-owner>x_mgr</route-owner><id>0</id>'
        f"<origin-network-instance>default</origin-network-instance><active>{active}</active>"
        f"<next-hop-group>{group}</next-hop-group></route>"
    )


TABLE = f"""<route-table><ipv4-unicast xmlns="{U}fib:ip-route-tables">
  {route(4, "10.11.0.0/31", "local", 1)}{route(4, "10.10.0.2/32", "bgp", 2)}
  {route(4, "10.10.0.9/32", "bgp", 2, active="false")}</ipv4-unicast>
  <ipv6-unicast xmlns="{U}fib:ip-route-tables">{route(6, "fd00:10::2/128", "bgp", 3)}
  {route(6, "fd00:10::1/128", "host", 1)}</ipv6-unicast>
  <next-hop-group xmlns="{U}fib:ip-route-tables"><index>1</index>
    <next-hop><id>0</id><next-hop>10</next-hop><resolved>not-applicable</resolved></next-hop></next-hop-group>
  <next-hop-group xmlns="{U}fib:ip-route-tables"><index>2</index>
    <next-hop><id>0</id><next-hop>11</next-hop><resolved>true</resolved></next-hop>
    <next-hop><id>1</id><next-hop>12</next-hop><resolved>true</resolved></next-hop>
    <next-hop><id>2</id><next-hop>13</next-hop><resolved>false</resolved></next-hop></next-hop-group>
  <next-hop-group xmlns="{U}fib:ip-route-tables"><index>3</index>
    <next-hop><id>0</id><next-hop>14</next-hop><resolved>true</resolved></next-hop></next-hop-group>
  <next-hop xmlns="{U}fib:ip-route-tables"><index>10</index><ip-address>10.11.0.0</ip-address></next-hop>
  <next-hop xmlns="{U}fib:ip-route-tables"><index>11</index><ip-address>10.11.0.1</ip-address></next-hop>
  <next-hop xmlns="{U}fib:ip-route-tables"><index>12</index><ip-address>10.11.0.3</ip-address></next-hop>
  <next-hop xmlns="{U}fib:ip-route-tables"><index>13</index><ip-address>10.11.0.5</ip-address></next-hop>
  <next-hop xmlns="{U}fib:ip-route-tables"><index>14</index><ip-address>fd00:11::1</ip-address></next-hop>
</route-table>"""

ANSWERS = {
    SYSTEM: data(
        f'<system xmlns="{U}general:system"><information xmlns="{U}linux:system-info">'
        f"<version>v25.3.1-149-gc9a6a9d8ac</version></information>"
        f'<lldp xmlns="{U}lldp:lldp">{lldp("mgmt0", "mgmt-switch", "7")}'
        f"{lldp('ethernet-1/1', 'east-leaf-01', 'Ethernet64/1')}"
        "<interface><name>ethernet-1/2</name></interface></lldp></system>"
    ),
    CHASSIS: data(
        f'<platform xmlns="{U}chassis:platform"><chassis xmlns="{U}chassis:platform-chassis">'
        "<type>7220 IXR-H4</type></chassis></platform>"
    ),
    INTERFACES: data(interface("ethernet-1/1", "up") + interface("ethernet-1/2", "down") + interface("mgmt0", "up")),
    ROUTING: data(
        f'<network-instance xmlns="{U}net-inst:network-instance"><name>default</name><protocols>'
        f'<bgp xmlns="{U}bgp:bgp">{peer("10.11.0.1", 4200000000, "established", 6, 1)}'
        f"{peer('fd00:11:0::1', 4200000000, 'active', 0)}</bgp></protocols>{TABLE}</network-instance>"
    ),
}


def test_each_question_is_one_subtree_with_one_root() -> None:
    assert set(SRLINUX.questions) == set(ANSWERS)
    assert [etree.QName(etree.fromstring(each)).localname for each in SRLINUX.questions] == [
        "system",
        "platform",
        "interface",
        "network-instance",
    ]


def test_release_and_model_are_as_the_catalogue_writes_them() -> None:
    observed = SRLINUX.observe(ANSWERS)
    assert observed.release == "25.3.1"
    assert observed.model == "7220 IXR-H4"


def test_front_panel_ports_are_up_or_not() -> None:
    assert SRLINUX.observe(ANSWERS).ports == {"ethernet-1/1": True, "ethernet-1/2": False}


def test_neighbors_are_heard_on_front_panel_ports_alone() -> None:
    assert SRLINUX.observe(ANSWERS).neighbors == {"ethernet-1/1": Neighbor("east-leaf-01", "Ethernet64/1")}


def test_received_prefixes_are_those_that_the_import_policy_took() -> None:
    assert SRLINUX.observe(ANSWERS).sessions == {
        "10.11.0.1": Session("10.11.0.1", 4200000000, "established", 5),
        "fd00:11::1": Session("fd00:11::1", 4200000000, "active", 0),
    }


def test_next_hops_are_found_through_groups_and_connected_prefixes_have_none() -> None:
    assert SRLINUX.observe(ANSWERS).routes == {
        ip_network("10.11.0.0/31"): frozenset(),
        ip_network("10.10.0.2/32"): frozenset({"10.11.0.1", "10.11.0.3"}),
        ip_network("fd00:10::1/128"): frozenset(),
        ip_network("fd00:10::2/128"): frozenset({"fd00:11::1"}),
    }


def test_a_port_is_up_when_it_and_all_its_subinterfaces_are() -> None:
    # srl_nokia-interfaces: a bridged subinterface whose l2-mtu exceeds the port's mtu stays down, the port does not
    body = interface("ethernet-1/1", "up", "up", "down") + interface("ethernet-1/2", "up", "up", "up")
    ports = SRLINUX.observe(ANSWERS | {INTERFACES: data(body + interface("ethernet-1/3", "down"))}).ports
    assert ports == {"ethernet-1/1": False, "ethernet-1/2": True, "ethernet-1/3": False}


@pytest.mark.parametrize(
    ("updates", "newest"),
    [
        (("2026-08-01T10:00:05.100Z", "2026-08-01T09:58:00Z"), "first"),
        (("2026-08-01T09:58:00.5Z", "2026-08-01T10:00:05Z"), "second"),
        (("2026-08-01T10:00:05.000Z (1 second ago)", "2026-08-01T09:58:00.000Z (2 minutes ago)"), "first"),
        (("", ""), "second"),
    ],
)
def test_after_a_cable_was_moved_the_newest_neighbor_counts(updates: tuple[str, str], newest: str) -> None:
    # srl_nokia-lldp, neighbor/last-update: date-and-time of the last update from the neighbor
    heard = "".join(
        f"<neighbor><id>{name}</id>{f'<last-update>{when}</last-update>' if when else ''}"
        f"<system-name>{name}</system-name><port-id>p</port-id></neighbor>"
        for name, when in zip(("first", "second"), updates, strict=True)
    )
    body = (
        f'<system xmlns="{U}general:system"><information xmlns="{U}linux:system-info"><version>v25.3.1</version>'
        f'</information><lldp xmlns="{U}lldp:lldp"><interface><name>ethernet-1/1</name>{heard}</interface></lldp></system>'
    )
    assert SRLINUX.observe(ANSWERS | {SYSTEM: data(body)}).neighbors == {"ethernet-1/1": Neighbor(newest, "p")}


def test_a_route_whose_programming_is_suppressed_is_not_forwarded_by() -> None:
    # srl_nokia-ip-route-tables, fib-programming/suppressed: "only installed in the control plane route table"
    suppressed = ANSWERS[ROUTING].replace(
        "<active>true</active><next-hop-group>3",
        "<active>true</active><fib-programming><suppressed>true</suppressed></fib-programming><next-hop-group>3",
    )
    assert suppressed != ANSWERS[ROUTING]
    assert ip_network("fd00:10::2/128") not in SRLINUX.observe(ANSWERS | {ROUTING: suppressed}).routes


def test_a_switch_without_bgp_and_lldp_has_no_sessions_and_no_neighbors() -> None:
    information = f'<information xmlns="{U}linux:system-info"><version>v25.3.2</version></information>'
    bare = f'<system xmlns="{U}general:system">{information}</system>'
    observed = SRLINUX.observe(ANSWERS | {SYSTEM: data(bare), ROUTING: data("")})
    assert (observed.release, observed.neighbors, observed.sessions, observed.routes) == ("25.3.2", {}, {}, {})


@pytest.mark.parametrize("question", list(ANSWERS))
def test_an_answer_that_is_missing_or_garbage_is_refused(question: str) -> None:
    with pytest.raises(ValueError, match="no answer to the filter"):
        SRLINUX.observe({name: answer for name, answer in ANSWERS.items() if name != question})
    with pytest.raises(ValueError, match="not well-formed"):
        SRLINUX.observe(ANSWERS | {question: "Error: connection reset"})


@pytest.mark.parametrize(("question", "reason"), [(SYSTEM, "/system/information/version"), (CHASSIS, "chassis/type")])
def test_a_device_that_does_not_say_what_it_is_is_refused(question: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        SRLINUX.observe(ANSWERS | {question: data("")})

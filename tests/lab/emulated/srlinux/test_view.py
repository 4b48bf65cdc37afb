"""What the control plane sees of a running configuration, and routing policy (srl_nokia-routing-policy, RFC 8212)."""

from ipaddress import ip_interface, ip_network

import pytest
from lxml import etree

from fabric_auto.lab.emulated.srlinux.policy import covers
from fabric_auto.lab.emulated.srlinux.view import view_of

IF = 'xmlns="urn:nokia.com:srlinux:chassis:interfaces"'
NI = 'xmlns="urn:nokia.com:srlinux:net-inst:network-instance"'
C = 'xmlns:c="urn:nokia.com:srlinux:general:common"'
HOST = ip_network("10.255.0.1/32")
LINK = ip_network("10.1.0.0/31")
V6 = ip_network("fd00::/64")


def read(hardware, *parts: str):
    return view_of(etree.fromstring(f"<config {C}>{''.join(parts)}</config>"), hardware)


def port(name: str, inner: str = "", leaves: str = "") -> str:
    below = f"<subinterface><index>0</index>{inner}</subinterface>" if inner else ""
    return f"<interface {IF}><name>{name}</name>{leaves}{below}</interface>"


def vrf(*members: str, bgp: str = "", name: str = "default", kind: str = "default") -> str:
    listed = "".join(f"<interface><name>{each}</name></interface>" for each in members)
    protocols = f'<protocols><bgp xmlns="urn:nokia.com:srlinux:bgp:bgp">{bgp}</bgp></protocols>' if bgp else ""
    return f"<network-instance {NI}><name>{name}</name><type>{kind}</type>{listed}{protocols}</network-instance>"


def address(prefix: str, state: str = "enable") -> str:
    family = "ipv6" if ":" in prefix else "ipv4"
    return f"<{family}><admin-state>{state}</admin-state><address><ip-prefix>{prefix}</ip-prefix></address></{family}>"


def family(name: str, inner: str = "<admin-state>enable</admin-state>") -> str:
    return f"<afi-safi><afi-safi-name>c:{name}</afi-safi-name>{inner}</afi-safi>"


V4, V6_ON = family("ipv4-unicast"), family("ipv6-unicast")
AS = "<autonomous-system>65001</autonomous-system><router-id>10.255.0.1</router-id>"


def neighbor(inner: str = "", address: str = "10.1.0.1") -> str:
    return f"<neighbor><peer-address>{address}</peer-address><peer-group>g</peer-group>{inner}</neighbor>"


def group(inner: str = "<peer-as>65000</peer-as>") -> str:
    return f"<group><group-name>g</group-name>{inner}</group>"


def routing_policy(inner: str) -> str:
    return f'<routing-policy xmlns="urn:nokia.com:srlinux:plcy:routing-policy">{inner}</routing-policy>'


def statement(name: str, match: str, result: str) -> str:
    return f"<statement><name>{name}</name><match>{match}</match><action><policy-result>{result}</policy-result></action></statement>"


def policy(name: str, *statements: str, default: str = "") -> str:
    action = f"<default-action><policy-result>{default}</policy-result></default-action>" if default else ""
    return f"<policy><name>{name}</name>{action}{''.join(statements)}</policy>"


LOOPBACKS = (
    "<prefix-set><name>loopbacks</name><prefix><ip-prefix>10.255.0.0/16</ip-prefix>"
    "<mask-length-range>32..32</mask-length-range></prefix></prefix-set>"
)
IN_LOOPBACKS = "<prefix><prefix-set>loopbacks</prefix-set></prefix>"


def test_ports_are_up_when_configured_and_run_at_native_speed(hardware):
    view = read(hardware, port("ethernet-1/1"), port("ethernet-1/2", leaves="<admin-state>disable</admin-state>"))
    assert [view.ports[f"ethernet-1/{n}"].enabled for n in (1, 2, 3)] == [True, False, False]
    assert (view.ports["ethernet-1/1"].speed_mbps, view.ports["ethernet-1/1"].fec) == (400_000, "rs")
    assert view.ports["ethernet-1/1"].lldp_port_id == "ethernet-1/1"
    assert len(view.ports) == 64


def test_a_stated_speed_and_fec_win(hardware):
    fec = "<forward-error-correction><fec-option>rs-528</fec-option></forward-error-correction>"
    ethernet = f"<ethernet><port-speed>100G</port-speed>{fec}</ethernet>"
    seen = read(hardware, port("ethernet-1/1", leaves=ethernet)).ports["ethernet-1/1"]
    assert (seen.speed_mbps, seen.fec) == (100_000, "rs-528")


def test_a_broken_out_port_is_its_channels(hardware):
    mode = "<breakout-mode><num-breakout-ports>4</num-breakout-ports><breakout-port-speed>100G</breakout-port-speed></breakout-mode>"
    view = read(hardware, port("ethernet-1/1", leaves=mode), port("ethernet-1/1/2"))
    assert "ethernet-1/1" not in view.ports
    assert view.ports["ethernet-1/1/2"].enabled
    assert view.ports["ethernet-1/1/4"].speed_mbps == 100_000


def test_lldp_runs_when_it_is_configured_and_not_switched_off(hardware):
    off = '<system xmlns="urn:nokia.com:srlinux:general:system"><lldp xmlns="urn:nokia.com:srlinux:lldp:lldp">{}</lldp></system>'
    one = off.format("<interface><name>ethernet-1/1</name><admin-state>disable</admin-state></interface>")
    ports = read(hardware, one).ports
    assert (ports["ethernet-1/1"].lldp, ports["ethernet-1/2"].lldp) == (False, True)
    assert not read(hardware, off.format("<admin-state>disable</admin-state>")).ports["ethernet-1/2"].lldp
    assert not read(hardware).ports["ethernet-1/2"].lldp  # srl_nokia-lldp: a presence container


def test_an_address_counts_when_family_subinterface_and_network_instance_agree(hardware):
    view = read(
        hardware,
        port("ethernet-1/1", address("10.1.0.0/31") + address("fd00::1/64", "disable")),
        port("ethernet-1/2", address("10.2.0.0/31")),
        port("system0", address("10.255.0.1/32")),
        vrf("ethernet-1/1.0", "system0.0"),
    )
    assert [(each.interface, each.address, each.port) for each in view.addresses] == [
        ("ethernet-1/1.0", ip_interface("10.1.0.0/31"), "ethernet-1/1"),
        ("system0.0", ip_interface("10.255.0.1/32"), ""),
    ]


def test_a_subinterface_whose_packets_do_not_fit_the_port_is_down(hardware):
    big = port("ethernet-1/1", "<ip-mtu>9300</ip-mtu>" + address("10.1.0.0/31"))
    assert read(hardware, big, vrf("ethernet-1/1.0")).addresses == ()
    wide = port("ethernet-1/1", "<ip-mtu>9300</ip-mtu>" + address("10.1.0.0/31"), leaves="<mtu>9314</mtu>")
    assert len(read(hardware, wide, vrf("ethernet-1/1.0")).addresses) == 1


def test_an_irb_is_carried_by_the_bridged_ports_of_its_mac_vrf(hardware):
    view = read(
        hardware,
        port("irb0", address("10.20.0.1/26")),
        port("ethernet-1/1", "<type>bridged</type>"),
        port("ethernet-1/2", "<type>bridged</type>"),
        vrf("irb0.0"),
        vrf("irb0.0", "ethernet-1/1.0", "ethernet-1/2.0", name="hosts", kind="mac-vrf"),
    )
    assert [(each.port, each.members) for each in view.addresses] == [("", ("ethernet-1/1", "ethernet-1/2"))]


@pytest.mark.parametrize(
    ("leaves", "system", "members"),
    [
        ("<mtu>9114</mtu>", "", ("ethernet-1/2",)),
        ("<mtu>9232</mtu>", "", ("ethernet-1/1", "ethernet-1/2")),
        ("<mtu>9114</mtu>", "<default-l2-mtu>9114</default-l2-mtu>", ("ethernet-1/1", "ethernet-1/2")),
        ("<mtu>9412</mtu>", "<default-l2-mtu>9412</default-l2-mtu>", ("ethernet-1/1",)),
    ],
)
def test_a_bridged_port_carries_when_its_l2_mtu_fits(hardware, leaves: str, system: str, members: tuple[str, ...]):
    # srl_nokia-interfaces, l2-mtu: down when larger than the port's mtu; srl_nokia-mtu: both defaults are 9232
    view = read(
        hardware,
        port("irb0", address("10.20.0.1/26")),
        port("ethernet-1/1", "<type>bridged</type>", leaves),
        port("ethernet-1/2", "<type>bridged</type>"),
        vrf("irb0.0"),
        vrf("irb0.0", "ethernet-1/1.0", "ethernet-1/2.0", name="hosts", kind="mac-vrf"),
        f'<system xmlns="urn:nokia.com:srlinux:general:system"><mtu xmlns="urn:nokia.com:srlinux:chassis:mtu">{system}</mtu></system>',
    )
    assert [each.members for each in view.addresses] == [members]


@pytest.mark.parametrize(
    ("ip_mtu", "l2_mtu", "addresses"), [(9218, "", 1), (9219, "", 0), (9100, "9113", 0), (9100, "9114", 1)]
)
def test_a_gateway_whose_packets_do_not_fit_the_mac_vrf_is_down(hardware, ip_mtu: int, l2_mtu: str, addresses: int):
    # srl_nokia-network-instance, oper-mac-vrf-mtu: the lowest l2-mtu; an irb's ip-mtu may be 14 bytes less
    inner = "<type>bridged</type>" + (f"<l2-mtu>{l2_mtu}</l2-mtu>" if l2_mtu else "")
    view = read(
        hardware,
        port("irb0", f"<ip-mtu>{ip_mtu}</ip-mtu>" + address("10.20.0.1/26")),
        port("ethernet-1/1", inner),
        port("ethernet-1/2", "<type>bridged</type>"),
        vrf("irb0.0"),
        vrf("irb0.0", "ethernet-1/1.0", "ethernet-1/2.0", name="hosts", kind="mac-vrf"),
    )
    assert len(view.addresses) == addresses


def test_sessions_take_what_the_group_and_the_instance_say(hardware):
    off = "<admin-state>disable</admin-state>"
    view = read(
        hardware,
        vrf(bgp=AS + V4 + V6_ON + group() + neighbor() + neighbor(family("ipv4-unicast", off), "fd00::1")
            + neighbor(off, "10.1.0.3") + neighbor("<peer-as>65009</peer-as>", "10.1.0.5")),
    )  # fmt: skip
    assert [(each.address, each.peer_asn, sorted(each.families)) for each in view.sessions] == [
        ("10.1.0.1", 65000, ["ipv4", "ipv6"]),
        ("fd00::1", 65000, ["ipv6"]),
        ("10.1.0.5", 65009, ["ipv4", "ipv6"]),
    ]
    assert (view.asn, view.router_id) == (65001, "10.255.0.1")


def test_a_disabled_bgp_is_none(hardware):
    view = read(hardware, vrf(bgp="<admin-state>disable</admin-state>" + AS + V4 + group() + neighbor()))
    assert (view.asn, view.sessions) == (0, ())


def test_maximum_paths_default_to_one(hardware):
    wide = "<admin-state>enable</admin-state><multipath><ebgp><maximum-paths>64</maximum-paths></ebgp></multipath>"
    view = read(hardware, vrf(bgp=AS + V4 + family("ipv6-unicast", wide)))
    assert view.maximum_paths == {"ipv4": 1, "ipv6": 64}


def test_connected_prefixes_of_enabled_families_are_originated(hardware):
    view = read(
        hardware,
        port("system0", address("10.255.0.1/32") + address("fd00::1/128")),
        vrf("system0.0", bgp=AS + V4 + group() + neighbor()),
    )
    assert view.originates == ((HOST, "system0.0"),)


def test_without_policy_an_external_peer_lets_nothing_through(hardware):  # RFC 8212 sections 2.1 and 2.2
    view = read(hardware, vrf(bgp=AS + V4 + group() + neighbor()))
    assert not view.imports("10.1.0.1", HOST, "bgp")
    assert not view.exports("10.1.0.1", HOST, "bgp")


def test_rfc_8212_can_be_switched_off_and_then_local_routes_still_need_a_policy(hardware):
    lenient = (
        "<ebgp-default-policy><import-reject-all>false</import-reject-all>"
        "<export-reject-all>false</export-reject-all></ebgp-default-policy>"
    )
    view = read(hardware, vrf(bgp=AS + V4 + lenient + group() + neighbor()))
    assert view.imports("10.1.0.1", HOST, "bgp")
    assert view.exports("10.1.0.1", HOST, "bgp")
    assert not view.exports("10.1.0.1", HOST, "local")


def test_a_policy_decides_by_its_first_matching_statement_then_by_its_default(hardware):
    rules = routing_policy(
        LOOPBACKS
        + policy("out", statement("10", IN_LOOPBACKS + "<protocol>c:local</protocol>", "accept"), default="reject")
    )
    view = read(hardware, rules, vrf(bgp=AS + V4 + "<export-policy>out</export-policy>" + group() + neighbor()))
    assert view.exports("10.1.0.1", HOST, "local")
    assert not view.exports("10.1.0.1", HOST, "bgp")
    assert not view.exports("10.1.0.1", LINK, "local")


def test_the_most_specific_level_that_lists_policies_wins(hardware):
    rules = routing_policy(policy("yes", default="accept") + policy("no", default="reject"))
    bgp = (
        AS + V4 + V6_ON + "<import-policy>no</import-policy>"
        + group("<peer-as>65000</peer-as><import-policy>yes</import-policy>")
        + neighbor()
        + neighbor(family("ipv6-unicast", "<import-policy>no</import-policy>"), "10.1.0.3")
    )  # fmt: skip
    view = read(hardware, rules, vrf(bgp=bgp))
    assert view.imports("10.1.0.1", HOST, "bgp")
    assert view.imports("10.1.0.3", HOST, "bgp")
    assert not view.imports("10.1.0.3", V6, "bgp")


def test_policies_of_a_leaf_list_are_tried_in_order(hardware):
    first = policy("first", statement("10", IN_LOOPBACKS, "next-policy"), default="reject")
    rules = routing_policy(LOOPBACKS + first + policy("second", default="accept"))
    both = "<import-policy>first</import-policy><import-policy>second</import-policy>"
    view = read(hardware, rules, vrf(bgp=AS + V4 + both + group() + neighbor()))
    assert view.imports("10.1.0.1", HOST, "bgp")
    assert not view.imports("10.1.0.1", LINK, "bgp")


def test_a_condition_that_is_not_modelled_matches_nothing(hardware):
    rules = routing_policy(policy("p", statement("10", "<bgp><med>1</med></bgp>", "accept")))
    view = read(hardware, rules, vrf(bgp=AS + V4 + "<import-policy>p</import-policy>" + group() + neighbor()))
    assert not view.imports("10.1.0.1", HOST, "bgp")


@pytest.mark.parametrize(
    ("prefix", "lengths", "route", "inside"),
    [
        # the two examples of srl_nokia-routing-policy, leaf mask-length-range
        ("10.3.192.0/21", "21..24", "10.3.192.0/21", True),
        ("10.3.192.0/21", "21..24", "10.3.199.0/24", True),
        ("10.3.192.0/21", "21..24", "10.3.199.0/25", False),
        ("10.3.192.0/21", "21..24", "10.3.200.0/24", False),
        ("10.3.192.0/21", "exact", "10.3.192.0/21", True),
        ("10.3.192.0/21", "exact", "10.3.192.0/22", False),
        ("10.3.192.0/21", "16..24", "10.3.0.0/16", False),
        ("::/0", "128..128", "fd00::1/128", True),
        ("::/0", "0..32", "10.0.0.0/8", False),
    ],
)
def test_a_prefix_set_covers(prefix: str, lengths: str, route: str, inside: bool):
    assert covers(prefix, lengths, ip_network(route)) is inside

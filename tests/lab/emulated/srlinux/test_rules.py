"""What the device refuses at validate and commit; sources in the rules modules' docstrings."""

from dataclasses import replace

import pytest
from lxml import etree

from fabric_auto.lab.emulated.srlinux import schema
from fabric_auto.lab.emulated.srlinux.factory import boot_configuration, reachable
from fabric_auto.lab.emulated.srlinux.rules import judge

NC = 'xmlns:nc="urn:ietf:params:xml:ns:netconf:base:1.0"'
IF = 'xmlns="urn:nokia.com:srlinux:chassis:interfaces"'
NI = 'xmlns="urn:nokia.com:srlinux:net-inst:network-instance"'
C = 'xmlns:c="urn:nokia.com:srlinux:general:common"'
FAMILY = f"<afi-safi {C}><afi-safi-name>c:ipv6-unicast</afi-safi-name><admin-state>enable</admin-state></afi-safi>"
GROUP = "<group><group-name>spines</group-name></group>"
BASE = f"<autonomous-system>65001</autonomous-system><router-id>10.0.0.1</router-id>{FAMILY}"


def port(name: str, inner: str = "") -> str:
    return f"<interface {IF}><name>{name}</name>{inner}</interface>"


def sub(inner: str = "", index: int = 0) -> str:
    return f"<subinterface><index>{index}</index>{inner}</subinterface>"


def vrf(name: str, kind: str, *members: str, inner: str = "") -> str:
    listed = "".join(f"<interface><name>{each}</name></interface>" for each in members)
    return f"<network-instance {NI}><name>{name}</name><type>{kind}</type>{listed}{inner}</network-instance>"


def bgp(inner: str) -> str:
    body = f'<protocols><bgp xmlns="urn:nokia.com:srlinux:bgp:bgp">{inner}</bgp></protocols>'
    return vrf("default", "default", inner=body)


def policies(inner: str) -> str:
    return f'<routing-policy xmlns="urn:nokia.com:srlinux:plcy:routing-policy">{inner}</routing-policy>'


def address(family: str, prefix: str) -> str:
    return f"<{family}><admin-state>enable</admin-state><address><ip-prefix>{prefix}</ip-prefix></address></{family}>"


def problems(hardware, *parts: str) -> list[tuple[str, str]]:
    config = etree.fromstring(f"<nc:config {NC}>{''.join(parts)}</nc:config>")
    schema.check(config)
    return [(each.path, each.message) for each in judge(hardware, None)(config)]


BREAKOUT = "<breakout-mode><num-breakout-ports>2</num-breakout-ports><breakout-port-speed>200G</breakout-port-speed></breakout-mode>"


@pytest.mark.parametrize(
    "parts",
    [
        [port("ethernet-1/64", "<mtu>9412</mtu>" + sub("<ip-mtu>9398</ip-mtu>"))],
        [port("ethernet-1/1", BREAKOUT), port("ethernet-1/1/2")],
        [port("lo0", sub()), port("system0", sub()), port("irb0", sub()), port("lag1000"), port("mgmt0")],
        [port("irb0", sub()), vrf("default", "default", "irb0.0"), vrf("hosts", "mac-vrf", "irb0.0")],
        [
            bgp(
                BASE
                + GROUP
                + "<neighbor><peer-address>fd00::1</peer-address><peer-group>spines</peer-group></neighbor>"
            )
        ],
        [port("ethernet-1/1", sub(address("ipv4", "10.0.0.0/31"))), vrf("default", "default", "ethernet-1/1.0")],
    ],
)
def test_a_sound_configuration_is_taken(hardware, parts: list[str]):
    assert problems(hardware, *parts) == []


@pytest.mark.parametrize(
    ("parts", "path", "words"),
    [
        ([port("ethernet-1/65")], "/interface[name='ethernet-1/65']", "does not exist"),
        ([port("ethernet-1/1/1")], "/interface[name='ethernet-1/1/1']", "breakout-mode"),
        ([port("ethernet-1/1", BREAKOUT), port("ethernet-1/1/3")], "/interface[name='ethernet-1/1/3']", "breakout-mode"),
        ([port("ethernet-1/1", BREAKOUT + "<mtu>9000</mtu>")], "/interface[name='ethernet-1/1']/mtu", "breakout-mode is enabled"),
        ([port("ethernet-1/1", "<breakout-mode><num-breakout-ports>2</num-breakout-ports></breakout-mode>")],
         "/interface[name='ethernet-1/1']/breakout-mode", "breakout-port-speed"),
        ([port("Ethernet0")], "/interface[name='Ethernet0']", "not an interface name"),
        ([port("ethernet-1/1", "<mtu>9413</mtu>")], "/interface[name='ethernet-1/1']/mtu", "9412"),
        ([port("ethernet-1/1", "<mtu>1499</mtu>")], "/interface[name='ethernet-1/1']/mtu", "minimum mtu is 1500"),
        ([port("ethernet-1/1", sub("<ip-mtu>9399</ip-mtu>"))],
         "/interface[name='ethernet-1/1']/subinterface[index='0']/ip-mtu", "9398"),
        ([port("system0", sub("<ip-mtu>9000</ip-mtu>"))], "/interface[name='system0']/subinterface[index='0']/ip-mtu",
         "ip-mtu not supported on this interface"),
        ([port("system0", sub("<type>routed</type>"))], "/interface[name='system0']/subinterface[index='0']/type",
         "type not supported on this interface"),
        ([port("system0", sub(index=1))], "/interface[name='system0']/subinterface[index='1']", "index must be 0"),
        ([vrf("default", "default", "ethernet-1/1.0")],
         "/network-instance[name='default']/interface[name='ethernet-1/1.0']", "existing subinterface"),
        ([port("irb0", sub()), vrf("default", "default", "irb0.0")], "/interface[name='irb0']/subinterface[index='0']",
         "mac-vrf"),
        ([port("ethernet-1/1", sub()), vrf("a", "ip-vrf", "ethernet-1/1.0"), vrf("b", "ip-vrf", "ethernet-1/1.0")],
         "/network-instance[name='b']/interface[name='ethernet-1/1.0']", "already used in network-instance a"),
        ([port("ethernet-1/1", sub()), vrf("a", "mac-vrf", "ethernet-1/1.0")],
         "/network-instance[name='a']/interface[name='ethernet-1/1.0']", "type bridged"),
        ([port("ethernet-1/1", sub(address("ipv4", "10.0.0.1"))), vrf("default", "default", "ethernet-1/1.0")],
         "/interface[name='ethernet-1/1']/subinterface[index='0']/ipv4/address[ip-prefix='10.0.0.1']", "not an ipv4 prefix"),
        ([bgp(f"<router-id>10.0.0.1</router-id>{FAMILY}")], "/network-instance[name='default']/protocols/bgp",
         'Mandatory node "autonomous-system" is missing'),
        ([bgp(f"<autonomous-system>65001</autonomous-system>{FAMILY}")], "/network-instance[name='default']/protocols/bgp",
         'Mandatory node "router-id" is missing'),
        ([bgp("<autonomous-system>65001</autonomous-system><router-id>10.0.0.1</router-id>")],
         "/network-instance[name='default']/protocols/bgp", "One of the address families must be enabled."),
        ([bgp(BASE + "<neighbor><peer-address>fd00::1</peer-address><peer-group>spines</peer-group></neighbor>")],
         "/network-instance[name='default']/protocols/bgp/neighbor[peer-address='fd00::1']/peer-group", '"spines"'),
        ([bgp(BASE + "<neighbor><peer-address>fd00::1</peer-address></neighbor>")],
         "/network-instance[name='default']/protocols/bgp/neighbor[peer-address='fd00::1']", '"peer-group" is missing'),
        ([bgp(BASE + "<export-policy>out</export-policy>")],
         "/network-instance[name='default']/protocols/bgp/export-policy", '"out"'),
        ([policies("<policy><name>p</name><statement><name>10</name><match><prefix><prefix-set>s</prefix-set></prefix>"
                   "</match></statement></policy>")],
         "/routing-policy/policy[name='p']/statement[name='10']/match/prefix/prefix-set", '"s"'),
        ([policies("<prefix-set><name>s</name><prefix><ip-prefix>10.0.0.0/16</ip-prefix>"
                   "<mask-length-range>32</mask-length-range></prefix></prefix-set>")],
         "/routing-policy/prefix-set[name='s']/prefix[ip-prefix='10.0.0.0/16'][mask-length-range='32']", "pattern"),
    ],
)  # fmt: skip
def test_a_broken_rule_is_named_with_its_place(hardware, parts: list[str], path: str, words: str):
    found = problems(hardware, *parts)
    assert path in [where for where, _ in found]
    assert words in dict(found)[path]


def test_one_address_may_stand_once_in_a_network_instance(hardware):
    twice = [port(f"ethernet-1/{n}", sub(address("ipv6", f"fd00::1/{length}"))) for n, length in ((1, 64), (2, 127))]
    (found,) = problems(hardware, *twice, vrf("default", "default", "ethernet-1/1.0", "ethernet-1/2.0"))
    assert "fd00::1" in found[1]
    apart = [vrf("a", "ip-vrf", "ethernet-1/1.0"), vrf("b", "ip-vrf", "ethernet-1/2.0")]
    assert problems(hardware, *twice, *apart) == []


def test_a_family_may_be_enabled_by_the_group_alone(hardware):
    off = f"<afi-safi {C}><afi-safi-name>c:ipv6-unicast</afi-safi-name><admin-state>disable</admin-state></afi-safi>"
    group = f"<group><group-name>g</group-name>{off}</group>"
    found = problems(hardware, bgp(BASE + group))
    assert found == [
        (
            "/network-instance[name='default']/protocols/bgp/group[group-name='g']",
            "One of the address families must be enabled.",
        )
    ]


def test_the_maxima_are_the_7220s(hardware):
    other = replace(hardware, model="7250 IXR-X3B")
    assert problems(other, port("ethernet-1/1", "<mtu>9500</mtu>")) == []


def test_the_boot_configuration_is_sound_and_reachable(hardware):
    config = boot_configuration()
    schema.check(config)
    assert judge(hardware, None)(config) == ()
    assert reachable(config)


@pytest.mark.parametrize("name", ["leaf1", "spine1"])
def test_the_reference_configurations_are_taken(hardware, shared, name: str):
    text = (shared / f"reference/examples/srlinux/{name}.xml").read_text(encoding="utf-8")
    config = etree.fromstring(f"<config>{text}</config>")
    schema.check(config)
    assert judge(hardware, None)(config) == ()

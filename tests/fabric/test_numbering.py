"""Numbers from the rules of intent-language.md ("Stable numbering"), worked out by hand."""

from ipaddress import IPv4Interface, IPv6Interface

from tests.fabrics import fabric_of, fabrics_of
from tests.strategies import SPECTRUM4, Shape


def test_loopbacks_are_numbers_of_the_role_s_quarter() -> None:
    fabric = fabric_of(Shape().intent)
    assert fabric.devices["east-leaf-01"].loopback.v4 == IPv4Interface("10.10.0.1/32")
    assert fabric.devices["east-leaf-04"].loopback.v6 == IPv6Interface("fd00:10::4/128")
    assert fabric.devices["east-spine-02"].loopback.v4 == IPv4Interface("10.10.64.2/32")
    assert fabric.devices["east-spine-02"].loopback.v6 == IPv6Interface("fd00:10::4000:0:0:2/128")


def test_leaves_count_up_and_spines_share_their_as_number() -> None:
    fabric = fabric_of(Shape().intent)
    assert [device.bgp.asn for device in fabric.devices.values()] == [
        4200100000,
        4200100001,
        4200100002,
        4200100003,
        4200000000,
        4200000000,
    ]


def test_uplink_j_is_at_the_top_minus_j_and_number_j_of_the_leaf_s_block() -> None:
    # 64 ports of 400G, two links a pair: U = 32 / 2 = 16. Leaf 2 (from 0), link 1, spine 1: j = 1 * 16 + 1 = 17.
    fabric = fabric_of(Shape(per_pair=2).intent)
    link = next(each for each in fabric.links if each.name == "east-leaf-03/east-spine-02/2")
    assert link.lower.port.name == "Ethernet368"  # port number 63 - 17 = 46, eight lanes a port
    assert link.lower.v4 == IPv4Interface("10.11.1.34/31")  # 2 * (2 * 64 + 17) = 290 = 1.34
    assert link.upper.v4 == IPv4Interface("10.11.1.35/31")
    assert link.lower.v6 == IPv6Interface("fd00:11::122/127")
    # On the spine D = 64 / 2 = 32: link 1 to leaf 2 is port 1 * 32 + 2 = 34 from the bottom, from 0.
    assert link.upper.port.name == "ethernet-1/35"


def test_a_sixteen_of_link_addresses_serves_128_leaves_of_64_ports() -> None:
    shape = Shape(leaves=64, spines=1, hosts=0)
    fabric = fabric_of(shape.intent.replace("10.11.0.0/16", "10.11.0.0/17"))
    assert len(fabric.links) == 64
    _, findings = fabrics_of(Shape(leaves=64, spines=1, hosts=0).intent.replace("10.11.0.0/16", "10.11.0.0/18"))
    assert [each.code for each in findings] == ["FAB301"]
    assert "entry 2049 is needed, the part for this role has 2048" in findings[0].message


def test_hosts_fill_from_the_bottom_and_the_gateway_is_the_first_address() -> None:
    fabric = fabric_of(Shape(nics=2).intent)
    leaf = fabric.devices["east-leaf-02"]
    assert leaf.vlan is not None
    assert (leaf.vlan.gateway4, leaf.vlan.gateway6) == (
        IPv4Interface("10.20.0.65/26"),
        IPv6Interface("fd00:20:0:1::1/64"),
    )
    ports = fabric.host_ports_of("east-leaf-02")
    # half of 64 ports, two NICs a host: room for 16 hosts a leaf, so leaf 1's first host is number 17
    assert [(port.host, port.nic, port.port.name, str(port.v4)) for port in ports[:3]] == [
        ("east-gpu-17", 1, "Ethernet0", "10.20.0.66/26"),
        ("east-gpu-17", 2, "Ethernet8", "10.20.0.67/26"),
        ("east-gpu-18", 1, "Ethernet16", "10.20.0.68/26"),
    ]


def test_an_800g_box_breaks_out_to_400g() -> None:
    fabric = fabric_of(Shape(leaf_platform=SPECTRUM4).intent)
    link = fabric.links_of("east-leaf-01")[0]
    # 128 ports of 400G; uplink 0 is the last: second half of the last front panel, lanes 508-511
    assert (link.lower.port.name, link.lower.port.panel, link.lower.port.channel) == ("Ethernet508", 64, 2)
    assert link.lower.port.lanes == (508, 509, 510, 511)


def test_another_platform_on_one_leaf_moves_no_other() -> None:
    plain = fabric_of(Shape().intent)
    mixed = fabric_of(Shape(overrides=({"device": "leaf-03", "platform": SPECTRUM4},)).intent)
    others = [name for name in plain.devices if name != "east-leaf-03"]
    assert [plain.devices[name] for name in others] == [mixed.devices[name] for name in others]
    assert mixed.devices["east-leaf-03"].platform.name == SPECTRUM4
    kept = [link for link in plain.links if link.lower.device != "east-leaf-03"]
    assert kept == [link for link in mixed.links if link.lower.device != "east-leaf-03"]


def test_a_link_override_changes_that_link_alone() -> None:
    fabric = fabric_of(Shape(overrides=({"link": "leaf-02/spine-01/1", "cable": "40m", "admin": "down"},)).intent)
    changed = [link for link in fabric.links if link.cable_m != 30]
    assert [(link.name, link.cable_m, link.enabled) for link in changed] == [
        ("east-leaf-02/east-spine-01/1", 40, False)
    ]


def test_names_are_padded_so_that_growth_renames_nothing() -> None:
    text = Shape().intent + "  naming: {digits: 3, device: '{tier}{n}.{fabric}'}\n"
    assert list(fabric_of(text.replace("{tier}{n}.{fabric}", "{fabric}-{tier}{n}")).devices)[:2] == [
        "east-leaf001",
        "east-leaf002",
    ]

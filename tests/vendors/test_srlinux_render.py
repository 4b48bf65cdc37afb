"""SR Linux: a leaf and a spine, from templates. Right values: the YANG of 25.3.1 and the behaviour of the box."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from fabric_auto.device.model import DeviceConfig
from fabric_auto.errors import FabricAutoError
from fabric_auto.vendors.base import Rendered
from fabric_auto.vendors.registry import VENDORS, vendor
from fabric_auto.vendors.srlinux.templates import environment
from tests.vendors.devices import BGP as BGP_LINE
from tests.vendors.devices import DEVICE, HOST, LINK_1, LINK_2, LOOPBACK, POLICY, VLAN, spine, srl_leaf

SRLINUX = VENDORS["srlinux"]
BGP = ("network-instance[name=default]", "protocols", "bgp")
HOST_PORT, SHUT, UPLINK = (f"interface[name=ethernet-1/{number}]" for number in (1, 63, 64))


@pytest.fixture(scope="module")
def leaf() -> Rendered:
    return SRLINUX.render(srl_leaf())


@pytest.fixture(scope="module")
def broken_out() -> Rendered:
    return SRLINUX.render(spine())


def test_a_routed_port_has_ethernet_mtu_ip_mtu_and_both_families_on(leaf: Rendered) -> None:
    inside = {path[1:]: value for path, value in leaf.leaves.items() if path[0] == UPLINK}
    zero = "subinterface[index=0]"
    assert inside == {
        (): "",
        ("description",): "east-spine-01 ethernet-1/1",
        ("admin-state",): "enable",
        ("mtu",): "9114",
        (zero,): "",
        (zero, "type"): "routed",
        (zero, "admin-state"): "enable",
        (zero, "ip-mtu"): "9100",
        (zero, "ipv4", "admin-state"): "enable",
        (zero, "ipv4", "address[ip-prefix=10.11.0.0/31]"): "",
        (zero, "ipv6", "admin-state"): "enable",
        (zero, "ipv6", "address[ip-prefix=fd00:11::/127]"): "",
    }


def test_a_link_that_the_intent_shuts_is_disabled_and_keeps_its_addresses(leaf: Rendered) -> None:
    assert leaf.leaves[SHUT, "admin-state"] == "disable"
    assert (SHUT, "subinterface[index=0]", "ipv4", "address[ip-prefix=10.11.0.2/31]") in leaf.leaves


def test_system0_has_both_loopbacks_and_neither_type_nor_mtu(leaf: Rendered) -> None:
    inside = {path[1:]: value for path, value in leaf.leaves.items() if path[0] == "interface[name=system0]"}
    zero = "subinterface[index=0]"
    assert inside == {
        (): "",
        ("admin-state",): "enable",
        (zero,): "",
        (zero, "admin-state"): "enable",
        (zero, "ipv4", "admin-state"): "enable",
        (zero, "ipv4", "address[ip-prefix=10.10.0.1/32]"): "",
        (zero, "ipv6", "admin-state"): "enable",
        (zero, "ipv6", "address[ip-prefix=fd00:10::1/128]"): "",
    }


def test_hosts_are_bridged_in_a_mac_vrf_and_routed_by_an_irb(leaf: Rendered) -> None:
    instance = "network-instance[name=hosts-100]"
    assert leaf.leaves[HOST_PORT, "subinterface[index=0]", "type"] == "bridged"
    assert (HOST_PORT, "subinterface[index=0]", "ip-mtu") not in leaf.leaves
    assert leaf.leaves[instance, "type"] == "mac-vrf"
    assert (instance, "interface[name=ethernet-1/1.0]") in leaf.leaves
    assert (instance, "interface[name=irb0.100]") in leaf.leaves
    assert ("network-instance[name=default]", "interface[name=irb0.100]") in leaf.leaves
    irb = ("interface[name=irb0]", "subinterface[index=100]")
    assert leaf.leaves[(*irb, "ip-mtu")] == "9100"
    assert (*irb, "ipv4", "address[ip-prefix=10.20.0.1/26]") in leaf.leaves
    assert (*irb, "ipv6", "address[ip-prefix=fd00:20::1/64]") in leaf.leaves


def with_host_mtu(ip_mtu: int) -> DeviceConfig:
    device = srl_leaf()
    assert device.host_vlan is not None
    ports = tuple(replace(port, ip_mtu=ip_mtu) for port in device.ports)
    return replace(device, ports=ports, host_vlan=replace(device.host_vlan, ip_mtu=ip_mtu))


DEFAULT_L2_MTU = ("system", "mtu", "default-l2-mtu")


@pytest.mark.parametrize("ip_mtu", [1500, 9100, 9218])
def test_a_host_port_keeps_the_default_mtu_so_that_the_default_l2_mtu_fits(ip_mtu: int) -> None:
    # srl_nokia-mtu: default-port-mtu and default-l2-mtu are both 9232; a subinterface whose l2-mtu is larger stays down
    rendered = SRLINUX.render(with_host_mtu(ip_mtu))
    assert (HOST_PORT, "mtu") not in rendered.leaves
    assert DEFAULT_L2_MTU not in rendered.leaves
    assert rendered.leaves[UPLINK, "mtu"] == str(ip_mtu + 14)


def test_packets_beyond_the_default_take_the_default_l2_mtu_along_and_it_is_a_field_of_ours() -> None:
    # the 7220 IXR-H4's largest: ip-mtu 9398, mtu and l2-mtu 9412
    rendered = SRLINUX.render(with_host_mtu(9398))
    assert (rendered.leaves[HOST_PORT, "mtu"], rendered.leaves[DEFAULT_L2_MTU]) == ("9412", "9412")
    assert rendered.leaves["interface[name=irb0]", "subinterface[index=100]", "ip-mtu"] == "9398"
    assert rendered.ownership.covers(DEFAULT_L2_MTU)
    assert not rendered.ownership.covers(("system", "mtu", "default-ip-mtu"))
    assert rendered.origin_of(DEFAULT_L2_MTU) == VLAN
    system = json.loads(rendered.artifacts[2].content)["srl_nokia-system:system"]
    assert system["srl_nokia-mtu:mtu"] == {"default-l2-mtu": 9412}


def test_every_routed_subinterface_is_in_the_default_network_instance(leaf: Rendered) -> None:
    listed = [path[1] for path in leaf.leaves if len(path) == 2 and path[0] == BGP[0] and "interface" in path[1]]
    assert listed == [
        "interface[name=ethernet-1/64.0]",
        "interface[name=ethernet-1/63.0]",
        "interface[name=system0.0]",
        "interface[name=irb0.100]",
    ]


def test_bgp_has_both_families_with_multipath_and_a_group_for_each(leaf: Rendered) -> None:
    assert leaf.leaves[BGP] == ""
    assert leaf.leaves[(*BGP, "autonomous-system")] == "4200100000"
    assert leaf.leaves[(*BGP, "router-id")] == "10.10.0.1"
    for family, other, group in (
        ("ipv4-unicast", "ipv6-unicast", "fabric-v4"),
        ("ipv6-unicast", "ipv4-unicast", "fabric-v6"),
    ):
        instance, peers = (*BGP, f"afi-safi[afi-safi-name={family}]"), (*BGP, f"group[group-name={group}]")
        assert leaf.leaves[(*instance, "admin-state")] == "enable"
        assert leaf.leaves[(*instance, "multipath", "ebgp", "maximum-paths")] == "128"
        assert leaf.leaves[(*peers, f"afi-safi[afi-safi-name={family}]", "admin-state")] == "enable"
        assert leaf.leaves[(*peers, f"afi-safi[afi-safi-name={other}]", "admin-state")] == "disable"
        assert leaf.leaves[(*peers, "export-policy")] == ("fabric-out",)
        assert leaf.leaves[(*peers, "import-policy")] == ("fabric-in",)
        assert leaf.leaves[(*peers, "timers", "keepalive-interval")] == "3"
        assert leaf.leaves[(*peers, "timers", "hold-time")] == "9"
    assert not any("ebgp-default-policy" in path for path in leaf.leaves)


@pytest.mark.parametrize(
    ("address", "local", "group"),
    [("10.11.0.1", "10.11.0.0", "fabric-v4"), ("fd00:11::1", "fd00:11::", "fabric-v6")],
)
def test_a_session_of_each_family_is_in_its_group(leaf: Rendered, address: str, local: str, group: str) -> None:
    peer = (*BGP, f"neighbor[peer-address={address}]")
    assert {path[4:]: value for path, value in leaf.leaves.items() if path[:4] == peer} == {
        (): "",
        ("description",): "east-spine-01",
        ("peer-as",): "4200000000",
        ("peer-group",): group,
        ("transport", "local-address"): local,
    }


def test_policies_take_and_give_loopbacks_and_host_subnets_of_exact_length_and_nothing_else(leaf: Rendered) -> None:
    prefixes = [
        path[1:] for path in leaf.leaves if path[0] == "routing-policy" and len(path) == 3 and "-set" in path[1]
    ]
    assert prefixes == [
        ("prefix-set[name=fabric-loopbacks-v4]", "prefix[ip-prefix=10.10.0.0/16][mask-length-range=32..32]"),
        ("prefix-set[name=fabric-loopbacks-v6]", "prefix[ip-prefix=fd00:10::/64][mask-length-range=128..128]"),
        ("prefix-set[name=fabric-hosts-v4]", "prefix[ip-prefix=10.20.0.0/16][mask-length-range=26..26]"),
        ("prefix-set[name=fabric-hosts-v6]", "prefix[ip-prefix=fd00:20::/48][mask-length-range=64..64]"),
    ]
    for policy in ("fabric-in", "fabric-out"):
        entry = ("routing-policy", f"policy[name={policy}]")
        assert leaf.leaves[(*entry, "default-action", "policy-result")] == "reject"
        statements = {path[2] for path in leaf.leaves if path[:2] == entry and path[2:3] and "statement" in path[2]}
        assert len(statements) == 4
        assert all(leaf.leaves[(*entry, each, "action", "policy-result")] == "accept" for each in statements)
        assert leaf.leaves[(*entry, "statement[name=hosts-v4]", "match", "prefix", "prefix-set")] == "fabric-hosts-v4"


def test_lldp_announces_the_host_name_on_every_enabled_port(leaf: Rendered) -> None:
    assert leaf.leaves["system", "name", "host-name"] == "east-leaf-01"
    assert {path[1:]: value for path, value in leaf.leaves.items() if path[:2] == ("system", "lldp")} == {
        ("lldp",): "",
        ("lldp", "admin-state"): "enable",
        ("lldp", "interface[name=ethernet-1/1]"): "",
        ("lldp", "interface[name=ethernet-1/1]", "admin-state"): "enable",
        ("lldp", "interface[name=ethernet-1/64]"): "",
        ("lldp", "interface[name=ethernet-1/64]", "admin-state"): "enable",
    }


def test_a_broken_out_connector_has_a_mode_and_no_mtu(broken_out: Rendered) -> None:
    connector = "interface[name=ethernet-1/1]"
    assert {path[1:]: value for path, value in broken_out.leaves.items() if path[0] == connector} == {
        (): "",
        ("admin-state",): "enable",
        ("breakout-mode",): "",
        ("breakout-mode", "num-breakout-ports"): "2",
        ("breakout-mode", "breakout-port-speed"): "200G",
    }
    assert broken_out.leaves["interface[name=ethernet-1/1/1]", "mtu"] == "9114"
    assert broken_out.leaves["interface[name=ethernet-1/1/2]", "admin-state"] == "disable"
    assert ("interface[name=ethernet-1/1/2]", "description") not in broken_out.leaves


def test_a_port_states_its_speed_when_it_is_not_the_native_one() -> None:
    device = srl_leaf()
    slow = replace(device, ports=tuple(replace(each, speed_mbps=100_000) for each in device.ports))
    assert SRLINUX.render(slow).leaves[UPLINK, "ethernet", "port-speed"] == "100G"
    assert (UPLINK, "ethernet", "port-speed") not in SRLINUX.render(device).leaves


@pytest.mark.parametrize("device", [srl_leaf(), spine()], ids=lambda each: each.name)
def test_the_artifact_reads_back_as_the_leaves_and_all_of_it_is_ours(device: DeviceConfig) -> None:
    rendered = SRLINUX.render(device)
    assert [each.name for each in rendered.artifacts] == ["config.xml", "config.set", "config.json"]
    assert SRLINUX.parse(rendered.artifacts[0].content) == rendered.leaves
    assert [path for path in rendered.leaves if not rendered.ownership.covers(path)] == []
    assert SRLINUX.render(device).artifacts == rendered.artifacts


@pytest.mark.parametrize(
    ("path", "is_ours"),
    [
        ((UPLINK, "vlan-tagging"), True),
        (("interface[name=mgmt0]", "admin-state"), False),
        (("interface[name=irb0]", "admin-state"), True),
        (("interface[name=irb0]", "subinterface[index=100]", "ipv4", "arp", "timeout"), True),
        (("interface[name=irb0]", "subinterface[index=7]"), False),
        (("network-instance[name=default]", "type"), True),
        (("network-instance[name=default]", "description"), False),
        (("network-instance[name=default]", "interface[name=ethernet-1/64.0]"), True),
        (("network-instance[name=default]", "interface[name=lo0.0]"), False),
        (("network-instance[name=hosts-100]", "interface[name=lag1.0]"), True),
        (("network-instance[name=mgmt]", "type"), False),
        ((*BGP, "autonomous-system"), True),
        ((*BGP, "dynamic-neighbors"), False),
        ((*BGP, "neighbor[peer-address=10.11.0.1]", "next-hop-self"), True),
        ((*BGP, "neighbor[peer-address=192.0.2.1]", "peer-as"), False),
        ((*BGP, "group[group-name=fabric-v4]", "next-hop-self"), True),
        (("routing-policy", "policy[name=fabric-in]", "default-action", "policy-result"), True),
        (("routing-policy", "policy[name=operators]"), False),
        (("system", "name", "host-name"), True),
        (("system", "name", "domain-name"), False),
        (("system", "lldp", "interface[name=ethernet-1/64]", "admin-state"), True),
        (("system", "lldp", "interface[name=mgmt0]"), False),
        (("system", "lldp", "hello-timer"), False),
        (("acl", "acl-filter"), False),
    ],
)
def test_ours_is_by_entry_and_never_a_container_that_others_use(
    leaf: Rendered, path: tuple[str, ...], is_ours: bool
) -> None:
    assert leaf.ownership.covers(path) is is_ours


@pytest.mark.parametrize(
    ("path", "origin"),
    [
        ((HOST_PORT, "admin-state"), HOST),
        ((SHUT, "admin-state"), LINK_2),
        ((UPLINK, "subinterface[index=0]", "ipv4", "address[ip-prefix=10.11.0.0/31]"), LINK_1),
        (("interface[name=system0]", "admin-state"), LOOPBACK),
        (("interface[name=irb0]", "subinterface[index=100]"), VLAN),
        (("network-instance[name=hosts-100]", "type"), VLAN),
        (("network-instance[name=default]", "type"), DEVICE),
        ((*BGP, "router-id"), BGP_LINE),
        ((*BGP, "neighbor[peer-address=fd00:11::1]", "peer-as"), LINK_1),
        (("routing-policy", "policy[name=fabric-in]"), POLICY),
        (("system", "name", "host-name"), DEVICE),
    ],
)
def test_every_entry_knows_its_intent_line(leaf: Rendered, path: tuple[str, ...], origin: object) -> None:
    assert leaf.origin_of(path) == origin


def test_json_is_qualified_by_module_and_typed(leaf: Rendered) -> None:
    config = json.loads(leaf.artifacts[2].content)
    assert list(config) == [
        "srl_nokia-interfaces:interface",
        "srl_nokia-network-instance:network-instance",
        "srl_nokia-routing-policy:routing-policy",
        "srl_nokia-system:system",
    ]
    bridged, routed = config["srl_nokia-interfaces:interface"][0], config["srl_nokia-interfaces:interface"][2]
    assert bridged["subinterface"][0]["type"] == "srl_nokia-interfaces:bridged"
    assert routed["mtu"] == 9114
    instance = config["srl_nokia-network-instance:network-instance"][0]
    bgp = instance["protocols"]["srl_nokia-bgp:bgp"]
    assert instance["type"] == "srl_nokia-network-instance:default"
    assert bgp["afi-safi"][0]["afi-safi-name"] == "srl_nokia-common:ipv4-unicast"
    assert bgp["autonomous-system"] == 4200100000
    assert bgp["group"][0]["export-policy"] == ["fabric-out"]
    assert config["srl_nokia-system:system"]["srl_nokia-system-name:name"] == {"host-name": "east-leaf-01"}


def test_set_commands_are_one_leaf_a_line(leaf: Rendered) -> None:
    lines = leaf.artifacts[1].content.decode().splitlines()
    assert 'set / interface ethernet-1/64 description "east-spine-01 ethernet-1/1"' in lines
    assert "set / interface ethernet-1/64 subinterface 0 ipv4 address 10.11.0.0/31" in lines
    assert "set / network-instance default interface ethernet-1/64.0" in lines
    bgp = "set / network-instance default protocols bgp"
    assert f"{bgp} afi-safi ipv4-unicast multipath ebgp maximum-paths 128" in lines
    assert f"{bgp} group fabric-v4 export-policy [ fabric-out ]" in lines
    assert all(line.startswith("set / ") for line in lines)


def test_special_characters_of_xml_and_json_reach_the_device_as_they_are() -> None:
    text = """<b>"R&D" \\ 'x' {{ 7 * 7 }}"""
    device = srl_leaf()
    named = replace(device, ports=(replace(device.ports[0], description=text), *device.ports[1:]))
    rendered = SRLINUX.render(named)
    assert rendered.leaves[HOST_PORT, "description"] == text
    assert b"&lt;b&gt;&#34;R&amp;D&#34;" in rendered.artifacts[0].content
    config = json.loads(rendered.artifacts[2].content)
    assert config["srl_nokia-interfaces:interface"][0]["description"] == text


def project(tmp_path: Path, **templates: str) -> Path:
    folder = tmp_path / "templates"
    (folder / "srlinux").mkdir(parents=True)
    for name, text in templates.items():
        (folder / "srlinux" / f"{name.replace('_', '-')}.xml.j2").write_text(text)
    return folder


def test_a_project_adds_a_subtree_of_its_own_and_it_is_ours(tmp_path: Path) -> None:
    banner = (
        '<system xmlns="urn:nokia.com:srlinux:general:system">'
        '<banner xmlns="urn:nokia.com:srlinux:linux:system-banner">'
        "<login-banner>{{ device.name }}</login-banner></banner></system>\n"
    )
    rendered = vendor("srlinux", project(tmp_path, site=banner)).render(srl_leaf())
    path = ("system", "banner", "login-banner")
    assert rendered.leaves[path] == "east-leaf-01"
    assert rendered.ownership.covers(path)
    assert "set / system banner login-banner east-leaf-01" in rendered.artifacts[1].content.decode()
    assert path not in SRLINUX.render(srl_leaf()).leaves


def test_a_project_replaces_a_shipped_template(tmp_path: Path) -> None:
    shipped = (Path(__file__).parents[2] / "templates/srlinux/interfaces.xml.j2").read_text()
    tagged = shipped.replace("{{ port.description }}", "[fabric] {{ port.description }}")
    rendered = vendor("srlinux", project(tmp_path, interfaces=tagged)).render(srl_leaf())
    assert rendered.leaves[HOST_PORT, "description"] == "[fabric] gpu-01 nic1"


@pytest.mark.parametrize(
    ("template", "line", "reason"),
    [
        ("\n\n{{ system.hostname }}", 3, "no attribute 'hostname'"),
        ("\n{{ nothing }}", 2, "'nothing' is undefined"),
        ("\n{% if %}", 2, "Expected an expression"),
        ("{{ 1 / 0 }}", 1, "division by zero"),
        ("\n{{ ''.__class__.__mro__ }}", 2, "unsafe"),
    ],
)
def test_a_template_error_names_template_line_and_device(tmp_path: Path, template: str, line: int, reason: str) -> None:
    nos = vendor("srlinux", project(tmp_path, system=template))
    with pytest.raises(FabricAutoError) as caught:
        nos.render(srl_leaf())
    assert re.search(rf"srlinux/system\.xml\.j2, line {line}, does not render for east-leaf-01: ", caught.value.message)
    assert reason in caught.value.message


def test_a_template_that_gives_no_xml_is_named_with_the_device(tmp_path: Path) -> None:
    nos = vendor("srlinux", project(tmp_path, system="<system>"))
    with pytest.raises(FabricAutoError, match=r"gives no configuration for east-leaf-01: not well-formed XML"):
        nos.render(srl_leaf())


def test_templates_are_compiled_once(tmp_path: Path) -> None:
    folder = project(tmp_path)
    assert environment(folder) is environment(folder)
    assert vendor("srlinux", folder) is vendor("srlinux", folder)


def test_there_are_two_vendors_and_no_third() -> None:
    assert {name: each.name for name, each in VENDORS.items()} == {"sonic": "sonic", "srlinux": "srlinux"}
    with pytest.raises(KeyError):
        vendor("eos")


@pytest.mark.parametrize("form", ["xml", "json"])
def test_the_vendor_models_accept_a_leaf_and_a_spine(
    shared: Path, yang_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setenv("SRL_YANG_CACHE", str(tmp_path / "cache"))
    assert yang_models.is_dir()
    files: list[Path] = []
    for device in (srl_leaf(), spine(), spine(mode="4x100G")):
        content = next(
            each.content for each in SRLINUX.render(device).artifacts if each.name == f"config.{form}"
        ).decode()
        if form == "xml":  # the judge reads the content of <config>
            content = content.split(">", 1)[1].rsplit("</config>", 1)[0]
        files.append(tmp_path / f"{len(files)}.{form}")
        files[-1].write_text(content)
    tool = [sys.executable, str(shared / "tools/srl_yang_check.py"), "--platform", "7220-IXR-H4"]
    done = subprocess.run([*tool, *map(str, files)], capture_output=True, text=True, check=False, timeout=170)
    assert done.returncode == 0, done.stdout + done.stderr

"""SR Linux: NETCONF XML to leaves and back. Right values: RFC 6241, RFC 7950, RFC 7951 and the models' own examples."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from fabric_auto.vendors.base import Leaves
from fabric_auto.vendors.srlinux.json_ietf import json_ietf
from fabric_auto.vendors.srlinux.schema import read_step, spell_step
from fabric_auto.vendors.srlinux.set_commands import set_commands
from fabric_auto.vendors.srlinux.tree import build, parse

NETCONF = "urn:ietf:params:xml:ns:netconf:base:1.0"
IF = "urn:nokia.com:srlinux:chassis:interfaces"
BGP = ("network-instance[name=default]", "protocols", "bgp")


def config(body: str, tag: str = "config") -> bytes:
    return f'<{tag} xmlns="{NETCONF}">{body}</{tag}>'.encode()


def operations_of(document: bytes) -> dict[str, str]:
    """Each element with an operation, by local name, and its operation."""
    root = etree.fromstring(document)
    return {
        etree.QName(each).localname: str(each.get(f"{{{NETCONF}}}operation"))
        for each in root.iter()
        if each.get(f"{{{NETCONF}}}operation")
    }


def test_entries_presence_containers_leaves_and_leaf_lists_are_leaves() -> None:
    document = config(
        f"""
        <interface xmlns="{IF}"><name>ethernet-1/1</name><mtu>9114</mtu>
          <subinterface><index>0</index><type>routed</type></subinterface></interface>
        <network-instance xmlns="urn:nokia.com:srlinux:net-inst:network-instance"><name>default</name><protocols>
          <bgp xmlns="urn:nokia.com:srlinux:bgp:bgp"><group><group-name>fabric-v4</group-name>
            <export-policy>fabric-out</export-policy>
            <afi-safi><afi-safi-name xmlns:c="urn:nokia.com:srlinux:general:common">c:ipv4-unicast</afi-safi-name>
            </afi-safi></group></bgp></protocols></network-instance>"""
    )
    group = (*BGP, "group[group-name=fabric-v4]")
    assert parse(document) == {
        ("interface[name=ethernet-1/1]",): "",
        ("interface[name=ethernet-1/1]", "mtu"): "9114",
        ("interface[name=ethernet-1/1]", "subinterface[index=0]"): "",
        ("interface[name=ethernet-1/1]", "subinterface[index=0]", "type"): "routed",
        ("network-instance[name=default]",): "",
        BGP: "",
        group: "",
        (*group, "export-policy"): ("fabric-out",),
        (*group, "afi-safi[afi-safi-name=ipv4-unicast]"): "",
    }


def test_data_of_a_reply_reads_as_config_does() -> None:
    body = f'<interface xmlns="{IF}"><name>system0</name></interface>'
    assert parse(config(body, "data")) == parse(config(body)) == {("interface[name=system0]",): ""}


def test_foreign_subtrees_are_kept_with_their_namespace_and_numbered_when_they_repeat() -> None:
    body = """<acme xmlns="urn:acme:x"><rule><a>1</a></rule><rule><a>2</a></rule><tag>b</tag><tag>a</tag></acme>"""
    leaves = parse(config(body))
    acme = "{urn:acme:x}acme"
    assert leaves == {
        (acme, "rule[#1]", "a"): "1",
        (acme, "rule[#2]", "a"): "2",
        (acme, "tag"): ("a", "b"),
    }
    assert parse(build(leaves, {})) == leaves


def test_a_foreign_augment_of_an_interface_comes_back_in_its_own_namespace() -> None:
    storm = "urn:nokia.com:srlinux:chassis:interfaces-dco"
    body = f'<interface xmlns="{IF}"><name>ethernet-1/1</name><x xmlns="{storm}"><y>1</y></x></interface>'
    leaves = parse(config(body))
    assert leaves[("interface[name=ethernet-1/1]", f"{{{storm}}}x", "y")] == "1"
    rebuilt = etree.fromstring(build(leaves, {}))
    assert rebuilt.findtext(f"{{{IF}}}interface/{{{storm}}}x/{{{storm}}}y") == "1"


@pytest.mark.parametrize("example", ["spine1", "leaf1", "x3b-metro", "r25.10-h5-leaf-spray", "r26.7-h5-leaf-usid"])
def test_a_whole_configuration_survives_the_round_trip(shared: Path, example: str) -> None:
    body = (shared / f"reference/examples/srlinux/{example}.xml").read_text()
    leaves = parse(config(body))
    assert len(leaves) > 50
    assert parse(build(leaves, {})) == leaves


@pytest.mark.parametrize("example", ["spine1", "leaf1"])
def test_json_says_what_the_vendor_library_made_of_the_same_configuration(shared: Path, example: str) -> None:
    folder = shared / "reference/examples/srlinux"
    leaves = parse(config((folder / f"{example}.xml").read_text()))
    ours, theirs = json.loads(json_ietf(leaves)), json.loads((folder / f"{example}.json").read_text())
    for member in (
        "srl_nokia-interfaces:interface",
        "srl_nokia-network-instance:network-instance",
        "srl_nokia-routing-policy:routing-policy",
        "srl_nokia-bfd:bfd",
    ):
        assert unordered(ours[member]) == unordered(theirs[member])


def unordered(value: object) -> object:
    """The same JSON with arrays of entries in one order: the two files list entries differently."""
    if isinstance(value, dict):
        return {name: unordered(each) for name, each in value.items()}
    if isinstance(value, list):
        return sorted((unordered(each) for each in value), key=spelled)
    return value


def spelled(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def test_statements_keep_their_order_and_policies_of_a_group_too() -> None:
    body = """<routing-policy xmlns="urn:nokia.com:srlinux:plcy:routing-policy"><policy><name>p</name>
      <statement><name>z</name></statement><statement><name>a</name></statement></policy></routing-policy>"""
    rebuilt = etree.fromstring(build(parse(config(body)), {}))
    names = [str(each.text) for each in rebuilt.iterfind(".//{*}statement/{*}name")]
    assert names == ["z", "a"]
    leaves: Leaves = {(*BGP, "import-policy"): ("z", "a")}
    assert parse(build(leaves, {}))[(*BGP, "import-policy")] == ("z", "a")


def test_an_identity_gets_the_prefix_of_its_module() -> None:
    leaves: Leaves = {(*BGP, "afi-safi[afi-safi-name=ipv6-unicast]", "admin-state"): "enable"}
    element = etree.fromstring(build(leaves, {})).find(".//{urn:nokia.com:srlinux:bgp:bgp}afi-safi-name")
    assert element is not None
    prefix, _, name = str(element.text).partition(":")
    assert name == "ipv6-unicast"
    assert element.nsmap[prefix] == "urn:nokia.com:srlinux:general:common"


def test_an_identity_of_the_same_module_needs_no_prefix() -> None:
    leaves: Leaves = {("interface[name=ethernet-1/1]", "subinterface[index=0]", "type"): "bridged"}
    assert b"<type>bridged</type>" in build(leaves, {})


def test_an_entry_to_replace_carries_its_content_and_keys_come_first() -> None:
    entry = ("interface[name=ethernet-1/1]",)
    document = build({(*entry, "mtu"): "9114", entry: ""}, {entry: "replace"})
    assert operations_of(document) == {"interface": "replace"}
    element = etree.fromstring(document)[0]
    assert [etree.QName(each).localname for each in element] == ["name", "mtu"]


def test_a_removed_entry_carries_its_keys_alone() -> None:
    entry = ("routing-policy", "prefix-set[name=hosts]", "prefix[ip-prefix=10.0.0.0/16][mask-length-range=32..32]")
    other = (*BGP, "neighbor[peer-address=10.11.0.1]")
    document = build({(*other, "peer-as"): "65001"}, {entry: "remove", other: "remove"})
    assert operations_of(document) == {"prefix": "remove", "neighbor": "remove"}
    root = etree.fromstring(document)
    prefix, neighbor = root.find(".//{*}prefix"), root.find(".//{*}neighbor")
    assert prefix is not None
    assert neighbor is not None
    assert [str(each.text) for each in prefix] == ["10.0.0.0/16", "32..32"]
    assert [str(each.text) for each in neighbor] == ["10.11.0.1"]


def test_a_removed_leaf_has_no_value_and_a_removed_leaf_list_names_its_values() -> None:
    leaf, policies = ("system", "name", "host-name"), (*BGP, "export-policy")
    document = build({policies: ("a", "b")}, {leaf: "remove", policies: "remove"})
    root = etree.fromstring(document)
    name = root.find(".//{*}host-name")
    assert name is not None
    assert name.text is None
    gone = [(str(each.text), each.get(f"{{{NETCONF}}}operation")) for each in root.iterfind(".//{*}export-policy")]
    assert gone == [("a", "remove"), ("b", "remove")]


def test_a_document_without_operations_names_no_prefix() -> None:
    assert b"xmlns:nc" not in build({("system", "name", "host-name"): "leaf-01"}, {})


@pytest.mark.parametrize(
    "attack",
    [
        b'<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]><config>&x;</config>',
        b'<!DOCTYPE c [<!ENTITY a "aaaa">]><config><b>&a;</b></config>',
        b'<!DOCTYPE c SYSTEM "http://192.0.2.1/x.dtd"><config/>',
    ],
)
def test_entities_and_document_types_are_refused(attack: bytes) -> None:
    with pytest.raises(ValueError, match=r"document type|well-formed"):
        parse(attack)


@pytest.mark.parametrize(
    ("garbage", "reason"),
    [
        (b"", "not well-formed"),
        (b"no configuration", "not well-formed"),
        (b"<rpc-error/>", "<config> or <data> expected, not <rpc-error>"),
        (config(f'<interface xmlns="{IF}"><mtu>1</mtu></interface>'), "<interface> without its key <name>"),
    ],
)
def test_what_is_not_a_configuration_is_refused(garbage: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse(garbage)


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=20))
def test_a_key_with_any_text_survives_its_step(value: str) -> None:
    step = read_step(spell_step("user", ("username",), [value]))
    assert (step.name, step.keys) == ("user", (("username", value),))


@pytest.mark.parametrize("step", ["interface[name=x", "interface[x]", "interface[name=x]y"])
def test_what_is_not_a_step_is_refused(step: str) -> None:
    with pytest.raises(ValueError, match="is not a step"):
        read_step(step)


def test_set_commands_spell_containers_and_keys_in_full() -> None:
    interface = ("interface[name=ethernet-1/1]",)
    prefix = ("routing-policy", "prefix-set[name=lo]", "prefix[ip-prefix=10.10.0.0/16][mask-length-range=32..32]")
    leaves: Leaves = {
        interface: "",
        (*interface, "description"): 'say "hi"',
        (*interface, "subinterface[index=0]"): "",
        (*interface, "subinterface[index=0]", "ipv4", "address[ip-prefix=10.11.0.1/31]"): "",
        prefix: "",
        (*BGP, "export-policy"): ("fabric-out",),
    }
    assert set_commands(leaves).splitlines() == [
        'set / interface ethernet-1/1 description "say \\"hi\\""',
        "set / interface ethernet-1/1 subinterface 0 ipv4 address 10.11.0.1/31",
        "set / routing-policy prefix-set lo prefix 10.10.0.0/16 mask-length-range 32..32",
        "set / network-instance default protocols bgp export-policy [ fabric-out ]",
    ]


def test_json_has_numbers_booleans_64_bit_strings_and_empty_leaves() -> None:
    address = ("interface[name=irb0]", "subinterface[index=7]", "ipv4", "address[ip-prefix=192.0.2.1/24]")
    leaves: Leaves = {
        (*address, "primary"): "",
        ("system", "lldp", "hello-timer"): "30",
        (*BGP, "ebgp-default-policy", "import-reject-all"): "true",
        (*BGP, "autonomous-system"): "4200000000",
    }
    assert json.loads(json_ietf(leaves)) == {
        "srl_nokia-interfaces:interface": [
            {
                "name": "irb0",
                "subinterface": [{"index": 7, "ipv4": {"address": [{"ip-prefix": "192.0.2.1/24", "primary": [None]}]}}],
            }
        ],
        "srl_nokia-system:system": {"srl_nokia-lldp:lldp": {"hello-timer": "30"}},
        "srl_nokia-network-instance:network-instance": [
            {
                "name": "default",
                "protocols": {
                    "srl_nokia-bgp:bgp": {
                        "ebgp-default-policy": {"import-reject-all": True},
                        "autonomous-system": 4200000000,
                    }
                },
            }
        ],
    }

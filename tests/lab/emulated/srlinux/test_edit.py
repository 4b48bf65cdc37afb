"""RFC 6241 section 7.2, on a configuration tree."""

import pytest
from lxml import etree

from fabric_auto.lab.emulated.srlinux import edit, schema
from fabric_auto.lab.emulated.srlinux.elements import copy_children, fingerprint
from fabric_auto.lab.emulated.srlinux.errors import RpcError

NC = 'xmlns:nc="urn:ietf:params:xml:ns:netconf:base:1.0"'
IF = 'xmlns="urn:nokia.com:srlinux:chassis:interfaces"'
NI = 'xmlns="urn:nokia.com:srlinux:net-inst:network-instance"'
BGP = 'xmlns="urn:nokia.com:srlinux:bgp:bgp"'
PLCY = 'xmlns="urn:nokia.com:srlinux:plcy:routing-policy"'
COMMON = 'xmlns:c="urn:nokia.com:srlinux:general:common"'
PORT = f"<interface {IF}><name>ethernet-1/1</name><description>to spine</description><mtu>9232</mtu></interface>"


def tree(inner: str):
    return etree.fromstring(f"<nc:config {NC} {COMMON}>{inner}</nc:config>")


def edited(before: str, change: str, default: str = "merge"):
    target, config = copy_children(tree(before)), tree(change)
    schema.check(config)
    edit.apply(target, config, default)
    return target


def same(target, wanted: str) -> bool:
    return fingerprint(target) == fingerprint(copy_children(tree(wanted)))


def refusal(before: str, change: str, default: str = "merge") -> RpcError:
    with pytest.raises(RpcError) as caught:
        edited(before, change, default)
    return caught.value


def bgp(inner: str) -> str:
    return (
        f"<network-instance {NI}><name>default</name><protocols><bgp {BGP}>{inner}</bgp></protocols></network-instance>"
    )


def port(inner: str, operation: str = "") -> str:
    attribute = f' {NC} nc:operation="{operation}"' if operation else ""
    return f"<interface {IF}{attribute}><name>ethernet-1/1</name>{inner}</interface>"


def test_merge_changes_the_leaf_and_keeps_the_rest():
    assert same(edited(PORT, port("<mtu>9000</mtu>")), port("<description>to spine</description><mtu>9000</mtu>"))


def test_merge_of_another_key_is_another_entry():
    target = edited(PORT, PORT.replace("1/1", "1/2"))
    assert target.xpath("//*[local-name()='name']/text()") == ["ethernet-1/1", "ethernet-1/2"]


def test_replace_leaves_only_what_the_edit_has():
    assert same(edited(PORT, port("<mtu>9000</mtu>", "replace")), port("<mtu>9000</mtu>"))


def test_create_of_what_exists_is_data_exists():
    error = refusal(PORT, port("", "create"))
    assert (error.tag, error.path) == ("data-exists", "/interface[name='ethernet-1/1']")


def test_delete_of_what_is_not_there_is_data_missing():
    error = refusal(
        PORT, port(f'<vlan-tagging xmlns="urn:nokia.com:srlinux:chassis:interfaces-vlans" {NC} nc:operation="delete"/>')
    )
    assert (error.tag, error.path) == ("data-missing", "/interface[name='ethernet-1/1']/vlan-tagging")


def test_remove_of_what_is_not_there_is_no_error():
    gone = f'<interface {IF} {NC} nc:operation="remove"><name>ethernet-1/9</name></interface>'
    assert same(edited(PORT, gone), PORT)


def test_delete_takes_the_entry_with_all_below():
    assert same(edited(PORT, port("", "delete")), "")


def test_none_applies_only_marked_nodes():
    change = port(f'<mtu {NC} nc:operation="delete"/>')
    assert same(edited(PORT, change, "none"), port("<description>to spine</description>"))


def test_none_with_no_such_level_is_data_missing():
    assert refusal("", port(f'<mtu {NC} nc:operation="merge">9000</mtu>'), "none").tag == "data-missing"


def test_default_operation_replace_replaces_the_whole_configuration():
    other = PORT.replace("1/1", "1/2")
    assert same(edited(PORT, other, "replace"), other)


def test_leaf_list_entries_are_told_apart_by_value():
    policies = bgp("<export-policy>a</export-policy><export-policy>b</export-policy>")
    change = bgp(f'<export-policy {NC} nc:operation="delete">a</export-policy><export-policy>c</export-policy>')
    assert edited(policies, change).xpath("//*[local-name()='export-policy']/text()") == ["b", "c"]


def test_identity_keys_are_the_same_whatever_their_prefix():
    before = bgp("<afi-safi><afi-safi-name>c:ipv4-unicast</afi-safi-name><admin-state>enable</admin-state></afi-safi>")
    change = bgp(
        '<afi-safi xmlns:srl_nokia-common="urn:nokia.com:srlinux:general:common">'
        "<afi-safi-name>srl_nokia-common:ipv4-unicast</afi-safi-name><admin-state>disable</admin-state></afi-safi>"
    )
    assert edited(before, change).xpath("//*[local-name()='afi-safi']/*[local-name()='admin-state']/text()") == [
        "disable"
    ]


def test_a_copied_identity_keeps_its_namespace():
    change = bgp("<afi-safi><afi-safi-name>c:ipv4-unicast</afi-safi-name></afi-safi>")
    (name,) = edited("", change).iter("{*}afi-safi-name")
    assert name.nsmap["c"] == "urn:nokia.com:srlinux:general:common"


def test_a_replaced_identity_keeps_its_prefix():
    prefixed = (
        f"<interface {IF}><name>{{}}</name><subinterface><index>0</index>"
        '<type xmlns:i="urn:nokia.com:srlinux:chassis:interfaces">i:routed</type></subinterface></interface>'
    )
    first, second = prefixed.format("ethernet-1/1"), prefixed.format("ethernet-1/2")
    change = first.replace("<interface ", f'<interface {NC} nc:operation="replace" ')
    target = edited(first + second, change)
    assert [kind.nsmap["i"] for kind in target.iter("{*}type")] == ["urn:nokia.com:srlinux:chassis:interfaces"] * 2


def test_an_emptied_container_disappears():
    # RFC 7950 section 7.5.8: a container without presence exists for its children only
    before = port("<ethernet><port-speed>400G</port-speed></ethernet>")
    assert same(edited(before, port(f'<ethernet><port-speed {NC} nc:operation="delete"/></ethernet>')), port(""))


def test_an_emptied_presence_container_stays():
    before = port("<breakout-mode><num-breakout-ports>4</num-breakout-ports></breakout-mode>")
    change = port(f'<breakout-mode><num-breakout-ports {NC} nc:operation="delete"/></breakout-mode>')
    assert same(edited(before, change), port("<breakout-mode/>"))


def policy(*statements: str) -> str:
    inner = "".join(statements)
    return f"<routing-policy {PLCY}><policy><name>p</name>{inner}</policy></routing-policy>"


def statement(name: str, operation: str = "merge") -> str:
    return f'<statement {NC} nc:operation="{operation}"><name>{name}</name></statement>'


def test_the_order_of_statements_is_configuration_and_that_of_interfaces_is_not():
    second = PORT.replace("1/1", "1/2")
    assert fingerprint(tree(PORT + second)) == fingerprint(tree(second + PORT))
    one, other = policy(statement("10"), statement("20")), policy(statement("20"), statement("10"))
    assert fingerprint(tree(one)) != fingerprint(tree(other))


def test_a_replaced_statement_keeps_its_place():
    target = edited(policy(statement("10"), statement("20")), policy(statement("10", "replace")))
    assert target.xpath("//*[local-name()='statement']/*/text()") == ["10", "20"]


@pytest.mark.parametrize(
    ("change", "tag"),
    [
        ("<interfaces xmlns='urn:x'/>", "unknown-element"),
        (f"<interface {NI}><name>ethernet-1/1</name></interface>", "unknown-namespace"),
        (port("<mut>9000</mut>"), "unknown-element"),
        (port('<mtu xmlns="urn:nokia.com:srlinux:chassis:mtu">9000</mtu>'), "unknown-namespace"),
        (f"<interface {IF}><mtu>9000</mtu></interface>", "missing-element"),
        (f"<interface {IF}><mtu>9000</mtu><name>ethernet-1/1</name></interface>", "bad-element"),
        (port("<mtu>1449</mtu>"), "invalid-value"),
        (port("<mtu>9501</mtu>"), "invalid-value"),
        (port("<mtu>nine</mtu>"), "invalid-value"),
        (port("<mtu/>"), "invalid-value"),
        (port("<admin-state>up</admin-state>"), "invalid-value"),
        (port("<ethernet><port-speed>300G</port-speed></ethernet>"), "invalid-value"),
        (port("", "move"), "bad-attribute"),
        (PORT.replace("<mtu>", '<mtu operation="delete">'), "unknown-attribute"),
        (bgp("<afi-safi><afi-safi-name>ipv4-unicast</afi-safi-name></afi-safi>"), "invalid-value"),
        (bgp("<afi-safi><afi-safi-name>c:ipv4-mulitcast</afi-safi-name></afi-safi>"), "invalid-value"),
        (f"<network-instance {NI}><name>a</name><protocols><bgp/></protocols></network-instance>", "unknown-namespace"),
    ],
)
def test_a_wrong_edit_is_refused_before_anything_is_applied(change: str, tag: str):
    assert refusal("", change).tag == tag


def test_an_identity_of_the_leafs_own_module_needs_no_prefix():
    inner = "<subinterface><index>0</index><type>routed</type></subinterface>"
    assert same(edited("", port(inner)), port(inner))

"""RFC 6241 section 6, with the data model and examples of section 6.4."""

import pytest
from lxml import etree

from fabric_auto.lab.emulated.srlinux.filters import select

NS = "http://example.com/schema/1.2/config"
DATA = f"""<data><top xmlns="{NS}"><users>
  <user><name>root</name><type>superuser</type><full-name>Charlie Root</full-name>
    <company-info><dept>1</dept><id>1</id></company-info></user>
  <user><name>fred</name><type>admin</type><full-name>Fred Flintstone</full-name>
    <company-info><dept>2</dept><id>2</id></company-info></user>
  <user><name>barney</name><type>admin</type><full-name>Barney Rubble</full-name>
    <company-info><dept>2</dept><id>3</id></company-info></user>
</users></top></data>"""


def selected(inner: str | None, data: str = DATA) -> str:
    wanted = None if inner is None else etree.fromstring(f"<filter>{inner}</filter>")
    tree = etree.fromstring(data, etree.XMLParser(remove_blank_text=True))
    text = "".join(etree.tostring(each, encoding="unicode") for each in select(tree, wanted))
    return text.replace(f' xmlns="{NS}"', "")


def top(inner: str) -> str:
    return f'<top xmlns="{NS}"><users>{inner}</users></top>'


def user(name: str, *rest: str) -> str:
    return f"<user><name>{name}</name>{''.join(rest)}</user>"


def users(*each: str) -> str:
    return f"<top><users>{''.join(each)}</users></top>"


def test_no_filter_selects_everything():  # 6.4.1
    assert selected(None).count("<user>") == 3


def test_an_empty_filter_selects_nothing():  # 6.4.2
    assert selected("") == ""


def test_a_selection_node_selects_the_whole_subtree():  # 6.4.3
    assert selected(f'<top xmlns="{NS}"><users/></top>').count("<full-name>") == 3


def test_selection_inside_every_list_entry():  # 6.4.4
    assert selected(top("<user><name/></user>")) == users(user("root"), user("fred"), user("barney"))


def test_a_content_match_alone_selects_the_whole_entry():  # 6.4.5
    fred = user(
        "fred",
        "<type>admin</type><full-name>Fred Flintstone</full-name>",
        "<company-info><dept>2</dept><id>2</id></company-info>",
    )
    assert selected(top("<user><name>fred</name></user>")) == users(fred)


def test_specific_elements_of_a_specific_entry():  # 6.4.6
    fred = user("fred", "<type>admin</type><full-name>Fred Flintstone</full-name>")
    assert selected(top("<user><name>fred</name><type/><full-name/></user>")) == users(fred)


def test_several_subtrees_of_one_list():  # 6.4.7
    wanted = top(
        "<user><name>root</name><company-info/></user>"
        "<user><name>fred</name><company-info><id/></company-info></user>"
        "<user><name>barney</name><type>superuser</type><company-info><dept/></company-info></user>"
    )
    root = user("root", "<company-info><dept>1</dept><id>1</id></company-info>")
    fred = user("fred", "<company-info><id>2</id></company-info>")
    assert selected(wanted) == users(root, fred)


def test_a_filter_in_another_namespace_selects_nothing():
    assert selected('<top xmlns="http://example.com/schema/other"/>') == ""


def test_a_filter_without_a_namespace_selects_in_any():
    assert selected("<top><users><user><name>root</name><type/></user></users></top>") == users(
        user("root", "<type>superuser</type>")
    )


def test_an_attribute_that_the_data_lacks_selects_nothing():
    assert selected(f'<top xmlns="{NS}" xmlns:t="urn:t"><users t:kind="x"/></top>') == ""


@pytest.mark.parametrize("inner", ["<mtu/>", "<mtu>9232</mtu>"])
def test_entries_come_with_their_keys_and_only_when_something_is_selected(inner: str):
    ns = "urn:nokia.com:srlinux:chassis:interfaces"
    data = (
        f'<data><interface xmlns="{ns}"><name>ethernet-1/1</name><mtu>9232</mtu></interface>'
        f'<interface xmlns="{ns}"><name>ethernet-1/2</name></interface></data>'
    )
    wanted = f'<interface xmlns="{ns}">{inner}</interface>'
    found = etree.fromstring(f"<d>{selected(wanted, data)}</d>")
    assert [each.findtext("{*}name") for each in found] == ["ethernet-1/1"]
    assert [each.findtext("{*}mtu") for each in found] == ["9232"]

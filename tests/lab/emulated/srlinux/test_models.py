"""The vendor's own models as a second judge of what the emulator boots with, takes and refuses."""

from pathlib import Path

import pytest
from lxml import etree
from ncclient.operations import RPCError

from fabric_auto.lab.emulated.srlinux.factory import boot_configuration

pytest.importorskip("oopt_gnpy_libyang")
pytestmark = pytest.mark.lab

SHARED = Path(__file__).parents[5] / "shared"


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    from fabric_auto.yang.srlinux import SrlinuxSchema

    if not SHARED.is_dir():
        pytest.skip("the vendor's models are not beside the repository")
    return SrlinuxSchema(SHARED / "yang/srlinux", "25.3.1", "7220-IXR-H4", tmp_path_factory.mktemp("models"))


def test_the_boot_configuration_is_valid_by_the_models(models):
    assert models.validate(etree.tostring(boot_configuration())) == ()


def test_a_switch_with_models_takes_the_reference_leaf(lab, models, payload):
    client = lab.connect(lab.switch(models))
    text = (SHARED / "reference/examples/srlinux/leaf1.xml").read_text(encoding="utf-8")
    client.edit_config(target="candidate", config=payload(text))
    client.validate("candidate")
    client.commit()


def test_a_switch_with_models_refuses_what_only_the_models_know(lab, models, payload):
    # srl_nokia-interfaces-vlans: vlan-id only configurable if vlan-tagging enabled on parent interface
    client = lab.connect(lab.switch(models))
    vlan = (
        '<vlan xmlns="urn:nokia.com:srlinux:chassis:interfaces-vlans"><encap><single-tagged><vlan-id>10</vlan-id>'
        "</single-tagged></encap></vlan>"
    )
    port = (
        '<interface xmlns="urn:nokia.com:srlinux:chassis:interfaces"><name>ethernet-1/1</name><subinterface>'
        f"<index>0</index>{vlan}</subinterface></interface>"
    )
    client.edit_config(target="candidate", config=payload(port))
    with pytest.raises(RPCError) as caught:
        client.validate("candidate")
    assert caught.value.tag == "operation-failed"
    assert "vlan-tagging" in caught.value.message

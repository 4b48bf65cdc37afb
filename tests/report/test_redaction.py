"""What a plan shows of a whole CONFIG_DB: never a secret, whoever put it there."""

import json

from fabric_auto.plan.model import Step
from fabric_auto.report.redaction import redacted


def test_secrets_of_a_reload_document_are_hidden_and_the_rest_is_not() -> None:
    document = {
        "SNMP_COMMUNITY": {"s3cret-ro": {"TYPE": "RO"}},
        "TACPLUS": {"global": {"passkey": "s3cret", "timeout": "5"}},
        "RADIUS_SERVER": {"192.0.2.1": {"passkey": "s3cret", "auth_port": "1812"}},
        "SNMP_USER": {"ops": {"SNMP_USER_AUTH_PASSWORD": "s3cret", "SNMP_USER_TYPE": "Priv"}},
        "MACSEC_PROFILE": {"metro": {"primary_cak": "s3cret", "primary_ckn": "6162"}},
        "NTP_KEY": {"1": {"value": "s3cret", "type": "sha256"}},
        "LDAP": {"global": {"bind_password": "s3cret", "bind_dn": "cn=ops"}},
        "BGP_NEIGHBOR": {"default|10.0.0.1": {"auth_password": "s3cret", "asn": "65001"}},
        "PORT": {"Ethernet0": {"mtu": "9100", "lanes": "1,2"}},
    }
    shown = redacted(Step("reload", json.dumps(document).encode()))
    assert "s3cret" not in shown
    kept = json.loads(shown)
    assert kept["PORT"] == document["PORT"]
    assert kept["TACPLUS"]["global"] == {"passkey": "***", "timeout": "5"}
    assert kept["BGP_NEIGHBOR"]["default|10.0.0.1"] == {"auth_password": "***", "asn": "65001"}
    assert kept["SNMP_COMMUNITY"] == {"*** (1)": {"TYPE": "RO"}}


def test_a_patch_is_shown_exactly() -> None:
    patch = b'[\n  {\n    "op": "remove",\n    "path": "/VLAN"\n  }\n]\n'
    assert redacted(Step("apply-patch", patch)) == patch.decode()


def test_secrets_of_an_edit_are_hidden() -> None:
    edit = b"<config><user><username>ops</username><password>s3cret</password></user></config>"
    assert (
        redacted(Step("edit-config", edit))
        == "<config><user><username>ops</username><password>***</password></user></config>"
    )

"""SR Linux configuration against the vendor's models, verdicts compared with an independent judge."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fabric_auto.errors import FabricAutoError
from fabric_auto.yang.srlinux import SrlinuxSchema

INTERFACES = "urn:nokia.com:srlinux:chassis:interfaces"
NETCONF = "urn:ietf:params:xml:ns:netconf:base:1.0"

# One broken copy of the valid leaf for each reason (file name): where it is broken, and what the model says.
BROKEN = {
    "bgp-group-leafref": ("interface[interface-name='ethernet-1/33.0']/peer-group", 'leafref value "nosuch"'),
    "bgp-no-afi-must": ("srl_nokia-bgp:bgp/admin-state", "One of the address families must be enabled"),
    "breakout-with-mtu-must": (
        "interface[name='ethernet-1/1']/mtu",
        "mtu not configurable when breakout-mode is enabled",
    ),
    "custom-fc-on-default-queue": (
        "forwarding-class[name='roce']/output/unicast-queue",
        "cannot be configured together with default unicast queue",
    ),
    "mtu-range": ("interface[name='ethernet-1/1']/mtu", '"9600" is out of the allowed range'),
    "qos-deadlock-range": ("deadlock/detection-timer", '"5" is out of the allowed range'),
    "qos-pfc-flowcontrol-must": (
        "interface[interface-id='ethernet-1/1']/pfc/pfc-enable",
        "pfc and ethernet flow-control are mutually exclusive",
    ),
    "qos-queue-index": ("queue[name='q-be']/queue-index", "queue-index out of range"),
    "sched-weight-must": ("scheduler[sequence='1']/input[id='roce']/weight", "Should be in the range 1..127"),
    "system0-ip-mtu-must": (
        "interface[name='system0']/subinterface[index='0']/ip-mtu",
        "ip-mtu not supported on this interface",
    ),
}

Schemas = Callable[[str], SrlinuxSchema]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("yang-cache")


@pytest.fixture(scope="module")
def schemas(yang_models: Path, cache: Path) -> Schemas:
    loaded: dict[str, SrlinuxSchema] = {}

    def schema(chassis: str) -> SrlinuxSchema:
        if chassis not in loaded:
            loaded[chassis] = SrlinuxSchema(yang_models / "srlinux", "25.3.1", chassis, cache)
        return loaded[chassis]

    return schema


@pytest.fixture(scope="module")
def h4(schemas: Schemas) -> SrlinuxSchema:
    return schemas("7220-IXR-H4")


@pytest.fixture(scope="module")
def examples(shared: Path) -> Path:
    return shared / "reference/examples/srlinux"


@pytest.mark.parametrize(
    ("name", "chassis"), [("leaf1", "7220-IXR-H4"), ("spine1", "7220-IXR-H4"), ("x3b-metro", "7250-IXR-X3b")]
)
def test_a_valid_configuration_is_accepted_as_xml_and_as_json(
    schemas: Schemas, examples: Path, name: str, chassis: str
) -> None:
    schema = schemas(chassis)
    assert schema.validate((examples / f"{name}.xml").read_bytes()) == ()
    assert schema.validate_json((examples / f"{name}.json").read_text()) == ()


def test_every_broken_example_has_its_reason_here(examples: Path) -> None:
    assert {file.stem for file in (examples / "broken").glob("*.json")} == set(BROKEN)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_configuration_is_rejected_for_its_reason(h4: SrlinuxSchema, examples: Path, name: str) -> None:
    path, message = BROKEN[name]
    found = h4.validate_json((examples / "broken" / f"{name}.json").read_text())
    assert [v for v in found if v.path.endswith(path) and message in v.message], found


def changed(examples: Path, edit: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((examples / "leaf1.json").read_text())
    edit(document)
    return document


def interface(document: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(i for i in document["srl_nokia-interfaces:interface"] if i["name"] == name)
    return found


def _bridged_with_address(document: dict[str, Any]) -> None:
    interface(document, "ethernet-1/1")["subinterface"][0]["type"] = "srl_nokia-interfaces:bridged"


def _unknown_leaf(document: dict[str, Any]) -> None:
    interface(document, "ethernet-1/1")["colour"] = "red"


def _state_leaf(document: dict[str, Any]) -> None:
    interface(document, "ethernet-1/1")["oper-state"] = "up"


def _speed_of_another_platform(document: dict[str, Any]) -> None:
    interface(document, "ethernet-1/1")["ethernet"]["port-speed"] = "800G"


def _name_without_index(document: dict[str, Any]) -> None:
    instance = document["srl_nokia-network-instance:network-instance"][0]
    instance["protocols"]["srl_nokia-bgp:bgp"]["dynamic-neighbors"]["interface"][0]["interface-name"] = "ethernet-1/40"


# srlinux.md: an address needs a routed subinterface; 800G is not among the H4's port speeds.
EDITS = {
    "bridged, with an address": (_bridged_with_address, "ipv6/admin-state", "not allowed on bridged"),
    "an unknown leaf": (_unknown_leaf, "interface[name='ethernet-1/1']", '"colour" not found'),
    "a state leaf": (_state_leaf, "/oper-state", "state node"),
    "a speed that the platform has not": (_speed_of_another_platform, "/ethernet/port-speed", '"800G"'),
    "a subinterface name without its index": (_name_without_index, "/interface-name", '"ethernet-1/40" does not match'),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_wrong_edit_is_rejected_where_it_is_wrong(h4: SrlinuxSchema, examples: Path, name: str) -> None:
    edit, path, message = EDITS[name]
    found = h4.validate_json(json.dumps(changed(examples, edit)))
    assert [v for v in found if v.path.endswith(path) and message in v.message], found


def test_the_independent_judge_gives_the_same_verdicts(
    shared: Path, examples: Path, h4: SrlinuxSchema, tmp_path: Path
) -> None:
    files = [*examples.glob("*1.json"), *(examples / "broken").glob("*.json")]
    for number, (edit, _, _) in enumerate(EDITS.values()):
        files.append(tmp_path / f"edit{number}.json")
        files[-1].write_text(json.dumps(changed(examples, edit)))
    done = subprocess.run(
        [sys.executable, shared / "tools/srl_yang_check.py", "--platform", "7220-IXR-H4", *files],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"SRL_YANG_CACHE": str(tmp_path / "judge"), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    words = [line.split() for line in done.stdout.splitlines() if line.startswith(("OK ", "FAIL "))]
    verdicts = {name: verdict == "OK" for verdict, name, *_ in words}
    assert verdicts == {file.name: h4.validate_json(file.read_text()) == () for file in files}


def test_a_payload_may_be_wrapped_as_config_or_data_or_not_at_all(h4: SrlinuxSchema, examples: Path) -> None:
    bare = (examples / "leaf1.xml").read_bytes()
    for wrapper in (b"config", b"data"):
        wrapped = b'<%s xmlns="%s">%s</%s>' % (wrapper, NETCONF.encode(), bare, wrapper)
        assert h4.validate(wrapped) == ()
        assert h4.validate(b'<?xml version="1.0" encoding="UTF-8"?>\n' + wrapped) == ()
    broken = bare.replace(b"<mtu>", b"<mtu>1", 1)
    assert [v.path for v in h4.validate(b"<config>" + broken + b"</config>")] == [v.path for v in h4.validate(broken)]
    assert h4.validate(broken) != ()


def test_an_empty_payload_is_valid(h4: SrlinuxSchema) -> None:
    assert h4.validate(b"<config/>") == ()
    assert h4.validate_json("{}") == ()


def test_edit_operations_are_no_part_of_the_configuration_they_leave(h4: SrlinuxSchema) -> None:
    # RFC 6241 section 7.2: operation is an attribute of the NETCONF namespace on any element.
    payload = f"""<config xmlns:nc="{NETCONF}"><interface xmlns="{INTERFACES}" nc:operation="replace">
        <name>ethernet-1/1</name><mtu nc:operation="delete"/></interface></config>"""
    assert h4.validate(payload.encode()) == ()


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        (b"<interface", "not well-formed XML"),
        (b'<!DOCTYPE config SYSTEM "http://192.0.2.1/x.dtd"><config/>', "document type"),
        (b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><config>&x;</config>', "document type"),
        (b'<interface xmlns="urn:nobody"/>', "urn:nobody"),
    ],
)
def test_what_is_no_configuration_is_a_violation_of_the_whole(h4: SrlinuxSchema, payload: bytes, message: str) -> None:
    (violation,) = h4.validate(payload)
    assert violation.path == ""
    assert message in violation.message


def test_broken_json_is_a_violation_of_the_whole(h4: SrlinuxSchema) -> None:
    assert [v.message.startswith("not JSON") for v in h4.validate_json('{"a":')] == [True]


def test_comments_of_a_running_configuration_are_passed_over(h4: SrlinuxSchema, examples: Path) -> None:
    annotated = changed(
        examples, lambda d: interface(d, "ethernet-1/1").update(_annotate="rack 4", _annotate_mtu="jumbo")
    )
    assert h4.validate_json(json.dumps(annotated)) == ()


def test_the_second_load_takes_the_rewritten_modules_from_the_cache(
    yang_models: Path, h4: SrlinuxSchema, cache: Path, examples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = list(cache.iterdir())
    assert entries
    assert all(entry.suffix == ".json" for entry in entries)
    monkeypatch.setattr("fabric_auto.yang.dialect.standardise", None)
    again = SrlinuxSchema(yang_models / "srlinux", "25.3.1", "7220-IXR-H4", cache)
    assert again.validate((examples / "leaf1.xml").read_bytes()) == ()


def test_a_damaged_cache_entry_is_written_anew(
    yang_models: Path, h4: SrlinuxSchema, cache: Path, tmp_path: Path, examples: Path
) -> None:
    for entry in cache.iterdir():
        (tmp_path / entry.name).write_text("{")
    again = SrlinuxSchema(yang_models / "srlinux", "25.3.1", "7220-IXR-H4", tmp_path)
    assert again.validate((examples / "leaf1.xml").read_bytes()) == ()
    assert any(entry.read_text() != "{" for entry in tmp_path.iterdir())


def test_a_cache_that_cannot_be_written_is_done_without(yang_models: Path, tmp_path: Path, examples: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    schema = SrlinuxSchema(yang_models / "srlinux", "25.3.1", "7220-IXR-H4", blocked)
    assert schema.validate((examples / "leaf1.xml").read_bytes()) == ()


def test_the_default_cache_is_the_users_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from fabric_auto.yang.srlinux_modules import default_cache

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache() == tmp_path / "fabric-auto" / "yang"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_cache() == tmp_path / ".cache" / "fabric-auto" / "yang"


def test_a_patch_release_without_features_of_its_own_takes_the_nearest_lower(yang_models: Path, cache: Path) -> None:
    # features/ has v25.3.1 and v25.3.3.
    for release, expected in (("25.3.1", "25.3.1"), ("v25.3.2", "25.3.1"), ("25.3.9", "25.3.3")):
        schema = SrlinuxSchema(yang_models / "srlinux", release, "7220-IXR-H4", cache)
        assert schema.features_release == expected


@pytest.mark.parametrize(
    ("release", "chassis", "message"),
    [
        ("25.7.2", "7220-IXR-H4", r"knows SR Linux before 25\.7, not 25\.7\.2"),
        ("26.3.1", "7220-IXR-H4", r"knows SR Linux before 25\.7"),
        ("24.10.1", "7220-IXR-H4", r"models are those of 25\.3, the configuration is for 24\.10\.1"),
        ("25.3.0", "7220-IXR-H4", r"no feature list for SR Linux 25\.3\.0"),
        ("25.3.1", "7220-IXR-X9", "no features are known for 7220-IXR-X9"),
        ("latest", "7220-IXR-H4", "'latest' is not an SR Linux release"),
    ],
)
def test_a_release_or_chassis_that_the_models_do_not_know_is_refused(
    yang_models: Path, cache: Path, release: str, chassis: str, message: str
) -> None:
    with pytest.raises(FabricAutoError, match=message):
        SrlinuxSchema(yang_models / "srlinux", release, chassis, cache)


def test_a_folder_without_models_is_named(tmp_path: Path) -> None:
    with pytest.raises(FabricAutoError, match="no YANG models in"):
        SrlinuxSchema(tmp_path, "25.3.1", "7220-IXR-H4")

"""A project's own platform files: found, preferred to the shipped ones, refused with a reason when wrong."""

from pathlib import Path

import pytest

from fabric_auto.errors import FabricAutoError
from fabric_auto.platforms import catalogue

SOUND = """\
name: {name}
nos: srlinux
model: 7220 IXR-X
asic: none
releases: ["25.3"]
panels: 2
names: {{whole: "ethernet-1/{{panel}}", child: "ethernet-1/{{panel}}/{{channel}}"}}
breakouts:
  - {{mode: 1x400G, speeds_gbps: [400]}}
  - {{mode: 2x200G, speeds_gbps: [200]}}
limits: {{ip_mtu: 9000, port_mtu: 9014, ecmp_paths: 8}}
sources:
  {{identity: t, asic: t, releases: t, names: t, breakouts: t, ip_mtu: t, port_mtu: t, ecmp_paths: t}}
"""
LANED = """\
name: bad
nos: sonic
model: Vendor-Box
asic: none
onie_platform: x86_64-vendor_box-r0
releases: ["202505"]
panels: 2
lanes: {per_panel: 4, first: [1, 5]}
names: {whole: "Ethernet{number}", child: "Ethernet{number}"}
aliases: {whole: "Eth{panel}", child: "Eth{panel}/{channel}"}
breakouts:
  - {mode: 1x100G, speeds_gbps: [100, 40]}
  - {mode: 2x50G, speeds_gbps: [50]}
limits: {ip_mtu: 9216, port_mtu: 9216, ecmp_paths: 64}
sources:
  {identity: a, asic: a, releases: a, lanes: a, names: a, aliases: a, breakouts: a,
   ip_mtu: a, port_mtu: a, ecmp_paths: a}
"""


def write(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_shipped_platforms_are_there_without_a_project() -> None:
    assert catalogue.load(None).names() == ("sonic-spectrum4-64x800g", "sonic-th4-64x400g", "srl-7220-ixr-h4")


def test_a_project_without_a_platforms_folder_has_the_shipped_ones(tmp_path: Path) -> None:
    assert catalogue.load(tmp_path / "platforms").names() == catalogue.load(None).names()


@pytest.mark.parametrize("name", ["sonic-th9", "", "../data/sonic-th4-64x400g", "SONIC-TH4-64X400G"])
def test_an_unknown_platform_is_none(name: str) -> None:
    assert catalogue.load(None).get(name) is None


def test_a_platform_is_read_once() -> None:
    known = catalogue.load(None)
    assert known.get("srl-7220-ixr-h4") is known.get("srl-7220-ixr-h4")


def test_a_project_adds_a_platform(tmp_path: Path) -> None:
    write(tmp_path, "small-box", SOUND.format(name="small-box"))
    known = catalogue.load(tmp_path)
    found = known.get("small-box")
    assert "small-box" in known.names()
    assert found is not None
    assert [port.name for port in found.breakouts[1].ports] == [
        "ethernet-1/1/1",
        "ethernet-1/1/2",
        "ethernet-1/2/1",
        "ethernet-1/2/2",
    ]


def test_lanes_names_and_aliases_of_a_four_lane_box_follow_its_file(tmp_path: Path) -> None:
    write(tmp_path, "bad", LANED)
    found = catalogue.load(tmp_path).get("bad")
    assert found is not None
    assert [(port.name, port.lanes, port.alias) for port in found.breakouts[1].ports] == [
        ("Ethernet0", (1, 2), "Eth1/1"),
        ("Ethernet2", (3, 4), "Eth1/2"),
        ("Ethernet4", (5, 6), "Eth2/1"),
        ("Ethernet6", (7, 8), "Eth2/2"),
    ]


def test_a_project_file_comes_before_the_shipped_one(tmp_path: Path) -> None:
    write(tmp_path, "srl-7220-ixr-h4", SOUND.format(name="srl-7220-ixr-h4"))
    known = catalogue.load(tmp_path)
    found = known.get("srl-7220-ixr-h4")
    assert found is not None
    assert found.limits.ecmp_paths == 8
    assert known.names().count("srl-7220-ixr-h4") == 1


def test_a_bad_file_that_nobody_asks_for_does_no_harm(tmp_path: Path) -> None:
    write(tmp_path, "bad", "name: [")
    assert catalogue.load(tmp_path).get("sonic-th4-64x400g") is not None


WRONG = [
    ("panels: 2", "panels: two", ":7: `panels`: Input should be a valid integer"),
    ("panels: 2", "panels: '2'", ":7: `panels`: Input should be a valid integer"),
    ("asic: none", "asik: none", ": `asic`: Field required"),
    ("asic: none", "asic: none\ncolour: red", ":5: `colour`: Extra inputs are not permitted"),
    ("asic: none", "asic: none\nasic: some", ":5: key `asic` is already set in this mapping"),
    ("asic: none", "asic: &a none", ":4: anchor `&a` is not read"),
    ("nos: sonic", "nos: ios", ":2: `nos`: Input should be 'sonic' or 'srlinux'"),
    ("name: bad", "name: good", ":1: `name` is `good`, not `bad`"),
    ("onie_platform: x86_64-vendor_box-r0\n", "", ": `onie_platform` is missing: SONiC configures it"),
    ("nos: sonic", "nos: srlinux", ": `onie_platform` is given: SR Linux has no such setting"),
    ("first: [1, 5]", "first: [1]", ": `lanes.first` has 1 entries for 2 panels"),
    ("first: [1, 5]", "first: [1, 4]", ": lane 4 belongs to two panels"),
    ("per_panel: 4, first: [1, 5]", "per_panel: 3, first: [1, 5]", ": 3 lanes cannot be shared evenly by `2x50G`"),
    ("mode: 2x50G", "mode: 2x25G", ":13: `breakouts.1`: the first of `speeds_gbps` must be 25, the speed in `2x25G`"),
    ("[100, 40]", "[100, 40, 40]", ":12: `breakouts.0`: `speeds_gbps` of `1x100G` names a speed twice"),
    ("mode: 2x50G", "mode: twice", ":13: `breakouts.1.mode`: String should match pattern"),
    (
        "mode: 2x50G, speeds_gbps: [50]",
        "mode: 1x50G, speeds_gbps: [50]",
        ": two `breakouts` have the same number of ports",
    ),
    ("  - {mode: 1x100G, speeds_gbps: [100, 40]}\n", "", ": the first of `breakouts` must be the whole port (1x)"),
    ("Eth{panel}/{channel}", "Eth{panel}", ": two ports of `2x50G` have the same alias"),
    ("Eth{panel}/{channel}", "Eth{panel.real}", ":10: `aliases.child`: `Eth{panel.real}` has a field other than"),
    ("Eth{panel}/{channel}", "Eth{panel", ":10: `aliases.child`: expected '}' before end of string"),
    ("ip_mtu: 9216", "ip_mtu: 9217", ":14: `limits`: `ip_mtu` 9217 is larger than `port_mtu` 9216"),
    ("lanes: a, ", "", ": `sources.lanes` is missing"),
    ("lanes: a, ", "lanes: a, colour: a, ", ": `sources.colour` names no fact of this file"),
    ("name: bad", "name: [bad", ": not valid YAML"),
    ("name: bad", "---\nx: 1\n---\nname: bad", ": 2 documents instead of one"),
]


@pytest.mark.parametrize(("right", "wrong", "reason"), WRONG)
def test_a_wrong_file_is_refused_with_its_name_and_the_reason(
    tmp_path: Path, right: str, wrong: str, reason: str
) -> None:
    assert right in LANED
    path = write(tmp_path, "bad", LANED.replace(right, wrong, 1))
    with pytest.raises(FabricAutoError) as caught:
        catalogue.load(tmp_path).get("bad")
    assert caught.value.message.startswith(f"platform file {path}")
    assert reason in caught.value.message
    assert caught.value.help


def test_a_file_without_lanes_cannot_name_ports_by_lane(tmp_path: Path) -> None:
    write(tmp_path, "box", SOUND.format(name="box").replace("ethernet-1/{panel}/{channel}", "ethernet-1/{number}"))
    with pytest.raises(FabricAutoError, match=r"`names` uses \{number\}, but there are no `lanes`"):
        catalogue.load(tmp_path).get("box")


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "box.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FabricAutoError, match=r"box\.yaml: cannot be read: byte 0 is not UTF-8"):
        catalogue.load(tmp_path).get("box")


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "box", "")
    with pytest.raises(FabricAutoError, match="0 documents instead of one"):
        catalogue.load(tmp_path).get("box")

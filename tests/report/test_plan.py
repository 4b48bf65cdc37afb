"""A plan as text, as native documents and as JSON."""

import json

from fabric_auto.diagnostics import Span
from fabric_auto.plan.model import Change, DevicePlan, Impact, Plan, Step
from fabric_auto.report.plan import native, summary, text, to_json
from fabric_auto.vendors.base import NOTHING

ORIGIN = Span("intents/fabric.yaml", 12, 5, 12, 20)
PEER = ("BGP_NEIGHBOR", "10.11.0.1")

LEAF = DevicePlan(
    device="east-leaf-01",
    nos="sonic",
    changes=(
        Change(PEER, None, "", ORIGIN),
        Change((*PEER, "asn"), None, "4200000000", ORIGIN),
        Change(("INTERFACE", "Ethernet0"), None, "", ORIGIN),
        Change(("PORT", "Ethernet0", "mtu"), "9100", "9000", ORIGIN),
        Change(("VLAN_MEMBER", "Vlan50|Ethernet0"), "", None, None),
        Change(("VLAN_MEMBER", "Vlan50|Ethernet0", "tagging_mode"), "untagged", None, None),
    ),
    impact=Impact.RELOAD,
    steps=(Step("reload", b'{\n  "PORT": {}\n}\n'),),
    inverse=(Step("reload", b"{}\n"),),
    running={},
    target={},
    ownership=NOTHING,
    previous={},
    release="202505",
)
SPINE = DevicePlan(
    device="east-spine-01",
    nos="srlinux",
    changes=(Change(("system", "name", "host-name"), "srl\x1b[2J", "east-spine-01", None),),
    impact=Impact.HITLESS,
    steps=(Step("edit-config", b"<config/>"),),
    inverse=(Step("edit-config", b"<config/>"),),
    running={},
    target={},
    ownership=NOTHING,
    previous={},
)
SAME = DevicePlan("east-spine-02", "srlinux", (), Impact.NONE, (), (), {}, {}, NOTHING, {})
PLAN = Plan("inputs", "digest", (LEAF, SPINE, SAME))


def test_the_text_names_every_change_with_the_intent_line_behind_it() -> None:
    assert text(PLAN) == (
        "east-leaf-01 (sonic 202505): 2 to add, 1 to change, 1 to remove — reload\n"
        '  + BGP_NEIGHBOR/10.11.0.1/asn "4200000000"   intents/fabric.yaml:12\n'
        "  + INTERFACE/Ethernet0                       intents/fabric.yaml:12\n"
        '  ~ PORT/Ethernet0/mtu "9100" -> "9000"       intents/fabric.yaml:12\n'
        '  - VLAN_MEMBER/Vlan50|Ethernet0/tagging_mode "untagged"\n'
        "\n"
        "east-spine-01 (srlinux): 0 to add, 1 to change, 0 to remove — hitless\n"
        '  ~ system/name/host-name "srl\\u001b[2J" -> "east-spine-01"\n'
        "\n"
        "Plan: 2 devices, 2 to add, 2 to change, 1 to remove · impact: reload on 1\n"
    )


def test_colour_is_there_only_when_asked_for() -> None:
    assert "\x1b" not in text(PLAN)
    coloured = text(PLAN, colour=True)
    assert '\x1b[32m+ BGP_NEIGHBOR/10.11.0.1/asn "4200000000"\x1b[0m' in coloured
    assert '\x1b[33m~ PORT/Ethernet0/mtu "9100" -> "9000"\x1b[0m' in coloured
    assert '\x1b[31m- VLAN_MEMBER/Vlan50|Ethernet0/tagging_mode "untagged"\x1b[0m' in coloured


def test_what_a_device_calls_itself_cannot_drive_the_terminal() -> None:
    assert "\x1b[2J" not in text(PLAN, colour=True)


def test_a_plan_without_changes_says_so() -> None:
    assert text(Plan("inputs", "digest", (SAME,))) == "Plan: nothing to do, every device is as intended\n"


def test_the_summary_counts_one_device_in_the_singular() -> None:
    assert (
        summary(Plan("i", "d", (SPINE,))) == "Plan: 1 device, 0 to add, 1 to change, 0 to remove · impact: hitless on 1"
    )


def test_native_shows_the_documents_exactly_as_they_are_sent() -> None:
    assert native(PLAN) == (
        '# east-leaf-01: reload (1 of 1)\n{\n  "PORT": {}\n}\n\n# east-spine-01: edit-config (1 of 1)\n<config/>\n'
    )
    assert native(PLAN, reverse=True).startswith("# east-leaf-01: reload (1 of 1)\n{}\n")


def test_json_has_terraforms_shape_and_a_format_version() -> None:
    document = json.loads(to_json(PLAN))
    assert document["format_version"] == "1.0"
    assert document["digest"] == "digest"
    assert document["summary"] == {"add": 2, "change": 2, "remove": 1}
    assert [(each["device"], each["impact"]) for each in document["devices"]] == [
        ("east-leaf-01", "reload"),
        ("east-spine-01", "hitless"),
        ("east-spine-02", "none"),
    ]
    assert document["changes"][0] == {
        "device": "east-leaf-01",
        "path": "BGP_NEIGHBOR/10.11.0.1/asn",
        "steps": ["BGP_NEIGHBOR", "10.11.0.1", "asn"],
        "actions": ["create"],
        "before": None,
        "after": "4200000000",
        "source": {"filename": "intents/fabric.yaml", "line": 12, "column": 5},
    }
    assert [each["actions"] for each in document["changes"]] == [
        ["create"],
        ["create"],
        ["update"],
        ["delete"],
        ["update"],
    ]

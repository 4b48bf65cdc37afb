"""How findings look: the words and carets users see."""

import json

from fabric_auto.compiler.program import check
from fabric_auto.compiler.project import load
from fabric_auto.diagnostics import render
from tests.strategies import Shape


def shown(make_project, text: str) -> str:
    program = check(load(make_project(text)))
    return render.full(program.findings, program.project.lines)


def test_a_finding_shows_its_line_a_caret_and_what_to_do(make_project) -> None:
    text = "kind: Fabric\nmetadata: {name: east}\nspec:\n  colour: red\n" + Shape().intent.split("spec:\n")[1]
    assert shown(make_project, text).splitlines()[:6] == [
        "error[FAB102]: unknown key `colour`",
        "  --> intents/fabric.yaml:4:3",
        "   |",
        " 4 |   colour: red",
        "   |   ^^^^^^",
        "   = help: keys here: `hosts`, `links`, `mtu`, `naming`, `overrides`, `profile`, `tiers`, `underlay`, `vlan`",
    ]


def test_a_near_miss_is_named(make_project) -> None:
    assert "= help: a key with a similar name exists: `profile`" in shown(
        make_project, Shape().intent.replace("  mtu:", "  profle: ip\n  mtu:")
    )


def test_a_capacity_that_is_too_small_says_both_numbers_and_what_to_declare(make_project) -> None:
    text = shown(make_project, Shape(spines=5, per_pair=8, hosts=0).intent)
    assert (
        "error[FAB201]: 5 devices of tier `spine` are to be cabled, `uplink_capacity` leaves room for 4 (64 ports of 400G, 8 links a pair) "
        "(on 4 devices, first `east-leaf-01`)" in text
    )
    assert "= help: declare `uplink_capacity: 5`" in text


def test_an_exhausted_pool_says_what_was_needed_and_what_is_there(make_project) -> None:
    text = shown(make_project, Shape().intent.replace("10.20.0.0/16", "10.20.0.0/24"))
    assert (
        "pool `host4` 10.20.0.0/24 cannot give each of 4 leaves a subnet: entry 2 is needed, the part for this role has 1"
        in text
    )


def test_overlapping_pools_name_both_places(make_project) -> None:
    text = shown(make_project, Shape().intent.replace("10.20.0.0/16", "10.11.128.0/17"))
    assert "error[FAB302]: pool `host4` 10.11.128.0/17 overlaps pool `link4` 10.11.0.0/16" in text
    assert "= note: `link4` is here (intents/fabric.yaml:35:14)" in text


def test_concise_is_one_line_a_finding(make_project) -> None:
    program = check(load(make_project(Shape().intent.replace("mtu: 9100", "mtu: 9300"))))
    assert render.concise(program.findings) == (
        "intents/fabric.yaml:26:8: error[FAB702] IP MTU 9300 B is more than `sonic-th4-64x400g` carries, 9216 B "
        "(on 4 devices, first `east-leaf-01`)\n"
    )


def test_json_carries_counts_and_ranges(make_project) -> None:
    program = check(load(make_project("kind: Fabirc\n")))
    document = json.loads(render.to_json(program.findings))
    assert (document["format_version"], document["valid"], document["error_count"]) == ("1.0", False, 2)
    unknown = next(each for each in document["diagnostics"] if each["code"] == "FAB106")
    assert unknown["range"] == {
        "filename": "intents/fabric.yaml",
        "start": {"line": 1, "column": 7},
        "end": {"line": 1, "column": 13},
    }
    assert unknown["help"] == "a kind with a similar name exists: `Fabric`"


def test_the_order_is_total_and_each_finding_is_shown_once() -> None:
    from fabric_auto.intent.rules import BAD_VALUE

    first, second = BAD_VALUE.at(None, "b", subject="x"), BAD_VALUE.at(None, "a", subject="x")
    assert [each.message for each in render.ordered([first, second, first])] == ["a", "b"]


def test_colour_is_only_in_the_head() -> None:
    from fabric_auto.intent.rules import BAD_VALUE

    text = render.full([BAD_VALUE.at(None, "wrong", subject="x")], lambda _: (), colour=True)
    assert text.startswith("\x1b[1;31merror[FAB105]\x1b[0m: wrong\n")

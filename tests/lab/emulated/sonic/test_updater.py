"""``config apply-patch``, ``replace``, ``rollback`` and checkpoints against the box's own transcripts.

The words are those of ``reference/sonic-config-transcripts.txt`` (the real software, master of 2026-08) and of
sonic-utilities, ``generic_config_updater`` of the release that a test names.
"""

import json
import re
from pathlib import Path

import pytest

from fabric_auto.lab.emulated.sonic.updater import UpdateError

SHARED = Path(__file__).parents[5] / "shared"
USAGE = "Usage: config apply-patch [OPTIONS] PATCH_FILE_PATH\nTry 'config apply-patch -h' for help.\n\nError: "
LOOPBACK = {"op": "add", "path": "/LOOPBACK_INTERFACE/Loopback0|10.0.0.2~132", "value": {}}
MTU = {"op": "replace", "path": "/PORT/Ethernet8/mtu", "value": "9000"}


def transcript(command: str) -> list[str]:
    """The answer to a command of the transcripts, line by line."""
    path = SHARED / "reference/sonic-config-transcripts.txt"
    if not path.is_file():
        pytest.skip("the transcripts of the real software are not beside the repository")
    text = path.read_text(encoding="utf-8")
    block = text.split(f"$ {command}\n", 1)[1].split("\n$ ", 1)[0]
    return [line[3:] for line in block.splitlines()[1:]]


def with_vlan(box) -> None:
    vlan = {
        "VLAN": {"Vlan10": {"vlanid": "10"}},
        "VLAN_MEMBER": {"Vlan10|Ethernet0": {"tagging_mode": "untagged"}},
        "LOOPBACK_INTERFACE": {"Loopback0": {}, "Loopback0|10.0.0.1/32": {}},
    }
    box.run(f"sudo config load -y {box.write('/home/admin/vlan.json', vlan)}")


def like(line: str) -> str:
    """A transcript line as a pattern, with the port that it was made on in place of ours."""
    return line.replace("Ethernet4", "Ethernet8")


def test_a_patch_prints_what_the_real_software_prints(lab) -> None:
    box = lab.box("master")
    with_vlan(box)
    result = box.patch([LOOPBACK, MTU], "-v")
    assert result.code == 0
    assert result.err == ""
    assert result.out.splitlines() == [like(line) for line in transcript("config apply-patch -v /ok.json")]


def test_a_patch_is_in_config_db_afterwards(box) -> None:
    with_vlan(box)
    assert box.patch([LOOPBACK, MTU]).out.endswith("Patch applied successfully.\n")
    assert box.config()["PORT"]["Ethernet8"]["mtu"] == "9000"
    assert set(box.config()["LOOPBACK_INTERFACE"]) == {"Loopback0", "Loopback0|10.0.0.1/32", "Loopback0|10.0.0.2/32"}


def test_a_patch_that_empties_a_table_is_refused_word_by_word(lab) -> None:
    box = lab.box("master")
    with_vlan(box)
    operations = [{"op": "remove", "path": "/VLAN/Vlan10"}, {"op": "remove", "path": "/VLAN_MEMBER"}]
    result = box.patch(operations, "-d", "-v")
    assert result.code == 2
    assert result.both.splitlines() == transcript("config apply-patch -d -v /order.json")


@pytest.mark.parametrize(
    ("command", "operations"),
    [
        ("config apply-patch /bad.json", [{"op": "remove", "path": "/VLAN/Vlan10"}]),
        ("config apply-patch /bad2.json", [{"op": "replace", "path": "/PORT/Ethernet8/mtu", "value": "1"}]),
    ],
)
def test_a_patch_that_breaks_the_model_is_refused_word_by_word(lab, command: str, operations: list) -> None:
    box = lab.box("master")
    with_vlan(box)
    if "VLAN" in operations[0]["path"]:
        box.run("sonic-db-cli CONFIG_DB HSET 'VLAN|Vlan20' vlanid 20")
    before = box.config()
    result = box.patch(operations)
    assert result.code == 2
    expected = [like(line) for line in transcript(command)]
    lines = result.both.splitlines()
    assert len(lines) == len(expected)
    # The transcripts are cut at a column.
    for line, cut in zip(lines, expected, strict=True):
        assert line.startswith(cut), f"{line!r} is not {cut!r}"
    assert box.config() == before


def test_checkpoint_and_rollback_print_what_the_real_software_prints(lab) -> None:
    box = lab.box("master")
    result = box.run("sudo config checkpoint cp1; sudo config rollback cp1; ls /etc/sonic/checkpoints")
    expected = transcript("config checkpoint cp1; config rollback cp1; ls /etc/sonic/checkpoints")
    lines = result.both.splitlines()
    cut = expected.index("...")
    assert lines[:cut] == expected[:cut]
    assert lines[-(len(expected) - cut - 1) :] == expected[cut + 1 :]


def test_rollback_restores_the_configuration_of_the_checkpoint(box) -> None:
    with_vlan(box)
    before = box.config()
    box.run("sudo config checkpoint fab-1")
    assert box.patch([LOOPBACK, MTU, {"op": "remove", "path": "/VLAN_MEMBER"}]).code == 0
    assert box.run("sudo config rollback -d fab-1").code == 0
    assert box.config() != before
    assert box.run("sudo config rollback fab-1").out.endswith("Config rolled back successfully.\n")
    assert box.config() == before


def test_checkpoints_are_listed_as_json_and_deleted_by_name(box) -> None:
    assert box.run("sudo config list-checkpoints").out == "[]\n"
    box.run("sudo config checkpoint a; sudo config checkpoint b")
    assert json.loads(box.run("sudo config list-checkpoints").out) == ["a", "b"]
    timed = json.loads(box.run("sudo config list-checkpoints -t").out)
    assert {each["name"] for each in timed} == {"a", "b"}
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", each["time"]) for each in timed)
    assert box.run("sudo config delete-checkpoint a").code == 0
    gone = box.run("sudo config delete-checkpoint a")
    assert gone.code == 2
    assert gone.err.startswith("Failed to delete config checkpoint\nUsage: config delete-checkpoint [OPTIONS]")
    assert gone.err.endswith("Error: Checkpoint 'a' does not exist\n")
    assert box.run("sudo config rollback a").err.startswith("Failed to rollback config\n")


def test_replace_makes_the_moves_in_an_order_that_stays_valid(box) -> None:
    with_vlan(box)
    box.run("sonic-db-cli CONFIG_DB HSET 'INTERFACE|Ethernet16' NULL NULL")
    target = box.config()
    del target["VLAN"], target["VLAN_MEMBER"], target["INTERFACE"]
    target["SRV6_MY_LOCATORS"] = {"MAIN": {"prefix": "fcbb:bbbb:20::", "func_len": "0"}}
    target["SRV6_MY_SIDS"] = {"MAIN|fcbb:bbbb:20::/48": {"action": "uN"}}
    result = box.run(f"sudo config replace {box.write('/home/admin/target.json', target)}")
    assert result.code == 0
    assert result.out.endswith("Config Replacer: Config replacement completed.\nConfig replaced successfully.\n")
    made = [json.loads(line.split("* ", 1)[1]) for line in result.out.splitlines() if ":   * " in line]
    # The order of the transcript: INTERFACE, VLAN_MEMBER, VLAN, SRV6_MY_LOCATORS, SRV6_MY_SIDS.
    order = [[each["path"] for each in move][-1] for move in made]
    assert order == ["/INTERFACE", "/VLAN_MEMBER", "/VLAN", "/SRV6_MY_LOCATORS", "/SRV6_MY_SIDS"]
    assert box.config() == target


NEW_VLAN = [{"op": "add", "path": "/VLAN/Vlan10", "value": {"vlanid": "10"}}]


def test_202505_does_not_add_the_table_that_a_patch_reaches_into(box) -> None:
    result = box.patch(NEW_VLAN)
    assert result.code == 2
    assert f"Validate json patch: {json.dumps(NEW_VLAN)} failed due to:member 'VLAN' not found in {{" in result.err
    whole = [{"op": "add", "path": "/VLAN", "value": {"Vlan10": {"vlanid": "10"}}}]
    assert box.patch(whole).code == 0


@pytest.mark.parametrize("release", ["202511", "202605", "master"])
def test_later_releases_add_the_table_that_a_patch_reaches_into(lab, release: str) -> None:
    box = lab.box(release)
    result = box.patch(NEW_VLAN)
    assert result.code == 0
    assert '[{"op": "add", "path": "/VLAN", "value": {}}, {"op": "add", "path": "/VLAN/Vlan10"' in result.out
    assert box.config()["VLAN"] == {"Vlan10": {"vlanid": "10"}}


def test_a_table_without_a_yang_model_is_refused(box) -> None:
    result = box.patch([{"op": "add", "path": "/ARS_PROFILE", "value": {"p": {"algorithm": "ewma"}}}])
    assert result.code == 2
    assert result.err.endswith(
        USAGE + "Failed to apply patch on the following scopes:\n"
        "- localhost: Given patch is not valid because it has changes to tables without YANG models\n"
    )
    assert "ARS_PROFILE" not in box.config()


def test_a_table_that_came_with_a_later_release_has_no_model_in_an_earlier(lab) -> None:
    patch = [{"op": "add", "path": "/SWITCH_FAST_LINKUP", "value": {"GLOBAL": {"ber_threshold": "4"}}}]
    assert lab.box("202511").patch(patch).code == 2
    assert lab.box("202605").patch(patch).code == 0


@pytest.mark.parametrize(
    ("operation", "words"),
    [
        (
            {"op": "remove", "path": "/LOOPBACK_INTERFACE/Loopback0"},
            "Given patch operation is invalid. Operation: remove is illegal on field: /LOOPBACK_INTERFACE/Loopback0",
        ),
        (
            {"op": "add", "path": "/BUFFER_POOL", "value": {"p": {"type": "ingress", "mode": "static", "size": "1"}}},
            (
                "Modification of BUFFER_POOL table is illegal- validating function "
                "generic_config_updater.field_operation_validators.rdma_config_update_validator returned False"
            ),
        ),
    ],
)
def test_what_the_field_validators_forbid_is_refused(box, operation: dict, words: str) -> None:
    loopbacks = {"LOOPBACK_INTERFACE": {"Loopback0": {}, "Loopback1": {}}}
    box.run(f"sudo config load -y {box.write('/home/admin/lo.json', loopbacks)}")
    result = box.patch([operation])
    assert result.code == 2
    assert result.err.endswith(f"Error: Failed to apply patch on the following scopes:\n- localhost: {words}\n")


@pytest.mark.parametrize(
    ("operation", "words"),
    [
        ({"op": "remove", "path": "/VLAN/Vlan99"}, "can't remove a non-existent object 'Vlan99'"),
        ({"op": "remove", "path": "/PORT/Ethernet0/lanes"}, 'Mandatory node "lanes" instance does not exist.'),
        ({"op": "add", "path": "/PORT/Ethernet0/colour", "value": "red"}, "All Keys are not parsed in PORT"),
        ({"op": "add", "path": "/VLAN_MEMBER/Vlan10|Ethernet99", "value": {"tagging_mode": "tagged"}}, "union value"),
        ({"op": "add", "path": "/VLAN_MEMBER/Vlan10|Ethernet8", "value": {}}, 'node "tagging_mode" instance'),
        ({"op": "add", "path": "/INTERFACE", "value": {"Ethernet0": {}}}, "Port is a router interface."),
        ({"op": "add", "path": "/INTERFACE", "value": {"Ethernet8|10.0.0.0/31": {}}}, "Must condition not satisfied"),
        ({"op": "add", "path": "/VLAN_INTERFACE", "value": {"Vlan11": {}}}, 'Invalid leafref value "Vlan11"'),
        ({"op": "add", "path": "/BGP_NEIGHBOR", "value": {"spine-1": {"asn": "65000"}}}, 'value "spine-1"'),
        ({"op": "add", "path": "/LOOPBACK_INTERFACE/Loopback1|10.0.0.9~132", "value": {}}, 'leafref value "Loopback1"'),
    ],
)
def test_a_wrong_row_is_refused_without_the_models_too(box, operation: dict, words: str) -> None:
    with_vlan(box)
    before = box.config()
    result = box.patch([operation])
    assert result.code == 2
    assert words in result.err
    assert box.config() == before


def test_lanes_that_two_ports_share_are_refused_by_the_patch_tool(box) -> None:
    result = box.patch([{"op": "replace", "path": "/PORT/Ethernet8/lanes", "value": "17,18"}])
    assert result.code == 2
    assert "'17' lane is used multiple times in PORT: {'Ethernet0', 'Ethernet8'}" in result.err


def test_a_create_only_field_of_a_neighbour_makes_the_row_go_and_come_back(box) -> None:
    neighbors = {"BGP_NEIGHBOR": {"10.0.0.1": {"asn": "65000", "name": "spine"}}}
    box.run(f"sudo config load -y {box.write('/home/admin/bgp.json', neighbors)}")
    result = box.patch([{"op": "replace", "path": "/BGP_NEIGHBOR/10.0.0.1/asn", "value": "65001"}])
    assert "The localhost patch was converted into 2 changes:" in result.out
    assert (
        '* [{"op": "remove", "path": "/BGP_NEIGHBOR/10.0.0.1"}, {"op": "remove", "path": "/BGP_NEIGHBOR"}]'
        in result.out
    )
    assert box.config()["BGP_NEIGHBOR"]["10.0.0.1"] == {"asn": "65001", "name": "spine"}


def test_a_changed_lane_takes_along_what_refers_to_the_port(box) -> None:
    with_vlan(box)
    result = box.patch([{"op": "replace", "path": "/PORT/Ethernet0/lanes", "value": "17,18,19,20"}])
    moves = [line.split("* ", 1)[1] for line in result.out.splitlines() if ":   * " in line]
    assert [json.loads(move)[0]["op"] for move in moves] == ["remove", "remove", "add", "add"]
    assert "VLAN_MEMBER" in moves[0]
    assert "VLAN_MEMBER" in moves[3]
    assert box.config()["PORT"]["Ethernet0"]["lanes"] == "17,18,19,20"


def test_a_qos_binding_takes_the_port_down_meanwhile(box) -> None:
    result = box.patch([{"op": "add", "path": "/PORT_QOS_MAP", "value": {"Ethernet0": {"pfc_enable": "3,4"}}}])
    moves = [json.loads(line.split("* ", 1)[1]) for line in result.out.splitlines() if ":   * " in line]
    bounce = [{"op": "replace", "path": "/PORT/Ethernet0/admin_status", "value": value} for value in ("down", "up")]
    assert [moves[0], moves[-1]] == [[bounce[0]], [bounce[1]]]
    assert box.config()["PORT"]["Ethernet0"]["admin_status"] == "up"


def test_a_failure_in_the_middle_leaves_the_moves_already_made(lab, box) -> None:
    made: list[object] = []

    def fail(move: object) -> None:
        made.append(move)
        if len(made) == 2:
            raise UpdateError("redis is gone")

    lab.run(lambda: setattr(box.device, "before_move", fail))
    operations = [
        {"op": "replace", "path": f"/PORT/{port}/mtu", "value": "9000"} for port in ("Ethernet0", "Ethernet8")
    ]
    result = box.patch(operations)
    assert result.code == 2
    assert "redis is gone" in result.err
    assert [box.config()["PORT"][port]["mtu"] for port in ("Ethernet0", "Ethernet8")] == ["9000", "9100"]


def test_a_number_that_redis_keeps_as_text_is_applied_and_then_not_found_again(box) -> None:
    result = box.patch([{"op": "replace", "path": "/PORT/Ethernet0/mtu", "value": 9000}])
    assert result.code == 2
    assert "after applying patch to config, there are still some parts not updated" in result.err
    assert box.config()["PORT"]["Ethernet0"]["mtu"] == "9000"


def test_a_dry_run_says_what_it_would_do_and_does_nothing(box) -> None:
    before = box.config()
    result = box.patch([MTU], "-d")
    assert result.out.startswith("** DRY RUN EXECUTION **\n")
    assert f"** DryRun: Would apply {json.dumps([MTU])}\n" in result.out
    assert result.code == 0
    assert box.config() == before


def test_a_box_that_ignores_changes_says_yes_and_makes_none(lab, box) -> None:
    lab.run(lambda: box.device.faults.arm("ignore-changes", {}))
    before = box.config()
    assert box.patch([MTU]).out.endswith("Patch applied successfully.\n")
    assert box.run("sonic-db-cli CONFIG_DB HSET 'PORT|Ethernet0' mtu 1500").code == 0
    assert box.config() == before


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("sudo config apply-patch", "Error: Missing argument 'PATCH_FILE_PATH'.\n"),
        ("sudo config apply-patch -q x", "Error: No such option: -q\n"),
        ("sudo config apply-patch a b", "Error: Got unexpected extra argument (b)\n"),
        ("sudo config nonsense", "Error: No such command 'nonsense'.\n"),
        ("sudo config apply-patch /x", f"{USAGE}[Errno 2] No such file or directory: '/x'\n"),
    ],
)
def test_wrong_usage_exits_with_2(box, line: str, words: str) -> None:
    result = box.run(line)
    assert result.code == 2
    assert result.err.endswith(words)


def test_config_needs_root(box) -> None:
    result = box.run("config checkpoint cp1")
    assert (result.code, result.err) == (1, "Root privileges are required for this operation\n")


def test_an_empty_patch_is_applied(box) -> None:
    assert "The localhost patch was converted into 0 changes.\n" in box.patch([]).out

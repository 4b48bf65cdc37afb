"""What goes wrong is named, undone, and ends with the right exit code; each test looks at what the devices really have."""

from dataclasses import replace

import pytest

from tests.e2e.conftest import SHAPE, Lab

pytestmark = pytest.mark.lab

CHANGED = replace(SHAPE, mtu=9000)


@pytest.mark.parametrize("liar", ["east-leaf-01", "east-spine-01"])
def test_a_device_that_says_yes_and_does_nothing_is_found_and_all_is_rolled_back(deployed: Lab, liar: str) -> None:
    before = deployed.all_running()
    deployed.client.fault(liar, "ignore-changes")
    deployed.write(CHANGED)
    done = deployed.deploy(expect=5)
    assert f"{liar} could not be changed: {liar} does not have what it should" in done.stderr
    assert "everything was rolled back" in done.stderr
    assert deployed.all_running() == before


def test_swapped_cables_fail_the_gate_and_all_is_rolled_back(deployed: Lab) -> None:
    before = deployed.all_running()
    swap(deployed)
    deployed.write(CHANGED)
    done = deployed.deploy("--verify-timeout", "3s", expect=5)
    assert "FAB902" in done.stdout
    assert deployed.all_running() == before


def test_verify_names_a_swap_once_with_all_four_ends(deployed: Lab) -> None:
    swap(deployed)
    found = deployed.run("verify", "--timeout", "2s", expect=7)
    assert found.stdout == (
        "intents/fabric.yaml:15:5: error[FAB902] cables swapped: east-leaf-01 Ethernet504 goes to east-spine-02 ethernet-1/1, "
        "Ethernet496 to east-spine-01 ethernet-1/1\n"
    )
    deployed.run("lab", "fault", "clear")
    deployed.run("verify")


def test_a_cut_cable_is_one_finding(deployed: Lab) -> None:
    deployed.run("lab", "fault", "cut", "east-leaf-01:Ethernet504")
    found = deployed.run("verify", "--timeout", "2s", expect=7)
    assert found.stdout.count("error[") == 1
    assert "FAB901" in found.stdout


@pytest.mark.parametrize("device", ["east-leaf-01", "east-spine-01"])
@pytest.mark.parametrize("after", [False, True], ids=["before-it-acts", "after-it-acts"])
@pytest.mark.parametrize("step", [4, 8, 12])
def test_a_dropped_session_leaves_every_device_as_the_exit_code_says(
    deployed: Lab, device: str, after: bool, step: int
) -> None:
    before = deployed.all_running()
    deployed.client.fault(device, "drop-session", {"step": step, "after": after})
    deployed.write(CHANGED)
    done = deployed.run("deploy", "--yes", expect=None)
    assert done.returncode in {0, 1, 5}, done.stderr
    now = deployed.all_running()
    if done.returncode == 0:
        assert deployed.config_db("east-leaf-01")["PORT"]["Ethernet504"]["mtu"] == "9000"
        assert "<ip-mtu>9000</ip-mtu>" in now["east-spine-01"]
        deployed.run("verify")
    else:
        assert now == before


def test_an_unreachable_device_stops_everything_before_anything_is_touched(deployed: Lab) -> None:
    hosts = deployed.root / "inventory/hosts.yaml"
    ports = hosts.read_text().split("port: ")
    hosts.write_text("port: ".join([ports[0], "1" + ports[1][ports[1].index(",") :], *ports[2:]]))
    before = deployed.all_running()
    deployed.write(CHANGED)
    done = deployed.deploy(expect=1)
    assert "1 of 4 devices could not be read; nothing was touched" in done.stderr
    assert "east-leaf-01 (127.0.0.1:1) refused the connection" in done.stderr
    assert deployed.all_running() == before


def test_a_host_key_that_changed_is_refused_loudly(deployed: Lab) -> None:
    known = deployed.root / ".fabric-auto/lab/known_hosts"
    lines = known.read_text().splitlines()
    swapped = [
        f"{one.split(' ', 1)[0]} {other.split(' ', 1)[1]}" for one, other in zip(lines, lines[::-1], strict=True)
    ]
    known.write_text("\n".join(swapped) + "\n")
    done = deployed.run("diff", expect=1)
    assert "HAS CHANGED" in done.stderr


def test_an_unknown_host_key_is_refused_until_it_is_trusted(deployed: Lab) -> None:
    (deployed.root / ".fabric-auto/lab/known_hosts").unlink()
    done = deployed.run("diff", expect=1)
    assert "host key of east-leaf-01" in done.stderr
    assert "is not known" in done.stderr
    assert "SHA256:" in done.stderr
    shown = deployed.run("trust", "add", "--all", "--yes").stderr
    assert shown.count("SHA256:") == 4
    deployed.run("diff")


def test_a_wrong_password_is_one_line_that_does_not_repeat_it(deployed: Lab) -> None:
    (deployed.root / ".fabric-auto/lab/password").write_text("s3cret-guess")
    done = deployed.run("diff", expect=1)
    assert "Traceback" not in done.stderr
    assert "s3cret-guess" not in done.stdout + done.stderr
    assert "east-leaf-01" in done.stderr


def test_no_secret_is_in_anything_that_is_kept(deployed: Lab) -> None:
    secret = deployed.password
    deployed.run("compile")
    deployed.run("plan", "-o", "plan.json")
    kept = [path for path in deployed.root.rglob("*") if path.is_file() and path.name != "password"]
    assert kept
    assert [path for path in kept if secret.encode() in path.read_bytes()] == []


def test_deploy_asks_before_it_acts_and_nobody_to_ask_is_a_usage_error(lab: Lab) -> None:
    before = lab.all_running()
    done = lab.run("deploy", expect=64)
    assert "nobody can be asked whether to deploy" in done.stderr
    assert lab.all_running() == before


def swap(lab: Lab) -> None:
    lab.run("lab", "fault", "swap", "east-leaf-01:Ethernet504", "east-leaf-01:Ethernet496")


def test_a_change_that_waits_to_revert_is_told_by_every_command_and_not_built_upon(deployed: Lab) -> None:
    """What a deployment that died leaves on a SONiC box: the timer of its rollback."""
    deployed.operator(
        "east-leaf-01", "sudo systemd-run --on-active=900 --unit=fabric-auto-dead --collect /bin/sh /tmp/undo.sh"
    )
    before = deployed.all_running()
    told = "UNCONFIRMED: east-leaf-01 runs a change that will revert by itself: timer fabric-auto-dead.timer"
    assert told in deployed.run("diff").stderr
    assert "error[FAB911]" in deployed.run("verify", expect=7).stdout
    deployed.write(CHANGED)
    assert told in deployed.run("plan").stderr
    refused = deployed.deploy(expect=1)
    assert "east-leaf-01 has a change that is not confirmed and will revert by itself" in refused.stderr
    assert deployed.all_running() == before

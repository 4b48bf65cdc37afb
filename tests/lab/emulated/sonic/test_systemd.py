"""Transient timers, with the words and exit codes of systemd (systemd-run(1), systemctl(1))."""

from collections.abc import Callable


def armed(box, delay: str = "600", name: str = "fab-rb", command: str = "true", *options: str) -> object:
    return box.run(f"sudo systemd-run --on-active={delay} --unit={name} {' '.join(options)} {command}")


def test_a_timer_is_active_until_it_is_stopped(box) -> None:
    assert armed(box).err == "Running timer as unit: fab-rb.timer\nWill run service as unit: fab-rb.service\n"
    state = box.run("systemctl is-active fab-rb.timer")
    assert (state.code, state.out) == (0, "active\n")
    listed = box.run("systemctl list-timers --all").out
    assert "fab-rb.timer fab-rb.service\n" in listed
    assert listed.endswith("1 timers listed.\n")
    assert box.run("sudo systemctl stop fab-rb.timer").code == 0
    state = box.run("systemctl is-active fab-rb.timer")
    assert (state.code, state.out) == (3, "inactive\n")


def test_a_name_that_is_taken_is_refused(box) -> None:
    armed(box)
    again = armed(box)
    assert again.code == 1
    assert again.err == (
        "Failed to start transient timer unit: Unit fab-rb.timer was already loaded or has a fragment file.\n"
    )


def test_stopping_the_service_does_not_stop_the_timer(box) -> None:
    armed(box)
    assert box.run("sudo systemctl stop fab-rb").code == 0
    assert box.run("systemctl is-active fab-rb.timer").out == "active\n"


def test_a_timer_that_is_not_there_cannot_be_stopped(box) -> None:
    result = box.run("sudo systemctl stop fab-rb.timer")
    assert (result.code, result.err) == (5, "Failed to stop fab-rb.timer: Unit fab-rb.timer not loaded.\n")


def test_a_timer_runs_its_command_as_root_and_is_gone(box, wait: Callable) -> None:
    armed(box, "100ms", "fab-rb", "/bin/sh -c 'id -u > /root.txt'")
    wait(lambda: box.device.files.is_file("/root.txt"))
    assert box.device.files.read("/root.txt") == "0\n"
    assert box.run("systemctl is-active fab-rb.timer").out == "inactive\n"
    assert armed(box).code == 0


def test_a_service_that_failed_keeps_its_name_unless_collected(box, wait: Callable) -> None:
    armed(box, "50ms", "kept", "false")
    options = ("--collect", "--property=TimeoutStartSec=600", "--timer-property=AccuracySec=1s")
    armed(box, "50ms", "swept", "false", *options)
    wait(lambda: box.run("systemctl is-active kept.service").out == "failed\n")
    wait(lambda: box.run("systemctl is-active swept.timer").out == "inactive\n")
    again = armed(box, "600", "kept")
    assert again.err == (
        "Failed to start transient timer unit: Unit kept.service was already loaded or has a fragment file.\n"
    )
    assert armed(box, "600", "swept").code == 0
    assert box.run("sudo systemctl reset-failed kept.service").code == 0
    assert armed(box, "600", "kept").code == 0


def test_a_timer_rolls_a_patch_back(box, wait: Callable) -> None:
    box.run("sudo config checkpoint fab-1")
    armed(box, "200ms", "fab-rb", "config rollback fab-1", "--collect")
    assert box.patch([{"op": "replace", "path": "/PORT/Ethernet0/mtu", "value": "9000"}]).code == 0
    assert box.config()["PORT"]["Ethernet0"]["mtu"] == "9000"
    wait(lambda: box.config()["PORT"]["Ethernet0"]["mtu"] == "9100")


def test_timers_need_root_a_known_command_and_a_time_span(box) -> None:
    assert box.run("systemd-run --on-active=1 true").err == (
        "Failed to start transient timer unit: Interactive authentication required.\n"
    )
    assert armed(box, "600", "x", "nonsense").err == "Failed to find executable nonsense: No such file or directory\n"
    assert armed(box, "soon").err == "Failed to parse timer value: soon\n"
    assert box.run("systemctl stop fab-rb.timer").code == 1
    assert box.run("sudo systemctl restart nonsense").err == (
        "Failed to restart nonsense.service: Unit nonsense.service not found.\n"
    )

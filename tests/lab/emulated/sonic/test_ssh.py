"""The SSH server with real clients: exec, shell, SFTP, the cuts of a reload and of faults."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import paramiko
import pytest
from netmiko import ConnectHandler

pytestmark = pytest.mark.lab


def run(client: paramiko.SSHClient, line: str) -> tuple[int, str, str]:
    _, out, err = client.exec_command(line, timeout=10)
    text, errors = out.read().decode(), err.read().decode()
    return out.channel.recv_exit_status(), text, errors


def connected(client: paramiko.SSHClient) -> bool:
    transport = client.get_transport()
    return transport is not None and transport.is_active()


def test_exec_gives_output_errors_and_exit_code_apart(lab, box) -> None:
    client = lab.connect(box.device)
    assert run(client, "echo ready; cat /nowhere") == (1, "ready\n", "cat: /nowhere: No such file or directory\n")
    assert run(client, "nonsense") == (127, "", "-bash: nonsense: command not found\n")


def test_a_wrong_password_does_not_get_in(lab, box) -> None:
    with pytest.raises(paramiko.AuthenticationException):
        lab.connect(box.device, password="admin")


def test_netmiko_works_the_interactive_shell_as_a_linux_host(lab, box) -> None:
    connection = ConnectHandler(
        device_type="linux",
        host="127.0.0.1",
        port=box.device.port,
        username="admin",
        password="YourPaSsWoRd",
        ssh_strict=False,
    )
    try:
        assert connection.find_prompt() == "admin@sonic:~$"
        assert connection.send_command("sonic-db-cli CONFIG_DB HGET 'PORT|Ethernet8' alias").strip() == "etp2"
        connection.write_channel("cd /etc/sonic\n")
        connection.read_until_pattern(r"admin@sonic:/etc/sonic\$ ", read_timeout=10)
        connection.write_channel("cd\n")
        connection.read_until_pattern(r"admin@sonic:~\$ ", read_timeout=10)
    finally:
        connection.disconnect()


def test_a_file_goes_by_sftp_into_the_home_folder_and_the_shell_sees_it(lab, box, tmp_path: Path) -> None:
    client = lab.connect(box.device)
    sftp = client.open_sftp()
    local = tmp_path / "patch.json"
    local.write_bytes(b"[]\n" * 50_000)
    sftp.put(str(local), "patch.json")
    sftp.chmod("patch.json", 0o600)
    assert sftp.stat("/home/admin/patch.json").st_mode & 0o777 == 0o600
    assert run(client, "sha256sum /home/admin/patch.json")[1] == (
        f"{hashlib.sha256(local.read_bytes()).hexdigest()}  /home/admin/patch.json\n"
    )
    with sftp.open("/home/admin/patch.json.new", "wbx") as stream:
        stream.write(b"{}")
    sftp.posix_rename("/home/admin/patch.json.new", "/home/admin/patch.json")
    with sftp.open("/home/admin/patch.json") as stream:
        assert stream.read() == b"{}"


@pytest.mark.parametrize("path", ["../../../../../../etc/passwd", "/../../../../etc/passwd"])
def test_sftp_does_not_leave_the_device(lab, box, path: str) -> None:
    sftp = lab.connect(box.device).open_sftp()
    with pytest.raises(FileNotFoundError):
        sftp.stat(path)


def test_sftp_writes_only_where_the_user_may(lab, box) -> None:
    sftp = lab.connect(box.device).open_sftp()
    with pytest.raises(PermissionError):
        sftp.open("/etc/sonic/config_db.json", "w")
    with pytest.raises(PermissionError):
        sftp.remove("/etc/sonic/config_db.json")
    with pytest.raises(OSError, match="symbolic"):
        sftp.symlink("/etc", "/home/admin/etc")


def test_a_reload_cuts_every_session_and_lets_nobody_in_for_a_while(lab, box, wait: Callable) -> None:
    worker, bystander = lab.connect(box.device), lab.connect(box.device)
    channel = worker.get_transport().open_session()
    channel.exec_command("sudo config reload -y -f")
    wait(lambda: not connected(worker) and not connected(bystander))
    assert channel.recv_exit_status() == -1
    with pytest.raises(OSError):  # noqa: PT011 - refused: no listener
        lab.connect(box.device)
    wait(lambda: lab.run(lambda: box.device._acceptor is not None))
    assert run(lab.connect(box.device), "sonic-db-cli PING") == (0, "PONG\n", "")


def test_a_timer_survives_the_session_that_armed_it_and_a_reload(lab, box, wait: Callable) -> None:
    client = lab.connect(box.device)
    line = "sudo systemd-run --on-active=0.6 --unit=fab-rb --collect sh /home/admin/back.sh"
    box.write("/home/admin/back.sh", "#!/bin/sh\nset -e\necho back > /home/admin/fired\n")
    assert run(client, line) == (
        0, "", "Running timer as unit: fab-rb.timer\nWill run service as unit: fab-rb.service\n",
    )  # fmt: skip
    client.exec_command("sudo config reload -y -f")
    wait(lambda: not connected(client))
    wait(lambda: box.device.files.is_file("/home/admin/fired"))


def test_a_session_dropped_before_a_command_leaves_it_undone(lab, box, wait: Callable) -> None:
    client = lab.connect(box.device)
    lab.run(lambda: box.device.faults.arm("drop-session", {"step": 2}))
    assert run(client, "echo one > /home/admin/one")[0] == 0
    assert client.exec_command("echo two > /home/admin/two")[1].channel.recv_exit_status() == -1
    wait(lambda: not connected(client))
    assert not box.device.files.is_file("/home/admin/two")


def test_a_session_dropped_after_a_command_leaves_it_done(lab, box, wait: Callable) -> None:
    client = lab.connect(box.device)
    lab.run(lambda: box.device.faults.arm("drop-session", {"step": 1, "after": True}))
    assert client.exec_command("echo two > /home/admin/two")[1].channel.recv_exit_status() == -1
    wait(lambda: not connected(client))
    assert box.device.files.read("/home/admin/two") == "two\n"


def test_a_session_dropped_in_a_file_transfer_cuts_the_connection(lab, box, wait: Callable) -> None:
    client = lab.connect(box.device)
    sftp = client.open_sftp()
    lab.run(lambda: box.device.faults.arm("drop-session", {"step": 1}))
    with pytest.raises((OSError, EOFError, paramiko.SSHException)):
        sftp.open("/home/admin/late", "w")
    wait(lambda: not connected(client))
    assert not box.device.files.is_file("/home/admin/late")

"""The shell: lists, redirections, scripts, rights; and that nothing of the host is ever reached.

Semantics: POSIX.1-2017, Shell Command Language; messages of bash, dash and GNU coreutils.
"""

import fcntl
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("line", "code", "out"),
    [
        ("echo a; echo b", 0, "a\nb\n"),
        ("true && echo yes || echo no", 0, "yes\n"),
        ("false && echo yes || echo no", 0, "no\n"),
        ("true || echo never; echo $?", 0, "0\n"),
        ("false; echo $?", 0, "1\n"),
        ("! false && echo turned", 0, "turned\n"),
        ("echo 'a  b' \"c d\" e\\ f", 0, "a  b c d e f\n"),
        ("NAME=x; echo $NAME ${NAME}y '$NAME'", 0, "x xy $NAME\n"),
        ("echo one # two", 0, "one\n"),
        ("echo a#b", 0, "a#b\n"),
        ("echo ~ ~/x", 0, "/home/admin /home/admin/x\n"),
        ("cd /etc; pwd; cd; pwd", 0, "/etc\n/home/admin\n"),
        ("id -u; sudo id -u", 0, "1000\n0\n"),
        ("echo text | cat", 0, "text\n"),
        ("exit 7; echo never", 7, ""),
        ("test -f /etc/sonic/config_db.json && test ! -d /nowhere && [ a != b ]", 0, ""),
        ("test -s /nowhere", 1, ""),
        ("hostname", 0, "sonic\n"),
        ("whoami", 0, "admin\n"),
        ("sh -c 'echo inner; exit 3'; echo $?", 0, "inner\n3\n"),
        ("umask 077; echo secret > s; ls -1", 0, "s\n"),
        ("", 0, ""),
    ],
)
def test_a_line_runs_as_in_a_shell(box, line: str, code: int, out: str) -> None:
    result = box.run(line)
    assert (result.code, result.out, result.err) == (code, out, "")


@pytest.mark.parametrize(
    ("line", "code", "err"),
    [
        ("nonsense", 127, "-bash: nonsense: command not found\n"),
        ("sudo nonsense", 1, "sudo: nonsense: command not found\n"),
        ("/usr/bin/python3 -c 'print(1)'", 127, "-bash: /usr/bin/python3: No such file or directory\n"),
        ("cat /nowhere", 1, "cat: /nowhere: No such file or directory\n"),
        ("rm /nowhere", 1, "rm: cannot remove '/nowhere': No such file or directory\n"),
        ("rm /etc/sonic/config_db.json", 1, "rm: cannot remove '/etc/sonic/config_db.json': Permission denied\n"),
        ("rm nowhere", 1, "rm: cannot remove 'nowhere': No such file or directory\n"),
        ("mkdir a && mkdir a", 1, "mkdir: cannot create directory 'a': File exists\n"),
        ("cp nowhere x", 1, "cp: cannot stat 'nowhere': No such file or directory\n"),
        ("ls /nowhere", 2, "ls: cannot access '/nowhere': No such file or directory\n"),
        ("sh /nowhere", 2, "sh: 0: cannot open /nowhere: No such file\n"),
        ("echo x > /etc/sonic/x", 1, "-bash: /etc/sonic/x: Permission denied\n"),
        ("sudo config list-checkpoints > /etc/x", 1, "-bash: /etc/x: Permission denied\n"),
        ("echo x >", 2, "-bash: syntax error near unexpected token `newline'\n"),
        ("&& echo x", 2, "-bash: syntax error near unexpected token `&&'\n"),
        ("if true; then echo x; fi", 2, "-bash: the emulated shell has no compound commands: `if'\n"),
        ("sleep 1 &", 2, "-bash: syntax error near unexpected token `&'\n"),
        ("echo $(id)", 2, "-bash: syntax error near unexpected token `('\n"),
        ("echo `id`", 2, "-bash: the emulated shell has no command substitution\n"),
        ("echo 'open", 2, "-bash: unexpected EOF while looking for matching `''\n"),
    ],
)
def test_what_a_shell_refuses_is_refused(box, line: str, code: int, err: str) -> None:
    result = box.run(line)
    assert (result.code, result.err) == (code, err)


def test_streams_go_where_they_are_sent(box) -> None:
    box.run("cat /nowhere > both 2>&1; echo more >> both; cat /nowhere 2> errors; echo gone > /dev/null")
    assert box.run("cat both").out == "cat: /nowhere: No such file or directory\nmore\n"
    assert box.run("cat errors").out == "cat: /nowhere: No such file or directory\n"
    assert box.run("cat /nowhere 2>&1 > out").out == "cat: /nowhere: No such file or directory\n"


def test_a_shell_started_by_root_writes_with_roots_rights(box) -> None:
    assert box.run("sudo sh -c 'echo x > /etc/sonic/x' && cat /etc/sonic/x").out == "x\n"
    assert box.run("echo y | sudo tee /etc/sonic/y").code == 0
    assert box.run("sudo rm -f /etc/sonic/x /etc/sonic/y /etc/sonic/z").code == 0


def test_a_script_stops_at_the_first_error_when_told_to(box) -> None:
    script = "#!/bin/sh\n# a comment\nset -e\ntrue || echo never\nfalse || echo handled\necho one \\\n  two\nfalse\necho never\n"
    box.write("/home/admin/s.sh", script)
    result = box.run("sh s.sh")
    assert (result.code, result.out) == (1, "handled\none two\n")
    assert box.run("./s.sh").code == 126
    assert box.run("chmod 755 s.sh && ./s.sh").code == 1


def test_a_script_names_the_line_of_an_unknown_command(box) -> None:
    box.write("/home/admin/s.sh", "echo a\n\nnonsense\n")
    assert box.run("/bin/sh /home/admin/s.sh").err == "/home/admin/s.sh: 3: nonsense: not found\n"


def test_a_folder_has_the_mode_it_was_made_with(box) -> None:
    assert box.run("mkdir -p -m 700 stage/run-1 && mkdir -p stage/run-1").code == 0
    assert box.device.files.host_path("/home/admin/stage/run-1").stat().st_mode & 0o777 == 0o700


def test_files_are_copied_moved_and_removed(box) -> None:
    assert box.run("echo a > f; cp f g; mv g h; cat h; rm f; ls; rm -rf h stage; ls").out == "a\nh\n"


def test_the_checksum_is_that_of_the_content(box) -> None:
    box.write("/home/admin/empty", "")
    # SHA-256 of nothing, FIPS 180-4.
    digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert box.run("sha256sum empty").out == f"{digest}  empty\n"


@pytest.mark.parametrize("path", ["../../../../../../../../etc/hostname", "/proc/self/environ", "/etc/hostname"])
def test_no_path_leads_to_the_host(box, path: str) -> None:
    assert box.run(f"cat {path}").err == f"cat: {path}: No such file or directory\n"


def test_a_link_that_leads_out_of_the_device_is_not_followed(box, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("of the host")
    box.device.files.host_path("/home/admin/link").symlink_to(secret)
    assert box.run("cat link").err == "cat: link: Permission denied\n"
    assert box.run("echo x > link").code == 1
    assert secret.read_text() == "of the host"


def test_a_lock_is_held_as_long_as_its_command_runs(box) -> None:
    # util-linux, flock(1): 1, or the code of -E, when the lock is not got in time; otherwise the command's own code.
    assert box.run("flock -w 1 lock sh -c 'flock -w 0 lock true'").code == 1
    assert box.run("flock -E 75 -w 1 lock sh -c 'flock -E 75 -n lock true'").code == 75
    assert box.run("flock -w 1 lock sh -c 'flock -n other true; exit 9'").code == 9
    assert box.run("sudo flock -w 1 lock id -u").out == "0\n"


def test_a_lock_that_somebody_else_holds_is_waited_for_in_vain(box) -> None:
    box.write("/home/admin/lock", "")
    with box.device.files.host_path("/home/admin/lock").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert box.run("flock -E 75 -w 1 lock sh -c 'echo x > there'").code == 75
        assert box.run("test -e there").code == 1
    assert box.run("flock -w 1 lock true").code == 0


@pytest.mark.parametrize(
    ("line", "code", "err"),
    [
        ("flock -w x lock true", 64, "flock: invalid timeout value: 'x'\n"),
        ("flock lock", 64, "flock: bad file descriptor: 'lock'\n"),
        ("flock -Z", 64, "flock: invalid option -- 'Z'\n"),
        ("flock lock nonsense", 69, "flock: failed to execute nonsense: No such file or directory\n"),
        (
            "sudo flock /nowhere/lock true",
            66,
            "flock: cannot open lock file /nowhere/lock: No such file or directory\n",
        ),
    ],
)
def test_flock_refuses_as_util_linux_does(box, line: str, code: int, err: str) -> None:
    result = box.run(line)
    assert (result.code, result.err) == (code, err)


def test_the_folder_that_a_reboot_empties_is_roots_and_everybody_may_look_into_it(box) -> None:
    assert box.run("mkdir /run/x").err == "mkdir: cannot create directory '/run/x': Permission denied\n"
    assert box.run("sudo mkdir -m 755 /run/x && echo me | sudo tee /run/x/owner > /dev/null").code == 0
    assert box.run("test -d /run/x && sudo cat /run/x/owner").out == "me\n"
    assert box.run("sudo mkdir -m 755 /run/x && echo never").code == 1
    assert box.run("sudo mv /run/x /run/y && sudo cp /run/y/owner /run/z && sudo rm -rf /run/y; ls /run").out == "z\n"

"""Commands that run other commands: ``sudo``, ``sh``, ``bash``, ``nohup``, ``timeout``, ``flock``."""

import fcntl
import re
from os import strerror
from typing import Final

from fabric_auto.lab.emulated.sonic.shell import NOT_FOUND, Call, Command

_USAGE: Final = 2
_FLOCK_USAGE, _NO_INPUT, _CANNOT_EXECUTE = 64, 66, 69
_FLOCK_VALUES: Final = {"-E": "exit code", "-n": "", "-w": "timeout value", "-x": ""}
"""Options of flock(1), and what those that take a value call it."""


def _sudo(call: Call) -> int:
    """The user admin may run everything without a password (sonic-buildimage, build_debian.sh)."""
    words = list(call.args)
    while words and words[0] in {"-n", "-E", "-H", "-S"}:
        del words[0]
    if words[:1] == ["-u"]:
        if words[1:2] != ["root"]:
            return call.fail(f"sudo: unknown user {words[1] if len(words) > 1 else ''}")
        del words[:2]
    if not words or words[0].startswith("-"):
        return call.fail("usage: sudo [-AbEHnPS] [-u user] [command [arg ...]]")
    # A shell started by root redirects with root's rights, the shell that started sudo does not.
    code = call.shell.child(call.shell.name, root=True).call(tuple(words), call.streams, root=True, builtins=False)
    known = "/" in words[0] or words[0] in call.shell.commands
    return code if code != NOT_FOUND or known else call.fail(f"sudo: {words[0]}: command not found")


def _shell(call: Call) -> int:
    words = list(call.args)
    exit_on_error = False
    while words and re.fullmatch(r"-[eux]+", words[0]):
        exit_on_error = exit_on_error or "e" in words[0]
        del words[0]
    if words[:1] in (["-c"], ["-ec"]):
        exit_on_error = exit_on_error or words[0] == "-ec"
        if len(words) == 1:
            return call.fail(f"{call.name}: 0: -c requires an argument", _USAGE)
        return call.shell.script(call.name, words[1], call, exit_on_error=exit_on_error)
    if not words or words[0].startswith("-"):
        return call.fail(f"{call.name}: the emulated shell runs files and -c LINE only", _USAGE)
    try:
        text = call.shell.files.read(call.path(words[0]))
    except OSError as error:
        return call.fail(f"{call.name}: 0: cannot open {words[0]}: {_reason(error)}", _USAGE)
    return call.shell.script(words[0], text, call, exit_on_error=exit_on_error)


def _reason(error: OSError) -> str:
    text = strerror(error.errno or 0)
    return "No such file" if text == "No such file or directory" else text


def _nohup(call: Call) -> int:
    return _run(call, call.args)


def _timeout(call: Call) -> int:
    words = list(call.args)
    while words and words[0].startswith("-"):
        del words[: 2 if words[0] in {"-k", "-s"} else 1]
    return _run(call, tuple(words[1:]))


def _flock(call: Call) -> int:
    """``flock [-E CODE] [-w SECONDS] [-n] FILE COMMAND...`` (util-linux, flock(1)), with a lock on the device's file.

    The device does one thing at a time, so nobody gives a lock back while another waits: it is refused at once.
    """
    words, refused = list(call.args), 1
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option not in _FLOCK_VALUES:
            return call.fail(f"flock: invalid option -- '{option.lstrip('-')}'", _FLOCK_USAGE)
        value = words.pop(0) if _FLOCK_VALUES[option] and words else "0"
        if not value.isdigit():
            return call.fail(f"flock: invalid {_FLOCK_VALUES[option]}: '{value}'", _FLOCK_USAGE)
        refused = int(value) if option == "-E" else refused
    if len(words) < 2:  # noqa: PLR2004 - file and command
        return call.fail(f"flock: bad file descriptor: '{' '.join(words)}'", _FLOCK_USAGE)
    if not call.shell.finds(words[1]):
        return call.fail(f"flock: failed to execute {words[1]}: No such file or directory", _CANNOT_EXECUTE)
    try:
        call.shell.files.write(call.path(words[0]), "", root=call.root, append=True)
        lock = call.shell.files.host_path(call.path(words[0])).open()
    except OSError as error:
        return call.fail(f"flock: cannot open lock file {words[0]}: {strerror(error.errno or 0)}", _NO_INPUT)
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return refused
        return _run(call, tuple(words[1:]))


def _run(call: Call, words: tuple[str, ...]) -> int:
    if not words:
        return call.fail(f"{call.name}: missing operand", 125)
    code = call.shell.call(words, call.streams, root=call.root, builtins=False)
    known = "/" in words[0] or words[0] in call.shell.commands
    if code == NOT_FOUND and not known:
        return call.fail(f"{call.name}: failed to run command '{words[0]}': No such file or directory", NOT_FOUND)
    return code


PROCESSES: Final[dict[str, Command]] = {
    "bash": _shell,
    "flock": _flock,
    "nohup": _nohup,
    "sh": _shell,
    "sudo": _sudo,
    "timeout": _timeout,
}
"""By name."""

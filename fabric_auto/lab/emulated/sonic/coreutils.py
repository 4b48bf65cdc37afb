"""The commands for files and text that an operator's scripts use, with GNU coreutils' messages and exit codes."""

import hashlib
import shutil
import time
from collections.abc import Callable
from errno import EISDIR, ENOENT
from os import strerror
from pathlib import Path
from typing import Final

from fabric_auto.lab.emulated.sonic.shell import Call, Command

_USAGE: Final = 2
_KIB: Final = 1024
_DISK_KIB: Final = 15_728_640
_USED_KIB: Final = 5_242_880


def _options(call: Call, letters: str) -> tuple[set[str], list[str], str]:
    """Split the arguments into single-letter options and operands; the third is an option that is not in ``letters``."""
    given: set[str] = set()
    operands: list[str] = []
    for number, each in enumerate(call.args):
        if each == "--":
            return given, operands + list(call.args[number + 1 :]), ""
        if len(each) > 1 and each.startswith("-"):
            wrong = next((letter for letter in each[1:] if letter not in letters), "")
            if wrong:
                return given, operands, wrong
            given |= set(each[1:])
        else:
            operands.append(each)
    return given, operands, ""


def _invalid(call: Call, option: str) -> int:
    return call.fail(f"{call.name}: invalid option -- '{option}'\nTry '{call.name} --help' for more information.")


def _guarded(call: Call, verb: str, name: str, act: Callable[[Path], None]) -> int:
    """Do something to a file, or say why not: ``rm: cannot remove 'x': Permission denied``."""
    try:
        path = call.path(name)
        call.shell.files.check_write(path, root=call.root)
        act(call.shell.files.host_path(path))
    except OSError as error:
        return call.fail(f"{call.name}: {verb} '{name}': {strerror(error.errno or 0)}")
    return 0


def _cat(call: Call) -> int:
    code = 0
    for name in call.args or ("-",):
        if name == "-":
            call.out(call.streams.stdin)
            continue
        try:
            call.out(call.shell.files.read(call.path(name)))
        except OSError as error:
            code = call.fail(f"cat: {name}: {strerror(error.errno or 0)}")
    return code


def _tee(call: Call) -> int:
    given, names, wrong = _options(call, "a")
    if wrong:
        return _invalid(call, wrong)
    code = 0
    call.out(call.streams.stdin)
    for name in names:
        try:
            call.shell.files.write(call.path(name), call.streams.stdin, root=call.root, append="a" in given)
        except OSError as error:
            code = call.fail(f"tee: {name}: {strerror(error.errno or 0)}")
    return code


def _echo(call: Call) -> int:
    words, end = (call.args[1:], "") if call.args[:1] == ("-n",) else (call.args, "\n")
    call.out(" ".join(words) + end)
    return 0


def _mkdir(call: Call) -> int:
    args = list(call.args)
    mode = 0o777 & ~call.shell.umask
    if "-m" in args[:-1]:
        place = args.index("-m")
        mode = _mode(args[place + 1])
        del args[place : place + 2]
    given, names, wrong = _options(Call(call.name, tuple(args), call.shell, call.streams, call.root), "p")
    if wrong:
        return _invalid(call, wrong)
    if mode < 0 or not names:
        return call.fail("mkdir: missing operand" if mode >= 0 else f"mkdir: invalid mode '{call.args}'")

    def make(host: Path) -> None:
        if not host.is_dir() or "p" not in given:
            host.mkdir(parents="p" in given)
            host.chmod(mode)

    return max([_guarded(call, "cannot create directory", name, make) for name in names])


def _rm(call: Call) -> int:
    given, names, wrong = _options(call, "rfR")
    if wrong:
        return _invalid(call, wrong)

    def remove(host: Path) -> None:
        if not host.is_dir():
            host.unlink()
        elif given & {"r", "R"}:
            shutil.rmtree(host)
        else:
            raise IsADirectoryError(EISDIR, strerror(EISDIR), str(host))

    def remove_name(name: str) -> int:
        if call.shell.files.host_path(call.path(name)).exists():
            return _guarded(call, "cannot remove", name, remove)
        return 0 if "f" in given else call.fail(f"rm: cannot remove '{name}': {strerror(ENOENT)}")

    if not names:
        return 0 if "f" in given else call.fail("rm: missing operand\nTry 'rm --help' for more information.")
    return max(remove_name(name) for name in names)


def _rmdir(call: Call) -> int:
    return max([_guarded(call, "failed to remove", name, lambda host: host.rmdir()) for name in call.args] or [1])


def _cp(call: Call) -> int:
    return _two_paths(call, "pfra", _copy)


def _copy(source: Path, target: Path) -> None:
    if source.is_file():
        shutil.copy2(source, target)
    else:
        shutil.copytree(source, target)


def _mv(call: Call) -> int:
    return _two_paths(call, "f", _move)


def _move(source: Path, target: Path) -> None:
    source.replace(target)


def _two_paths(call: Call, letters: str, act: Callable[[Path, Path], None]) -> int:
    _, names, wrong = _options(call, letters)
    if wrong:
        return _invalid(call, wrong)
    if len(names) != 2:  # noqa: PLR2004 - source and target
        return call.fail(f"{call.name}: missing file operand" if len(names) < 2 else f"{call.name}: extra operand")  # noqa: PLR2004
    files = call.shell.files
    source = files.host_path(call.path(names[0]))
    if not source.exists():
        return call.fail(f"{call.name}: cannot stat '{names[0]}': No such file or directory")
    if call.name == "mv" and _guarded(call, "cannot move", names[0], lambda _: None):
        return 1
    verb = "cannot create regular file" if call.name == "cp" else "cannot move to"

    def place(target: Path) -> None:
        act(source, target / source.name if target.is_dir() else target)

    return _guarded(call, verb, names[1], place)


def _chmod(call: Call) -> int:
    if len(call.args) < 2:  # noqa: PLR2004 - mode and file
        return call.fail("chmod: missing operand")
    mode = 0o755 if call.args[0] in {"+x", "u+x", "a+x"} else _mode(call.args[0])
    if mode < 0:
        return call.fail(f"chmod: invalid mode: '{call.args[0]}'")
    return max(_guarded(call, "cannot access", name, lambda host: host.chmod(mode)) for name in call.args[1:])


def _mode(text: str) -> int:
    try:
        return int(text, 8) & 0o7777
    except ValueError:
        return -1


def _ls(call: Call) -> int:
    given, names, wrong = _options(call, "la1dA")
    if wrong:
        return _invalid(call, wrong)
    code = 0
    for name in names or ["."]:
        host = call.shell.files.host_path(call.path(name))
        if not host.exists():
            code = call.fail(f"ls: cannot access '{name}': No such file or directory", _USAGE)
        elif host.is_dir() and "d" not in given:
            entries = sorted(each.name for each in host.iterdir())
            call.out("".join(f"{each}\n" for each in entries if given & {"a", "A"} or not each.startswith(".")))
        else:
            call.out(f"{name}\n")
    return code


def _sha256sum(call: Call) -> int:
    code = 0
    for name in call.args or ("-",):
        try:
            text = call.streams.stdin if name == "-" else call.shell.files.read(call.path(name))
        except OSError as error:
            code = call.fail(f"sha256sum: {name}: {strerror(error.errno or 0)}")
            continue
        digest = hashlib.sha256(text.encode("utf-8", errors="surrogateescape")).hexdigest()
        call.out(f"{digest}  {name}\n")
    return code


def _test(call: Call) -> int:
    args = list(call.args)
    if call.name == "[":
        if args[-1:] != ["]"]:
            return call.fail(f"{call.shell.name}: [: missing `]'", _USAGE)
        del args[-1]
    negated = args[:1] == ["!"]
    verdict = _verdict(call, args[1:] if negated else args)
    if verdict is None:
        return call.fail(f"{call.shell.name}: {call.name}: `{' '.join(args)}' is not supported", _USAGE)
    return int(verdict == negated)


def _verdict(call: Call, args: list[str]) -> bool | None:
    if len(args) == 1:
        return bool(args[0])
    if len(args) == 2:  # noqa: PLR2004 - operator and operand
        return _unary(call, args[0], args[1])
    if len(args) == 3 and args[1] in {"=", "==", "!="}:  # noqa: PLR2004 - operand, operator, operand
        return (args[0] == args[2]) == (args[1] != "!=")
    if len(args) == 3 and args[0].lstrip("-").isdigit() and args[2].lstrip("-").isdigit():  # noqa: PLR2004
        left, right = int(args[0]), int(args[2])
        orders = {"-eq": left == right, "-ne": left != right, "-gt": left > right, "-lt": left < right}
        return orders.get(args[1])
    return bool(args) if not args else None


def _unary(call: Call, operator: str, operand: str) -> bool | None:
    if operator in {"-n", "-z"}:
        return bool(operand) == (operator == "-n")
    host = call.shell.files.host_path(call.path(operand))
    answers = {
        "-e": host.exists(),
        "-f": host.is_file(),
        "-d": host.is_dir(),
        "-r": host.exists(),
        "-s": host.is_file() and host.stat().st_size > 0,
        "-x": host.exists() and bool(host.stat().st_mode & 0o100),
    }
    return answers.get(operator)


def _date(call: Call) -> int:
    formats = {"+%s": str(int(time.time())), "+%F": time.strftime("%F", time.gmtime())}
    if not call.args:
        call.out(time.strftime("%a %b %e %H:%M:%S UTC %Y\n", time.gmtime()))
    elif call.args[0] in formats:
        call.out(f"{formats[call.args[0]]}\n")
    else:
        return call.fail(f"date: invalid date '{call.args[0]}'")
    return 0


def _df(call: Call) -> int:
    _, _, wrong = _options(call, "kPh")
    if wrong:
        return _invalid(call, wrong)
    free = _DISK_KIB - _USED_KIB
    call.out("Filesystem     1K-blocks    Used Available Use% Mounted on\n")
    call.out(f"root-overlay    {_DISK_KIB:>8} {_USED_KIB:>7} {free:>9}  33% /\n")
    return 0


def _id(call: Call) -> int:
    uid, name = (0, "root") if call.root else (1000, "admin")
    short = {("-u",): str(uid), ("-un",): name, ("-u", "-n"): name}
    groups = "0(root)" if call.root else "1000(admin),27(sudo),999(docker),1001(redis)"
    call.out(f"{short.get(call.args, f'uid={uid}({name}) gid={uid}({name}) groups={groups}')}\n")
    return 0


def _whoami(call: Call) -> int:
    call.out("root\n" if call.root else "admin\n")
    return 0


COREUTILS: Final[dict[str, Command]] = {
    "[": _test,
    "cat": _cat,
    "chmod": _chmod,
    "cp": _cp,
    "date": _date,
    "df": _df,
    "echo": _echo,
    "false": lambda _: 1,
    "id": _id,
    "ls": _ls,
    "mkdir": _mkdir,
    "mv": _mv,
    "rm": _rm,
    "rmdir": _rmdir,
    "sha256sum": _sha256sum,
    "sync": lambda _: 0,
    "tee": _tee,
    "test": _test,
    "true": lambda _: 0,
    "whoami": _whoami,
}
"""By name."""

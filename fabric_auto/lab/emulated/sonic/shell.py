"""The shell of the emulated device: it runs lines and scripts of the device's own commands, never one of the host."""

import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from fabric_auto.lab.emulated.sonic.filesystem import HOME, FileSystem
from fabric_auto.lab.emulated.sonic.syntax import Pipeline, Redirect, Simple, SyntaxRefusedError, parse

Write: TypeAlias = Callable[[str], None]

NOT_FOUND: Final = 127
_NOT_EXECUTABLE: Final = 126
_USAGE: Final = 2
_NESTING: Final = 16
_BINARIES: Final = frozenset({"/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"})


@dataclass(frozen=True, slots=True)
class Streams:
    """Where a command writes; ``stdin`` is all that it can read."""

    out: Write
    err: Write
    stdin: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """One invocation of a command.

    Attributes:
        name: the command's word, without its folder.
        args: the words after it.
        root: it runs with root's rights.
    """

    name: str
    args: tuple[str, ...]
    shell: "Shell"
    streams: Streams
    root: bool

    def out(self, text: str) -> None:
        """Write to standard output."""
        self.streams.out(text)

    def fail(self, text: str, code: int = 1) -> int:
        """Write a line to standard error and return the exit code."""
        self.streams.err(f"{text}\n")
        return code

    def path(self, name: str) -> str:
        """Return the absolute path of a name."""
        return posixpath.normpath(posixpath.join(self.shell.folder, name))


Command: TypeAlias = Callable[[Call], int]


class ExitShell(Exception):  # noqa: N818 - control flow, not an error
    """The script or session ends here.

    Attributes:
        code: its exit code.
    """

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass(slots=True)
class Shell:
    """A shell process.

    Attributes:
        files: the device's file system.
        commands: what it can run, by name.
        name: what precedes its messages: ``-bash``, or the script.
        root: it runs as root.
        folder: the working directory.
        status: exit code of the last command, ``$?``.
    """

    files: FileSystem
    commands: Mapping[str, Command]
    name: str = "-bash"
    root: bool = False
    folder: str = HOME
    status: int = 0
    variables: dict[str, str] = field(default_factory=dict)
    exit_on_error: bool = False
    umask: int = 0o022
    depth: int = 0

    def run(self, text: str, streams: Streams) -> int:
        """Run lines; return the exit code of the last command, or of the ``exit`` that ended them."""
        try:
            for number, line in _logical_lines(text):
                self._line(line, streams, number)
        except ExitShell as end:
            self.status = end.code
        return self.status

    def run_line(self, line: str, streams: Streams) -> int:
        """Run one line of an interactive session.

        Raises:
            ExitShell: the line ends the session.
        """
        return self._line(line, streams, 1)

    def child(self, name: str, *, root: bool | None = None) -> "Shell":
        """Return a new shell process started by this one."""
        return replace(
            self,
            name=name,
            root=self.root if root is None else root,
            status=0,
            variables=dict(self.variables),
            exit_on_error=False,
            depth=self.depth + 1,
        )

    def call(self, words: tuple[str, ...], streams: Streams, *, root: bool, builtins: bool = True) -> int:
        """Run a command by its words; ``root`` gives it root's rights."""
        name = words[0]
        folder, base = posixpath.split(name)
        call = Call(base, tuple(words[1:]), self, streams, root)
        if builtins and name in _BUILTINS:
            return _BUILTINS[name](call)
        if self.finds(name):
            return self.commands[base](call)
        if folder:
            return self._script_by_path(call, name)
        return NOT_FOUND

    def finds(self, name: str) -> bool:
        """Return True when a word names a command of the device, bare or by its full path."""
        folder, base = posixpath.split(name)
        return base in self.commands and (not folder or folder in _BINARIES)

    def script(self, path: str, text: str, call: Call, *, exit_on_error: bool = False) -> int:
        """Run a script file's text in a shell of its own."""
        if self.depth >= _NESTING:
            return call.fail(f"{self.name}: {path}: too many nested shells", _NOT_EXECUTABLE)
        child = self.child(path, root=call.root)
        child.exit_on_error = exit_on_error
        return child.run(text, call.streams)

    def _script_by_path(self, call: Call, name: str) -> int:
        path = call.path(name)
        host = self.files.host_path(path)
        if not host.exists():
            return call.fail(f"{self.name}: {name}: No such file or directory", NOT_FOUND)
        if host.is_dir():
            return call.fail(f"{self.name}: {name}: Is a directory", _NOT_EXECUTABLE)
        if not host.stat().st_mode & 0o100:
            return call.fail(f"{self.name}: {name}: Permission denied", _NOT_EXECUTABLE)
        return self.script(name, self.files.read(path), call)

    def _line(self, line: str, streams: Streams, number: int) -> int:
        try:
            self._pipelines(line, streams, number)
        except SyntaxRefusedError as error:
            streams.err(f"{self._prefix(number)}{error}\n")
            self.status = _USAGE
            if self.name != "-bash":
                raise ExitShell(self.status) from None
        return self.status

    def _pipelines(self, line: str, streams: Streams, number: int) -> None:
        skip_until = ""
        for pipeline in parse(line, self._expand):
            if not skip_until or pipeline_runs(skip_until, self.status):
                self.status = self._run(pipeline, streams, number)
                decides = not pipeline.negated and pipeline.then == ";"
                if self.exit_on_error and self.status and decides:
                    raise ExitShell(self.status)
            skip_until = "" if pipeline.then == ";" else pipeline.then

    def _run(self, pipeline: Pipeline, streams: Streams, number: int) -> int:
        stdin, code = streams.stdin, 0
        for command in pipeline.commands[:-1]:
            passed: list[str] = []
            self._simple(command, Streams(passed.append, streams.err, stdin), number)
            stdin = "".join(passed)
        code = self._simple(pipeline.commands[-1], replace(streams, stdin=stdin), number)
        return int(not code) if pipeline.negated else code

    def _simple(self, command: Simple, streams: Streams, number: int) -> int:
        files: list[tuple[Redirect, list[str]]] = []
        try:
            redirected = self._redirected(command.redirects, streams, files)
        except OSError as error:
            streams.err(f"{self._prefix(number)}{error.filename}: {error.strerror}\n")
            return 1
        words = self._assigned(command.words)
        code = 0
        if words:
            code = self.call(tuple(words), redirected, root=self.root)
            if code == NOT_FOUND and not self._known(words[0]):
                redirected.err(f"{self._prefix(number)}{words[0]}: {self._not_found()}\n")
        for redirect, text in files:
            self.files.write(self._absolute(redirect.to), "".join(text), root=self.root, append=True)
        return code

    def _redirected(
        self, redirects: list[Redirect], streams: Streams, files: list[tuple[Redirect, list[str]]]
    ) -> Streams:
        """Open the files of the redirections, left to right, with the rights of this shell, not of the command."""
        writers = {1: streams.out, 2: streams.err}
        for each in redirects:
            if each.to.startswith("&"):
                to = int(each.to[1:])
                if to not in writers:
                    raise OSError(9, "Bad file descriptor", str(to))
                writer = writers[to]
            else:
                path = self._absolute(each.to)
                try:
                    self.files.write(path, "", root=self.root, append=each.append, mode=0o666 & ~self.umask)
                except OSError as error:
                    raise OSError(error.errno, error.strerror, each.to) from None
                kept: list[str] = []
                files.append((each, kept))
                writer = kept.append
            for stream in each.streams:
                writers[stream] = writer
        return replace(streams, out=writers[1], err=writers[2])

    def _assigned(self, words: list[str]) -> list[str]:
        """Take assignments off the front; alone they set the shell's variables."""
        count = 0
        for word in words:
            name, equals, _ = word.partition("=")
            if not equals or not name.isidentifier():
                break
            count += 1
        if count == len(words):
            self.variables.update({name: value for name, _, value in (word.partition("=") for word in words)})
        return words[count:]

    def _known(self, name: str) -> bool:
        return "/" in name or name in _BUILTINS or name in self.commands

    def _not_found(self) -> str:
        return "command not found" if self.name == "-bash" else "not found"

    def _prefix(self, number: int) -> str:
        return "-bash: " if self.name == "-bash" else f"{self.name}: {number}: "

    def _absolute(self, name: str) -> str:
        return posixpath.normpath(posixpath.join(self.folder, name))

    def _expand(self, name: str) -> str:
        if name == "?":
            return str(self.status)
        preset = {"HOME": "/root" if self.root else HOME, "USER": "root" if self.root else "admin", "PWD": self.folder}
        return self.variables.get(name, preset.get(name, ""))


def pipeline_runs(operator: str, status: int) -> bool:
    """Return True when the command after ``&&`` or ``||`` runs."""
    return (status == 0) == (operator == "&&")


def _logical_lines(text: str) -> list[tuple[int, str]]:
    """Return numbered lines, with continued ones joined and empty ones left out."""
    lines: list[tuple[int, str]] = []
    pending, start = "", 0
    for number, raw in enumerate(text.splitlines(), 1):
        start = start if pending else number
        pending += raw
        if pending.endswith("\\") and not pending.lstrip().startswith("#"):
            pending = pending[:-1]
            continue
        if pending.strip():
            lines.append((start, pending))
        pending = ""
    if pending.strip():
        lines.append((start, pending))
    return lines


def _cd(call: Call) -> int:
    target = call.args[0] if call.args else HOME
    path = call.path(target)
    if not call.shell.files.is_folder(path):
        return call.fail(f"{call.shell.name}: cd: {target}: No such file or directory")
    call.shell.folder = path
    return 0


def _exit(call: Call) -> int:
    raise ExitShell(int(call.args[0]) % 256 if call.args and call.args[0].isdigit() else call.shell.status)


def _set(call: Call) -> int:
    for option in call.args:
        if option not in {"-e", "+e", "-u", "-eu", "-ue"}:
            return call.fail(f"{call.shell.name}: set: {option}: the emulated shell has -e and -u only", _USAGE)
        if "e" in option:
            call.shell.exit_on_error = option.startswith("-")
    return 0


def _export(call: Call) -> int:
    for each in call.args:
        name, equals, value = each.partition("=")
        if equals:
            call.shell.variables[name] = value
    return 0


def _umask(call: Call) -> int:
    if not call.args:
        call.out(f"{call.shell.umask:04o}\n")
        return 0
    try:
        call.shell.umask = int(call.args[0], 8) & 0o777
    except ValueError:
        return call.fail(f"{call.shell.name}: umask: {call.args[0]}: octal number out of range")
    return 0


def _pwd(call: Call) -> int:
    call.out(f"{call.shell.folder}\n")
    return 0


_BUILTINS: Final[dict[str, Command]] = {
    ":": lambda _: 0,
    "cd": _cd,
    "exit": _exit,
    "export": _export,
    "logout": _exit,
    "pwd": _pwd,
    "set": _set,
    "umask": _umask,
}

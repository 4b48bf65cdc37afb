"""The device's SSH server: exec, an interactive shell, and SFTP below the device's root."""

import os
import posixpath
from collections.abc import Callable
from typing import Final, Protocol

import asyncssh

from fabric_auto.lab.emulated.faults import Faults, SessionDropped
from fabric_auto.lab.emulated.sonic.filesystem import HOME, FileSystem
from fabric_auto.lab.emulated.sonic.shell import ExitShell, Shell, Streams

_CHANGES: Final = asyncssh.FXF_WRITE | asyncssh.FXF_APPEND | asyncssh.FXF_CREAT | asyncssh.FXF_TRUNC
_END_OF_FILE, _INTERRUPT, _ERASE = "\x04", "\x03", "\x7f\b"


class Box(Protocol):
    """What the server needs of the device."""

    faults: Faults
    files: FileSystem

    @property
    def hostname(self) -> str:
        """The host name now."""
        ...

    @property
    def reloads(self) -> int:
        """How often the services restarted."""
        ...

    def login(self) -> Shell:
        """Return a new login shell of the user admin."""
        ...


class Sessions:
    """Serves the processes of all connections of one device."""

    def __init__(self, box: Box) -> None:
        self._box = box

    async def __call__(self, process: asyncssh.SSHServerProcess[str]) -> None:
        """Serve an exec request or an interactive shell."""
        try:
            if process.command is not None:
                await self._exec(process, process.command)
            else:
                await self._interactive(process)
        except SessionDropped:
            process.channel.get_connection().abort()
        except (BrokenPipeError, ConnectionError, asyncssh.Error):
            process.close()

    async def _exec(self, process: asyncssh.SSHServerProcess[str], command: str) -> None:
        streams = Streams(process.stdout.write, process.stderr.write)
        code = self._step(lambda: self._box.login().run(command, streams))
        if code is not None:
            process.exit(code)

    async def _interactive(self, process: asyncssh.SSHServerProcess[str]) -> None:
        terminal = process.get_terminal_type() is not None

        def write(text: str) -> None:
            process.stdout.write(text.replace("\n", "\r\n") if terminal else text)

        shell, streams = self._box.login(), Streams(write, write)
        prompt = self._prompt(shell)
        write(
            f"Linux {self._box.hostname} SONiC Software for Open Networking in the Cloud\n{prompt if terminal else ''}"
        )
        editor = Editor(write if terminal else lambda _: None)
        while not process.stdin.at_eof():
            for line in editor.feed(await _typed(process)):
                if line is None:
                    write("logout\n")
                    process.exit(shell.status)
                    return
                try:
                    code = self._step(lambda each=line: shell.run_line(each, streams))  # type: ignore[misc]  # mypy cannot infer a lambda with a default
                except ExitShell as end:
                    process.exit(end.code)
                    return
                if code is None:
                    return
                write(self._prompt(shell) if terminal else "")
        process.exit(shell.status)

    def _step(self, act: Callable[[], int]) -> int | None:
        """Run a command line with the armed faults; None when the session is about to be cut and gets no answer."""
        reloads = self._box.reloads
        self._box.faults.before_step()
        code = act()
        self._box.faults.after_step()
        return code if self._box.reloads == reloads else None

    def _prompt(self, shell: Shell) -> str:
        folder = f"~{shell.folder.removeprefix(HOME)}" if shell.folder.startswith(HOME) else shell.folder
        return f"admin@{self._box.hostname}:{folder}$ "


class Editor:
    """The terminal's line discipline: echoes what is typed and gives whole lines.

    Args:
        echo: writes to the terminal.
    """

    def __init__(self, echo: Callable[[str], None]) -> None:
        self._echo = echo
        self._line = ""
        self._after_return = False

    def feed(self, text: str) -> list[str | None]:
        """Take typed text; return the lines that it completes, None for the end of the input."""
        lines: list[str | None] = []
        for letter in text:
            line_feed_of_pair = letter == "\n" and self._after_return
            self._after_return = letter == "\r"
            if line_feed_of_pair:
                continue
            if letter in "\r\n":
                self._echo("\n")
                lines.append(self._line)
                self._line = ""
            elif letter == _INTERRUPT:
                self._echo("^C\n")
                lines.append("")
                self._line = ""
            elif letter == _END_OF_FILE and not self._line:
                lines.append(None)
            else:
                self._type(letter)
        return lines

    def _type(self, letter: str) -> None:
        if letter in _ERASE:
            if self._line:
                self._line = self._line[:-1]
                self._echo("\b \b")
        elif letter.isprintable():
            self._line += letter
            self._echo(letter)


class Sftp(asyncssh.SFTPServer):
    """SFTP below the device's root, starting in the user's home, with the user's rights.

    A step, for the faults, is a file from its opening to its closing.
    """

    def __init__(self, channel: asyncssh.SSHServerChannel[bytes], box: Box) -> None:
        super().__init__(channel, chroot=os.fsencode(box.files.host_path("/")))
        self._box = box
        self._connection = channel.get_connection()

    def map_path(self, path: bytes) -> bytes:
        """Return the host's path of a path of the device."""
        inside = os.fsdecode(posixpath.join(HOME.encode(), path))
        return os.fsencode(self._box.files.host_path(inside))

    def open(self, path: bytes, pflags: int, attrs: asyncssh.SFTPAttrs) -> object:
        """Open a file."""
        self._faulty(self._box.faults.before_step)
        if pflags & _CHANGES:
            self._check_write(path)
        return super().open(path, pflags, attrs)

    def close(self, file_obj: object) -> None:
        """Close a file."""
        super().close(file_obj)
        self._faulty(self._box.faults.after_step)

    def remove(self, path: bytes) -> None:
        """Remove a file."""
        self._check_write(path)
        super().remove(path)

    def mkdir(self, path: bytes, attrs: asyncssh.SFTPAttrs) -> None:
        """Make a folder."""
        self._check_write(path)
        super().mkdir(path, attrs)

    def rmdir(self, path: bytes) -> None:
        """Remove a folder."""
        self._check_write(path)
        super().rmdir(path)

    def rename(self, oldpath: bytes, newpath: bytes) -> None:
        """Rename a file to a name that is free."""
        self._check_write(oldpath)
        self._check_write(newpath)
        super().rename(oldpath, newpath)

    def posix_rename(self, oldpath: bytes, newpath: bytes) -> None:
        """Rename a file over another."""
        self._check_write(oldpath)
        self._check_write(newpath)
        super().posix_rename(oldpath, newpath)

    def setstat(self, path: bytes, attrs: asyncssh.SFTPAttrs) -> None:
        """Set a file's attributes."""
        self._check_write(path)
        super().setstat(path, attrs)

    def symlink(self, oldpath: bytes, newpath: bytes) -> None:  # noqa: ARG002 - no link is ever made
        """Refuse: a link could lead out of the device."""
        raise asyncssh.SFTPOpUnsupported("no symbolic links")

    def link(self, oldpath: bytes, newpath: bytes) -> None:  # noqa: ARG002 - no link is ever made
        """Refuse: the device keeps no links."""
        raise asyncssh.SFTPOpUnsupported("no links")

    def _check_write(self, path: bytes) -> None:
        inside = os.fsdecode(posixpath.normpath(posixpath.join(HOME.encode(), path)))
        self._box.files.check_write(inside, root=False)

    def _faulty(self, step: Callable[[], None]) -> None:
        try:
            step()
        except SessionDropped:
            self._connection.abort()
            raise asyncssh.SFTPConnectionLost("the session is cut") from None


async def _typed(process: asyncssh.SSHServerProcess[str]) -> str:
    """Return what was typed; "" at the end of the input and for a signal or a new window size, which change nothing."""
    try:
        return await process.stdin.read(4096)
    except (asyncssh.TerminalSizeChanged, asyncssh.SignalReceived, asyncssh.BreakReceived):
        return ""

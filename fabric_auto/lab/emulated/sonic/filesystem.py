"""The device's file system: a folder of the host that no path can leave, with what the user admin may write.

Ownership is by place, not by file: admin writes below its home and the temporary folders, root everywhere.
"""

import posixpath
from errno import EACCES, EINVAL
from os import strerror
from pathlib import Path
from typing import Final

HOME: Final = "/home/admin"
_FOLDERS: Final = (HOME, "/etc/sonic", "/run", "/tmp", "/var/tmp", "/var/log")  # noqa: S108 - of the device, not of the host
_WRITABLE: Final = (HOME, "/tmp", "/var/tmp")  # noqa: S108 - of the device, not of the host
_NULL: Final = "/dev/null"


class FileSystem:
    """Files below ``root``; every path given is absolute, as the device sees it.

    Methods raise OSError with the errno that the device would give.
    """

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()
        for folder in _FOLDERS:
            self.host_path(folder).mkdir(parents=True, exist_ok=True)

    def host_path(self, path: str) -> Path:
        """Return where ``path`` is on the host.

        Raises:
            OSError: it leads out of the device.
        """
        if "\0" in path:
            raise OSError(EINVAL, strerror(EINVAL), path)
        host = self._root.joinpath(posixpath.normpath(posixpath.join("/", path)).lstrip("/"))
        if not host.resolve().is_relative_to(self._root):
            raise OSError(EACCES, strerror(EACCES), path)
        return host

    def check_write(self, path: str, *, root: bool) -> None:
        """Refuse what admin may not write.

        Raises:
            PermissionError: only root may.
        """
        inside = posixpath.normpath(posixpath.join("/", path))
        if not root and not any(inside.startswith(f"{folder}/") for folder in _WRITABLE):
            raise PermissionError(EACCES, strerror(EACCES), path)

    def read(self, path: str) -> str:
        """Return a file's text; bytes that are not UTF-8 survive a later :meth:`write`."""
        if path == _NULL:
            return ""
        return self.host_path(path).read_text(encoding="utf-8", errors="surrogateescape")

    def write(self, path: str, text: str, *, root: bool, append: bool = False, mode: int = 0o644) -> None:
        """Write or append to a file; a new one gets ``mode``."""
        if path == _NULL:
            return
        self.check_write(path, root=root)
        host = self.host_path(path)
        fresh = not host.exists()
        with host.open("a" if append else "w", encoding="utf-8", errors="surrogateescape") as stream:
            if fresh:
                host.chmod(mode)
            stream.write(text)

    def is_file(self, path: str) -> bool:
        """Return True for a file that is there."""
        return self.host_path(path).is_file()

    def is_folder(self, path: str) -> bool:
        """Return True for a folder that is there."""
        return self.host_path(path).is_dir()

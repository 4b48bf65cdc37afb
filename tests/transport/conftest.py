"""A server and a project that knows it."""

from collections.abc import Iterator
from pathlib import Path

import asyncssh
import pytest

from fabric_auto.transport import host_keys
from fabric_auto.transport.endpoint import Endpoint
from fabric_auto.transport.host_keys import KnownHosts
from fabric_auto.transport.secrets import Secret
from tests.transport.server import PASSWORD, USER, Server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    root = tmp_path / "box"
    root.mkdir()
    running = Server(root, asyncssh.generate_private_key("ssh-ed25519")).start()
    yield running
    running.stop()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def target(server: Server) -> Endpoint:
    return Endpoint("east-leaf-01", "127.0.0.1", server.port, USER, Secret(PASSWORD), None)


@pytest.fixture
def known(server: Server, project: Path) -> KnownHosts:
    path = project / ".fabric-auto/known_hosts"
    path.parent.mkdir()
    path.write_text(server.known_hosts_line)
    return host_keys.load([path])

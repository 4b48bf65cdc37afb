from pathlib import Path

import asyncssh
import paramiko
import pytest

from fabric_auto.transport import host_keys
from fabric_auto.transport.base import UnreachableError
from fabric_auto.transport.endpoint import Endpoint
from fabric_auto.transport.host_keys import HostKey, KnownHosts
from tests.transport.server import Server

# A key and its fingerprint as `ssh-keygen -l` prints it; GitHub publishes both for its servers.
GITHUB = HostKey("ssh-ed25519", "AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl")


def test_a_fingerprint_is_the_one_ssh_keygen_shows() -> None:
    assert GITHUB.fingerprint == "SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU"


def test_a_host_on_port_22_is_spelled_bare_and_others_in_brackets() -> None:
    assert host_keys.spelled("10.0.0.1", 22) == "10.0.0.1"
    assert host_keys.spelled("10.0.0.1", 830) == "[10.0.0.1]:830"
    assert host_keys.spelled("2001:db8::1", 830) == "[2001:db8::1]:830"


def test_the_first_file_that_knows_a_host_decides(tmp_path: Path) -> None:
    other = HostKey("ssh-ed25519", asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode().split()[1])
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text(f"[127.0.0.1]:2201 {GITHUB.kind} {GITHUB.text}\n")
    second.write_text(
        f"[127.0.0.1]:2201 {other.kind} {other.text}\n[127.0.0.1]:2202 {other.kind} {other.text} comment\n"
    )
    known = host_keys.load([first, second, tmp_path / "absent"])
    assert known.keys_of("127.0.0.1", 2201) == (GITHUB,)
    assert known.keys_of("127.0.0.1", 2202) == (other,)
    assert known.keys_of("127.0.0.1", 22) == ()


def test_files_are_looked_at_from_the_project_to_the_user(project: Path) -> None:
    assert [path.parts[-3:] for path in host_keys.files_of(project)] == [
        ("project", ".fabric-auto", "known_hosts"),
        (".fabric-auto", "lab", "known_hosts"),
        ("project", "inventory", "known_hosts"),
        ("home", ".ssh", "known_hosts"),
    ]


def test_hashed_entries_are_found_and_markers_and_rubbish_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "known_hosts"
    hashed = paramiko.HostKeys.hash_host("[10.0.0.1]:830")
    path.write_text(
        f"# a comment\n\n@revoked [10.0.0.2]:830 {GITHUB.kind} {GITHUB.text}\n[10.0.0.3]:830 ssh-ed25519 !!!\nnonsense\n"
        f"{hashed} {GITHUB.kind} {GITHUB.text}\n"
    )
    known = host_keys.load([path])
    assert known.keys_of("10.0.0.1", 830) == (GITHUB,)
    assert known.keys_of("10.0.0.2", 830) == ()
    assert known.keys_of("10.0.0.3", 830) == ()


def test_the_merged_text_has_the_deciding_entries_alone(tmp_path: Path) -> None:
    path = tmp_path / "known_hosts"
    path.write_text(f"10.0.0.1,10.0.0.9 {GITHUB.kind} {GITHUB.text}\n")
    assert (
        host_keys.load([path]).merged([("10.0.0.1", 22), ("10.0.0.2", 22)]) == f"10.0.0.1 {GITHUB.kind} {GITHUB.text}\n"
    )


def test_an_unknown_key_is_refused_with_its_fingerprint(server: Server, target: Endpoint) -> None:
    with pytest.raises(UnreachableError) as caught:
        host_keys.require_known(target, KnownHosts(()), 5)
    fingerprint = server.key.get_fingerprint()
    assert caught.value.message == f"host key of east-leaf-01 (127.0.0.1:{server.port}) is not known"
    assert caught.value.help == (
        f"compare its fingerprint {fingerprint} with the console, then: fabric-auto trust add east-leaf-01"
    )


def test_a_fetched_key_is_the_servers(server: Server, target: Endpoint) -> None:
    assert host_keys.fetch_key(target, 5).fingerprint == server.key.get_fingerprint()


def test_trusting_a_key_replaces_the_one_before(project: Path, server: Server, target: Endpoint) -> None:
    path = host_keys.add(project, "127.0.0.1", target.port, GITHUB)
    host_keys.add(project, "10.0.0.1", 22, GITHUB)
    fetched = host_keys.fetch_key(target, 5)
    host_keys.add(project, "127.0.0.1", target.port, fetched)
    assert path == project / ".fabric-auto/known_hosts"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_text() == f"10.0.0.1 {GITHUB.kind} {GITHUB.text}\n{server.known_hosts_line}"


def test_a_port_nobody_listens_on_is_refused(project: Path) -> None:
    with pytest.raises(UnreachableError, match=r"^east-leaf-01 \(127\.0\.0\.1:1\) refused the connection$"):
        host_keys.fetch_key(Endpoint("east-leaf-01", "127.0.0.1", 1, "admin", None, None), 5)

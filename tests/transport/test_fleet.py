import threading
from collections.abc import Iterator
from pathlib import Path

import asyncssh
import pytest
from nornir.core.plugins.connections import ConnectionPluginRegister

from fabric_auto.diagnostics import Span
from fabric_auto.errors import FabricAutoError
from fabric_auto.intent.inventory import InventoryHost
from fabric_auto.transport.base import DeviceRefusedError, UnreachableError
from fabric_auto.transport.connection import Connection, Result, reconnect
from fabric_auto.transport.endpoint import Timeouts, address_of
from fabric_auto.transport.fleet import NornirFleet
from fabric_auto.transport.nornir_plugins import FabricNetconf, FabricSsh
from tests.transport.server import PASSWORD, USER, Server

SPAN = Span("inventory/hosts.yaml", 1, 1, 1, 2)


def host(
    name: str, port: int | None, nos: str | None = "sonic", password: str = "env:SWITCH_PASSWORD"
) -> InventoryHost:
    return InventoryHost(name, "127.0.0.1", port, nos, None, USER, password, None, SPAN)


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[list[Server]]:
    started = []
    for number in range(3):
        root = tmp_path / f"box{number}"
        root.mkdir()
        server = Server(root, asyncssh.generate_private_key("ssh-ed25519"))
        server.answers["hostname"] = (f"box{number}\n", "", 0)
        started.append(server.start())
    yield started
    for server in started:
        server.stop()


def fleet_of(servers: list[Server], project: Path, nos: str = "sonic") -> NornirFleet:
    (project / "inventory").mkdir(exist_ok=True)
    (project / "inventory/known_hosts").write_text("".join(server.known_hosts_line for server in servers))
    hosts = [host(f"leaf-{number}", server.port, nos) for number, server in enumerate(servers)]
    return NornirFleet(hosts, project, timeouts=Timeouts(5, 5, 5), environment={"SWITCH_PASSWORD": PASSWORD})


def ask(connection: Connection) -> str:
    return connection.session().ask("hostname").strip()


def test_a_task_runs_on_every_device_it_names(servers: list[Server], project: Path) -> None:
    with fleet_of(servers, project) as fleet:
        results = fleet.run(["leaf-0", "leaf-2"], ask, forks=2)
    assert results == {"leaf-0": Result("box0"), "leaf-2": Result("box2")}
    assert servers[1].commands == []


def test_one_devices_failure_is_a_value_and_bars_nothing_after(servers: list[Server], project: Path) -> None:
    told: list[tuple[str, str]] = []
    servers[1].answers["hostname"] = ("", "no\n", 1)
    with fleet_of(servers, project) as fleet:
        results = fleet.run(["leaf-0", "leaf-1"], ask, progress=lambda device, words: told.append((device, words)))
        again = fleet.run(["leaf-1"], lambda connection: connection.name)
    assert results["leaf-0"].value == "box0"
    assert isinstance(results["leaf-1"].error, DeviceRefusedError)
    assert not results["leaf-1"].ok
    assert results["leaf-1"].words.endswith("refused `hostname`: no")
    assert [device for device, _ in told] == ["leaf-1"]
    assert again["leaf-1"].value == "leaf-1"


def test_a_bug_in_a_task_is_a_value_too(
    servers: list[Server], project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def wrong(connection: Connection) -> None:
        raise KeyError(connection.name)

    with fleet_of(servers, project) as fleet:
        results = fleet.run(["leaf-0"], wrong)
        assert fleet.run(["leaf-0"], ask)["leaf-0"].value == "box0"
    assert isinstance(results["leaf-0"].error, KeyError)
    assert results["leaf-0"].words == "internal error: KeyError('leaf-0')"
    assert capfd.readouterr().err == ""


def test_at_most_so_many_devices_at_a_time(servers: list[Server], project: Path) -> None:
    running, most, lock = 0, 0, threading.Lock()
    both = threading.Barrier(2, timeout=10)

    def count(connection: Connection) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        if connection.name != "leaf-2":
            both.wait()
        with lock:
            running -= 1

    with fleet_of(servers, project) as fleet:
        assert all(result.ok for result in fleet.run(["leaf-0", "leaf-1", "leaf-2"], count, forks=2).values())
    assert most == 2


def test_nothing_is_started_once_the_user_wants_to_stop(servers: list[Server], project: Path) -> None:
    done: list[str] = []
    with fleet_of(servers, project) as fleet:
        results = fleet.run(
            ["leaf-0", "leaf-1"], lambda connection: done.append(connection.name), forks=1, stop=lambda: bool(done)
        )
    assert done == ["leaf-0"]
    assert (results["leaf-0"].ok, results["leaf-1"].started, results["leaf-1"].words) == (True, False, "not started")


def test_a_session_is_kept_between_tasks_and_opened_anew_on_demand(servers: list[Server], project: Path) -> None:
    with fleet_of(servers, project) as fleet:
        first = fleet.run(["leaf-0"], lambda connection: id(connection.session()))["leaf-0"].value
        second = fleet.run(["leaf-0"], lambda connection: id(connection.session()))["leaf-0"].value
        reopened = fleet.run(["leaf-0"], lambda connection: (connection.reopen(), ask(connection))[1])["leaf-0"]
    assert first == second
    assert reopened.value == "box0"


def test_secrets_and_keys_stay_out_of_nornirs_own_records(servers: list[Server], project: Path) -> None:
    with fleet_of(servers, project) as fleet:
        fleet.run(["leaf-0"], ask)
        assert PASSWORD not in repr(fleet._nornir.dict())
        assert fleet._key_file.stat().st_mode & 0o777 == 0o600
        path = fleet._key_file
    assert not path.exists()


def test_netconf_devices_get_the_netconf_plugin(servers: list[Server], project: Path) -> None:
    servers[0].replies["get"] = "<data/>"
    with fleet_of(servers, project, "srlinux") as fleet:
        answers = fleet.run(["leaf-0"], lambda connection: connection.session().ask("<system/>"))
    assert answers["leaf-0"].ok
    assert len(servers[0].rpcs) == 2  # the question, and close-session
    assert ConnectionPluginRegister.get_plugin("fabric_ssh") is FabricSsh
    assert ConnectionPluginRegister.get_plugin("fabric_netconf") is FabricNetconf


def test_what_the_inventory_leaves_open_is_refused_before_anything_is_opened(project: Path) -> None:
    with pytest.raises(FabricAutoError, match="does not say what `leaf-0` runs"):
        NornirFleet([host("leaf-0", 1, None)], project, environment={"SWITCH_PASSWORD": "x"})
    with pytest.raises(FabricAutoError, match="the environment has no `SWITCH_PASSWORD`"):
        NornirFleet([host("leaf-0", 1)], project, environment={})
    with (
        NornirFleet(
            [host("leaf-0", 1, None)], project, nos_of={"leaf-0": "sonic"}, environment={"SWITCH_PASSWORD": "x"}
        ) as fleet,
        pytest.raises(FabricAutoError, match="the inventory has no host `leaf-9`"),
    ):
        fleet.run(["leaf-9"], ask)


def test_ports_follow_from_the_nos() -> None:
    assert address_of(host("leaf-0", None), "sonic").port == 22
    assert address_of(host("leaf-0", None), "srlinux").port == 830
    assert address_of(host("leaf-0", 2201), None).port == 2201
    with pytest.raises(UnreachableError):
        address_of(host("leaf-0", None), None)


class Shy:
    """A connection that opens at the third attempt."""

    name, user = "leaf-0", "admin"

    def __init__(self) -> None:
        self.attempts = 0

    def session(self) -> None:
        raise AssertionError

    def reopen(self) -> str:
        self.attempts += 1
        if self.attempts < 3:
            raise UnreachableError("leaf-0 refused the connection")
        return "session"


def test_reconnecting_goes_on_with_growing_pauses_until_the_budget_is_spent() -> None:
    time = 0.0
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        nonlocal time
        pauses.append(seconds)
        time += seconds

    assert reconnect(Shy(), 60, now=lambda: time, sleep=sleep) == "session"  # type: ignore[arg-type,comparison-overlap]  # stubs
    assert pauses == [0.5, 1.0]
    with pytest.raises(UnreachableError):
        reconnect(Shy(), 1.0, now=lambda: time, sleep=sleep)  # type: ignore[arg-type]  # a stub

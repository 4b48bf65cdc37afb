"""A fleet of devices on nornir: our inventory in its objects, our plugins for sessions, its threaded runner for work."""

import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from nornir.core import Nornir
from nornir.core.inventory import ConnectionOptions, Host, Hosts, Inventory
from nornir.core.task import Result as NornirResult
from nornir.core.task import Task
from nornir.plugins.runners import ThreadedRunner

from fabric_auto.errors import FabricAutoError
from fabric_auto.intent.inventory import InventoryHost
from fabric_auto.transport import host_keys
from fabric_auto.transport.base import Session
from fabric_auto.transport.connection import Connection, Progress, Result, quietly
from fabric_auto.transport.endpoint import Endpoint, Timeouts, endpoint
from fabric_auto.transport.nornir_plugins import PARAMETERS, PLUGIN_OF, Parameters, register
from fabric_auto.transport.quiet import silence

T = TypeVar("T")


class NornirFleet:
    """Devices reached through nornir (:class:`fabric_auto.transport.connection.Fleet`). A context manager.

    Args:
        hosts: the inventory's hosts to reach; one whose NOS neither the inventory nor ``nos_of`` states is refused.
        project: the project's folder: host keys and secrets are looked up in it.
        nos_of: NOS by device, where the inventory leaves it to the fabric.
        timeouts: seconds.
        allow_agent: let the SSH agent log in.
        environment: the process environment, for secrets.

    Raises:
        FabricAutoError: a secret's reference leads nowhere, or a host has no NOS.
    """

    def __init__(
        self,
        hosts: Iterable[InventoryHost],
        project: Path,
        *,
        nos_of: Mapping[str, str] | None = None,
        timeouts: Timeouts | None = None,
        allow_agent: bool = False,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        silence()
        register()
        targets = [
            (endpoint(host, nos, project, allow_agent=allow_agent, environment=environment), nos)
            for host in hosts
            for nos in [_nos(host, nos_of or {})]
        ]
        known = host_keys.load(host_keys.files_of(project))
        self._key_file = _write_keys(known, (target for target, _ in targets))
        waits = timeouts or Timeouts()
        inventory = {
            target.name: _host(Parameters(target, known, self._key_file, waits), nos) for target, nos in targets
        }
        self._nornir = Nornir(Inventory(Hosts(inventory)))
        self._targets = {target.name: target for target, _ in targets}

    def run(
        self,
        names: Iterable[str],
        task: Callable[[Connection], T],
        *,
        forks: int = 20,
        progress: Progress = quietly,
        stop: Callable[[], bool] = lambda: False,
    ) -> dict[str, Result[T]]:
        """Run a task on each named device, at most ``forks`` at a time; a name that is not in the fleet is an error."""
        wanted = list(dict.fromkeys(names))
        missing = [name for name in wanted if name not in self._targets]
        if missing:
            raise FabricAutoError(f"the inventory has no host `{missing[0]}`", help="add it to inventory/hosts.yaml")

        def one(nornir_task: Task) -> NornirResult:
            name = nornir_task.host.name
            if stop():
                return NornirResult(nornir_task.host, result=Result(started=False))
            try:
                value = task(_HostConnection(self._targets[name], nornir_task.host, self._nornir))
            except FabricAutoError as error:
                progress(name, f"failed: {error.message}")
                return NornirResult(nornir_task.host, result=Result(error=error))
            return NornirResult(nornir_task.host, result=Result(value))

        among = frozenset(wanted)
        chosen = self._nornir.filter(filter_func=lambda host: host.name in among)
        answers = chosen.with_runner(ThreadedRunner(max(1, forks))).run(one, name="device", on_failed=True)
        # A task's bug is the one thing nornir itself catches; it must not bar the device from the clean-up that follows.
        self._nornir.data.reset_failed_hosts()
        return {name: _result(answers[name][0]) for name in wanted}

    def close(self) -> None:
        """End every session and remove the file of host keys."""
        for host in self._nornir.inventory.hosts.values():
            host.close_connections()
        self._key_file.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _HostConnection:
    """One device (:class:`fabric_auto.transport.connection.Connection`)."""

    def __init__(self, target: Endpoint, host: Host, nornir: Nornir) -> None:
        self.name = target.name
        self.user = target.user
        self._host = host
        self._nornir = nornir
        self._plugin = PLUGIN_OF[str(host.platform)]

    def session(self) -> Session:
        session: Session = self._host.get_connection(self._plugin, self._nornir.config)
        return session

    def reopen(self) -> Session:
        if self._plugin in self._host.connections:
            self._host.close_connection(self._plugin)
        return self.session()


def _nos(host: InventoryHost, nos_of: Mapping[str, str]) -> str:
    nos = host.nos or nos_of.get(host.name)
    if nos not in PLUGIN_OF:
        raise FabricAutoError(f"the inventory does not say what `{host.name}` runs", help="give it `platform`")
    return nos


def _host(parameters: Parameters, nos: str) -> Host:
    target = parameters.target
    options = ConnectionOptions(extras={PARAMETERS: parameters})
    return Host(
        name=target.name,
        hostname=target.address,
        port=target.port,
        username=target.user,
        platform=nos,
        connection_options={PLUGIN_OF[nos]: options},
    )


def _write_keys(known: host_keys.KnownHosts, targets: Iterable[Endpoint]) -> Path:
    handle, name = tempfile.mkstemp(prefix="fabric-auto-known-hosts-")  # mkstemp makes it 0600
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(known.merged((target.address, target.port) for target in targets))
    return Path(name)


def _result(answer: NornirResult) -> Result[T]:
    if isinstance(answer.result, Result):
        return answer.result
    return Result(error=answer.exception if isinstance(answer.exception, Exception) else RuntimeError("no result"))

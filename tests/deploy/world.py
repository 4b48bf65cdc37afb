"""Switches made of dictionaries, a fleet that visits them in turn, and a clock that moves only when somebody sleeps."""

import json
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TypeVar
from xml.sax.saxutils import escape

import jsonpatch
from lxml import etree

from fabric_auto.deploy.model import Clock
from fabric_auto.device.observed import Observed
from fabric_auto.errors import FabricAutoError
from fabric_auto.plan.model import Change, DevicePlan, Impact, Plan, Step
from fabric_auto.transport.base import CommandResult, DeviceRefusedError, SessionLostError, UnreachableError
from fabric_auto.transport.connection import Connection, Progress, Result, quietly
from fabric_auto.vendors.base import NOTHING, Leaves, Ownership, Path, Rendered, Value

T = TypeVar("T")

START = datetime(2026, 12, 1, 12, 0, 0, tzinfo=UTC)
RUN = "20261201-120000-0a0b"
FOLDER = f"/home/admin/.fabric-auto/{RUN}"
LOCKED = f"sudo flock -E 75 -w 1800 {FOLDER}/patching"
NC = "urn:ietf:params:xml:ns:netconf:base:1.0"
Tables = dict[str, dict[str, dict[str, str]]]


def step_line(number: int) -> str:
    """The command line that makes a step."""
    return f"{LOCKED} /bin/sh {FOLDER}/step-{number}.sh"


@dataclass
class World:
    """All switches, and time."""

    now: datetime = START
    boxes: dict[str, "Sonic | Srlinux"] = field(default_factory=dict)

    @property
    def clock(self) -> Clock:
        return Clock(now=lambda: self.now, sleep=self.sleep)

    def sleep(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        for box in self.boxes.values():
            box.time_passes(self.now)

    def sonic(self, name: str, tables: Tables) -> "Sonic":
        box = Sonic(name, self, json.loads(json.dumps(tables)))
        box.startup = box.dump()
        self.boxes[name] = box
        return box

    def srlinux(self, name: str, running: Mapping[str, str]) -> "Srlinux":
        box = Srlinux(name, self, dict(running), dict(running))
        self.boxes[name] = box
        return box


@dataclass
class Box:
    """What both kinds have: a session that may be cut, and faults.

    Attributes:
        faults: called before a command or RPC whose words start with the key; may cut the session.
        after: the same, called once it has been done.
    """

    name: str
    world: World
    faults: dict[str, Callable[[], None]] = field(default_factory=dict, kw_only=True)
    after: dict[str, Callable[[], None]] = field(default_factory=dict, kw_only=True)
    connected: bool = field(default=False, kw_only=True)
    reachable: bool = field(default=True, kw_only=True)
    away_until: datetime = field(default=START, kw_only=True)
    opened: int = field(default=0, kw_only=True)
    log: list[str] = field(default_factory=list, kw_only=True)

    def open(self) -> "Box":
        if not self.reachable or self.world.now < self.away_until:
            raise UnreachableError(f"{self.name} refused the connection")
        self.connected = True
        self.opened += 1
        return self

    def cut(self) -> None:
        self.connected = False
        self.session_ended()
        raise SessionLostError(f"{self.name} ended the session")

    def once(self, words: str, then: Callable[[], None], *, after: bool = False) -> None:
        """Do something at the next command that starts with ``words``."""
        place = self.after if after else self.faults

        def fault() -> None:
            del place[words]
            then()

        place[words] = fault

    def step(self, words: str, faults: dict[str, Callable[[], None]]) -> None:
        if not self.connected:
            raise SessionLostError(f"{self.name} ended the session")
        for start, fault in list(faults.items()):
            if words.startswith(start):
                fault()

    def session_ended(self) -> None:
        pass

    def time_passes(self, now: datetime) -> None:
        pass

    def close(self) -> None:
        self.connected = False


@dataclass
class Sonic(Box):
    """A SONiC switch: CONFIG_DB, files and timers; ``ignore`` says yes and does nothing.

    Attributes:
        running_step: the script of a step that goes on without a session, and when it ends; it holds the lock until then.
        undone_at: when undoings began.
        configured: the ``config`` commands that were tried, with the names of their files.
        service: the service of a timer that fired, while its script runs.
    """

    tables: Tables
    startup: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    modes: dict[str, int] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    timers: dict[str, tuple[datetime, str]] = field(default_factory=dict)
    checkpoints: set[str] = field(default_factory=set)
    ignore: bool = False
    half: bool = False
    refuses: str = "nothing"
    release: str = "202505"
    skew_s: int = 0
    refuses_reload: bool = False
    running_step: tuple[datetime, str] | None = None
    undone_at: list[datetime] = field(default_factory=list)
    service: str = ""
    configured: list[str] = field(default_factory=list)

    def dump(self) -> str:
        return json.dumps(self.tables)

    def running(self) -> bytes:
        self.step("running", self.faults)
        return self.dump().encode()

    def ask(self, question: str) -> str:
        return self.run(question).stdout

    def put(self, path: str, content: bytes, mode: int = 0o600) -> None:
        self.step(f"put {path}", self.faults)
        self.files[path], self.modes[path] = content, mode

    def get(self, path: str) -> bytes:
        if path not in self.files:
            raise DeviceRefusedError(f"{self.name} refused the file {path}")
        return self.files[path]

    def run(self, command: str, *, timeout_s: float = 60) -> CommandResult:  # noqa: ARG002  (the contract)
        self.step(command, self.faults)
        self.log.append(command)
        refused = command.startswith(self.refuses)
        code, stdout, stderr = (2, "", "Error: refused\n") if refused else self.execute(command)
        self.step(command, self.after)
        return CommandResult(command, code, stdout, stderr)

    def execute(self, command: str) -> tuple[int, str, str]:
        """Run a list of pipelines: ``a && b || c``, left to right."""
        parts = re.split(r" (&&|\|\|) ", command)
        code, stdout, stderr = self.pipeline(parts[0])
        for operator, part in zip(parts[1::2], parts[2::2], strict=True):
            if (code == 0) == (operator == "&&"):
                code, out, err = self.pipeline(part.replace("$?", str(code)))
                stdout, stderr = stdout + out, stderr + err
        return code, stdout, stderr

    def pipeline(self, command: str) -> tuple[int, str, str]:
        line, _, target = command.partition(" > ")
        source, _, sink = line.partition(" | ")
        code, stdout, stderr = self.one(shlex.split(source.removeprefix("sudo ")))
        if sink:
            path = shlex.split(sink)[-1]
            self.files[path] = stdout.encode()
        if target == "/dev/null":
            return code, "", stderr
        if target:
            self.files[target.removesuffix(" 2>&1")] = (stdout + stderr).encode()
            return code, "", ""
        return code, stdout, stderr

    def one(self, words: list[str]) -> tuple[int, str, str]:  # noqa: PLR0911  (a case each)
        match words:
            case ["date", "+%s"]:
                return 0, f"{int(self.world.now.timestamp()) + self.skew_s}\n", ""
            case ["show", "version"]:
                return 0, f"SONiC Software Version: SONiC.{self.release}.1234-abcdef\nHwSKU: x\n", ""
            case ["echo", *rest]:
                return 0, " ".join(rest) + "\n", ""
            case ["timeout", "-k", "30", "840", "config", *rest]:
                return self.config(rest)
            case ["config", *rest]:
                return self.config(rest)
            case ["systemd-run" | "systemctl", *_]:
                return self.systemd(words)
            case ["flock", "-E", "75", "-w", "1800", _, *rest]:
                return self.locked(rest)
            case ["/bin/sh", script]:
                return self.script(script)
            case ["test", *rest]:
                return self.test(rest)
            case _:
                return self.file_command(words)

    def file_command(self, words: list[str]) -> tuple[int, str, str]:  # noqa: PLR0911  (a case each)
        match words:
            case [":" | "true"]:
                return 0, "", ""
            case ["mkdir", "-p", *_, path]:
                if path.endswith("/undoing") and path not in self.folders:
                    self.undone_at.append(self.world.now)
                self.folders.add(path)
                return 0, "", ""
            case ["mkdir", "-m", "755", path]:
                there = path in self.folders
                self.folders.add(path)
                return (1 if there else 0), "", ""
            case ["mv", old, new]:
                if old not in self.folders:
                    return 1, "", f"mv: cannot stat '{old}'\n"
                self.folders = {new if each == old else each for each in self.folders}
                self.files = {
                    (new + path.removeprefix(old) if path.startswith(old + "/") else path): content
                    for path, content in self.files.items()
                }
                return 0, "", ""
            case ["rm", *_]:
                return self.remove(words[1:])
            case ["cat", "/etc/sonic/config_db.json"]:
                return 0, self.startup, ""
            case ["cat", path]:
                return (0, self.files[path].decode(), "") if path in self.files else (1, "", "cat: No such file\n")
            case _:
                return 127, "", f"-bash: {words[0]}: command not found\n"

    def test(self, words: list[str]) -> tuple[int, str, str]:
        match words:
            case ["!", *rest]:
                return 1 - self.test(rest)[0], "", ""
            case ["-d", path]:
                return (0 if path in self.folders else 1), "", ""
            case ["-e", path]:
                return (0 if path in self.folders or path in self.files else 1), "", ""
            case _:
                return 2, "", "test: unexpected operator\n"

    def remove(self, words: list[str]) -> tuple[int, str, str]:
        match words:
            case ["-rf", path]:
                self.folders = {each for each in self.folders if each != path and not each.startswith(path + "/")}
                self.files = {each: text for each, text in self.files.items() if not each.startswith(path + "/")}
            case ["-f", *paths]:
                self.files = {each: text for each, text in self.files.items() if each not in paths}
        return 0, "", ""

    def locked(self, words: list[str]) -> tuple[int, str, str]:
        """Wait for a step that still runs, as flock(1) does."""
        if self.running_step is not None:
            self.world.sleep(max(0.0, (self.running_step[0] - self.world.now).total_seconds()))
        self.end_step()
        return self.one(words)

    def end_step(self) -> None:
        if self.running_step is not None and self.running_step[0] <= self.world.now:
            (_, script), self.running_step = self.running_step, None
            _, stdout, stderr = self.script(script)
            self.files[script.removesuffix(".sh") + ".log"] = (stdout + stderr).encode()

    def goes_on(self, number: int, seconds: float, *, unreachable: bool = False) -> None:
        """Lose the session in a step that then goes on for a while."""

        def lose() -> None:
            self.reachable = not unreachable
            self.running_step = (self.world.now + timedelta(seconds=seconds), f"{FOLDER}/step-{number}.sh")
            self.cut()

        self.once(step_line(number), lose)

    def config(self, words: list[str]) -> tuple[int, str, str]:
        self.configured.append(" ".join(word.removeprefix(FOLDER + "/") for word in words))
        match words:
            case ["checkpoint", name]:
                self.checkpoints.add(name)
            case ["delete-checkpoint", name]:
                self.checkpoints.discard(name)
            case ["save", "-y"]:
                if not self.ignore:
                    self.startup = self.dump()
            case ["apply-patch", "-d", path]:
                jsonpatch.apply_patch(self.tables, json.loads(self.files[path]))
            case ["apply-patch", path]:
                return self.apply_patch(json.loads(self.files[path]))
            case ["reload", "-y", "-f", path]:
                if self.refuses_reload:
                    return (
                        1,
                        f"{path} fails YANG validation! Error: a leaf is wrong\n",
                        "Released lock on /etc/sonic/reload.lock\nAborted!\n",
                    )
                if not self.ignore:
                    self.tables = json.loads(self.files[path])
            case _:
                return 2, "", "Usage: config [OPTIONS] COMMAND [ARGS]...\n"
        return 0, "done\n", ""

    def apply_patch(self, operations: list[dict[str, object]]) -> tuple[int, str, str]:
        if self.ignore:
            return 0, "Patch applied successfully.\n", ""
        if self.half:
            self.tables = jsonpatch.apply_patch(self.tables, operations[:1])
            return 2, "", "Error: Failed to apply patch on the following scopes:\n- localhost: disk full\n"
        try:
            self.tables = jsonpatch.apply_patch(self.tables, operations)
        except (jsonpatch.JsonPatchException, LookupError) as error:
            return 2, "", f"Error: {error}\n"
        return 0, "Patch applied successfully.\n", ""

    def systemd(self, words: list[str]) -> tuple[int, str, str]:
        match words:
            case ["systemd-run", delay, "--timer-property=AccuracySec=1s", unit, "--collect", "/bin/sh", script]:
                name = unit.removeprefix("--unit=")
                if name in self.timers:
                    return 1, "", f"Failed to start transient timer unit: Unit {name}.timer was already loaded.\n"
                seconds = int(delay.removeprefix("--on-active=").removesuffix("s"))
                self.timers[name] = (self.world.now + timedelta(seconds=seconds), script)
                return 0, "", f"Running timer as unit: {name}.timer\n"
            case ["systemctl", "is-active", unit]:
                waits = unit.endswith(".timer") and unit.removesuffix(".timer") in self.timers
                waits = waits or unit == f"{self.service}.service"
                return (0, "active\n", "") if waits else (3, "inactive\n", "")
            case ["systemctl", "stop", unit]:
                self.timers.pop(unit.removesuffix(".timer"), None)
                return 0, "", ""
            case _:
                return 0, "".join(f"n/a n/a {name}.timer {name}.service\n" for name in self.timers), ""

    def script(self, path: str) -> tuple[int, str, str]:
        code, stdout, stderr = 0, "", ""
        for line in self.files[path].decode().splitlines():
            if line.startswith("#"):
                continue
            condition, _, leave = line.partition(" || exit ")
            code, out, err = self.execute(condition)
            stdout, stderr = stdout + out, stderr + err
            if leave and code:
                return code if leave == "$?" else int(leave), stdout, stderr
        return code, stdout, stderr

    def time_passes(self, now: datetime) -> None:
        for name, (when, script) in list(self.timers.items()):
            if when <= now and name in self.timers:
                del self.timers[name]
                self.script(script)
        self.end_step()


@dataclass
class Srlinux(Box):
    """An SR Linux switch: running and candidate as flat maps, a lock, a commit that waits."""

    configuration: dict[str, str]
    edited: dict[str, str]
    locked: bool = False
    foreign_lock: bool = False
    waiting: tuple[str, datetime, dict[str, str]] | None = None
    ignore: bool = False
    version: str = "25.3.1"
    startup: dict[str, str] = field(default_factory=dict)
    unsaved: bool = False

    def rpc(self, words: str, action: Callable[[], T]) -> T:
        self.step(words, self.faults)
        if not words.startswith("get"):
            self.log.append(words)
        value = action()
        self.step(words, self.after)
        return value

    def running(self) -> bytes:
        return self.rpc("get running", lambda: dump_xml(self.configuration))

    def candidate(self) -> bytes:
        return self.rpc("get candidate", lambda: dump_xml(self.edited))

    def ask(self, question: str) -> str:
        assert "version" in question
        return self.rpc("get version", lambda: f"<data><version>v{self.version}-100-gabc</version></data>")

    def lock(self) -> None:
        def lock() -> None:
            if self.foreign_lock:
                raise DeviceRefusedError(f"{self.name} refused <lock>: lock-denied: held (held by session 454)")
            if self.edited != self.configuration:
                raise DeviceRefusedError(f"{self.name} refused <lock>: lock-denied: candidate is modified")
            self.locked = True

        self.rpc("lock", lock)

    def unlock(self) -> None:
        self.rpc("unlock", lambda: setattr(self, "locked", False))

    def discard(self) -> None:
        self.rpc("discard", lambda: setattr(self, "edited", dict(self.configuration)))

    def edit(self, config: bytes) -> None:
        def edit() -> None:
            for path, value in json.loads(config).items():
                if value is None:
                    self.edited.pop(path, None)
                else:
                    self.edited[path] = value

        self.rpc("edit", edit)

    def validate(self) -> None:
        self.rpc("validate", lambda: None)

    def commit_confirmed(self, timeout_s: int, persist: str) -> None:
        def commit() -> None:
            self.waiting = (persist, self.world.now + timedelta(seconds=timeout_s), self.configuration)
            if not self.ignore:
                self.configuration = dict(self.edited)

        self.rpc(f"commit confirmed {timeout_s} {persist}", commit)

    def confirm(self, persist: str) -> None:
        def confirm() -> None:
            self.must_wait(persist)
            self.waiting = None

        self.rpc(f"confirm {persist}", confirm)

    def cancel(self, persist: str) -> None:
        def cancel() -> None:
            self.must_wait(persist)
            self.revert()

        self.rpc(f"cancel {persist}", cancel)

    def save(self) -> bytes:
        def save() -> bytes:
            if self.unsaved:
                raise DeviceRefusedError(f"{self.name} refused <copy-config>: operation-failed: no space left")
            self.startup = dict(self.configuration)
            return dump_xml(self.startup)

        return self.rpc("save", save)

    def must_wait(self, persist: str) -> None:
        if self.waiting is None or self.waiting[0] != persist:
            raise DeviceRefusedError(f"{self.name} refused: invalid-value: no such commit")

    def revert(self) -> None:
        assert self.waiting is not None
        self.configuration = self.waiting[2]
        self.waiting = None

    def pending_commit(self) -> str | None:
        return self.rpc("get commits", lambda: f"commit 4, persist-id {self.waiting[0]}" if self.waiting else None)

    def session_ended(self) -> None:
        self.locked = False

    def time_passes(self, now: datetime) -> None:
        if self.waiting is not None and self.waiting[1] <= now:
            self.revert()


def dump_xml(leaves: Mapping[str, str]) -> bytes:
    rows = "".join(f"<l><p>{escape(path)}</p><v>{escape(value)}</v></l>" for path, value in leaves.items())
    return f'<data xmlns="{NC}">{rows}</data>'.encode()


class SonicVendor:
    """Reads CONFIG_DB: rows and fields, as ``vendors/base.py`` says."""

    name = "sonic"
    releases = ("202505",)
    questions = ()

    def render(self, device: object) -> Rendered:
        raise NotImplementedError

    def parse(self, running: bytes) -> Leaves:
        leaves: Leaves = {}
        for table, rows in json.loads(running).items():
            for key, fields in rows.items():
                leaves[table, key] = ""
                leaves.update({(table, key, name): value for name, value in fields.items()})
        return leaves

    def observe(self, answers: object) -> Observed:
        raise NotImplementedError


class SrlinuxVendor(SonicVendor):
    """Reads what :func:`dump_xml` writes."""

    name = "srlinux"

    def parse(self, running: bytes) -> Leaves:
        root = etree.fromstring(running)
        rows = [(row.findtext(f"{{{NC}}}p") or "", row.findtext(f"{{{NC}}}v") or "") for row in root]
        return {tuple(path.split("/")): value for path, value in rows}


VENDORS = {"sonic": SonicVendor(), "srlinux": SrlinuxVendor()}


class BoxConnection:
    user = "admin"

    def __init__(self, box: Sonic | Srlinux) -> None:
        self.name = box.name
        self.box = box

    def session(self) -> Sonic | Srlinux:
        if self.box.opened == 0:
            self.box.open()
        return self.box

    def reopen(self) -> Sonic | Srlinux:
        self.box.connected = False
        self.box.open()
        return self.box


class BoxFleet:
    """Visits the switches one after another."""

    def __init__(self, world: World) -> None:
        self.world = world

    def run(
        self,
        names: Iterable[str],
        task: Callable[[Connection], T],
        *,
        forks: int = 20,  # noqa: ARG002  (the contract)
        progress: Progress = quietly,  # noqa: ARG002
        stop: Callable[[], bool] = lambda: False,
    ) -> dict[str, Result[T]]:
        results: dict[str, Result[T]] = {}
        for name in names:
            if stop():
                results[name] = Result(started=False)
                continue
            try:
                results[name] = Result(task(BoxConnection(self.world.boxes[name])))  # type: ignore[arg-type]  # fakes
            except FabricAutoError as error:
                results[name] = Result(error=error)
        return results


# --- plans ---------------------------------------------------------------------------------------------------------

BASE: Tables = {
    "DEVICE_METADATA": {"localhost": {"hostname": "leaf-1"}},
    "PORT": {"Ethernet0": {"mtu": "9100"}, "Ethernet8": {"mtu": "9100", "description": "an operator's"}},
    "BUFFER_PROFILE": {"pg_lossless_400000_5m_profile": {"xoff": "1"}},
}


def changes(before: Leaves, after: Leaves) -> tuple[Change, ...]:
    paths = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    return tuple(Change(path, before.get(path), after.get(path), None) for path in paths)


def device_plan(
    device: str, nos: str, before: Leaves, after: Leaves, steps: Iterable[Step], inverse: Iterable[Step]
) -> DevicePlan:
    entries = frozenset(path for path in after if before.get(path) != after[path])
    return DevicePlan(
        device, nos, changes(before, after), Impact.HITLESS, tuple(steps), tuple(inverse), before, after,
        Ownership(frozenset(), entries), {},
    )  # fmt: skip


def patch(*operations: dict[str, object]) -> Step:
    return Step("apply-patch", json.dumps(list(operations)).encode())


def sonic_plan(device: str = "leaf-1") -> DevicePlan:
    """Two steps: the MTU of Ethernet0, then a new table."""
    steps = (
        patch({"op": "replace", "path": "/PORT/Ethernet0/mtu", "value": "9000"}),
        patch({"op": "add", "path": "/VLAN", "value": {"Vlan100": {"vlanid": "100"}}},
              {"op": "add", "path": "/PORT/Ethernet0/description", "value": "gpu-01 nic1"}),
    )  # fmt: skip
    inverse = (
        patch({"op": "remove", "path": "/PORT/Ethernet0/description"}, {"op": "remove", "path": "/VLAN"}),
        patch({"op": "replace", "path": "/PORT/Ethernet0/mtu", "value": "9100"}),
    )
    parse = VENDORS["sonic"].parse
    after: Tables = BASE
    for step in steps:
        after = jsonpatch.apply_patch(after, json.loads(step.content))
    return device_plan(
        device, "sonic", parse(json.dumps(BASE).encode()), parse(json.dumps(after).encode()), steps, inverse
    )


def reload_plan(device: str = "leaf-1") -> DevicePlan:
    """One step: a reload with an AS number."""
    after = {**BASE, "DEVICE_METADATA": {"localhost": {"hostname": "leaf-1", "bgp_asn": "4200000000"}}}
    parse = VENDORS["sonic"].parse
    before, target = json.dumps(BASE).encode(), json.dumps(after).encode()
    return device_plan(
        device, "sonic", parse(before), parse(target), [Step("reload", target)], [Step("reload", before)]
    )


SRL_BASE = {"interface[name=mgmt0]/description": "out of band", "system/host-name": "srlinux"}


def srl_plan(device: str = "spine-1") -> DevicePlan:
    """A host name, and a new interface."""
    after = {**SRL_BASE, "system/host-name": device, "interface[name=ethernet-1/1]": ""}
    split: Callable[[str], Path] = lambda path: tuple(path.split("/"))  # noqa: E731
    before: dict[Path, Value] = {split(path): value for path, value in SRL_BASE.items()}
    wanted: dict[Path, Value] = {split(path): value for path, value in after.items()}
    step = Step("edit-config", json.dumps({"system/host-name": device, "interface[name=ethernet-1/1]": ""}).encode())
    undo = Step(
        "edit-config", json.dumps({"system/host-name": "srlinux", "interface[name=ethernet-1/1]": None}).encode()
    )
    return device_plan(device, "srlinux", before, wanted, [step], [undo])


def unchanged_plan(device: str = "leaf-9") -> DevicePlan:
    return DevicePlan(device, "sonic", (), Impact.NONE, (), (), {}, {}, NOTHING, {})


def plan_of(*devices: DevicePlan) -> Plan:
    return Plan("0" * 64, "1" * 64, devices)

"""What the box says of itself: ``show``, ``sonic-cfggen``, ``intfutil``, ``lldpctl``, ``vtysh``.

Shapes: sonic-utilities, ``show/main.py``, ``show/platform.py`` and ``scripts/intfutil``; sonic-buildimage,
``src/sonic-config-engine/sonic-cfggen``; lldpd, ``src/client/json_writer.c``.
"""

import hashlib
import json
import re
import time
from collections.abc import Callable
from typing import Final

from fabric_auto.core.names import natural_key
from fabric_auto.lab.emulated.device import LldpNeighbor
from fabric_auto.lab.emulated.sonic import frr
from fabric_auto.lab.emulated.sonic.database import Field, Json, Row, dump, ordered
from fabric_auto.lab.emulated.sonic.facts import Facts
from fabric_auto.lab.emulated.sonic.frr_config import running_config
from fabric_auto.lab.emulated.sonic.releases import build_version
from fabric_auto.lab.emulated.sonic.shell import Call, Command

_USAGE: Final = 2
_INDEX: Final = re.compile(r"\.([A-Za-z0-9_-]+)|\[['\"]([^'\"]+)['\"]\]")


class Shows:
    """The show commands of one device.

    Args:
        facts: returns the device as it is now.
    """

    def __init__(self, facts: Callable[[], Facts]) -> None:
        self._facts = facts

    def commands(self) -> dict[str, Command]:
        """Return the commands by name."""
        return {
            "docker": self._docker,
            "hostname": self._hostname,
            "intfutil": self._intfutil,
            "show": self._show,
            "sonic-cfggen": self._cfggen,
            "uname": self._uname,
            "vtysh": self._vtysh,
        }

    def _show(self, call: Call) -> int:
        asked = tuple(each for each in call.args if each != "--verbose")
        answers: dict[tuple[str, ...], Callable[[Facts], str]] = {
            ("version",): _version,
            ("platform", "summary"): _platform,
            ("platform", "summary", "--json"): lambda facts: f"{json.dumps(_platform_facts(facts), indent=4)}\n",
            ("runningconfiguration", "all"): _running_configuration,
        }
        answer = answers.get(asked)
        if answer is None:
            command = asked[0] if asked else ""
            return call.fail(
                "Usage: show [OPTIONS] COMMAND [ARGS]...\nTry 'show -h' for help.\n\n"
                f"Error: No such command '{command}'.",
                _USAGE,
            )
        call.out(answer(self._facts()))
        return 0

    def _cfggen(self, call: Call) -> int:
        if set(call.args) == {"-d", "--print-data"}:
            call.out(f"{dump(self._facts().tables)}\n")
            return 0
        if len(call.args) == 3 and call.args[:2] == ("-d", "-v"):  # noqa: PLR2004 - -d -v EXPRESSION
            call.out(f"{_variable(self._facts(), call.args[2])}\n")
            return 0
        return call.fail("usage: sonic-cfggen [-h] -d --print-data | -d -v VARIABLE (of the emulated device)", _USAGE)

    def _hostname(self, call: Call) -> int:
        if call.args and call.args[0] not in {"-s", "-f", "--short"}:
            return call.fail("hostname: you must be root to change the host name")
        call.out(f"{self._facts().hostname}\n")
        return 0

    def _uname(self, call: Call) -> int:
        call.out(f"Linux {self._facts().hostname} 6.1.0-29-2-amd64\n" if call.args == ("-a",) else "Linux\n")
        return 0

    def _intfutil(self, call: Call) -> int:
        if "status" not in call.args or "-j" not in call.args or set(call.args) - {"-c", "status", "-j"}:
            return call.fail("usage: intfutil -c status -j (of the emulated device)", _USAGE)
        facts = self._facts()
        ports = sorted(facts.tables.get("PORT", {}).items(), key=lambda item: natural_key(item[0]))
        table = {name: _interface(facts, name, row) for name, row in ports}
        call.out(f"{json.dumps(table, indent=4, sort_keys=True)}\n")
        return 0

    def _docker(self, call: Call) -> int:
        words = [each for each in call.args if each not in {"-i", "-t", "-it"}]
        if words[:3] == ["exec", "lldp", "lldpctl"]:
            return self._lldpctl(call, words[3:])
        if words[:3] == ["exec", "bgp", "vtysh"]:
            return self._vtysh(Call("vtysh", tuple(words[3:]), call.shell, call.streams, call.root))
        if words[:1] == ["exec"] and len(words) > 1 and words[1] not in {"lldp", "bgp", "database", "swss", "syncd"}:
            return call.fail(f"Error response from daemon: No such container: {words[1]}")
        return call.fail(f"the emulated docker cannot `docker {' '.join(call.args)}`", _USAGE)

    def _lldpctl(self, call: Call, words: list[str]) -> int:
        if words != ["-f", "json"]:
            return call.fail("the emulated lldpctl has -f json only")
        facts = self._facts()
        heard = sorted(facts.state.lldp.items(), key=lambda item: natural_key(item[0]))
        entries: list[Json] = [{port: _neighbor(neighbor)} for port, neighbor in heard]
        # lldpd's JSON writer gives a list of one as that one, and an empty list not at all.
        body: dict[str, Json] = {"interface": entries[0] if len(entries) == 1 else entries} if entries else {}
        call.out(f"{json.dumps({'lldp': body}, indent=2)}\n")
        return 0

    def _vtysh(self, call: Call) -> int:
        words = list(call.args)
        if not words or len(words) % 2 or any(word != "-c" for word in words[::2]):
            return call.fail("the emulated vtysh has -c COMMAND only")
        for command in words[1::2]:
            text, code = frr.answer(self._facts(), command)
            call.out(text)
            if code:
                return code
        return 0


def _version(facts: Facts) -> str:
    release = facts.hardware.release
    debian, kernel = ("13.1", "6.12.41+deb13-sonic-amd64") if release == "202605" else ("12.11", "6.1.0-29-2-amd64")
    lines = [
        "",
        f"SONiC Software Version: SONiC.{build_version(release)}",
        f"SONiC OS Version: {13 if debian.startswith('13') else 12}",
        f"Distribution: Debian {debian}",
        f"Kernel: {kernel}",
        "Build commit: 6e3d5f0a1",
        "Build date: Mon Jun  2 08:14:31 UTC 2025",
        "Built by: emulated@lab",
        "",
        *_platform(facts).splitlines(),
        f"Uptime: {time.strftime('%H:%M:%S', time.gmtime())} up 1 day,  1:02,  1 user,  load average: 0.50, 0.52, 0.48",
        f"Date: {time.strftime('%a %d %b %Y %X', time.gmtime())}",
        "",
        "Docker images:",
        "REPOSITORY                TAG       IMAGE ID       SIZE",
        *(f"docker-{name:<19}latest    6e3d5f0a1b2c   330MB" for name in ("fpm-frr", "lldp", "orchagent", "database")),
        "",
    ]
    return "\n".join(lines) + "\n"


def _platform_facts(facts: Facts) -> dict[str, str]:
    return {
        "platform": facts.hardware.platform,
        "hwsku": str(facts.metadata.get("hwsku", facts.hardware.model)),
        "asic_type": facts.asic,
        "asic_count": "1",
        "serial": facts.hardware.mac.replace(":", "").upper(),
        "model": facts.hardware.model,
        "revision": "N/A",
    }


def _platform(facts: Facts) -> str:
    names = ("Platform", "HwSKU", "ASIC", "ASIC Count", "Serial Number", "Model Number", "Hardware Revision")
    return "".join(f"{name}: {value}\n" for name, value in zip(names, _platform_facts(facts).values(), strict=True))


def _running_configuration(facts: Facts) -> str:
    config: dict[str, Json] = json.loads(json.dumps(ordered(facts.tables)))
    config["bgpraw"] = running_config(facts)
    return f"{json.dumps(config, indent=4)}\n"


def _variable(facts: Facts, expression: str) -> str:
    """Evaluate ``TABLE.row.field`` or ``TABLE['row']['field']``; what is not there prints nothing, as in Jinja2."""
    value: object = facts.tables
    for dotted, quoted in _INDEX.findall(f".{expression}"):
        value = value.get(dotted or quoted, "") if isinstance(value, dict) else ""
    return str(value)


def _interface(facts: Facts, name: str, row: Row) -> Json:
    members = {key.partition("|")[2] for key in facts.tables.get("VLAN_MEMBER", {})}
    return {
        "Lanes": _or_none(row.get("lanes")),
        "Speed": _speed(str(row.get("speed", "N/A"))),
        "MTU": _or_none(row.get("mtu", "9100")),
        "FEC": _or_none(row.get("fec")),
        "Alias": _or_none(row.get("alias")),
        "Vlan": str(row.get("mode") or ("trunk" if name in members else "routed")),
        "Oper": "up" if facts.port_up(name) else "down",
        "Admin": _or_none(row.get("admin_status", "down")),
        "Type": "N/A",
        "Asym PFC": _or_none(row.get("pfc_asym", "off")),
    }


def _or_none(value: Field | None) -> str:
    return "N/A" if value is None else str(value)


def _speed(text: str) -> str:
    if not text.isdigit():
        return text
    mbps = int(text)
    return f"{mbps // 1000}G" if mbps >= 1000 else f"{mbps}M"  # noqa: PLR2004 - Mb/s in a Gb/s


def _chassis_mac(system_name: str) -> str:
    """The control plane tells no chassis ID: a locally administered address that is the same for the same neighbour."""
    digest = hashlib.sha256(system_name.encode()).digest()
    return ":".join(f"{byte:02x}" for byte in (0x02, *digest[:5]))


def _neighbor(neighbor: LldpNeighbor) -> Json:
    chassis: dict[str, Json] = {"id": {"type": "mac", "value": _chassis_mac(neighbor.system_name)}}
    # lldpmgrd announces the alias as a locally assigned ID; SR Linux announces the interface's name.
    kind = "ifname" if neighbor.port_id.startswith("ethernet-") else "local"
    port: dict[str, Json] = {"id": {"type": kind, "value": neighbor.port_id}, "ttl": "120"}
    if neighbor.port_description:
        port["descr"] = neighbor.port_description
    return {
        "via": "LLDP",
        "rid": "1",
        "age": "0 day, 00:01:00",
        "chassis": {neighbor.system_name: chassis} if neighbor.system_name else chassis,
        "port": port,
    }

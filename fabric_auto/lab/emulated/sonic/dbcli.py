"""``sonic-db-cli``: the databases row by row.

Output: sonic-swss-common, ``sonic-db-cli/sonic-db-cli.cpp`` (a hash as a Python dict, an array as lines). CONFIG_DB can be
written, unchecked, as Redis lets everybody in the group redis; APPL_DB and STATE_DB hold what the control plane says.
"""

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Final, TypeAlias

from fabric_auto.core.names import natural_key
from fabric_auto.lab.emulated.sonic.database import ConfigDb, Field, Row
from fabric_auto.lab.emulated.sonic.facts import Facts
from fabric_auto.lab.emulated.sonic.shell import Call

Hashes: TypeAlias = dict[str, dict[str, str]]

_SEPARATORS: Final = {"CONFIG_DB": "|", "STATE_DB": "|", "APPL_DB": ":"}


class DbCli:
    """``sonic-db-cli`` of one device.

    Args:
        facts: returns the device as it is now.
        config: CONFIG_DB.
        changed: called after a write.
        silent: returns True when writes are accepted and lost.
    """

    def __init__(
        self, facts: Callable[[], Facts], config: ConfigDb, changed: Callable[[], None], silent: Callable[[], bool]
    ) -> None:
        self._facts = facts
        self._config = config
        self._changed = changed
        self._silent = silent

    def __call__(self, call: Call) -> int:
        """Run ``sonic-db-cli``."""
        if call.args == ("PING",):
            call.out("PONG\n")
            return 0
        if len(call.args) < 2:  # noqa: PLR2004 - database and command
            return call.fail("usage: sonic-db-cli [-h] [-s] [-n NAMESPACE] db_or_op [cmd ...]")
        database, verb, *args = call.args
        if database not in _SEPARATORS:
            return call.fail(f"Invalid database name input : '{database}'")
        reads: dict[str, Callable[[Hashes, list[str]], str | None]] = {
            "EXISTS": _exists,
            "HGET": _hget,
            "HGETALL": _hgetall,
            "KEYS": _keys,
        }
        if verb.upper() in reads:
            answer = reads[verb.upper()](self._hashes(database), args)
        elif database == "CONFIG_DB":
            answer = self._write(verb.upper(), args)
        else:
            answer = None
        if answer is None:
            return call.fail(f"An exception of type runtime_error occurred: `{' '.join(call.args[1:])}'")
        call.out(f"{answer}\n")
        return 0

    def _hashes(self, database: str) -> Hashes:
        facts = self._facts()
        if database == "CONFIG_DB":
            return {f"{table}|{key}": _stored(row) for table, rows in facts.tables.items() for key, row in rows.items()}
        return _appl_db(facts) if database == "APPL_DB" else _state_db(facts)

    def _write(self, verb: str, args: list[str]) -> str | None:
        table, _, key = args[0].partition("|") if args else ("", "", "")
        if not key or (verb == "HSET" and (len(args) < 3 or len(args) % 2 == 0)):  # noqa: PLR2004 - key, field, value
            return None
        if self._silent():
            return "1"
        if verb == "HSET":
            count = self._set(table, key, args[1:])
        elif verb == "HDEL" and len(args) > 1:
            names = [(name.removesuffix("@")) for name in args[1:]]
            count = sum(self._config.remove_field(table, key, name) for name in names)
        elif verb == "DEL":
            count = int(self._config.remove_row(table, key))
        else:
            return None
        self._changed()
        return str(count)

    def _set(self, table: str, key: str, pairs: list[str]) -> int:
        added = 0
        for name, text in zip(pairs[::2], pairs[1::2], strict=True):
            value: Field = text.split(",") if name.endswith("@") else text
            field = name.removesuffix("@")
            added += field not in self._config.tables.get(table, {}).get(key, {})
            if field == "NULL":
                self._config.merge({table: {key: {}}})
            else:
                self._config.set_field(table, key, field, value)
        return added


def _stored(row: Row) -> dict[str, str]:
    if not row:
        return {"NULL": "NULL"}
    return {
        (f"{field}@" if isinstance(value, list) else field): (",".join(value) if isinstance(value, list) else value)
        for field, value in row.items()
    }


def _hgetall(hashes: Hashes, args: list[str]) -> str | None:
    return str(hashes.get(args[0], {})) if len(args) == 1 else None


def _hget(hashes: Hashes, args: list[str]) -> str | None:
    return hashes.get(args[0], {}).get(args[1], "") if len(args) == 2 else None  # noqa: PLR2004 - key and field


def _exists(hashes: Hashes, args: list[str]) -> str | None:
    return str(sum(key in hashes for key in args)) if args else None


def _keys(hashes: Hashes, args: list[str]) -> str | None:
    if len(args) != 1:
        return None
    return "\n".join(sorted((key for key in hashes if fnmatchcase(key, args[0])), key=natural_key))


def _appl_db(facts: Facts) -> Hashes:
    hashes: Hashes = {}
    for name, row in facts.tables.get("PORT", {}).items():
        up = "up" if facts.port_up(name) else "down"
        hashes[f"PORT_TABLE:{name}"] = {**_stored(row), "oper_status": up}
    for port, heard in facts.state.lldp.items():
        hashes[f"LLDP_ENTRY_TABLE:{port}"] = {
            "lldp_rem_sys_name": heard.system_name,
            "lldp_rem_port_id": heard.port_id,
            "lldp_rem_port_desc": heard.port_description,
        }
    for prefix, route in facts.state.routes.items():
        interfaces = [facts.interface_towards(hop) for hop in route.next_hops] or [facts.interface_of(prefix)]
        shown = str(prefix.network_address) if prefix.prefixlen == prefix.max_prefixlen else str(prefix)
        hashes[f"ROUTE_TABLE:{shown}"] = {
            "protocol": "bgp" if route.next_hops else "kernel",
            "nexthop": ",".join(route.next_hops) or ("0.0.0.0" if prefix.version == 4 else "::"),  # noqa: PLR2004, S104
            "ifname": ",".join(interfaces),
        }
    return hashes


def _state_db(facts: Facts) -> Hashes:
    hashes: Hashes = {}
    for name, row in facts.tables.get("PORT", {}).items():
        hashes[f"PORT_TABLE|{name}"] = {
            "state": "ok",
            "netdev_oper_status": "up" if facts.port_up(name) else "down",
            "admin_status": str(row.get("admin_status", "down")),
            "mtu": str(row.get("mtu", "9100")),
            "speed": str(row.get("speed", "N/A")),
        }
    for address, peer in facts.bgp.peers.items():
        session = facts.state.sessions.get(address)
        hashes[f"NEIGH_STATE_TABLE|{address}"] = {"state": session.state if session is not None else "Idle"}
        hashes[f"BGP_PEER_CONFIGURED_TABLE|{address}"] = {
            "asn": str(peer.asn),
            "local_addr": peer.local,
            "name": peer.name,
        }
    return hashes

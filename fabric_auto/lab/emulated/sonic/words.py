"""libyang's words for what is wrong (libyang 3, as ``sonic_yang`` passes them on), and its data paths."""

from typing import Final

_LISTS: Final = {
    "BGP_NEIGHBOR": ("sonic-bgp-neighbor", "BGP_NEIGHBOR_TEMPLATE_LIST", ("neighbor",)),
    "INTERFACE": ("sonic-interface", "INTERFACE_LIST", ("name",)),
    "LOOPBACK_INTERFACE": ("sonic-loopback-interface", "LOOPBACK_INTERFACE_LIST", ("name",)),
    "PORT": ("sonic-port", "PORT_LIST", ("name",)),
    "VLAN": ("sonic-vlan", "VLAN_LIST", ("name",)),
    "VLAN_INTERFACE": ("sonic-vlan", "VLAN_INTERFACE_LIST", ("name",)),
    "VLAN_MEMBER": ("sonic-vlan", "VLAN_MEMBER_LIST", ("name", "port")),
}
"""By table: its module, list and keys (sonic-buildimage, src/sonic-yang-models/yang-models)."""
_NAME: Final = {
    "PORT": "/port:sonic-port/port:PORT/port:PORT_LIST/port:name",
    "VLAN": "/vlan:sonic-vlan/vlan:VLAN/vlan:VLAN_LIST/vlan:name",
}


def data_path(table: str, key: str, leaf: str = "") -> str:
    """Return the data path of a row or of a leaf of it.

    >>> data_path("PORT", "Ethernet4", "mtu")
    "/sonic-port:sonic-port/PORT/PORT_LIST[name='Ethernet4']/mtu"
    """
    if table == "DEVICE_METADATA":
        path = f"/sonic-device_metadata:sonic-device_metadata/DEVICE_METADATA/{key}"
    else:
        module, name, keys = _LISTS[table]
        parts = key.split("|")
        if len(parts) > len(keys):
            name, keys = name.replace("_LIST", "_IPPREFIX_LIST"), (*keys, "ip-prefix")
        predicates = "".join(f"[{each}='{part}']" for each, part in zip(keys, parts, strict=False))
        path = f"/{module}:{module}/{table}/{name}{predicates}"
    return f"{path}/{leaf}" if leaf else path


def no_target(value: str, target: str, path: str) -> str:
    """A leafref to a row of ``target`` that is not there."""
    return _at(f'Invalid leafref value "{value}" - no target instance "{_NAME[target]}" with the same value.', path)


def no_union_target(value: str, path: str) -> str:
    """A union of leafrefs (a port or a port channel) of which none leads anywhere."""
    return _at(f'Invalid union value "{value}" - no matching subtype found.', path)


def out_of_range(value: str, path: str) -> str:
    """A number outside its range."""
    return _at(f'Unsatisfied range - value "{value}" is out of the allowed range.', path)


def no_number(value: str, kind: str, path: str) -> str:
    """Text where a number belongs."""
    return _at(f'Invalid type {kind} value "{value}".', path)


def no_enum(value: str, path: str) -> str:
    """A word that is not one of those allowed."""
    return _at(f'Invalid enumeration value "{value}".', path)


def no_match(value: str, pattern: str, path: str) -> str:
    """A string that does not match its pattern."""
    return _at(f'Unsatisfied pattern - "{value}" does not match "{pattern}".', path)


def missing(leaf: str, path: str) -> str:
    """A mandatory leaf that is not there."""
    return _at(f'Mandatory node "{leaf}" instance does not exist.', path)


def must(message: str, path: str) -> str:
    """A must condition with its own message."""
    return _at(message, path)


def unparsed_keys(table: str, keys: list[str]) -> str:
    """Rows that fit no list of their table."""
    return f"All Keys are not parsed in {table}\ndict_keys({keys!r})"


def _at(message: str, path: str) -> str:
    return f"failed to parse data tree: {message}: Data path: {path} (line 1)"

"""The configuration of a fresh image: what the first boot makes of the SKU's ports and the image's ``init_cfg.json``.

Sources: sonic-buildimage, ``files/build_templates/init_cfg.json.j2`` and ``src/sonic-config-engine/config_samples.py``.
"""

from typing import Final

from fabric_auto.lab.emulated.sonic.database import Row, Tables, merged
from fabric_auto.lab.emulated.topology import LabDevice, PanelPort

_CRM_RESOURCES: Final = (
    "ipv4_route", "ipv6_route", "ipv4_nexthop", "ipv6_nexthop", "ipv4_neighbor", "ipv6_neighbor",
    "nexthop_group_member", "nexthop_group", "acl_table", "acl_group", "acl_entry", "acl_counter", "fdb_entry",
)  # fmt: skip
_COUNTERS: Final = (
    "PORT", "RIF", "QUEUE", "PFCWD", "PG_WATERMARK", "PG_DROP", "QUEUE_WATERMARK", "BUFFER_POOL_WATERMARK",
    "PORT_BUFFER_DROP",
)  # fmt: skip
_FEATURES: Final = {
    "bgp": "enabled",
    "database": "always_enabled",
    "dhcp_relay": "disabled",
    "gnmi": "enabled",
    "lldp": "enabled",
    "pmon": "enabled",
    "radv": "enabled",
    "snmp": "enabled",
    "swss": "enabled",
    "syncd": "enabled",
    "teamd": "enabled",
}
_MANAGEMENT_HOSTS: Final = 254


def init_cfg() -> Tables:
    """Return the image's ``/etc/sonic/init_cfg.json``, which every ``config reload`` merges below the file."""
    thresholds: Row = {"polling_interval": "300"}
    for resource in _CRM_RESOURCES:
        thresholds[f"{resource}_threshold_type"] = "percentage"
        thresholds[f"{resource}_low_threshold"] = "70"
        thresholds[f"{resource}_high_threshold"] = "85"
    counters: dict[str, Row] = {name: {"FLEX_COUNTER_STATUS": "enable"} for name in _COUNTERS}
    counters["ACL"] = {"FLEX_COUNTER_STATUS": "enable", "POLL_INTERVAL": "10000"}
    return {
        "DEVICE_METADATA": {
            "localhost": {
                "buffer_model": "traditional",
                "default_bgp_status": "up",
                "default_pfcwd_status": "disable",
                "timezone": "UTC",
            }
        },
        "CRM": {"Config": thresholds},
        "FLEX_COUNTER_TABLE": counters,
        "BGP_DEVICE_GLOBAL": {
            "STATE": {"idf_isolation_state": "unisolated", "tsa_enabled": "false", "wcmp_enabled": "false"}
        },
        "FEATURE": {name: _feature(name, state) for name, state in _FEATURES.items()},
        "SYSLOG_CONFIG": {"GLOBAL": {"rate_limit_burst": "0", "rate_limit_interval": "0"}},
    }


def sysinfo(hardware: LabDevice) -> Tables:
    """Return what ``sonic-cfggen -H -k HWSKU`` knows: platform, MAC address and the SKU's ports."""
    return {
        "DEVICE_METADATA": {"localhost": {"hwsku": hardware.model, "mac": hardware.mac, "platform": hardware.platform}},
        "PORT": {port.name: _port(port) for port in hardware.ports},
    }


def boot_configuration(hardware: LabDevice) -> Tables:
    """Return CONFIG_DB after the first boot: every port up at 9100 bytes, no address, no ``bgp_asn``."""
    last = int(hardware.mac.replace("-", ":").rsplit(":", 1)[-1] or "0", 16) % _MANAGEMENT_HOSTS + 1
    generated: Tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": "sonic", "type": "LeafRouter"}},
        "PORT": {port.name: {"admin_status": "up", "mtu": "9100"} for port in hardware.ports},
        "MGMT_PORT": {"eth0": {"admin_status": "up", "alias": "eth0"}},
        "MGMT_INTERFACE": {f"eth0|172.31.255.{last}/24": {"gwaddr": "172.31.255.254"}},
        "VERSIONS": {"DATABASE": {"VERSION": "version_202505_01"}},
    }
    tables = merged(merged(init_cfg(), sysinfo(hardware)), generated)
    return {table: rows for table, rows in tables.items() if rows}


def _port(port: PanelPort) -> Row:
    row: Row = {
        "alias": port.alias,
        "index": str(port.index),
        "lanes": ",".join(str(lane) for lane in port.lanes),
        "speed": str(port.speed_mbps),
    }
    if port.fec:
        row["fec"] = port.fec
    return row


def _feature(name: str, state: str) -> Row:
    row: Row = {
        "auto_restart": "always_enabled" if state == "always_enabled" else "enabled",
        "delayed": str(name in {"gnmi", "lldp", "snmp"}),
        "has_global_scope": "True",
        "has_per_asic_scope": "False",
        "high_mem_alert": "disabled",
        "set_owner": "local",
        "state": state,
        "support_syslog_rate_limit": "true",
    }
    if name in {"bgp", "pmon", "swss"}:
        row["check_up_status"] = "false"
    return row

"""The SR Linux modules that a fabric's configuration needs, rewritten for libyang and kept in a cache.

Parsing and rewriting takes seconds, loading the result one: the result is one file per models folder, feature set and
dialect version, named after a hash of the three, so that it never goes stale and can be deleted at any time.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from fabric_auto.yang import dialect
from fabric_auto.yang.context import Module
from fabric_auto.yang.library import closure, without_prose
from fabric_auto.yang.statements import render

FEATURES_MODULE = "srl_nokia-features"
_VENDOR = "srl_nokia-"

# Order matters for speed alone: libyang recompiles what it has at every module, so the large ones come last.
_ROOTS = tuple(
    f"{_VENDOR}{name}"
    for group in (
        "features common policy-types",
        "mtu lldp-types lldp system system-name system-info system-banner ssh netconf-server aaa grpc tls json-rpc",
        "gnmi configuration ntp dns logging load-balancing",
        "interfaces if-ip interfaces-vlans interfaces-lag lacp interfaces-nbr interfaces-router-adv",
        "interfaces-bridge-table interfaces-ip-dhcp network-instance network-instance-mtu ip-route-tables",
        "next-hop-groups static-routes aggregate-routes routing-policy qos acl acl-qos bfd bgp bgp-vpn bgp-evpn",
        "isis-types isis mpls mpls-label-management segment-routing te-policies traffic-engineering",
    )
    for name in group.split()
)
"""What a fabric configures, and what the vendor's own leafrefs and augments then ask for."""


def rewritten(texts: Mapping[str, bytes], features: frozenset[str], cache: Path) -> tuple[Module, ...]:
    """The modules in load order, from the cache when it has them.

    A cache that cannot be written is done without.

    Args:
        texts: module name → file content, the whole models folder.
        features: the platform's features.
        cache: a folder, made when missing.

    Raises:
        FabricAutoError: a module is not YANG.
    """
    entry = cache / f"srlinux-{_digest(texts, features)}.json"
    stored = _load(entry)
    if stored is None:
        stored = _rewrite(texts, features)
        _store(entry, stored)
    switched_on = {FEATURES_MODULE: tuple(sorted(features))}
    return tuple(Module(name, text, switched_on.get(name, ())) for name, text in stored)


def _rewrite(texts: Mapping[str, bytes], features: frozenset[str]) -> list[tuple[str, str]]:
    modules = closure(texts, _ROOTS)
    vocabulary = dialect.Vocabulary.of(modules.values())
    texts_out = []
    for name, module in modules.items():
        vendors = name.startswith(_VENDOR)
        standard = dialect.standardise(module, vocabulary, features) if vendors else module
        texts_out.append((name, render(without_prose(standard))))
    return texts_out


def _digest(texts: Mapping[str, bytes], features: frozenset[str]) -> str:
    digest = hashlib.sha256(repr((dialect.VERSION, _ROOTS, sorted(features))).encode())
    for name in sorted(texts):
        digest.update(hashlib.sha256(name.encode()).digest())
        digest.update(hashlib.sha256(texts[name]).digest())
    return digest.hexdigest()[:32]


def _load(entry: Path) -> list[tuple[str, str]] | None:
    try:
        stored = json.loads(entry.read_bytes())
        return [(str(name), str(text)) for name, text in stored]
    except (OSError, ValueError, TypeError):
        return None


def _store(entry: Path, modules: list[tuple[str, str]]) -> None:
    temporary: Path | None = None
    try:
        entry.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", dir=entry.parent, prefix=f".{entry.stem}-", suffix=".tmp", delete=False, encoding="utf-8"
        ) as file:
            temporary = Path(file.name)
            json.dump(modules, file)
        temporary.replace(entry)
    except OSError:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def default_cache() -> Path:
    """Where rewritten modules are kept (XDG Base Directory Specification): ``~/.cache/fabric-auto/yang``."""
    configured = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(configured) if Path(configured).is_absolute() else Path.home() / ".cache"
    return base / "fabric-auto" / "yang"

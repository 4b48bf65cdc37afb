"""FAB2xx–4xx and FAB701: what can be wrong when intents are expanded."""

from typing import Final

from fabric_auto.diagnostics import Rule

UPLINK_CAPACITY: Final = Rule(
    "FAB201",
    "uplink-capacity",
    "A lower device reserves ports for its uplinks from the top: `uplink_capacity` upper devices × `per_pair`. The default is half "
    "of its ports at that speed divided by `per_pair`. More upper devices than that need a declared `uplink_capacity`; it is never "
    "raised silently, because that would move the ports of links that exist.",
)
DOWNLINK_CAPACITY: Final = Rule(
    "FAB202",
    "downlink-capacity",
    "An upper device reserves ports for `downlink_capacity` lower devices × `per_pair`, from the bottom. The default is its ports at "
    "that speed divided by `per_pair`. More lower devices than that do not fit, or need a declared capacity.",
)
PORTS_EXHAUSTED: Final = Rule(
    "FAB203", "ports-exhausted", "A declared capacity, or the hosts, need more ports than the device has at that speed."
)
PORT_USED_TWICE: Final = Rule(
    "FAB204",
    "port-used-twice",
    "Hosts fill a leaf from the bottom, uplinks from the top; here they meet on one front-panel port. Fewer hosts, fewer uplinks, or "
    "a platform with more ports serve.",
)
SPEED: Final = Rule(
    "FAB205", "speed-not-supported", "No port of this platform can run at this speed, whole or broken out."
)
HOST_CAPACITY: Final = Rule(
    "FAB206",
    "host-capacity",
    "`capacity` reserves ports, addresses and names for the hosts of a group on each leaf, so that growth moves nothing. It is "
    "needed when a group is followed by another, and `per_leaf` may not exceed it.",
)
TIERS: Final = Rule(
    "FAB207",
    "tier-order",
    "Tiers are written bottom first: leaf, then spine; links go from the lower tier to the upper one.",
)
POOL_EXHAUSTED: Final = Rule(
    "FAB301",
    "pool-exhausted",
    "Every address follows from a device's position, so the pool must be large enough for the highest position. Pools are split by "
    "four (leaf, spine, border, super-spine) first.",
)
HOST_SUBNET: Final = Rule(
    "FAB303",
    "host-subnet-too-small",
    "The subnet of a leaf holds its gateway and every host port of its declared capacity.",
)
UNKNOWN_PLATFORM: Final = Rule(
    "FAB701",
    "unknown-platform",
    "No platform of this name is in the catalogue or in the project's `platforms/` folder.",
)

RULES: Final = (
    UPLINK_CAPACITY,
    DOWNLINK_CAPACITY,
    PORTS_EXHAUSTED,
    PORT_USED_TWICE,
    SPEED,
    HOST_CAPACITY,
    TIERS,
    POOL_EXHAUSTED,
    HOST_SUBNET,
    UNKNOWN_PLATFORM,
)

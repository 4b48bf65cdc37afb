"""FAB9xx: what can be wrong on the live network."""

from typing import Final

from fabric_auto.diagnostics import Rule, Severity

PORT_DOWN: Final = Rule(
    "FAB901",
    "port-down",
    "A port that the intent enables is not operationally up, or does not exist on the device, or one that the intent shuts is up. "
    "Both ends of a cable are one finding, and so are all cables of one device. Look for the cable or transceiver, then at the "
    "speed, FEC and breakout of both ends.",
)
CABLES_SWAPPED: Final = Rule(
    "FAB902",
    "cables-swapped",
    "LLDP hears the neighbours of two or more cables at each other's ends: their far ends are exchanged. Swap the plugs back at "
    "either end, or change the intent if the cabling is what you want.",
)
WRONG_NEIGHBOUR: Final = Rule(
    "FAB903",
    "wrong-neighbour",
    "LLDP (IEEE 802.1AB) hears another device or another port than the one that the intent cables here, and no second cable "
    "completes a swap. A host port that hears a switch of the fabric is also wrong; one that hears nothing is not.",
)
NO_NEIGHBOUR: Final = Rule(
    "FAB904",
    "no-neighbour-heard",
    "The port is up, but LLDP hears nobody on it, so the cabling is not proven. A neighbour speaks every 30 s: wait for it, then "
    "see whether LLDP runs on both devices.",
)
SESSION_DOWN: Final = Rule(
    "FAB905",
    "bgp-session-down",
    "A BGP session of an enabled link is missing or not established, although its cable is not at fault: a fault of the cable is "
    "reported alone. See the addresses, the AS numbers and the last notification at both ends.",
)
PREFIX_MISSING: Final = Rule(
    "FAB906",
    "prefix-missing",
    "A device lacks a route to a loopback or host subnet of the fabric, or has it over fewer next hops than there are equal paths. "
    "What is expected follows from the links that work and from the AS numbers: no path passes an AS twice (RFC 4271 §9.1.2), so "
    "spines with one AS number do not reach each other (RFC 7938 §5.2). Each finding is at the device where the route is lost.",
)
WRONG_SOFTWARE: Final = Rule(
    "FAB907",
    "release-or-model-differs",
    "The device runs another release, or is another model, than its configuration was compiled for. State the release in the "
    "inventory, change the platform in the intent, or upgrade the device.",
)
SESSION_UNEXPECTED: Final = Rule(
    "FAB908",
    "bgp-session-unexpected",
    "A session exists, but not as the intent has it: the peer's AS number differs, or it is established over a link that the "
    "intent shuts. Sessions that the intent does not know are not judged: they may be an operator's.",
)
DRIFT: Final = Rule(
    "FAB909",
    "drift",
    "The running configuration differs from the intended one in what this tool owns: somebody changed it, or a deployment is due. "
    "`fabric-auto drift` shows each difference; deploying takes it back, changing the intent keeps it.",
)
HOST_PORT_DOWN: Final = Rule(
    "FAB910",
    "host-port-down",
    "A leaf port towards a host is not operationally up. A host that is switched off is no fault of the fabric, so this is a warning: "
    "it neither fails a deployment nor a verification, unless `--fail-on warning` asks for it.",
    severity=Severity.WARNING,
)
UNCONFIRMED: Final = Rule(
    "FAB911",
    "change-not-confirmed",
    "The device runs a change that an interrupted deployment never confirmed: a timer or a confirmed commit will take it back by "
    "itself. Whatever is true now will not stay so. Wait for the revert, then deploy again.",
)

RULES: Final = (
    PORT_DOWN,
    CABLES_SWAPPED,
    WRONG_NEIGHBOUR,
    NO_NEIGHBOUR,
    SESSION_DOWN,
    PREFIX_MISSING,
    WRONG_SOFTWARE,
    SESSION_UNEXPECTED,
    DRIFT,
    HOST_PORT_DOWN,
    UNCONFIRMED,
)

"""Does a device run the NOS release that it was compiled for?"""

import re
from typing import Final

from fabric_auto.core.releases import is_of
from fabric_auto.transport.base import DeviceRefusedError, Session

_SONIC: Final = "show version"
_SRLINUX: Final = (
    '<system xmlns="urn:nokia.com:srlinux:general:system">'
    '<information xmlns="urn:nokia.com:srlinux:linux:system-info"><version/></information></system>'
)
_PATTERNS: Final = {
    "sonic": re.compile(r"^SONiC Software Version:\s*SONiC\.(?:SONiC-OS-)?([A-Za-z]+|\d+)", re.MULTILINE),
    "srlinux": re.compile(r"<(?:\w+:)?version[^>]*>\s*v?(\d+\.\d+\.\d+)"),
}


def check_release(device: str, session: Session, nos: str, expected: str | None) -> None:
    """Compare the release on the box with the one that the configuration was made for.

    Raises:
        DeviceRefusedError: it is not of that release, or the box does not say.
    """
    if expected is None:
        return
    match = _PATTERNS[nos].search(session.ask(_SONIC if nos == "sonic" else _SRLINUX))
    if match is None:
        raise DeviceRefusedError(f"{device} does not say which release it runs")
    if not is_of(match[1], expected):
        raise DeviceRefusedError(
            f"{device} runs release {match[1]}, and its configuration was made for {expected}",
            help="state the release it runs in the inventory, and plan again",
        )

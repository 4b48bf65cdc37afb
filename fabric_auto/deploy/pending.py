"""Changes that still wait for their confirmation: what a device runs now is not what it will run when they revert."""

from collections.abc import Mapping
from typing import Final, cast

from fabric_auto.deploy.prepare import required
from fabric_auto.deploy.sonic_box import armed
from fabric_auto.diagnostics import Diagnostic
from fabric_auto.errors import FabricAutoError
from fabric_auto.transport.base import NetconfSession, ShellSession
from fabric_auto.transport.connection import Connection, Fleet
from fabric_auto.verify import rules

_HELP: Final = "an earlier deployment ended before it confirmed: wait until it has reverted, then deploy again"


def waiting(fleet: Fleet, nos: Mapping[str, str], *, forks: int) -> dict[str, str]:
    """Return the devices with a change that will revert by itself, and what it is called there.

    Raises:
        UnreachableError: one or more cannot be asked.
    """
    answers = fleet.run(nos, lambda connection: _waiting(connection, nos[connection.name]), forks=forks)
    return {name: words for name, words in required(answers, "could not be read").items() if words}


def refuse(found: Mapping[str, str]) -> None:
    """Refuse to work on a network that is about to change by itself.

    Raises:
        FabricAutoError: a device waits.
    """
    if found:
        name, words = next(iter(found.items()))
        more = f" (and {len(found) - 1} more devices)" if len(found) > 1 else ""
        raise FabricAutoError(
            f"{name}{more} has a change that is not confirmed and will revert by itself: {words}; nothing was touched",
            help=_HELP,
        )


def findings(found: Mapping[str, str]) -> list[Diagnostic]:
    """Return a finding a device that waits."""
    return [
        rules.UNCONFIRMED.at(
            None,
            f"`{name}` runs a change that is not confirmed and will revert by itself: {words}",
            subject=name,
            help=_HELP,
        )
        for name, words in found.items()
    ]


def _waiting(connection: Connection, nos: str) -> str:
    if nos == "srlinux":
        return cast("NetconfSession", connection.session()).pending_commit() or ""
    return next((f"timer {unit}.timer" for unit in armed(cast("ShellSession", connection.session()))), "")

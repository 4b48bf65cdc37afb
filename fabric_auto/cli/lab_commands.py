"""``fabric-auto lab …``: the emulated lab and its faults."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabric_auto.cli.console import ProjectDir, say, sound_program
from fabric_auto.cli.exits import Exit
from fabric_auto.errors import FabricAutoError

if TYPE_CHECKING:
    from fabric_auto.lab.emulated.control import LabClient
    from fabric_auto.lab.emulated.topology import CableEnd

_End = Annotated[str, typer.Argument(metavar="DEVICE:PORT")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    lab = typer.Typer(
        no_args_is_help=True, help="The emulated lab: strict SONiC and SR Linux devices on loopback, in one process."
    )
    lab.command(epilog="Example: fabric-auto lab up --yang ~/models")(up)
    lab.command(epilog="Example: fabric-auto lab status")(status)
    lab.command(epilog="Example: fabric-auto lab config east-leaf-01")(config)
    lab.command(epilog="Example: fabric-auto lab down")(down)
    fault = typer.Typer(no_args_is_help=True, help="Make something go wrong, on purpose.")
    fault.command(
        name="swap", epilog="Example: fabric-auto lab fault swap east-leaf-01:Ethernet504 east-leaf-01:Ethernet496"
    )(swap)
    fault.command(name="cut", epilog="Example: fabric-auto lab fault cut east-leaf-01:Ethernet504")(cut)
    fault.command(name="drop-session", epilog="Example: fabric-auto lab fault drop-session east-leaf-01 --step 5")(
        drop_session
    )
    fault.command(name="ignore-changes", epilog="Example: fabric-auto lab fault ignore-changes east-leaf-01")(
        ignore_changes
    )
    fault.command(name="clear", epilog="Example: fabric-auto lab fault clear")(clear)
    lab.add_typer(fault, name="fault")
    app.add_typer(lab, name="lab")


def up(
    project: ProjectDir = Path(),
    yang: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Vendor YANG models: the devices validate with them.")
    ] = None,
) -> None:
    """Start every device of the project's fabrics on loopback, with factory configuration."""
    from fabric_auto.lab import build, manage

    program = sound_program(project)
    topology = build.build(program.fabrics, program.project.inventory)
    manage.up(topology, manage.state_dir(program.project.root), yang=yang, progress=say)
    say(
        f"lab is up: {len(topology.devices)} devices, {len(topology.cables)} cables; stop it with: fabric-auto lab down"
    )


def status(
    project: ProjectDir = Path(),
    as_json: Annotated[bool, typer.Option("--json", help="Everything, as JSON.")] = False,
) -> None:
    """Print what each device of the lab is doing."""
    found = _client(project).status()
    if as_json:
        sys.stdout.write(json.dumps(asdict(found), indent=2) + "\n")
        return
    for name, device in found.devices.items():
        up = sum(state == "Established" for state in device.sessions.values())
        faults = [
            word
            for word, armed in (("ignores changes", device.ignores_changes), ("will drop", device.drops_session))
            if armed
        ]
        sys.stdout.write(
            f"{name}  {device.nos}  {device.address}:{device.port}  ports up {len(device.ports_up)}  "
            f"BGP {up}/{len(device.sessions)}  routes {device.routes}{'  fault: ' + ', '.join(faults) if faults else ''}\n"
        )


def config(device: Annotated[str, typer.Argument(help="A device's full name.")], project: ProjectDir = Path()) -> None:
    """Print the running configuration that a device really has."""
    sys.stdout.write(_client(project).running(device))


def down(project: ProjectDir = Path()) -> None:
    """Stop the lab."""
    from fabric_auto.lab import manage

    manage.down(manage.state_dir(project.resolve()))
    say("lab is down")


def swap(a: _End, b: _End, project: ProjectDir = Path()) -> None:
    """Exchange the far ends of two cables."""
    _client(project).swap(_end(a), _end(b))
    say(f"swapped the cables at {a} and {b}")


def cut(end: _End, project: ProjectDir = Path()) -> None:
    """Cut a cable."""
    _client(project).cut(_end(end))
    say(f"cut the cable at {end}")


def drop_session(
    device: Annotated[str, typer.Argument(help="A device's full name.")],
    step: Annotated[int, typer.Option(help="Drop at the n-th command, transfer or RPC from now.", min=1)] = 1,
    after: Annotated[
        bool, typer.Option("--after/--before", help="Drop after the device has acted, or before.")
    ] = False,
    project: ProjectDir = Path(),
) -> None:
    """Cut the management session of a device, once."""
    _client(project).fault(device, "drop-session", {"step": step, "after": after})
    say(f"{device} will drop its session at step {step}")


def ignore_changes(
    device: Annotated[str, typer.Argument(help="A device's full name.")], project: ProjectDir = Path()
) -> None:
    """Make a device say yes to every change and do nothing."""
    _client(project).fault(device, "ignore-changes", {})
    say(f"{device} says yes and does nothing")


def clear(
    device: Annotated[str | None, typer.Argument(help="A device's full name; all of them when left out.")] = None,
    project: ProjectDir = Path(),
) -> None:
    """Clear device faults, and mend every cable when no device is named."""
    client = _client(project)
    client.clear(device)
    if device is None:
        client.mend()
    say(f"cleared the faults of {device or 'every device, and mended every cable'}")


def _client(project: Path) -> "LabClient":
    from fabric_auto.lab import manage
    from fabric_auto.lab.emulated.control import LabClient

    return LabClient.connect(manage.state_dir(project.resolve()))


def _end(text: str) -> "CableEnd":
    from fabric_auto.lab.emulated.topology import CableEnd

    device, colon, port = text.partition(":")
    if not colon or not device or not port:
        raise FabricAutoError(
            f"`{text}` is no cable end", help="write DEVICE:PORT, like east-leaf-01:Ethernet504", exit_code=Exit.USAGE
        )
    return CableEnd(device, port)

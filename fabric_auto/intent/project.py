"""The project file ``fabric-auto.yaml``: what holds for the whole project."""

from typing import Annotated, Literal

from pydantic import Field

from fabric_auto.intent.base import Model


class Releases(Model):
    """NOS releases of devices whose inventory entry states none."""

    sonic: str = "202505"
    srlinux: str = "25.3.1"


class Deploy(Model):
    """How deployments run unless an option says otherwise."""

    confirm: str | None = None
    steady: str = "14s"
    """How long a network must look well before a deployment is confirmed: BGP's hold time of 9 s, after which a session that
    hears nothing any more goes down, and 5 s for its neighbours to withdraw what it carried."""
    forks: Annotated[int, Field(ge=1, le=256)] = 20


class ProjectFile(Model):
    """``fabric-auto.yaml``."""

    api_version: Literal["v1"] = Field(alias="apiVersion")
    releases: Releases = Releases()
    yang: str | None = None
    allow_empty: bool = False
    deploy: Deploy = Deploy()

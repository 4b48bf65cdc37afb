"""The NOSes this tool renders for, each imported when it is first asked for: most commands need one or none."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Final

from fabric_auto.vendors.base import Vendor

_NAMES: Final = ("sonic", "srlinux")


def vendor(nos: str, templates: FilePath | None = None) -> Vendor:
    """Return a NOS by name, with a project's ``templates/`` folder when it has one.

    Raises:
        KeyError: there is no such NOS.
    """
    return _vendor(nos, templates)


@lru_cache(maxsize=32)
def _vendor(nos: str, templates: FilePath | None) -> Vendor:
    if nos == "sonic":
        from fabric_auto.vendors.sonic.vendor import Sonic  # noqa: PLC0415  (on first use)

        return Sonic()
    if nos == "srlinux":
        from fabric_auto.vendors.srlinux.vendor import SrLinux  # noqa: PLC0415  (on first use)

        return SrLinux(templates)
    raise KeyError(nos)


class _Vendors(Mapping[str, Vendor]):
    """Every NOS by name, with the shipped templates."""

    def __getitem__(self, nos: str) -> Vendor:
        return vendor(nos)

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)


VENDORS: Final[Mapping[str, Vendor]] = _Vendors()

"""Which YANG features an SR Linux chassis has in a release, from the models folder."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from fabric_auto.errors import FabricAutoError
from fabric_auto.yang.library import parse_module
from fabric_auto.yang.srlinux_modules import FEATURES_MODULE

_RELEASE = re.compile(r"v?(\d+)\.(\d+)\.(\d+)")
_FIRST_UNSUPPORTED = (25, 7)


@dataclass(frozen=True, order=True, slots=True)
class Release:
    """An SR Linux release, ``25.3.1``; the first two numbers are the train."""

    year: int
    month: int
    patch: int

    @classmethod
    def parse(cls, text: str) -> "Release":
        """A release as written, with or without a leading ``v``.

        Raises:
            FabricAutoError: it is not three numbers.
        """
        match = _RELEASE.fullmatch(text)
        if match is None:
            raise FabricAutoError(f"{text!r} is not an SR Linux release", help="write it as 25.3.1")
        return cls(*map(int, match.groups()))

    @property
    def train(self) -> tuple[int, int]:
        """Year and month: releases of one train share their models."""
        return self.year, self.month

    def __str__(self) -> str:
        return f"{self.year}.{self.month}.{self.patch}"


@dataclass(frozen=True, slots=True)
class Features:
    """The features of one chassis.

    Attributes:
        release: the release that they are known for: the one asked for, or an earlier patch of its train.
        names: those that the models declare.
    """

    release: Release
    names: frozenset[str]


def features_of(models: Path, release: Release, chassis: str, features_module: bytes) -> Features:
    """The features of a chassis in a release.

    Args:
        models: the folder that holds ``features/v<release>.json``: chassis → feature names.
        release: the release that the configuration is for.
        chassis: ``7220-IXR-H4``, in any case.
        features_module: the text of ``srl_nokia-features``.

    Raises:
        FabricAutoError: the release is too new, the models are of another train, or the folder does not know the
            release or the chassis.
    """
    if release.train >= _FIRST_UNSUPPORTED:
        raise FabricAutoError(
            f"YANG validation knows SR Linux before {'.'.join(map(str, _FIRST_UNSUPPORTED))}, not {release}",
            help="validate without --yang for this release",
        )
    module = parse_module(FEATURES_MODULE, features_module)
    _check_train(release, module.value("revision") or "")
    known_for = _nearest(models / "features", release)
    platforms = _platforms(models / "features" / f"v{known_for}.json")
    if chassis.upper() not in platforms:
        raise FabricAutoError(
            f"no features are known for {chassis} in SR Linux {known_for}",
            help=f"known chassis: {', '.join(sorted(platforms))}",
        )
    declared = {feature.argument for feature in module.all("feature")}
    return Features(known_for, frozenset(name for name in platforms[chassis.upper()] if name in declared))


def _check_train(release: Release, revision: str) -> None:
    # The vendor dates the modules of a release with the end of its train's month: 2025-03-31 is 25.3.
    dated = re.match(r"20(\d\d)-(\d\d)", revision)
    train = (int(dated[1]), int(dated[2])) if dated else None
    if train != release.train:
        found = f"{train[0]}.{train[1]}" if train else "an unknown release"
        raise FabricAutoError(
            f"the SR Linux models are those of {found}, the configuration is for {release}",
            help="name a folder with the models of that release",
        )


def _nearest(folder: Path, release: Release) -> Release:
    files = [path.stem for path in folder.glob("v*.json") if _RELEASE.fullmatch(path.stem)]
    known = sorted(map(Release.parse, files))
    usable = [candidate for candidate in known if candidate.train == release.train and candidate <= release]
    if not usable:
        raise FabricAutoError(
            f"no feature list for SR Linux {release} in {folder}",
            help=f"known releases: {', '.join(map(str, known)) or 'none'}",
        )
    return usable[-1]


def _platforms(file: Path) -> dict[str, list[str]]:
    try:
        content = json.loads(file.read_bytes())
        return {str(chassis).upper(): [str(name) for name in names] for chassis, names in content.items()}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise FabricAutoError(f"cannot read the feature list {file}: {error}") from error

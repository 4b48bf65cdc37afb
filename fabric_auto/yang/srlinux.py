"""SR Linux configuration against the vendor's YANG, with the vendor's reading of conditions."""

import json
from pathlib import Path

from fabric_auto.errors import FabricAutoError
from fabric_auto.yang.context import Context, Encoding
from fabric_auto.yang.library import read_folder
from fabric_auto.yang.netconf_payload import PayloadError, instance_xml
from fabric_auto.yang.srlinux_modules import FEATURES_MODULE, default_cache, rewritten
from fabric_auto.yang.srlinux_platform import Release, features_of
from fabric_auto.yang.violation import Violation


class SrlinuxSchema:
    """The models of one SR Linux release as one chassis implements them, loaded once.

    Platform maxima, resource limits and which ports exist are not in the models.

    Args:
        models: a folder with ``flat/`` (the vendor's modules in one folder) and ``features/v<release>.json``.
        release: the release that the configuration is for, ``25.3.1``; before 25.7.
        chassis: ``7220-IXR-H4``.
        cache: where rewritten modules are kept; ``None`` for the user's cache folder.

    Attributes:
        features_release: the release whose feature list is used: ``release``, or the nearest lower patch of its train.

    Raises:
        FabricAutoError: libyang is not installed, the models cannot be read, or they do not know the release or the
            chassis.
    """

    def __init__(self, models: Path, release: str, chassis: str, cache: Path | None = None) -> None:
        texts = read_folder(models / "flat")
        if FEATURES_MODULE not in texts:
            raise FabricAutoError(f"no SR Linux models in {models / 'flat'}: {FEATURES_MODULE} is missing")
        features = features_of(models, Release.parse(release), chassis, texts[FEATURES_MODULE])
        self.features_release = str(features.release)
        self._context = Context(rewritten(texts, features.names, cache or default_cache()))

    def validate(self, config_xml: bytes) -> tuple[Violation, ...]:
        """Everything in a NETCONF payload that the models forbid.

        Args:
            config_xml: a ``<config>`` or ``<data>`` element, or the top-level elements side by side; edit operations
                are taken as done on an empty device.
        """
        try:
            instance = instance_xml(config_xml)
        except PayloadError as error:
            return (Violation("", str(error)),)
        if not instance:
            return self._context.validate("{}", Encoding.JSON)
        return self._context.validate(instance, Encoding.XML)

    def validate_json(self, text: str) -> tuple[Violation, ...]:
        """Everything in a JSON_IETF document (RFC 7951) that the models forbid.

        Comments that a device adds to its running configuration (``_annotate…`` members) are passed over.
        """
        try:
            document = _without_annotations(json.loads(text))
        except ValueError as error:
            return (Violation("", f"not JSON: {error}"),)
        return self._context.validate(json.dumps(document), Encoding.JSON)


def _without_annotations(value: object) -> object:
    if isinstance(value, dict):
        kept = ((name, content) for name, content in value.items() if not name.startswith("_annotate"))
        return {name: _without_annotations(content) for name, content in kept}
    return [_without_annotations(item) for item in value] if isinstance(value, list) else value

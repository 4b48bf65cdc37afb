"""Whether the device would take a configuration: its own rules, and the vendor's models when it has them."""

from collections.abc import Callable, Sequence
from typing import Protocol

from lxml import etree
from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.srlinux import interface_rules, routing_rules
from fabric_auto.lab.emulated.srlinux.elements import xpath
from fabric_auto.lab.emulated.srlinux.errors import RpcError
from fabric_auto.lab.emulated.topology import LabDevice
from fabric_auto.yang.violation import Violation


class Models(Protocol):
    """The vendor's YANG models for one release and chassis."""

    def validate(self, config_xml: bytes, /) -> Sequence[Violation]:
        """Return what the models do not allow in a NETCONF ``<data>``; empty when it is valid."""
        ...


def judge(hardware: LabDevice, models: Models | None) -> Callable[[Element], tuple[RpcError, ...]]:
    """Return the function that says what is wrong with a whole configuration; the models are asked last."""

    def errors(config: Element) -> tuple[RpcError, ...]:
        own = (*interface_rules.check(config, hardware), *routing_rules.check(config))
        if own or models is None:
            return tuple(RpcError(each.tag, each.message, path=xpath(each.node)) for each in own)
        found = models.validate(etree.tostring(config))
        return tuple(RpcError("operation-failed", each.message, path=each.path) for each in found)

    return errors

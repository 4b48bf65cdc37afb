"""What routing policies answer, as sets of prefixes.

A set of prefixes is an integer whose bit n stands for prefix number n.
"""

from collections.abc import Hashable, Iterable, Iterator
from typing import Protocol, runtime_checkable

from fabric_auto.lab.emulated.device import Prefix, RoutePolicy


@runtime_checkable
class GroupedPolicy(Protocol):
    """A policy that says which neighbours it treats alike, so that it is asked once for all of them."""

    def __call__(self, neighbor: str, prefix: Prefix, protocol: str) -> bool:
        """Return True when the route passes (:class:`~fabric_auto.lab.emulated.device.RoutePolicy`)."""
        ...

    def group(self, neighbor: str) -> Hashable:
        """Return a value that is equal for neighbours that get the same answers."""
        ...


class Verdicts:
    """Prefixes by number, and the answers of policies as sets of them, each asked for once.

    Kept from one computation to the next: a policy is a value that never changes its mind, new configuration is a new
    policy.
    """

    def __init__(self) -> None:
        self.prefixes: list[Prefix] = []
        self.number: dict[Prefix, int] = {}
        self._policies: dict[int, RoutePolicy] = {}
        self._answers: dict[int, dict[tuple[Hashable, str], tuple[int, int]]] = {}
        self._groups: dict[int, dict[str, Hashable]] = {}

    def start(self, prefixes: Iterable[Prefix], policies: Iterable[RoutePolicy]) -> None:
        """Number the prefixes that are new, and forget the policies that are in use no more."""
        for prefix in prefixes:
            if prefix not in self.number:
                self.number[prefix] = len(self.prefixes)
                self.prefixes.append(prefix)
        # The policies themselves are kept: an id is a policy's own only while the policy lives.
        self._policies = {id(each): each for each in policies}
        self._answers = {key: self._answers.get(key, {}) for key in self._policies}
        self._groups = {key: self._groups.get(key, {}) for key in self._policies}

    def passing(self, policy: RoutePolicy, neighbor: str, protocol: str, offered: int) -> int:
        """Return the part of ``offered`` that ``policy`` lets through."""
        answers = self._answers[id(policy)]
        key = (self._group(policy, neighbor), protocol)
        asked, passed = answers.get(key, (0, 0))
        unknown = offered & ~asked
        if unknown:
            prefixes = self.prefixes
            refused = [each for each in numbers_of(unknown) if not policy(neighbor, prefixes[each], protocol)]
            passed |= unknown & ~sum(1 << number for number in refused)
            answers[key] = (asked | unknown, passed)
        return offered & passed

    def _group(self, policy: RoutePolicy, neighbor: str) -> Hashable:
        groups = self._groups[id(policy)]
        if neighbor not in groups:
            groups[neighbor] = policy.group(neighbor) if isinstance(policy, GroupedPolicy) else neighbor
        return groups[neighbor]


def numbers_of(members: int) -> Iterator[int]:
    """Yield the prefix numbers in a set, ascending."""
    digits = f"{members:b}"[::-1]
    position = digits.find("1")
    while position >= 0:
        yield position
        position = digits.find("1", position + 1)

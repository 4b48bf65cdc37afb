"""Hypothesis strategies: valid fabrics, built constructively, and their intents as text."""

from dataclasses import dataclass, replace

import yaml
from hypothesis import strategies as st

TH4, SPECTRUM4, H4 = "sonic-th4-64x400g", "sonic-spectrum4-64x800g", "srl-7220-ixr-h4"


@dataclass(frozen=True)
class Shape:
    """What a generated fabric is made of; ``uplink_capacity`` and ``downlink_capacity`` leave room for growth."""

    leaves: int = 4
    spines: int = 2
    per_pair: int = 1
    hosts: int = 2
    nics: int = 1
    leaf_platform: str = TH4
    spine_platform: str = H4
    speed: str = "400G"
    mtu: int = 9100
    absent: tuple[str, ...] = ()
    name: str = "east"
    overrides: tuple[dict[str, object], ...] = ()

    @property
    def spec(self) -> dict[str, object]:
        """The intent's ``spec`` as data."""
        hosts = {"name": "gpu", "per_leaf": self.hosts, "nics": self.nics, "speed": self.speed, "cable": "3m"}
        return {
            "tiers": [
                {"name": "leaf", "role": "leaf", "count": self.leaves, "platform": self.leaf_platform},
                {"name": "spine", "role": "spine", "count": self.spines, "platform": self.spine_platform},
            ],
            "links": [{"from": "leaf", "to": "spine", "per_pair": self.per_pair, "speed": self.speed, "cable": "30m"}],
            "hosts": [hosts] if self.hosts else [],
            "mtu": self.mtu,
            "underlay": {
                "asn": {"leaf": 4200100000, "spine": 4200000000},
                "pools": {
                    "loopback": "fd00:10::/64",
                    "loopback4": "10.10.0.0/16",
                    "link": "fd00:11::/64",
                    "link4": "10.11.0.0/16",
                    "host": "fd00:20::/48",
                    "host4": "10.20.0.0/16",
                },
            },
            "overrides": [*({"device": device, "present": False} for device in self.absent), *self.overrides],
        }

    @property
    def intent(self) -> str:
        """The intent as YAML text."""
        document = {"kind": "Fabric", "metadata": {"name": self.name}, "spec": self.spec}
        return yaml.safe_dump(document, sort_keys=False)

    def shuffled(self, order: list[int]) -> str:
        """The same intent with the keys of every mapping in another order."""

        def shuffle(value: object) -> object:
            if isinstance(value, dict):
                items = list(value.items())
                items.sort(key=lambda item: order[hash_of(item[0]) % len(order)])
                return {key: shuffle(each) for key, each in items}
            return [shuffle(each) for each in value] if isinstance(value, list) else value

        document = {"spec": shuffle(self.spec), "metadata": {"name": self.name}, "kind": "Fabric"}
        return yaml.safe_dump(document, sort_keys=False)


def hash_of(word: str) -> int:
    """A stable hash of a word."""
    return sum(ord(letter) * (place + 1) for place, letter in enumerate(word))


PER_PAIRS = (1, 2, 4, 8)


@st.composite
def shapes(draw: st.DrawFn, *, per_pair: int | None = None) -> Shape:
    """Draw a fabric that fits its boxes: 64 ports of 400G a leaf, half of them for uplinks."""
    links = per_pair or draw(st.sampled_from(PER_PAIRS))
    platforms = st.sampled_from([TH4, SPECTRUM4, H4])
    return Shape(
        leaves=draw(st.integers(1, min(6, 64 // links))),
        spines=draw(st.integers(1, min(4, 32 // links))),
        per_pair=links,
        hosts=draw(st.integers(0, 4)),
        nics=draw(st.integers(1, 2)),
        leaf_platform=draw(platforms),
        spine_platform=draw(platforms),
        mtu=draw(st.sampled_from([1500, 4200, 9000, 9100, 9216])),
    )


@st.composite
def grown(draw: st.DrawFn) -> tuple[Shape, Shape]:
    """Draw a fabric and another that differs from it in how many leaves, spines and hosts there are, and who is absent."""
    before = draw(shapes())
    after = replace(
        before,
        leaves=draw(st.integers(1, min(6, 64 // before.per_pair))),
        spines=draw(st.integers(1, min(4, 32 // before.per_pair))),
        hosts=draw(st.integers(0, 4)),
    )
    if after.leaves > 1 and draw(st.booleans()):
        after = replace(after, absent=(f"leaf-{draw(st.integers(1, after.leaves)):02}",))
    return before, after

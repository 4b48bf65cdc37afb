"""Words of the language that this version does not do yet: named, so that nothing is left out silently."""

from typing import Final

KINDS: Final = frozenset(
    {"LosslessQos", "LoadBalancing", "Management", "Srv6", "Site", "Metro", "MetroLink", "SrPolicy"}
)
KEYS: Final = frozenset({"planes", "border", "qos", "load_balancing", "srv6", "attach_l3", "out_of_order"})
PROFILES: Final = frozenset({"roce-lossless", "roce-adaptive", "mrc-srv6"})
ROUTING: Final = frozenset({"static-srv6"})
LINKS: Final = frozenset({"unnumbered"})
ATTACH: Final = frozenset({"rail"})

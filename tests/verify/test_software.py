"""Model and release: FAB907.

Cables: leaf n Ethernet504 to spine 1 ethernet-1/n, leaf n Ethernet496 to spine 2 ethernet-1/n. Hosts at Ethernet0 and 8.
"""

from dataclasses import replace

from fabric_auto.fabric.model import Fabric
from fabric_auto.verify.run import verify
from tests.verify.live import network, only, told


class TestSoftware:
    def test_another_release(self, fabric: Fabric) -> None:
        net = network(fabric)
        net["east-leaf-02"] = replace(net["east-leaf-02"], release="202411")
        finding = only(fabric, net)
        assert (finding.code, finding.message, finding.span) == (
            "FAB907",
            "compiled for another device: east-leaf-02 runs release 202411, not 202505",
            fabric.devices["east-leaf-02"].origin,
        )

    def test_another_model_and_release_are_one_finding(self, fabric: Fabric) -> None:
        net = network(fabric)
        net["east-spine-01"] = replace(net["east-spine-01"], release="24.10.1", model="7220 IXR-D3L")
        assert told(fabric, net) == [
            (
                "FAB907",
                (
                    "compiled for another device: east-spine-01 is model 7220 IXR-D3L, not 7220 IXR-H4 "
                    "and runs release 24.10.1, not 25.3.1"
                ),
            )
        ]

    def test_the_same_difference_on_many_devices_is_one_finding(self, fabric: Fabric) -> None:
        net = {name: replace(state, release="202411") for name, state in network(fabric).items() if "leaf" in name}
        assert told(fabric, net) == [
            ("FAB907", "compiled for another device: east-leaf-01 runs release 202411, not 202505 (and 1 more)")
        ]

    def test_a_release_of_the_stated_train_is_right(self, fabric: Fabric) -> None:
        spine = replace(fabric.devices["east-spine-01"], release="25.3")
        fabric = replace(fabric, devices={**fabric.devices, spine.name: spine})
        net = network(fabric)
        net["east-spine-01"] = replace(net["east-spine-01"], release="25.3.2")
        assert verify(fabric, net) == ()

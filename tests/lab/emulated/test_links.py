"""When a port is up, and what LLDP hears on it."""

from dataclasses import replace

import pytest

from fabric_auto.lab.emulated.control_plane import compute
from fabric_auto.lab.emulated.device import LldpNeighbor, PortView, State, View
from fabric_auto.lab.emulated.topology import Cable, CableEnd
from tests.lab.emulated.clos import port, view

CABLE = Cable(CableEnd("a", "Ethernet0"), CableEnd("b", "Ethernet8"), 3)


def pair(a: PortView, b: PortView, cables: tuple[Cable, ...] = (CABLE,)) -> dict[str, State]:
    views = {"a": with_ports("a", a), "b": with_ports("b", b)}
    return compute(views, cables)


def with_ports(name: str, *ports: PortView) -> View:
    return replace(view(name, 65001, "10.0.0.1"), ports={each.name: each for each in ports})


def test_a_cable_between_two_equal_enabled_ports_brings_both_up() -> None:
    states = pair(port("Ethernet0"), port("Ethernet8"))
    assert states["a"].ports_up == {"Ethernet0"}
    assert states["b"].ports_up == {"Ethernet8"}


@pytest.mark.parametrize(
    ("a", "b"),
    [
        pytest.param(port("Ethernet0", enabled=False), port("Ethernet8"), id="one end is shut down"),
        pytest.param(port("Ethernet0"), port("Ethernet8", speed_mbps=200_000), id="speeds differ"),
        pytest.param(port("Ethernet0", fec="rs"), port("Ethernet8", fec="none"), id="FEC differs"),
        pytest.param(
            port("Ethernet0", speed_mbps=100_000, fec=""),
            port("Ethernet8", speed_mbps=100_000, fec="rs"),
            id="100G without FEC against 100G with RS-FEC",
        ),
    ],
)
def test_ports_that_do_not_agree_stay_down_at_both_ends(a: PortView, b: PortView) -> None:
    states = pair(a, b)
    assert states["a"].ports_up == states["b"].ports_up == frozenset()
    assert states["a"].lldp == states["b"].lldp == {}


@pytest.mark.parametrize("fec", ["", "rs", "rs-544", "auto"])
def test_400g_ports_agree_on_rs_fec_however_it_is_written(fec: str) -> None:
    # IEEE 802.3bs clause 119: RS(544,514) is part of the 400GBASE-R PCS.
    assert pair(port("Ethernet0"), port("Ethernet8", fec=fec))["a"].ports_up == {"Ethernet0"}


def test_a_port_without_cable_is_down() -> None:
    assert pair(port("Ethernet0"), port("Ethernet8"), ())["a"].ports_up == frozenset()


def test_a_cable_in_a_port_that_is_not_configured_leaves_the_other_end_down() -> None:
    assert pair(port("Ethernet4"), port("Ethernet8"))["b"].ports_up == frozenset()


def test_a_host_takes_the_speed_of_the_switch() -> None:
    cable = Cable(CableEnd("gpu-01", "mlx5_3"), CableEnd("a", "Ethernet0"), 2)
    for changes in ({}, {"speed_mbps": 100_000, "fec": "none"}):
        states = compute({"a": with_ports("a", port("Ethernet0", **changes))}, [cable])
        assert states["a"].ports_up == {"Ethernet0"}


def test_lldp_announces_the_host_name_and_the_port_id_of_the_far_end() -> None:
    states = pair(port("Ethernet0"), port("Ethernet8", lldp_port_id="etp3"))
    assert states["a"].lldp == {"Ethernet0": LldpNeighbor("b", "etp3")}


def test_lldp_follows_the_configured_host_name_not_the_lab_s_name() -> None:
    views = {
        "a": with_ports("a", port("Ethernet0")),
        "b": replace(with_ports("b", port("Ethernet8")), hostname="sonic"),
    }
    assert compute(views, [CABLE])["a"].lldp["Ethernet0"].system_name == "sonic"


def test_lldp_of_a_host_announces_its_name_and_nic() -> None:
    cable = Cable(CableEnd("a", "Ethernet0"), CableEnd("gpu-01", "mlx5_3"), 2)
    heard = compute({"a": with_ports("a", port("Ethernet0"))}, [cable])["a"].lldp["Ethernet0"]
    assert (heard.system_name, heard.port_id) == ("gpu-01", "mlx5_3")


def test_a_port_without_lldp_neither_announces_nor_hears() -> None:
    states = pair(port("Ethernet0", lldp=False), port("Ethernet8"))
    assert states["a"].lldp == states["b"].lldp == {}
    assert states["a"].ports_up == {"Ethernet0"}

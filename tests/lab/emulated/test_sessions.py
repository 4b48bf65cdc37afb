"""When a BGP session is established, and what it is otherwise (RFC 4271 section 8.2.2)."""

from collections.abc import Callable
from dataclasses import replace
from ipaddress import ip_interface

import pytest

from fabric_auto.lab.emulated.control_plane import compute
from fabric_auto.lab.emulated.device import AddressView, SessionView, State, View
from fabric_auto.lab.emulated.topology import Cable, CableEnd
from tests.lab.emulated.clos import BOTH, grow, port, view

A_TO_B, B_TO_A = "10.9.0.1", "10.9.0.0"
CABLE = Cable(CableEnd("a", "Ethernet0"), CableEnd("b", "Ethernet0"), 3)


def speaker(name: str, asn: int, loopback: str, address: str, neighbor: str, peer_asn: int) -> View:
    return grow(
        view(name, asn, loopback),
        [port("Ethernet0")],
        [AddressView("Ethernet0", ip_interface(address), "Ethernet0")],
        [SessionView(neighbor, "", peer_asn, frozenset({"ipv4"}))],
    )


def two() -> dict[str, View]:
    return {
        "a": speaker("a", 65001, "10.0.0.1", "10.9.0.0/31", A_TO_B, 65002),
        "b": speaker("b", 65002, "10.0.0.2", "10.9.0.1/31", B_TO_A, 65001),
    }


def session(each: View, **changes: object) -> View:
    return replace(each, sessions=(replace(each.sessions[0], **changes),))  # type: ignore[arg-type]  # as the test says


def session_states(states: dict[str, State]) -> tuple[str, str]:
    return states["a"].sessions[A_TO_B].state, states["b"].sessions[B_TO_A].state


def after(change: Callable[[View], View], device: str = "b") -> tuple[str, str]:
    views = two()
    views[device] = change(views[device])
    return session_states(compute(views, [CABLE]))


def test_two_neighbours_that_agree_are_established_with_their_common_family() -> None:
    states = compute(two(), [CABLE])
    assert session_states(states) == ("Established", "Established")
    assert states["a"].sessions[A_TO_B].families == {"ipv4"}
    assert states["a"].sessions[A_TO_B].peer_asn == 65002


def test_a_session_negotiates_only_the_families_of_both_ends() -> None:
    views = two()
    views["a"] = session(views["a"], families=BOTH)
    assert compute(views, [CABLE])["a"].sessions[A_TO_B].families == {"ipv4"}


def test_no_family_in_common_is_refused_with_a_notification() -> None:
    assert after(lambda b: session(b, families=frozenset({"ipv6"}))) == ("Idle", "Idle")


def test_a_wrong_peer_as_at_either_end_is_refused_with_a_notification() -> None:
    # RFC 4271 section 6.2, Bad Peer AS.
    assert after(lambda b: session(b, peer_asn=65009)) == ("Idle", "Idle")
    assert after(lambda a: session(a, peer_asn=65009), "a") == ("Idle", "Idle")


def test_a_peer_without_the_neighbour_refuses_the_connection() -> None:
    states = compute({**two(), "b": replace(two()["b"], sessions=())}, [CABLE])
    assert states["a"].sessions[A_TO_B].state == "Active"
    assert states["b"].sessions == {}


def test_an_address_that_nobody_has_is_tried_for_ever() -> None:
    assert after(lambda b: replace(b, addresses=(), sessions=b.sessions)) == ("Connect", "Idle")


def test_without_a_connected_subnet_the_neighbour_has_no_route() -> None:
    assert after(lambda a: replace(a, addresses=()), "a") == ("Idle", "Connect")


def test_without_a_local_as_or_a_router_id_bgp_does_not_start() -> None:
    assert after(lambda b: replace(b, asn=0)) == ("Active", "Idle")
    assert after(lambda b: replace(b, router_id="")) == ("Active", "Idle")


def test_a_port_that_is_down_takes_its_session_down() -> None:
    assert after(lambda b: replace(b, ports={"Ethernet0": port("Ethernet0", enabled=False)})) == ("Idle", "Idle")


@pytest.mark.parametrize(("local", "expected"), [("10.9.0.1", "Established"), ("10.0.0.2", "Idle")])
def test_a_stated_source_address_must_be_the_one_on_the_link(local: str, expected: str) -> None:
    assert after(lambda b: session(b, local=local))[1] == expected


def test_a_wrong_mask_at_one_end_keeps_the_session_down_at_both() -> None:
    assert after(
        lambda b: replace(b, addresses=(AddressView("Ethernet0", ip_interface("10.9.0.1/32"), "Ethernet0"),))
    ) == (
        "Active",
        "Idle",
    )


def test_an_ipv6_neighbour_is_found_however_its_address_is_written() -> None:
    views = {
        "a": speaker("a", 65001, "10.0.0.1", "2001:db8::/127", "2001:0DB8::0001", 65002),
        "b": speaker("b", 65002, "10.0.0.2", "2001:db8::1/127", "2001:db8::", 65001),
    }
    states = compute(views, [CABLE])
    assert states["a"].sessions["2001:0DB8::0001"].state == "Established"
    assert states["b"].sessions["2001:db8::"].state == "Established"


def test_swapped_cables_break_the_sessions_of_both() -> None:
    views = {
        "leaf": grow(
            view("leaf", 65001, "10.0.0.1"),
            [port("Ethernet0"), port("Ethernet8")],
            [
                AddressView("Ethernet0", ip_interface("10.9.0.0/31"), "Ethernet0"),
                AddressView("Ethernet8", ip_interface("10.9.0.2/31"), "Ethernet8"),
            ],
            [
                SessionView("10.9.0.1", "", 65002, frozenset({"ipv4"})),
                SessionView("10.9.0.3", "", 65003, frozenset({"ipv4"})),
            ],
        ),
        "s1": speaker("s1", 65002, "10.0.0.2", "10.9.0.1/31", "10.9.0.0", 65001),
        "s2": speaker("s2", 65003, "10.0.0.3", "10.9.0.3/31", "10.9.0.2", 65001),
    }

    def built(first: str, second: str) -> list[Cable]:
        return [
            Cable(CableEnd("leaf", "Ethernet0"), CableEnd(first, "Ethernet0"), 3),
            Cable(CableEnd("leaf", "Ethernet8"), CableEnd(second, "Ethernet0"), 3),
        ]

    as_meant = compute(views, built("s1", "s2"))
    assert {each.state for each in as_meant["leaf"].sessions.values()} == {"Established"}
    swapped = compute(views, built("s2", "s1"))
    assert {each.state for each in swapped["leaf"].sessions.values()} == {"Connect"}
    assert swapped["leaf"].lldp["Ethernet0"].system_name == "s2"
    assert swapped["leaf"].ports_up == {"Ethernet0", "Ethernet8"}


def test_a_session_over_a_vlan_comes_up_through_its_member_port() -> None:
    vlan = AddressView("Vlan10", ip_interface("10.9.0.0/31"), "", ("Ethernet0", "Ethernet4"))
    assert after(lambda a: replace(a, addresses=(vlan,)), "a") == ("Established", "Established")


def test_of_two_devices_with_the_same_address_one_gets_the_session() -> None:
    vlan = AddressView("Vlan10", ip_interface("10.9.0.0/24"), "", ("Ethernet0", "Ethernet4"))
    twin = speaker("c", 65002, "10.0.0.3", "10.9.0.1/24", B_TO_A, 65001)
    views = two() | {"c": twin}
    views["a"] = replace(views["a"], addresses=(vlan,), ports={name: port(name) for name in ("Ethernet0", "Ethernet4")})
    views["b"] = replace(views["b"], addresses=(AddressView("Ethernet0", ip_interface("10.9.0.1/24"), "Ethernet0"),))
    states = compute(views, [CABLE, Cable(CableEnd("a", "Ethernet4"), CableEnd("c", "Ethernet0"), 3)])
    assert session_states(states) == ("Established", "Established")
    assert states["c"].sessions[B_TO_A].state == "Active"


def test_internal_bgp_is_not_modelled_and_says_so_by_staying_idle() -> None:
    views = {
        "a": speaker("a", 65001, "10.0.0.1", "10.9.0.0/31", A_TO_B, 65001),
        "b": speaker("b", 65001, "10.0.0.2", "10.9.0.1/31", B_TO_A, 65001),
    }
    assert session_states(compute(views, [CABLE])) == ("Idle", "Idle")

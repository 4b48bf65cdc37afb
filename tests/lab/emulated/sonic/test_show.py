"""What the box says of itself, in the shapes of the programs that say it on the box."""

import ast
import json
from ipaddress import IPv4Network, IPv6Network

from fabric_auto.lab.emulated.device import LldpNeighbor, Route, SessionState, State
from tests.lab.emulated.sonic.test_bgp import started

PREFIX, LEARNED, LEARNED6 = IPv4Network("10.1.0.0/31"), IPv4Network("10.0.0.9/32"), IPv6Network("2001:db8:0:9::9/128")
STATE = State(
    ports_up=frozenset({"Ethernet0"}),
    lldp={"Ethernet0": LldpNeighbor("east-spine-01", "etp7", "east-leaf-01 Ethernet0")},
    sessions={
        "10.1.0.1": SessionState("10.1.0.1", 65100, "Established", frozenset({"ipv4"}), {"ipv4": 5}, {"ipv4": 3}),
        "2001:db8:1::1": SessionState("2001:db8:1::1", 65100, "Active"),
    },
    routes={
        PREFIX: Route(PREFIX, "local", ()),
        IPv4Network("10.0.0.1/32"): Route(IPv4Network("10.0.0.1/32"), "local", ()),
        LEARNED: Route(LEARNED, "bgp", ("10.1.0.1", "10.1.0.3"), (65100, 4200000009)),
        LEARNED6: Route(LEARNED6, "bgp", ("2001:db8:1::1",), (65100, 4200000009)),
    },
)


def told(box, state: State = STATE) -> None:
    started(box)
    box.lab.run(lambda: box.device.set_state(state))


def asked(box, line: str) -> dict:
    result = box.run(line)
    assert (result.code, result.err) == (0, "")
    return json.loads(result.out)


def test_show_version_states_release_and_hwsku(box) -> None:
    lines = box.run("show version").out.splitlines()
    assert next(line for line in lines if line.startswith("SONiC Software Version: ")).startswith(
        "SONiC Software Version: SONiC.202505."
    )
    assert "HwSKU: Arista-7060X6-64PE" in lines
    assert "Platform: x86_64-arista_7060x6_64pe" in lines
    assert box.run("show platform summary").out.splitlines()[:3] == [
        "Platform: x86_64-arista_7060x6_64pe", "HwSKU: Arista-7060X6-64PE", "ASIC: broadcom",
    ]  # fmt: skip


def test_cfggen_prints_config_db_and_single_values(box) -> None:
    text = box.run("sonic-cfggen -d --print-data").out
    assert json.loads(text) == box.config()
    assert text.startswith('{\n    "')
    assert box.run("sonic-cfggen -d -v DEVICE_METADATA.localhost.hwsku").out == "Arista-7060X6-64PE\n"
    assert box.run("sonic-cfggen -d -v \"PORT['Ethernet8']['alias']\"").out == "etp2\n"


def test_the_running_configuration_has_the_member_bgpraw(box) -> None:
    shown = asked(box, "show runningconfiguration all")
    assert "frr version" in shown.pop("bgpraw")
    assert shown == box.config()


def test_interfaces_are_an_object_by_name(box) -> None:
    """The keys of ``header_stat`` in sonic-utilities, scripts/intfutil."""
    told(box)
    shown = asked(box, "intfutil -c status -j")
    assert list(shown) == sorted(["Ethernet0", "Ethernet8", "Ethernet16", "Ethernet24"])
    assert shown["Ethernet0"] == {
        "Admin": "up",
        "Alias": "etp1",
        "Asym PFC": "off",
        "FEC": "rs",
        "Lanes": "17,18,19,20,21,22,23,24",
        "MTU": "9100",
        "Oper": "up",
        "Speed": "800G",
        "Type": "N/A",
        "Vlan": "routed",
    }
    assert (shown["Ethernet8"]["Oper"], shown["Ethernet8"]["Vlan"]) == ("down", "trunk")


def test_lldp_of_one_neighbour_is_an_object_and_of_several_a_list(box) -> None:
    told(box)
    line = "docker exec lldp lldpctl -f json"
    interface = asked(box, line)["lldp"]["interface"]["Ethernet0"]
    assert list(interface["chassis"]) == ["east-spine-01"]
    assert interface["port"]["id"] == {"type": "local", "value": "etp7"}
    assert interface["port"]["descr"] == "east-leaf-01 Ethernet0"
    two = {"Ethernet8": LldpNeighbor("b", "ethernet-1/1"), "Ethernet0": LldpNeighbor("a", "etp1")}
    box.lab.run(lambda: box.device.set_state(State(lldp=two)))
    assert [list(each) for each in asked(box, line)["lldp"]["interface"]] == [["Ethernet0"], ["Ethernet8"]]
    box.lab.run(lambda: box.device.set_state(State()))
    assert asked(box, line) == {"lldp": {}}


def test_the_bgp_summary_is_by_family_and_peer(box) -> None:
    told(box)
    shown = asked(box, "vtysh -c 'show bgp summary json'")
    assert shown["ipv4Unicast"]["as"] == 4200000001
    assert shown["ipv4Unicast"]["routerId"] == "10.0.0.1"
    peer = shown["ipv4Unicast"]["peers"]["10.1.0.1"]
    assert (peer["remoteAs"], peer["state"], peer["pfxRcd"], peer["pfxSnt"]) == (65100, "Established", 5, 3)
    assert shown["ipv6Unicast"]["peers"]["2001:db8:1::1"]["state"] == "Active"
    assert list(asked(box, "vtysh -c 'show ip bgp summary json'")) == ["ipv4Unicast"]
    assert asked(box, "docker exec bgp vtysh -c 'show bgp summary json'") == shown


def test_a_peer_that_is_shut_is_shown_as_such(box) -> None:
    told(box)
    box.run("sonic-db-cli CONFIG_DB HSET 'BGP_NEIGHBOR|10.1.0.1' admin_status down")
    peer = asked(box, "vtysh -c 'show bgp summary json'")["ipv4Unicast"]["peers"]["10.1.0.1"]
    assert (peer["state"], peer["peerState"]) == ("Idle (Admin)", "Admin")


def test_bgp_that_does_not_run_has_nothing_to_say(box) -> None:
    for question in ("show bgp summary json", "show bgp ipv4 unicast json"):
        assert asked(box, f"vtysh -c '{question}'") == {}


def test_bgp_paths_have_one_entry_a_next_hop(box) -> None:
    told(box)
    routes = asked(box, "vtysh -c 'show bgp ipv4 unicast json'")["routes"]
    assert set(routes) == {"10.0.0.1/32", "10.0.0.9/32"}
    first, second = routes["10.0.0.9/32"]
    assert (first["valid"], first["bestpath"], first["multipath"], first["path"]) == (
        True, True, True, "65100 4200000009",
    )  # fmt: skip
    assert "bestpath" not in second
    assert [path["nexthops"][0]["ip"] for path in (first, second)] == ["10.1.0.1", "10.1.0.3"]
    (own,) = routes["10.0.0.1/32"]
    assert (own["weight"], own["path"], own["nexthops"][0]["ip"]) == (32768, "", "0.0.0.0")
    six = asked(box, "vtysh -c 'show bgp ipv6 unicast json'")["routes"]
    assert six["2001:db8:0:9::9/128"][0]["nexthops"][0] == {
        "ip": "2001:db8:1::1", "afi": "ipv6", "used": True, "scope": "global", "hostname": "spine",
    }  # fmt: skip


def test_routes_name_protocol_and_next_hops(box) -> None:
    told(box)
    routes = asked(box, "vtysh -c 'show ip route json'")
    (learned,) = routes["10.0.0.9/32"]
    assert (learned["protocol"], learned["distance"], learned["internalNextHopNum"]) == ("bgp", 20, 2)
    hop = learned["nexthops"][0]
    assert (hop["ip"], hop["interfaceName"], hop["active"]) == ("10.1.0.1", "Ethernet0", True)
    (connected,) = routes["10.1.0.0/31"]
    assert connected["protocol"] == "connected"
    assert connected["nexthops"][0]["interfaceName"] == "Ethernet0"
    assert set(asked(box, "vtysh -c 'show ipv6 route json'")) == {"2001:db8:0:9::9/128"}


def test_an_unknown_frr_command_is_refused(box) -> None:
    result = box.run("vtysh -c 'show nonsense'")
    assert (result.code, result.out) == (1, "% Unknown command: show nonsense\n")


def test_the_databases_print_as_python_writes_a_dictionary(box) -> None:
    told(box)
    port = ast.literal_eval(box.run("sonic-db-cli CONFIG_DB HGETALL 'PORT|Ethernet0'").out)
    assert port == box.config()["PORT"]["Ethernet0"]
    assert ast.literal_eval(box.run("sonic-db-cli CONFIG_DB HGETALL 'INTERFACE|Ethernet0'").out) == {"NULL": "NULL"}
    assert box.run("sonic-db-cli CONFIG_DB HGETALL 'NOTHING|x'").out == "{}\n"
    assert box.run("sonic-db-cli CONFIG_DB HGET 'PORT|Ethernet0' mtu").out == "9100\n"
    assert box.run("sonic-db-cli CONFIG_DB KEYS 'INTERFACE|*|*'").out.splitlines() == [
        "INTERFACE|Ethernet0|10.1.0.0/31", "INTERFACE|Ethernet0|2001:db8:1::/127",
    ]  # fmt: skip
    assert box.run("sonic-db-cli APPL_DB HGET PORT_TABLE:Ethernet0 oper_status").out == "up\n"
    assert box.run("sonic-db-cli APPL_DB HGET ROUTE_TABLE:10.0.0.9 nexthop").out == "10.1.0.1,10.1.0.3\n"
    assert box.run("sonic-db-cli STATE_DB HGET 'NEIGH_STATE_TABLE|10.1.0.1' state").out == "Established\n"
    assert box.run("sonic-db-cli NO_DB KEYS x").code == 1


def test_a_leaf_list_is_stored_as_one_comma_separated_field(box) -> None:
    box.run("sonic-db-cli CONFIG_DB HSET 'VLAN|Vlan10' vlanid 10 dhcp_servers@ 10.0.0.1,10.0.0.2")
    assert box.config()["VLAN"]["Vlan10"] == {"vlanid": "10", "dhcp_servers": ["10.0.0.1", "10.0.0.2"]}
    assert box.run("sonic-db-cli CONFIG_DB HGET 'VLAN|Vlan10' dhcp_servers@").out == "10.0.0.1,10.0.0.2\n"


def test_unknown_show_commands_are_refused(box) -> None:
    assert box.run("show nonsense").err.endswith("Error: No such command 'nonsense'.\n")
    assert box.run("docker exec nonsense ls").err == "Error response from daemon: No such container: nonsense\n"

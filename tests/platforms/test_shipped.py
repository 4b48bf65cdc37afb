"""The shipped platforms against the vendors' files: sonic-buildimage 086b03bd and srlinux-yang-models v25.3.1."""

import time

import pytest

from fabric_auto.platforms import catalogue
from fabric_auto.platforms.model import Breakout, Limits, Platform

TH4 = "sonic-th4-64x400g"
SPECTRUM4 = "sonic-spectrum4-64x800g"
H4 = "srl-7220-ixr-h4"
SHIPPED = (SPECTRUM4, TH4, H4)


def platform(name: str) -> Platform:
    found = catalogue.load(None).get(name)
    assert found is not None
    return found


def breakout(name: str, mode: str) -> Breakout:
    return next(each for each in platform(name).breakouts if each.mode == mode)


# Name, lanes and alias, as port_config.ini and platform.json state them.
PORTS = [
    # device/arista/x86_64-arista_7060dx5_64s/Arista-7060DX5-64S/port_config.ini
    (TH4, "1x400G", 0, ("Ethernet0", (17, 18, 19, 20, 21, 22, 23, 24), "Ethernet1/1")),
    (TH4, "1x400G", 1, ("Ethernet8", (9, 10, 11, 12, 13, 14, 15, 16), "Ethernet2/1")),
    (TH4, "1x400G", 16, ("Ethernet128", (281, 282, 283, 284, 285, 286, 287, 288), "Ethernet17/1")),
    (TH4, "1x400G", 31, ("Ethernet248", (505, 506, 507, 508, 509, 510, 511, 512), "Ethernet32/1")),
    (TH4, "1x400G", 32, ("Ethernet256", (1, 2, 3, 4, 5, 6, 7, 8), "Ethernet33/1")),
    (TH4, "1x400G", 63, ("Ethernet504", (489, 490, 491, 492, 493, 494, 495, 496), "Ethernet64/1")),
    # device/arista/x86_64-arista_7060dx5_64s/platform.json: lanes shared out in order, aliases of breakout_modes
    (TH4, "2x200G", 0, ("Ethernet0", (17, 18, 19, 20), "Ethernet1/1")),
    (TH4, "2x200G", 1, ("Ethernet4", (21, 22, 23, 24), "Ethernet1/5")),
    (TH4, "2x200G", 64, ("Ethernet256", (1, 2, 3, 4), "Ethernet33/1")),
    (TH4, "2x200G", 127, ("Ethernet508", (493, 494, 495, 496), "Ethernet64/5")),
    (TH4, "4x100G", 0, ("Ethernet0", (17, 18), "Ethernet1/1")),
    (TH4, "4x100G", 3, ("Ethernet6", (23, 24), "Ethernet1/7")),
    (TH4, "4x100G", 66, ("Ethernet132", (285, 286), "Ethernet17/5")),
    (TH4, "4x100G", 255, ("Ethernet510", (495, 496), "Ethernet64/7")),
    # device/mellanox/x86_64-nvidia_sn5600-r0/ACS-SN5600/port_config.ini
    (SPECTRUM4, "1x800G", 0, ("Ethernet0", (0, 1, 2, 3, 4, 5, 6, 7), "etp1")),
    (SPECTRUM4, "1x800G", 31, ("Ethernet248", (248, 249, 250, 251, 252, 253, 254, 255), "etp32")),
    (SPECTRUM4, "1x800G", 63, ("Ethernet504", (504, 505, 506, 507, 508, 509, 510, 511), "etp64")),
    # Mellanox-SN5600-O128/port_config.ini
    (SPECTRUM4, "2x400G", 0, ("Ethernet0", (0, 1, 2, 3), "etp1a")),
    (SPECTRUM4, "2x400G", 123, ("Ethernet492", (492, 493, 494, 495), "etp62b")),
    (SPECTRUM4, "2x400G", 127, ("Ethernet508", (508, 509, 510, 511), "etp64b")),
    # Mellanox-SN5600-V256/port_config.ini
    (SPECTRUM4, "4x200G", 0, ("Ethernet0", (0, 1), "etp1a")),
    (SPECTRUM4, "4x200G", 251, ("Ethernet502", (502, 503), "etp63d")),
    (SPECTRUM4, "4x200G", 255, ("Ethernet510", (510, 511), "etp64d")),
    # srl_nokia-interfaces.yang, interface name: ethernet-<slot>/<port>[/<breakout port>]
    (H4, "1x400G", 0, ("ethernet-1/1", (), "ethernet-1/1")),
    (H4, "1x400G", 63, ("ethernet-1/64", (), "ethernet-1/64")),
    (H4, "2x200G", 1, ("ethernet-1/1/2", (), "ethernet-1/1/2")),
    (H4, "2x200G", 127, ("ethernet-1/64/2", (), "ethernet-1/64/2")),
    (H4, "4x100G", 0, ("ethernet-1/1/1", (), "ethernet-1/1/1")),
    (H4, "4x100G", 255, ("ethernet-1/64/4", (), "ethernet-1/64/4")),
]


@pytest.mark.parametrize(("name", "mode", "position", "stated"), PORTS)
def test_a_port_has_the_name_lanes_and_alias_of_the_vendor_file(
    name: str, mode: str, position: int, stated: tuple[str, tuple[int, ...], str]
) -> None:
    found = breakout(name, mode).ports[position]
    assert (found.name, found.lanes, found.alias) == stated
    assert (found.mode, found.position) == (mode, position)


@pytest.mark.parametrize(
    ("name", "modes"),
    [
        (TH4, {"1x400G": 64, "2x200G": 128, "4x100G": 256}),
        (SPECTRUM4, {"1x800G": 64, "2x400G": 128, "4x200G": 256}),
        (H4, {"1x400G": 64, "2x200G": 128, "4x100G": 256}),
    ],
)
def test_a_box_of_64_panels_has_64_128_or_256_ports(name: str, modes: dict[str, int]) -> None:
    assert {each.mode: len(each.ports) for each in platform(name).breakouts} == modes


@pytest.mark.parametrize(
    ("name", "lanes"),
    [
        (TH4, set(range(1, 513))),  # Arista-7060DX5-64S/port_config.ini: 1 at Ethernet256 to 512 at Ethernet248
        (SPECTRUM4, set(range(512))),
    ],
)
def test_every_breakout_uses_every_lane_once(name: str, lanes: set[int]) -> None:
    for each in platform(name).breakouts:
        used = [lane for port in each.ports for lane in port.lanes]
        assert len(used) == len(set(used)) == 512
        assert set(used) == lanes


@pytest.mark.parametrize("name", SHIPPED)
def test_names_and_aliases_are_unique_in_each_breakout(name: str) -> None:
    for each in platform(name).breakouts:
        assert len({port.name for port in each.ports}) == len(each.ports)
        assert len({port.alias for port in each.ports}) == len(each.ports)


def test_a_whole_port_is_channel_0_and_children_count_from_1() -> None:
    assert [port.channel for port in breakout(TH4, "1x400G").ports[:2]] == [0, 0]
    assert [(port.panel, port.channel) for port in breakout(TH4, "4x100G").ports[2:6]] == [
        (1, 3),
        (1, 4),
        (2, 1),
        (2, 2),
    ]


@pytest.mark.parametrize(
    ("name", "mode", "speeds"),
    [
        # platform.json keys: 1x400G[200G,100G,50G,40G,25G,10G] ...
        (TH4, "1x400G", (400_000, 200_000, 100_000, 50_000, 40_000, 25_000, 10_000)),
        (TH4, "2x200G", (200_000, 100_000, 50_000, 40_000, 25_000, 10_000)),
        (TH4, "4x100G", (100_000, 50_000, 40_000, 25_000, 10_000)),
        (SPECTRUM4, "1x800G", (800_000, 400_000, 200_000, 100_000, 50_000, 40_000, 25_000, 10_000)),
        (SPECTRUM4, "2x400G", (400_000, 200_000, 100_000, 50_000, 40_000, 25_000, 10_000)),
        (SPECTRUM4, "4x200G", (200_000, 100_000, 50_000, 25_000, 10_000)),
        # srl_nokia-interfaces.yang, port-speed: "7220-H4 ports 1-64: 40G, 100G, 200G, 400G"
        (H4, "1x400G", (400_000, 200_000, 100_000, 40_000)),
        (H4, "2x200G", (200_000,)),
        (H4, "4x100G", (100_000,)),
    ],
)
def test_speeds_are_the_vendor_s_native_first(name: str, mode: str, speeds: tuple[int, ...]) -> None:
    assert breakout(name, mode).speeds_mbps == speeds


@pytest.mark.parametrize(
    ("name", "speed", "mode"),
    [
        (TH4, 400_000, "1x400G"),
        (TH4, 200_000, "2x200G"),
        (TH4, 100_000, "4x100G"),
        (TH4, 800_000, None),
        (SPECTRUM4, 800_000, "1x800G"),
        (SPECTRUM4, 400_000, "2x400G"),
        (SPECTRUM4, 200_000, "4x200G"),
        (SPECTRUM4, 100_000, "4x200G"),
        (SPECTRUM4, 40_000, "2x400G"),  # 4x200G has no 40G
        (H4, 400_000, "1x400G"),
        (H4, 200_000, "2x200G"),
        (H4, 100_000, "4x100G"),
        (H4, 10_000, None),  # ports 65-66 only
        (H4, 25_000, None),
    ],
)
def test_the_breakout_for_a_speed_gives_the_most_ports(name: str, speed: int, mode: str | None) -> None:
    found = platform(name).breakout_for(speed)
    assert (found.mode if found is not None else None) == mode


def test_siblings_are_the_ports_of_the_same_panel() -> None:
    spectrum = platform(SPECTRUM4)
    third = breakout(SPECTRUM4, "4x200G").ports[250]
    names = [port.name for port in spectrum.siblings(third)]
    assert third.name == "Ethernet500"
    assert names == ["Ethernet496", "Ethernet498", "Ethernet500", "Ethernet502"]
    assert [port.alias for port in spectrum.siblings(third)] == ["etp63a", "etp63b", "etp63c", "etp63d"]
    whole = breakout(H4, "1x400G").ports[6]
    assert [port.name for port in platform(H4).siblings(whole)] == ["ethernet-1/7"]


@pytest.mark.parametrize(
    ("name", "nos", "model", "asic", "onie"),
    [
        (TH4, "sonic", "Arista-7060DX5-64S", "Tomahawk 4", "x86_64-arista_7060dx5_64s"),
        (SPECTRUM4, "sonic", "ACS-SN5600", "Spectrum-4", "x86_64-nvidia_sn5600-r0"),
        (H4, "srlinux", "7220 IXR-H4", "Tomahawk 4", ""),
    ],
)
def test_a_platform_calls_itself_what_the_device_does(name: str, nos: str, model: str, asic: str, onie: str) -> None:
    found = platform(name)
    assert (found.name, found.nos, found.model, found.asic, found.onie_platform) == (name, nos, model, asic, onie)


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        # sonic-port.yang: mtu 68..9216; FRR is built with --enable-multipath=514
        (TH4, Limits(ip_mtu=9216, port_mtu=9216, ecmp_paths=514)),
        (SPECTRUM4, Limits(ip_mtu=9216, port_mtu=9216, ecmp_paths=514)),
        # srl_nokia-interfaces.yang: port MTU 9412, IP MTU 9398; feature bgp-multipath-maximum-paths-limit-128
        (H4, Limits(ip_mtu=9398, port_mtu=9412, ecmp_paths=128)),
    ],
)
def test_limits_are_the_vendor_s(name: str, limits: Limits) -> None:
    assert platform(name).limits == limits


def test_releases_are_the_ones_that_are_rendered_for() -> None:
    assert platform(TH4).releases == platform(SPECTRUM4).releases == ("202505", "202511", "202605")
    assert platform(H4).releases == ("25.3",)
    assert platform(H4).knows("25.3.1")
    assert not platform(H4).knows("25.10.1")


@pytest.mark.parametrize("name", SHIPPED)
def test_every_group_of_facts_has_a_source(name: str) -> None:
    found = platform(name)
    groups = {"identity", "asic", "releases", "names", "breakouts", "ip_mtu", "port_mtu", "ecmp_paths"}
    groups |= {"lanes", "aliases"} if found.nos == "sonic" else set()
    assert set(found.sources) == groups
    assert all(found.sources.values())


def test_the_time_to_read_one_platform_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    for name in SHIPPED:
        fresh = catalogue.load(None)
        start = time.perf_counter()
        fresh.get(name)
        with capsys.disabled():
            print(f"\n{name}: read in {(time.perf_counter() - start) * 1000:.1f} ms", end="")  # noqa: T201

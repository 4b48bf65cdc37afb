"""Two real emulated SR Linux switches in the lab's process, configured over NETCONF (names: srl_nokia models, 25.3)."""

import base64
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import asyncssh
import pytest
from ncclient import manager

from fabric_auto.errors import FabricAutoError
from fabric_auto.lab.emulated.control import LabClient
from fabric_auto.lab.emulated.lab_file import LabFile
from fabric_auto.lab.emulated.topology import Cable, CableEnd, LabDevice, LabTopology, PanelPort

pytestmark = pytest.mark.lab

PASSWORD = "correct-horse-battery"
PORTS = tuple(PanelPort(f"ethernet-1/{n}", (), f"ethernet-1/{n}", n, 400_000) for n in (1, 2))
SRL = "urn:nokia.com:srlinux"

CONFIG = """
<config xmlns="urn:ietf:params:xml:ns:netconf:base:1.0">
 <interface xmlns="{srl}:chassis:interfaces"><name>ethernet-1/1</name><admin-state>enable</admin-state>
  <subinterface><index>0</index><admin-state>enable</admin-state>
   <ipv4><admin-state>enable</admin-state><address><ip-prefix>{address}/31</ip-prefix></address></ipv4></subinterface>
 </interface>
 <interface xmlns="{srl}:chassis:interfaces"><name>system0</name><admin-state>enable</admin-state>
  <subinterface><index>0</index><admin-state>enable</admin-state>
   <ipv4><admin-state>enable</admin-state><address><ip-prefix>{loopback}/32</ip-prefix></address></ipv4></subinterface>
 </interface>
 <routing-policy xmlns="{srl}:plcy:routing-policy">
  <policy><name>all</name><default-action><policy-result>accept</policy-result></default-action></policy>
 </routing-policy>
 <network-instance xmlns="{srl}:net-inst:network-instance"><name>default</name>
  <interface><name>ethernet-1/1.0</name></interface><interface><name>system0.0</name></interface>
  <protocols><bgp xmlns="{srl}:bgp:bgp"><autonomous-system>{asn}</autonomous-system><router-id>{loopback}</router-id>
   <afi-safi><afi-safi-name xmlns:c="{srl}:general:common">c:ipv4-unicast</afi-safi-name>
    <admin-state>enable</admin-state></afi-safi>
   <group><group-name>fabric</group-name><export-policy>all</export-policy><import-policy>all</import-policy></group>
   <neighbor><peer-address>{peer}</peer-address><peer-as>{peer_asn}</peer-as><peer-group>fabric</peer-group></neighbor>
  </bgp></protocols>
 </network-instance>
</config>
"""


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Path]:
    devices = tuple(
        LabDevice(name, "srlinux", "25.3.1", "7220 IXR-H4", "", "127.0.0.1", 0, f"02:00:00:00:00:0{n}", PORTS)
        for n, name in enumerate(("leaf", "spine"), start=1)
    )
    cable = Cable(CableEnd("leaf", "ethernet-1/1"), CableEnd("spine", "ethernet-1/1"), 10)
    LabTopology(devices, (cable,)).write(tmp_path / "topology.json")
    (tmp_path / "password").write_text(PASSWORD, encoding="utf-8")
    command = [sys.executable, "-m", "fabric_auto.lab.emulated.process", str(tmp_path)]
    with subprocess.Popen(command) as process:
        while process.poll() is None and not (tmp_path / "lab.json").exists():
            threading.Event().wait(0.02)
        assert process.poll() is None
        yield tmp_path
        LabClient.connect(tmp_path).stop()
        assert process.wait(30) == 0


def configure(lab: Path, device: str, **values: object) -> None:
    end = LabFile.read(lab).devices[device]
    known = asyncssh.read_known_hosts(str(lab / "known_hosts")).match("", end.address, end.port)[0][0]
    with manager.connect(
        host=end.address,
        port=end.port,
        username="admin",
        password=PASSWORD,
        hostkey_b64=base64.b64encode(known.public_data).decode(),
        allow_agent=False,
        look_for_keys=False,
        timeout=30,
    ) as session:
        session.edit_config(target="candidate", config=CONFIG.format(srl=SRL, **values))
        session.commit()


def until(lab: Path, device: str, session: str, state: str) -> None:
    client, deadline = LabClient.connect(lab), time.monotonic() + 20
    while client.status().devices[device].sessions.get(session) != state:
        assert time.monotonic() < deadline, client.status().devices[device]
        threading.Event().wait(0.02)


def test_two_switches_peer_and_a_cut_cable_parts_them(lab: Path) -> None:
    configure(lab, "leaf", address="10.9.0.0", loopback="10.0.0.1", asn=65001, peer="10.9.0.1", peer_asn=65002)
    until(lab, "leaf", "10.9.0.1", "Idle")  # the spine's port is not enabled yet
    configure(lab, "spine", address="10.9.0.1", loopback="10.0.0.2", asn=65002, peer="10.9.0.0", peer_asn=65001)
    until(lab, "leaf", "10.9.0.1", "Established")
    client = LabClient.connect(lab)
    # Its link, its loopback, and the spine's loopback.
    assert client.status().devices["leaf"].routes == 3
    assert "<router-id>10.0.0.1</router-id>" in client.running("leaf")
    client.cut(CableEnd("spine", "ethernet-1/1"))
    until(lab, "leaf", "10.9.0.1", "Idle")
    assert client.status().devices["leaf"].routes == 1
    client.mend()
    until(lab, "leaf", "10.9.0.1", "Established")
    with pytest.raises(FabricAutoError, match="no device named `core`"):
        client.running("core")

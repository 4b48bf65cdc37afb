"""The configuration the switch boots with: what a fresh SR Linux container has, as far as the emulator models it.

Management interface with DHCP, network-instance ``mgmt``, SSH and NETCONF servers, LLDP, the host name ``srlinux``.
"""

from typing import Final

from lxml import etree
from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.srlinux.elements import copy_children, descend, enabled, entry, leaf

_BOOT: Final = """
<config>
  <interface xmlns="urn:nokia.com:srlinux:chassis:interfaces">
    <name>mgmt0</name>
    <admin-state>enable</admin-state>
    <subinterface>
      <index>0</index>
      <admin-state>enable</admin-state>
      <ipv4>
        <admin-state>enable</admin-state>
        <dhcp-client xmlns="urn:nokia.com:srlinux:chassis:interfaces-ip-dhcp"/>
      </ipv4>
      <ipv6>
        <admin-state>enable</admin-state>
        <dhcp-client xmlns="urn:nokia.com:srlinux:chassis:interfaces-ip-dhcp"/>
      </ipv6>
    </subinterface>
  </interface>
  <network-instance xmlns="urn:nokia.com:srlinux:net-inst:network-instance">
    <name>mgmt</name>
    <type>ip-vrf</type>
    <admin-state>enable</admin-state>
    <description>Management network instance</description>
    <interface>
      <name>mgmt0.0</name>
    </interface>
  </network-instance>
  <system xmlns="urn:nokia.com:srlinux:general:system">
    <aaa xmlns="urn:nokia.com:srlinux:aaa:aaa">
      <authentication>
        <authentication-method>local</authentication-method>
      </authentication>
      <server-group>
        <name>local</name>
        <type xmlns:srl_nokia-aaa-types="urn:nokia.com:srlinux:aaa:aaa-types">srl_nokia-aaa-types:local</type>
      </server-group>
    </aaa>
    <ssh-server xmlns="urn:nokia.com:srlinux:linux:ssh">
      <name>mgmt</name>
      <admin-state>enable</admin-state>
      <network-instance>mgmt</network-instance>
    </ssh-server>
    <ssh-server xmlns="urn:nokia.com:srlinux:linux:ssh">
      <name>mgmt-netconf</name>
      <admin-state>enable</admin-state>
      <network-instance>mgmt</network-instance>
      <port>830</port>
      <disable-shell>true</disable-shell>
    </ssh-server>
    <netconf-server xmlns="urn:nokia.com:srlinux:netconf:netconf-server">
      <name>mgmt</name>
      <admin-state>enable</admin-state>
      <ssh-server>mgmt-netconf</ssh-server>
    </netconf-server>
    <lldp xmlns="urn:nokia.com:srlinux:lldp:lldp">
      <admin-state>enable</admin-state>
    </lldp>
    <name xmlns="urn:nokia.com:srlinux:chassis:system-name">
      <host-name>srlinux</host-name>
    </name>
  </system>
</config>
"""


def boot_configuration() -> Element:
    """Return a fresh copy of the boot configuration."""
    return copy_children(etree.fromstring(_BOOT))


def reachable(config: Element) -> bool:
    """Return True while NETCONF over the management interface is possible.

    An enabled netconf-server on an enabled ssh-server, in an enabled network-instance, over mgmt0 administratively up.
    """
    system = descend(config, "system")
    mgmt0 = entry(config, "interface", "name", "mgmt0")
    if not (enabled(mgmt0) and enabled(entry(mgmt0, "subinterface", "index", "0"))):
        return False
    for server in () if system is None else system.iterchildren("{*}netconf-server"):
        ssh = entry(system, "ssh-server", "name", leaf(server, "ssh-server"))
        where = entry(config, "network-instance", "name", leaf(ssh, "network-instance"))
        listens = enabled(server, "disable") and enabled(ssh, "disable") and enabled(where)
        if listens and entry(where, "interface", "name", "mgmt0.0") is not None:
            return True
    return False

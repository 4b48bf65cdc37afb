"""The namespace of every element: children take their parent's, except where another module augments.

Source: the ``namespace`` and ``augment`` statements of the vendor's models, release 25.3.1 (SRv6 and DNS instances:
later releases). Namespaces start with ``urn:nokia.com:srlinux:``, left out below.
"""

from typing import Final

from fabric_auto.lab.emulated.srlinux.keys import SchemaPath

NETCONF: Final = "urn:ietf:params:xml:ns:netconf:base:1.0"
"""RFC 6241 section 3.1."""

WITH_DEFAULTS: Final = "urn:ietf:params:xml:ns:yang:ietf-netconf-with-defaults"
"""RFC 6243 section 4.5."""

SRL: Final = "urn:nokia.com:srlinux:"

COMMON: Final = SRL + "general:common"
"""srl_nokia-common, where the identities of address families and route owners live."""

_TOP: Final = """
acl acl:acl
bfd bfd:bfd
interface chassis:interfaces
network-instance net-inst:network-instance
platform chassis:platform
qos qos:qos
routing-policy plcy:routing-policy
system general:system
tunnel vxlan:tunnel
tunnel-interface vxlan:tunnel-interfaces
"""

_AUGMENTS: Final = """
bfd/micro-bfd-sessions bfd:micro-bfd
interface/ethernet/dot1x dot1x
interface/ethernet/dot1x/authenticator dot1x-authenticator
interface/ethernet/dot1x/tunnel dot1x-tunneling
interface/ethernet/l2cp-transparency chassis:interfaces-l2cp
interface/lag lag:interfaces-lag
interface/lag/lacp lag:lacp
interface/linux chassis:interfaces-vxdp
interface/p4rt chassis:interfaces-p4rt
interface/subinterface/bridge-table/stp stp:interfaces-bridge-table-stp
interface/subinterface/eth-cfm ethcfm:ethcfm
interface/subinterface/fhs fhs:ip-mac-binding
interface/subinterface/ipv4/address/vrrp vrrp:interfaces-ip-vrrp
interface/subinterface/ipv4/arp arp-nd:interfaces-nbr
interface/subinterface/ipv4/arp/evpn evpn:interfaces-nbr-evpn
interface/subinterface/ipv4/arp/virtual-ipv4-discovery arp-nd:interfaces-nbr-virtual-ip-discovery
interface/subinterface/ipv4/dhcp-client chassis:interfaces-ip-dhcp
interface/subinterface/ipv4/dhcp-relay dhcp-relay:interfaces-ip-dhcp-relay
interface/subinterface/ipv4/dhcp-server dhcp:interfaces-ip-dhcp-server
interface/subinterface/ipv6/address/vrrp vrrp:interfaces-ip-vrrp
interface/subinterface/ipv6/dhcp-client chassis:interfaces-ip-dhcp
interface/subinterface/ipv6/dhcp-relay dhcp-relay:interfaces-ip-dhcp-relay
interface/subinterface/ipv6/dhcpv6-server dhcp:interfaces-ip-dhcp-server
interface/subinterface/ipv6/neighbor-discovery arp-nd:interfaces-nbr
interface/subinterface/ipv6/neighbor-discovery/evpn evpn:interfaces-nbr-evpn
interface/subinterface/ipv6/neighbor-discovery/virtual-ipv6-discovery arp-nd:interfaces-nbr-virtual-ip-discovery
interface/subinterface/ipv6/router-advertisement arp-nd:interfaces-router-adv
interface/subinterface/local-mirror-destination mirror:interfaces-local-mirror-destination
interface/subinterface/ra-guard fhs:ra_guard
interface/subinterface/uuid chassis:interfaces-vxdp
interface/subinterface/vlan chassis:interfaces-vlans
interface/tpid chassis:interfaces-vlans
interface/transceiver/optical-channel chassis:interfaces-dco
interface/transceiver/optical-line-system chassis:interfaces-dco
interface/uuid chassis:interfaces-vxdp
interface/vhost chassis:interfaces-vxdp
interface/vlan-tagging chassis:interfaces-vlans
network-instance/aggregate-routes static-route:aggregate-routes
network-instance/bfd bfd:seamless-bfd
network-instance/bridge-table/proxy-arp l2-proxy-arp-nd:bridge-table-proxy-arp-nd
network-instance/bridge-table/proxy-nd l2-proxy-arp-nd:bridge-table-proxy-arp-nd
network-instance/bridge-table/static-mac l2-static-mac:bridge-table-static-mac
network-instance/flexible-algorithm flexible-algorithms
network-instance/inter-instance-policies net-inst:network-instance-leaking
network-instance/ip-tunnel-decapsulation net-inst:ni-gre
network-instance/mpls mpls:mpls
network-instance/mtu linux:network-instance-mtu
network-instance/multicast-l3-vpn pim:mvpn-l3
network-instance/next-hop-groups static-route:next-hop-groups
network-instance/policy-forwarding acl:policy-forwarding
network-instance/protocols/bgp bgp:bgp
network-instance/protocols/bgp-evpn/bgp-instance net-inst:bgp-evpn
network-instance/protocols/bgp-ipvpn/bgp-instance net-inst:bgp-ipvpn
network-instance/protocols/bgp-vpn bgp:bgp-vpn
network-instance/protocols/directly-connected/te-database-install te:traffic-engineering
network-instance/protocols/gribi grpc:gribi
network-instance/protocols/igmp igmp:igmp
network-instance/protocols/igmp-snooping igmp:igmp-snooping
network-instance/protocols/isis isis:isis
network-instance/protocols/ldp ldp:ldp
network-instance/protocols/linux linux:linux
network-instance/protocols/mld igmp:mld
network-instance/protocols/mld-snooping igmp:mld-snooping
network-instance/protocols/msdp msdp:msdp
network-instance/protocols/ospf ospf:ospf
network-instance/protocols/pcep pcc:pcep
network-instance/protocols/pim pim:pim
network-instance/protocols/ptp time:sync-ptp
network-instance/protocols/stp stp:stp-common
network-instance/segment-routing segrt:segment-routing
network-instance/static-routes static-route:static-routes
network-instance/table-connections plcy:table-connections
network-instance/traffic-engineering te:traffic-engineering
network-instance/traffic-engineering-policies tepolicy:te-policies
platform/chassis chassis:platform-chassis
platform/chassis/mac-address chassis:platform-vxdp
platform/chassis/mac-address-allocation chassis:platform-vxdp
platform/chassis/uuid chassis:platform-vxdp
platform/control chassis:platform-control
platform/fabric chassis:platform-fabric
platform/linecard chassis:platform-lc
platform/linecard/forwarding-complex/buffer-memory chassis:platform-qos
platform/linecard/forwarding-complex/p4rt chassis:platform-p4rt
platform/redundancy chassis:platform-redundancy
platform/resource-management chassis:platform-resource-mgmt
platform/resource-monitoring chassis:platform-resource-monitoring
platform/resource-monitoring/acl chassis:platform-acl
platform/resource-monitoring/datapath chassis:platform-datapath-resources
platform/resource-monitoring/mtu chassis:platform-mtu
platform/resource-monitoring/qos chassis:platform-qos
platform/resource-monitoring/tcam chassis:platform-tcam
platform/vxdp chassis:platform-vxdp
qos/classifiers/multifield-classifier acl:acl-qos
qos/interfaces/interface/input/classifiers/classifier acl:acl-qos
qos/interfaces/interface/input/policer-templates acl:acl-policers
qos/policer-templates acl:acl-policers
system/aaa aaa:aaa
system/authentication linux:keychains
system/banner linux:system-banner
system/boot chassis:boot
system/bridge-table l2-mac:system-bridge-table
system/bridge-table/evpn evpn:system-bridge-table-evpn
system/bridge-table/evpn/mpls-multicast-tep evpn-mpls-multicast-tep:system-bridge-table-evpn-mpls-multicast-tep
system/clock linux:ntp
system/configuration general:configuration
system/configuration/role general:configuration-role
system/control-plane-traffic/input/acl acl:acl
system/control-plane-traffic/output/qos qos:qos
system/datapath linux:datapath
system/dhcp-server dhcp:dhcp-server
system/dns linux:dns
system/dns-instance linux:dns
system/event-handler event:event-handler
system/fhs-policy fhs:ip-mac-binding
system/ftp-server linux:ftp
system/grpc-server grpc:grpc
system/information linux:system-info
system/ipfix general:ipfix
system/json-rpc-server json-rpc:json-rpc
system/lacp lag:lacp
system/lawful-intercept lawful-intercept:targets
system/license license:license
system/lldp lldp:lldp
system/load-balancing linux:load-balancing
system/logging log:logging
system/maintenance general:maintenance-mode
system/management/openconfig oc-mgmt:openconfig
system/mirroring mirror:mirroring
system/mpls label:mpls-label-management
system/mpls/services/evpn evpn:mpls-services-evpn-label-management
system/mpls/services/network-instance net-inst:mpls-services-network-instance-label-management
system/mtu chassis:mtu
system/multicast general:system-multicast
system/name chassis:system-name
system/ndk-server ndk:ndk
system/netconf-server netconf:netconf-server
system/network-instance net-inst:system-network-instance
system/network-instance/protocols/bgp-vpn bgp:system-network-instance-bgp-vpn
system/network-instance/protocols/evpn/ethernet-segments evpn:system-network-instance-bgp-evpn-ethernet-segments
system/network-instance/protocols/evpn/multicast igmp:system-network-instance-bgp-evpn-multicast
system/network-instance/protocols/mgmt-stp stp:system-protocols-mgmt-stp
system/ntp linux:ntp
system/packet-link-qualification chassis:packet-link-qual
system/protection-policies tepolicy:protection-policies
system/protocols general:system-protocols
system/protocols/bgp bgp:bgp
system/ra-guard-policy fhs:ra_guard
system/sflow linux:sflow
system/snmp linux:snmp
system/srv6 srv6:srv6
system/ssh-server linux:ssh
system/sync time:sync
system/tls linux:tls
system/utilization linux:system-utilization
tunnel/pseudowire-tunnel pw:pw-tunnel
tunnel/vxlan-tunnel vxlan:vxlan-tunnel-vtep
"""


def _table(text: str) -> dict[SchemaPath, str]:
    rows = (line.split() for line in text.strip().splitlines())
    return {tuple(path.split("/")): SRL + namespace for path, namespace in rows}


TOP: Final = _table(_TOP)
AUGMENTS: Final = _table(_AUGMENTS)


def namespace_of(path: SchemaPath, parent: str) -> str:
    """Return the namespace that the element at ``path`` has, given its parent's; "" for an unknown top-level name."""
    if len(path) == 1:
        return TOP.get(path, "")
    return AUGMENTS.get(path, parent)

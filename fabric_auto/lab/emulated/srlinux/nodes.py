"""What may stand in the configuration containers a fabric uses most, and which values the leaves take.

Source: the vendor's models, release 25.3.1, with groupings, augments and typedefs resolved. A container that is not
here is open: its children are checked only when the device has the models themselves. A word is a child's name, with
``:type`` when its values are checked and ``#default`` when it has one. Types: ``admin`` (enable or disable), ``bool``,
``empty``, ``low..high`` (parts joined by ``|``), ``id=base`` (an identity), else enumeration values joined by ``|``.
"""

from dataclasses import dataclass
from typing import Final

from fabric_auto.lab.emulated.srlinux.keys import SchemaPath
from fabric_auto.lab.emulated.srlinux.namespaces import SRL

_NODES: Final = """
interface name description admin-state:admin#enable num-physical-channels:1..8 breakout-mode mtu:1450..9500
  loopback-mode:none|facility|terminal swap-src-dst-mac:bool#false transceiver ethernet load-balancing subinterface
  sflow p4rt vlan-tagging:bool tpid lag uuid vhost linux
interface/breakout-mode num-breakout-ports:1|2|3|4|8 breakout-port-speed:1G|10G|25G|50G|100G|200G|400G
interface/ethernet aggregate-id forwarding-viable:bool auto-negotiate:bool duplex-mode:full|half
  dac-link-training:bool flow-control lacp-port-priority:0..65535
  port-speed:10M|100M|1G|10G|25G|40G|50G|100G|200G|400G|800G|1T mac-address forward-error-correction ptp-asymmetry#0
  ptp-timestamping standby-signaling:power-off|lacp link-loss-forwarding:bool reload-delay:1..86400 hold-time
  crc-monitor symbol-monitor exponential-port-dampening storm-control synce dot1x l2cp-transparency
interface/ethernet/flow-control receive:bool transmit:bool
interface/ethernet/forward-error-correction fec-option:disabled|base-r|rs-528
interface/ethernet/hold-time up:0|100..86400000#0 down:0|100..86400000#0
interface/subinterface index:0..9999 type:id=si-type description admin-state:admin#enable ip-mtu:1280..9486
  l2-mtu:1450..9500 mpls-mtu:1284..9496 unidirectional-link-delay collect-irb-stats:bool collect-detailed-stats:bool
  ipv4 ipv6 anycast-gw bridge-table vlan ra-guard eth-cfm uuid local-mirror-destination fhs
interface/subinterface/ipv4 admin-state:admin#disable address allow-directed-broadcast:bool#false unnumbered
  dhcp-client dhcp-server dhcp-relay arp
interface/subinterface/ipv4/address ip-prefix anycast-gw:bool primary:empty vrrp
interface/subinterface/ipv6 admin-state:admin#disable address router-advertisement dhcp-client dhcpv6-server
  dhcp-relay neighbor-discovery
interface/subinterface/ipv6/address ip-prefix type:global-unicast|link-local-unicast#global-unicast anycast-gw:bool
  primary:empty vrrp
interface/subinterface/ipv6/router-advertisement router-role debug:messages|
interface/subinterface/ipv6/router-advertisement/router-role admin-state:admin#disable current-hop-limit:0..255#64
  ip-mtu:1280..9486 managed-configuration-flag:bool#false other-configuration-flag:bool#false
  max-advertisement-interval:4..1800#600 min-advertisement-interval:3..1350#200 reachable-time:0..3600000#0
  retransmit-time:0..1800000#0 router-lifetime:0..9000#1800 prefix
interface/subinterface/ipv6/neighbor-discovery duplicate-address-detection:bool#true reachable-time:30..3600#30
  stale-time:60..65535#14400 learn-unsolicited:none|global|link-local|both#none neighbor host-route limit
  proxy-nd:bool#false debug:messages| evpn virtual-ipv6-discovery
interface/subinterface/vlan vlan-discovery encap loopback-mode:none|facility|terminal swap-src-dst-mac:bool#false
  ingress-mapping egress-mapping
interface/subinterface/vlan/encap single-tagged untagged single-tagged-range double-tagged
interface/subinterface/vlan/encap/single-tagged vlan-id
network-instance name type:id=ni-type#default admin-state:admin#enable description router-id mpls-forwarding
  ip-forwarding ip-load-balancing interface vxlan-interface protocols bridge-table connection-point static-routes
  next-hop-groups bfd segment-routing mpls mtu multicast-l3-vpn aggregate-routes inter-instance-policies
  flexible-algorithm traffic-engineering ip-tunnel-decapsulation traffic-engineering-policies policy-forwarding
  table-connections
network-instance/interface name interface-ref bridge-table connection-point
network-instance/ip-forwarding receive-ipv4-check:bool receive-ipv6-check:bool
network-instance/ip-load-balancing resilient-hash-prefix dynamic-load-balancing
network-instance/protocols bgp-evpn bgp-ipvpn directly-connected pcep mld igmp msdp stp gribi igmp-snooping isis
  bgp-vpn ptp pim ospf mld-snooping linux ldp bgp
network-instance/protocols/bgp admin-state:admin#enable autonomous-system:1..4294967295 export-policy import-policy
  local-preference:0..4294967295#100 router-id as-path-options authentication best-path-selection bgp-label
  convergence dynamic-neighbors ebgp-default-policy failure-detection graceful-restart
  max-ecmp-hash-buckets-per-next-hop-group:1..256 afi-safi preference rib-management route-advertisement
  route-flap-damping route-reflector segment-routing-mpls send-community transport trace-options group neighbor
network-instance/protocols/bgp/as-path-options allow-own-as:0..255#0 remove-private-as
network-instance/protocols/bgp/ebgp-default-policy import-reject-all:bool#true export-reject-all:bool#true
network-instance/protocols/bgp/failure-detection enable-bfd:bool#false fast-failover:bool#true
network-instance/protocols/bgp/route-advertisement rapid-withdrawal:bool#false wait-for-fib-install:bool#true
network-instance/protocols/bgp/afi-safi afi-safi-name:id=bgp-address-family admin-state:admin#disable export-policy
  import-policy add-paths multipath best-path-selection send-community-type:none|standard|extended|large ipv4-unicast
  ipv4-labeled-unicast l3vpn-ipv4-unicast ipv6-unicast ipv6-labeled-unicast l3vpn-ipv6-unicast evpn srte-policy-ipv4
  srte-policy-ipv6
network-instance/protocols/bgp/afi-safi/multipath allow-multiple-as:bool#true maximum-paths:1..256#1 ebgp ibgp
network-instance/protocols/bgp/afi-safi/multipath/ebgp maximum-paths:1..256#1 weighted-ecmp
network-instance/protocols/bgp/afi-safi/ipv4-unicast advertise-ipv6-next-hops:bool#false
  receive-ipv6-next-hops:bool#false backup-paths convergence next-hop-resolution
network-instance/protocols/bgp/group group-name admin-state:admin#enable description export-policy import-policy
  local-preference:0..4294967295 next-hop-self:bool#false peer-as:1..4294967295 as-path-options authentication
  failure-detection multihop optional-attributes graceful-restart afi-safi local-as route-flap-damping:bool#false
  route-reflector send-community send-default-route timers trace-options transport
network-instance/protocols/bgp/group/afi-safi afi-safi-name:id=bgp-address-family admin-state:admin export-policy
  default-export-policy:accept|reject import-policy default-import-policy:accept|reject add-paths multipath
  send-community-type:none|standard|extended|large ipv4-unicast ipv4-labeled-unicast l3vpn-ipv4-unicast ipv6-unicast
  ipv6-labeled-unicast l3vpn-ipv6-unicast evpn route-target srte-policy-ipv4 srte-policy-ipv6 link-state
network-instance/protocols/bgp/group/as-path-options allow-own-as:0..255 remove-private-as replace-peer-as:bool
network-instance/protocols/bgp/group/failure-detection enable-bfd:bool fast-failover:bool
network-instance/protocols/bgp/group/timers connect-retry:1..65535#120 hold-time:0|3..65535#90
  keepalive-interval:0..21845 minimum-advertisement-interval:1..255#5 prefix-limit-restart-timer:0..65535#0
network-instance/protocols/bgp/group/transport mtu-discovery:bool tcp-mss:536..9446 passive-mode:bool#false
  local-address
network-instance/protocols/bgp/neighbor peer-address admin-state:admin#enable description export-policy import-policy
  local-preference:0..4294967295 next-hop-self:bool peer-as:1..4294967295 peer-group as-path-options authentication
  failure-detection graceful-restart multihop optional-attributes afi-safi local-as route-flap-damping:bool
  route-reflector send-community send-default-route timers trace-options transport
network-instance/protocols/bgp/neighbor/afi-safi afi-safi-name:id=bgp-address-family admin-state:admin export-policy
  default-export-policy:accept|reject import-policy default-import-policy:accept|reject add-paths
  send-community-type:none|standard|extended|large ipv4-unicast ipv4-labeled-unicast l3vpn-ipv4-unicast ipv6-unicast
  ipv6-labeled-unicast l3vpn-ipv6-unicast evpn route-target srte-policy-ipv4 srte-policy-ipv6 link-state
network-instance/protocols/bgp/neighbor/as-path-options allow-own-as:0..255 remove-private-as replace-peer-as:bool
network-instance/protocols/bgp/neighbor/failure-detection enable-bfd:bool fast-failover:bool
network-instance/protocols/bgp/neighbor/timers connect-retry:1..65535 hold-time:0|3..65535 keepalive-interval:0..21845
  minimum-advertisement-interval:1..255 prefix-limit-restart-timer:0..65535
network-instance/protocols/bgp/neighbor/transport mtu-discovery:bool tcp-mss:536..9446 passive-mode:bool local-address
network-instance/protocols/bgp/dynamic-neighbors accept interface
network-instance/protocols/bgp/dynamic-neighbors/accept match max-sessions:0..65535#0
network-instance/protocols/bgp/dynamic-neighbors/accept/match prefix allowed-peer-as peer-group
network-instance/protocols/bgp/dynamic-neighbors/interface interface-name allowed-peer-as peer-group
  max-sessions:0..65535#1
routing-policy/prefix-set name prefix
routing-policy/prefix-set/prefix ip-prefix mask-length-range
routing-policy/policy name default-action statement
routing-policy/policy/default-action policy-result:accept|reject|next-policy bgp isis ospf route-preference
  internal-tags
routing-policy/policy/statement name match action
routing-policy/policy/statement/match prefix family:id=bgp-address-family
  protocol:id=routing-policy-protocol-match-type call-policy origin-network-instance internal-tags bgp isis ospf
  multicast
routing-policy/policy/statement/match/prefix prefix-set match-set-options:any|
routing-policy/policy/statement/action policy-result:accept|reject|next-statement|next-policy bgp isis ospf
  route-preference internal-tags
bfd subinterface micro-bfd-sessions
bfd/subinterface id admin-state:admin#disable desired-minimum-transmit-interval:10000..100000000#1000000
  required-minimum-receive:10000..100000000#1000000 detection-multiplier:3..20#3
  minimum-echo-receive-interval:0|250000..100000000#0 max-hop-count:2..255#255
system/name domain-name host-name
system/mtu default-port-mtu:1500..9500#9232 default-l2-mtu:1500..9500#9232 default-ip-mtu:1280..9486#1500
  default-mpls-mtu:1284..9496#1508 min-path-mtu:552..9232#552
system/lldp trace-options:received|transmitted|common admin-state:admin#enable hello-timer:0..18446744073709551615#30
  hold-multiplier:0..255#4 bgp-auto-discovery management-address interface
system/lldp/interface name admin-state:admin#enable bgp-auto-discovery
system/ssh-server name admin-state:admin#disable network-instance source-address port:0..65535#22
  disable-shell:bool#false timeout:0..65535#0 rate-limit:0..65535#20 use-credentialz:bool trust-anchors revoked-keys
  allowed-authentication-types:password|publickey|keyboard-interactive authorized-principal-check-tool:hiba-chk|
  host-key
system/netconf-server name admin-state:admin#disable trace-options ssh-server unix-socket session-limit:1..64#64
system/information contact location protobuf-metadata
system/configuration max-checkpoints:1..255#10 max-candidates:1..255#10 idle-timeout:0..65535#10080
  auto-checkpoint:bool#false auto-save:bool#false max-paths-per-subscription-request:1..500#36 pathz role
"""

_IDENTITIES: Final = """
si-type chassis:interfaces bridged local-mirror-dest routed
ni-type net-inst:network-instance default host ip-vrf mac-vrf vpws
bgp-address-family general:common evpn ipv4-labeled-unicast ipv4-unicast ipv6-labeled-unicast ipv6-unicast
  l3vpn-ipv4-unicast l3vpn-ipv6-unicast link-state route-target srte-policy-ipv4 srte-policy-ipv6
routing-policy-protocol-match-type general:common aggregate arp-nd bgp bgp-evpn bgp-evpn-ifl-host bgp-ipvpn bgp-label
  dhcp host isis local ospfv2 ospfv3 sr-submgmt static
"""


@dataclass(frozen=True, slots=True)
class Child:
    """A child of a known container.

    Attributes:
        type: as the module docstring says, "" when values are not checked.
        default: the YANG default, "" when there is none.
    """

    name: str
    type: str
    default: str


def _entries(text: str) -> list[list[str]]:
    lines = text.strip().replace("\n  ", " ").splitlines()
    return [line.split() for line in lines]


def _child(word: str) -> Child:
    rest, _, default = word.partition("#")
    name, _, kind = rest.partition(":")
    return Child(name, kind, default)


CHILDREN: Final[dict[SchemaPath, dict[str, Child]]] = {
    tuple(path.split("/")): {child.name: child for child in map(_child, words)} for path, *words in _entries(_NODES)
}
"""The configuration children of each known container, by name."""

IDENTITIES: Final[dict[str, tuple[str, frozenset[str]]]] = {
    base: (SRL + namespace, frozenset(names)) for base, namespace, *names in _entries(_IDENTITIES)
}
"""Namespace and names of the identities derived from each base."""

"""Lists and their keys, leaf-lists and presence containers of the SR Linux configuration a fabric touches.

Source: the ``key``, ``leaf-list`` and ``presence`` statements of the vendor's models, release 25.3.1, with groupings
and augments resolved; a line is a schema path (names only) and the list's keys in order. The last lines of ``_LISTS``
are of later releases (25.7 PFC and load balancing, 26.3 TLS and DNS, 26.7 SRv6).
"""

from typing import Final, TypeAlias

SchemaPath: TypeAlias = tuple[str, ...]
"""Element names from the top level down, without prefixes and keys."""

_LISTS: Final = """
acl/acl-filter name type
acl/acl-filter/entry sequence-id
acl/interface interface-id
acl/interface/input/acl-filter name type
acl/interface/output/acl-filter name type
acl/match-list/ipv4-prefix-list name
acl/match-list/ipv4-prefix-list/prefix ipv4-prefix
acl/match-list/ipv6-prefix-list name
acl/match-list/ipv6-prefix-list/prefix ipv6-prefix
bfd/micro-bfd-sessions/lag-interface name
bfd/subinterface id
interface name
interface/subinterface index
interface/subinterface/fhs/static/entry id
interface/subinterface/ipv4/address ip-prefix
interface/subinterface/ipv4/arp/evpn/advertise route-type
interface/subinterface/ipv4/arp/host-route/populate route-type
interface/subinterface/ipv4/arp/neighbor ipv4-address
interface/subinterface/ipv6/address ip-prefix
interface/subinterface/ipv6/neighbor-discovery/evpn/advertise route-type
interface/subinterface/ipv6/neighbor-discovery/host-route/populate route-type
interface/subinterface/ipv6/neighbor-discovery/neighbor ipv6-address
interface/subinterface/ipv6/router-advertisement/router-role/prefix ipv6-prefix
interface/subinterface/vlan/encap/single-tagged-range/low-vlan-id range-low-vlan-id
network-instance name
network-instance/aggregate-routes/route prefix
network-instance/bridge-table/split-horizon-group name
network-instance/bridge-table/static-mac/mac address
network-instance/interface name
network-instance/ip-load-balancing/resilient-hash-prefix ip-prefix
network-instance/next-hop-groups/group name
network-instance/next-hop-groups/group/nexthop index
network-instance/protocols/bgp-evpn/bgp-instance id
network-instance/protocols/bgp-vpn/bgp-instance id
network-instance/protocols/bgp/afi-safi afi-safi-name
network-instance/protocols/bgp/dynamic-neighbors/accept/match prefix
network-instance/protocols/bgp/dynamic-neighbors/interface interface-name
network-instance/protocols/bgp/group group-name
network-instance/protocols/bgp/group/afi-safi afi-safi-name
network-instance/protocols/bgp/group/trace-options/flag name
network-instance/protocols/bgp/neighbor peer-address
network-instance/protocols/bgp/neighbor/afi-safi afi-safi-name
network-instance/protocols/bgp/neighbor/trace-options/flag name
network-instance/protocols/bgp/rib-management/table address-family
network-instance/protocols/bgp/trace-options/flag name
network-instance/protocols/isis/instance name
network-instance/protocols/isis/instance/inter-level-propagation-policies/level1-to-level2/summary-address ip-prefix
network-instance/protocols/isis/instance/interface interface-name
network-instance/protocols/isis/instance/interface/level level-number
network-instance/protocols/isis/instance/level level-number
network-instance/segment-routing/mpls/local-prefix-sid prefix-sid-index
network-instance/static-routes/route prefix
network-instance/vxlan-interface name
platform/control slot
platform/control/interface name
platform/linecard slot
platform/linecard/forwarding-complex name
platform/linecard/forwarding-complex/pipeline index
platform/linecard/mda slot
qos/buffer-management/buffer-allocation-profile name
qos/buffer-management/buffer-allocation-profile/queues/pfc-queue pfc-queue-name
qos/buffer-management/buffer-allocation-profile/queues/queue queue-name
qos/buffer-management/queue-management-profile name
qos/buffer-management/queue-management-profile/wred/wred-slope traffic-type drop-probability enable-ecn
qos/classifiers/dot1p-policy name
qos/classifiers/dot1p-policy/dot1p value
qos/classifiers/dscp-policy name
qos/classifiers/dscp-policy/dscp value
qos/classifiers/dscp-reclassify-policy name
qos/classifiers/dscp-reclassify-policy/dscp value
qos/forwarding-classes/forwarding-class name
qos/interfaces/interface interface-id
qos/interfaces/interface/input/classifiers/classifier type
qos/interfaces/interface/output/queues/queue queue-name
qos/linecard slot
qos/linecard/forwarding-complex name
qos/pfc-mapping-profile name
qos/pfc-mapping-profile/received-pfc-pause-frames/queue queue-name
qos/pfc-mapping-profile/received-traffic/unicast-mapping/pfc-queue pfc-queue-name
qos/queues/pfc-queue pfc-queue-name
qos/queues/queue name
qos/rewrite-rules/dot1p-policy name
qos/rewrite-rules/dot1p-policy/map forwarding-class
qos/rewrite-rules/dot1p-policy/map/drop-probability drop-probability
qos/rewrite-rules/dot1p-policy/map/profile profile
qos/rewrite-rules/dscp-policy name
qos/rewrite-rules/dscp-policy/map forwarding-class
qos/rewrite-rules/dscp-policy/map/drop-probability drop-probability
qos/rewrite-rules/dscp-policy/map/profile profile
qos/scheduler-policies/scheduler-policy name
qos/scheduler-policies/scheduler-policy/scheduler sequence
qos/scheduler-policies/scheduler-policy/scheduler/input id
routing-policy/as-path-set name
routing-policy/community-set name
routing-policy/extended-community-set name
routing-policy/policy name
routing-policy/policy/statement name
routing-policy/prefix-set name
routing-policy/prefix-set/prefix ip-prefix mask-length-range
routing-policy/standard-community-set name
routing-policy/tag-set name
system/aaa/accounting/event event-type
system/aaa/authentication/user username
system/aaa/authorization/role rolename
system/aaa/server-group name
system/aaa/server-group/server address
system/authentication/keychain name
system/authentication/keychain/key index
system/configuration/role name
system/configuration/role/rule path-reference
system/dns/host-entry name
system/grpc-server name
system/json-rpc-server/network-instance name
system/license id
system/lldp/interface name
system/lldp/management-address subinterface
system/load-balancing/hash-profile name
system/logging/buffer buffer-name
system/logging/file file-name
system/logging/filter filter-name
system/logging/remote-server host
system/logging/remote-server/facility facility-name
system/logging/remote-server/subsystem subsystem-name
system/mpls/label-ranges/dynamic name
system/mpls/label-ranges/static name
system/netconf-server name
system/network-instance/protocols/bgp-vpn/bgp-instance id
system/ntp/server address
system/sflow/collector collector-id
system/snmp/access-group name
system/snmp/access-group/community-entry name
system/snmp/access-group/security-entry name
system/snmp/network-instance name
system/snmp/trap-group name
system/snmp/trap-group/destination name
system/snmp/trap-group/destination/community-entry name
system/snmp/trap-group/destination/security-entry name
system/ssh-server name
system/ssh-server/host-key/type type
system/tls/server-profile name
tunnel-interface name
tunnel-interface/vxlan-interface index
tunnel-interface/vxlan-interface/egress/destination-groups/group name
tunnel-interface/vxlan-interface/egress/destination-groups/group/destination index
network-instance/ip-load-balancing/dynamic-load-balancing/prefix ip-prefix
network-instance/segment-routing/srv6/instance name
network-instance/segment-routing/srv6/instance/locator locator-name
qos/pfc-mapping-profile/pfc-priority index
system/dns-instance name
system/srv6/locator locator-name
system/srv6/micro-segment/block block-name
system/srv6/source-address ip-address
system/tls/profile name
"""

_LEAF_LISTS: Final = """
interface/subinterface/ipv4/arp/debug
interface/subinterface/ipv4/arp/evpn/advertise/internal-tags/set-tag-set
interface/subinterface/ipv4/arp/host-route/populate/internal-tags/set-tag-set
interface/subinterface/ipv4/dhcp-client/trace-options/trace
interface/subinterface/ipv4/dhcp-relay/option
interface/subinterface/ipv4/dhcp-relay/server
interface/subinterface/ipv4/dhcp-relay/trace-options/trace
interface/subinterface/ipv6/dhcp-client/trace-options/trace
interface/subinterface/ipv6/dhcp-relay/option
interface/subinterface/ipv6/dhcp-relay/server
interface/subinterface/ipv6/dhcp-relay/trace-options/trace
interface/subinterface/ipv6/neighbor-discovery/debug
interface/subinterface/ipv6/neighbor-discovery/evpn/advertise/internal-tags/set-tag-set
interface/subinterface/ipv6/neighbor-discovery/host-route/populate/internal-tags/set-tag-set
interface/subinterface/ipv6/router-advertisement/debug
network-instance/aggregate-routes/route/communities/add
network-instance/protocols/bgp-evpn/bgp-instance/internal-tags/set-tag-set
network-instance/protocols/bgp-vpn/bgp-instance/export-policy
network-instance/protocols/bgp-vpn/bgp-instance/import-policy
network-instance/protocols/bgp/afi-safi/export-policy
network-instance/protocols/bgp/afi-safi/import-policy
network-instance/protocols/bgp/afi-safi/send-community-type
network-instance/protocols/bgp/dynamic-neighbors/accept/match/allowed-peer-as
network-instance/protocols/bgp/dynamic-neighbors/interface/allowed-peer-as
network-instance/protocols/bgp/export-policy
network-instance/protocols/bgp/group/afi-safi/export-policy
network-instance/protocols/bgp/group/afi-safi/import-policy
network-instance/protocols/bgp/group/afi-safi/send-community-type
network-instance/protocols/bgp/group/export-policy
network-instance/protocols/bgp/group/import-policy
network-instance/protocols/bgp/import-policy
network-instance/protocols/bgp/neighbor/afi-safi/export-policy
network-instance/protocols/bgp/neighbor/afi-safi/import-policy
network-instance/protocols/bgp/neighbor/afi-safi/send-community-type
network-instance/protocols/bgp/neighbor/export-policy
network-instance/protocols/bgp/neighbor/import-policy
network-instance/protocols/isis/instance/interface/trace-options/trace
network-instance/protocols/isis/instance/level/trace-options/trace
network-instance/protocols/isis/instance/loopfree-alternate/exclude/prefix-policy
network-instance/protocols/isis/instance/net
network-instance/protocols/isis/instance/trace-options/trace
platform/vxdp/cpu-set
qos/pfc-mapping-profile/received-traffic/unicast-mapping/pfc-queue/dot1p
qos/pfc-mapping-profile/received-traffic/unicast-mapping/pfc-queue/forwarding-class
routing-policy/as-path-set/as-path-set-member
routing-policy/community-set/member
routing-policy/extended-community-set/member
routing-policy/policy/default-action/bgp/as-path/replace
routing-policy/policy/default-action/bgp/extended-community/referenced-sets
routing-policy/policy/default-action/bgp/standard-community/referenced-sets
routing-policy/policy/default-action/internal-tags/set-tag-set
routing-policy/policy/statement/action/bgp/as-path/replace
routing-policy/policy/statement/action/bgp/extended-community/referenced-sets
routing-policy/policy/statement/action/bgp/standard-community/referenced-sets
routing-policy/policy/statement/action/internal-tags/set-tag-set
routing-policy/policy/statement/match/bgp/evpn/route-type
routing-policy/policy/statement/match/call-policy
routing-policy/policy/statement/match/family
routing-policy/policy/statement/match/internal-tags/tag-set
routing-policy/standard-community-set/member
routing-policy/tag-set/tag-value
system/aaa/accounting/accounting-method
system/aaa/authentication/admin-user/role
system/aaa/authentication/admin-user/spiffe-ids
system/aaa/authentication/admin-user/ssh-key
system/aaa/authentication/admin-user/ssh-principals
system/aaa/authentication/authentication-method
system/aaa/authentication/dynamic-spiffe/role
system/aaa/authentication/linuxadmin-user/ssh-key
system/aaa/authentication/linuxadmin-user/ssh-principals
system/aaa/authentication/local-linux-users/disable-login
system/aaa/authentication/user/role
system/aaa/authentication/user/spiffe-ids
system/aaa/authentication/user/ssh-key
system/aaa/authentication/user/ssh-principals
system/aaa/authorization/role/cli/allow-command-list
system/aaa/authorization/role/cli/deny-command-list
system/aaa/authorization/role/netconf/allowed-operations
system/aaa/authorization/role/services
system/boot/autoboot/interface
system/boot/autoboot/mode
system/dns/search-list
system/dns/server-list
system/grpc-server/services
system/grpc-server/source-address
system/grpc-server/trace-options
system/json-rpc-server/network-instance/http/source-address
system/json-rpc-server/network-instance/https/source-address
system/json-rpc-server/trace-options
system/lldp/bgp-auto-discovery/network-instance
system/lldp/interface/bgp-auto-discovery/peering-address
system/lldp/management-address/type
system/lldp/trace-options
system/logging/remote-server/facility/priority/match-exact
system/logging/remote-server/filter
system/logging/remote-server/subsystem/priority/match-exact
system/netconf-server/trace-options/rpc
system/snmp/access-group/community-entry/prefix-list
system/snmp/network-instance/listen-address
system/ssh-server/allowed-authentication-types
system/ssh-server/revoked-keys
system/ssh-server/source-address
system/ssh-server/trust-anchors
system/tls/server-profile/cipher-list
system/trace-options
"""

_PRESENCE: Final = """
bfd
interface/breakout-mode
interface/ethernet/dot1x
interface/ethernet/l2cp-transparency
interface/ethernet/ptp-timestamping
interface/ethernet/storm-control
interface/ethernet/synce
interface/lag
interface/lag/lacp
interface/sflow
interface/subinterface/anycast-gw
interface/subinterface/bridge-table
interface/subinterface/fhs
interface/subinterface/fhs/static
interface/subinterface/ipv4/arp/evpn
interface/subinterface/ipv4/dhcp-client
interface/subinterface/ipv4/dhcp-relay
interface/subinterface/ipv6/dhcp-client
interface/subinterface/ipv6/dhcp-relay
interface/subinterface/ipv6/dhcpv6-server
interface/subinterface/ipv6/neighbor-discovery/evpn
interface/subinterface/local-mirror-destination
interface/subinterface/ra-guard
interface/subinterface/vlan/encap/single-tagged
interface/subinterface/vlan/encap/untagged
interface/subinterface/vlan/vlan-discovery
interface/transceiver/optical-line-system
interface/vhost
network-instance/aggregate-routes
network-instance/bridge-table
network-instance/bridge-table/proxy-arp
network-instance/bridge-table/proxy-nd
network-instance/connection-point/bridge-table
network-instance/connection-point/redundancy
network-instance/flexible-algorithm
network-instance/interface/bridge-table
network-instance/ip-forwarding
network-instance/mpls
network-instance/mtu
network-instance/multicast-l3-vpn
network-instance/next-hop-groups
network-instance/next-hop-groups/group/blackhole
network-instance/policy-forwarding
network-instance/protocols/bgp
network-instance/protocols/bgp-evpn
network-instance/protocols/bgp-ipvpn
network-instance/protocols/bgp-vpn
network-instance/protocols/bgp-vpn/combined-ecmp
network-instance/protocols/bgp/group/as-path-options/remove-private-as
network-instance/protocols/bgp/neighbor/as-path-options/remove-private-as
network-instance/protocols/isis
network-instance/protocols/isis/instance/interface/segment-routing
network-instance/protocols/isis/instance/interface/segment-routing/mpls/ipv4-adjacency-sid
network-instance/protocols/isis/instance/interface/segment-routing/mpls/ipv4-node-sid
network-instance/protocols/isis/instance/interface/segment-routing/mpls/ipv6-adjacency-sid
network-instance/protocols/isis/instance/interface/segment-routing/mpls/ipv6-node-sid
network-instance/protocols/isis/instance/segment-routing/mpls
network-instance/protocols/ospf
network-instance/segment-routing/mpls
network-instance/static-routes
network-instance/traffic-engineering
network-instance/traffic-engineering-policies
qos/explicit-congestion-notification
qos/interfaces/interface/input/classifiers
qos/interfaces/interface/input/classifiers/default
qos/interfaces/interface/output/rewrite-rules
system/dhcp-server
system/dns
system/event-handler
system/ftp-server
system/ipfix
system/json-rpc-server
system/json-rpc-server/network-instance/http
system/json-rpc-server/network-instance/https
system/lldp
system/lldp/bgp-auto-discovery
system/lldp/interface/bgp-auto-discovery
system/maintenance
system/management/openconfig
system/mirroring
system/mpls/services/evpn
system/mpls/services/network-instance
system/ndk-server
system/netconf-server/unix-socket
system/network-instance
system/network-instance/protocols/bgp-vpn
system/network-instance/protocols/evpn
system/ntp
system/protection-policies
system/protocols/bgp
system/sflow
system/snmp
tunnel-interface/vxlan-interface/bridge-table
tunnel-interface/vxlan-interface/egress/inner-ethernet-header
"""


def _paths(text: str) -> frozenset[SchemaPath]:
    return frozenset(tuple(line.split("/")) for line in text.split())


LISTS: Final[dict[SchemaPath, tuple[str, ...]]] = {
    tuple(line.split()[0].split("/")): tuple(line.split()[1:]) for line in _LISTS.strip().splitlines()
}
"""Key leaf names of each list, in the model's order."""

LEAF_LISTS: Final = _paths(_LEAF_LISTS)
"""Leaf-lists: entries are told apart by value."""

PRESENCE: Final = _paths(_PRESENCE)
"""Containers that mean something by being there (RFC 7950 section 7.5.1), so an empty one is kept."""

"""What of the SR Linux models must be known to read and write them: list keys, namespaces, and types that JSON shows.

Source: the YANG of release 25.3.1. :data:`TREE` is a cut-down tree diagram (RFC 8340) of the subtrees this tool
writes, and of the lists that operators use beside it. A node that is missing here is carried as it is, without type.

* Two spaces of indentation a level. ``name*`` with ``[keys]`` is a list, ``name*`` with a type a leaf-list, ``name!``
  a presence container, ``name`` with a type a leaf, ``name`` alone a container.
* ``@chassis:interfaces`` is the namespace ``urn:nokia.com:srlinux:chassis:interfaces`` of the module
  ``srl_nokia-interfaces``; without it a node has its parent's namespace.
* Types: ``string`` (and enumerations), ``number`` (at most 32 bits: a JSON number), ``uint64`` (a JSON string,
  RFC 7951 §6.1), ``boolean``, ``empty``, ``identity:NAMESPACE`` (an identity of that module). ``user`` marks
  ``ordered-by user``.
"""

from typing import Final

URN: Final = "urn:nokia.com:srlinux:"

TREE: Final = """
interface* [name] @chassis:interfaces
  name string
  description string
  admin-state string
  mtu number
  loopback-mode string
  ethernet
    aggregate-id string
    port-speed string
    forward-error-correction
      fec-option string
    flow-control
      receive boolean
      transmit boolean
  breakout-mode!
    num-breakout-ports string
    breakout-port-speed string
  lag @lag:interfaces-lag
    lag-type string
    min-links number
    member-speed string
    lacp @lag:lacp
  vlan-tagging boolean @chassis:interfaces-vlans
  subinterface* [index]
    index number
    type identity:chassis:interfaces
    description string
    admin-state string
    ip-mtu number
    l2-mtu number
    vlan @chassis:interfaces-vlans
    ipv4
      admin-state string
      address* [ip-prefix]
        ip-prefix string
        primary empty
      arp @arp-nd:interfaces-nbr
        neighbor* [ipv4-address]
          ipv4-address string
          link-layer-address string
        timeout number
      dhcp-client! @chassis:interfaces-ip-dhcp
    ipv6
      admin-state string
      address* [ip-prefix]
        ip-prefix string
        type string
      neighbor-discovery @arp-nd:interfaces-nbr
        neighbor* [ipv6-address]
          ipv6-address string
          link-layer-address string
        learn-unsolicited string
      router-advertisement @arp-nd:interfaces-router-adv
        router-role
          admin-state string
          max-advertisement-interval number
          min-advertisement-interval number
          router-lifetime number
          prefix* [ipv6-prefix]
            ipv6-prefix string
      dhcp-client! @chassis:interfaces-ip-dhcp
network-instance* [name] @net-inst:network-instance
  name string
  type identity:net-inst:network-instance
  description string
  admin-state string
  router-id string
  ip-forwarding
    receive-ipv4-check boolean
    receive-ipv6-check boolean
  interface* [name]
    name string
  bridge-table!
  static-routes! @static-route:static-routes
    route* [prefix]
      prefix string
      admin-state string
      next-hop-group string
  next-hop-groups! @static-route:next-hop-groups
    group* [name]
      name string
      nexthop* [index]
        index number
        ip-address string
  aggregate-routes! @static-route:aggregate-routes
    route* [prefix]
      prefix string
  protocols
    bgp! @bgp:bgp
      admin-state string
      autonomous-system number
      router-id string
      export-policy* string user
      import-policy* string user
      ebgp-default-policy
        import-reject-all boolean
        export-reject-all boolean
      afi-safi* [afi-safi-name]
        afi-safi-name identity:general:common
        admin-state string
        multipath
          allow-multiple-as boolean
          ebgp
            maximum-paths number
          ibgp
            maximum-paths number
      dynamic-neighbors
        accept
          match* [prefix]
            prefix string
            peer-group string
            allowed-peer-as* string
        interface* [interface-name]
          interface-name string
          peer-group string
          allowed-peer-as* string
          max-sessions number
      group* [group-name]
        group-name string
        admin-state string
        description string
        peer-as number
        next-hop-self boolean
        export-policy* string user
        import-policy* string user
        afi-safi* [afi-safi-name]
          afi-safi-name identity:general:common
          admin-state string
          export-policy* string user
          import-policy* string user
          send-community-type* string
        as-path-options
          allow-own-as number
        failure-detection
          enable-bfd boolean
          fast-failover boolean
        timers
          connect-retry number
          hold-time number
          keepalive-interval number
          minimum-advertisement-interval number
        transport
          local-address string
          passive-mode boolean
          tcp-mss number
      neighbor* [peer-address]
        peer-address string
        admin-state string
        description string
        peer-as number
        peer-group string
        next-hop-self boolean
        export-policy* string user
        import-policy* string user
        afi-safi* [afi-safi-name]
          afi-safi-name identity:general:common
          admin-state string
          export-policy* string user
          import-policy* string user
        as-path-options
          allow-own-as number
        failure-detection
          enable-bfd boolean
          fast-failover boolean
        timers
          connect-retry number
          hold-time number
          keepalive-interval number
          minimum-advertisement-interval number
        transport
          local-address string
          passive-mode boolean
          tcp-mss number
routing-policy @plcy:routing-policy
  prefix-set* [name]
    name string
    prefix* [ip-prefix mask-length-range]
      ip-prefix string
      mask-length-range string
  community-set* [name]
    name string
    member* string
  as-path-set* [name]
    name string
    as-path-set-member* string
  policy* [name]
    name string
    default-action
      policy-result string
    statement* [name]
      name string
      match
        family* identity:general:common
        protocol identity:general:common
        prefix
          prefix-set string
      action
        policy-result string
bfd @bfd:bfd
  subinterface* [id]
    id string
    admin-state string
acl @acl:acl
qos @qos:qos
platform @chassis:platform
tunnel-interface* [name] @vxlan:tunnel-interfaces
  name string
oam @oam:oam
system @general:system
  name @chassis:system-name
    host-name string
    domain-name string
  lldp! @lldp:lldp
    admin-state string
    hello-timer uint64
    hold-multiplier number
    interface* [name]
      name string
      admin-state string
  information @linux:system-info
    location string
    contact string
  configuration @general:configuration
  load-balancing @linux:load-balancing
  mtu @chassis:mtu
    default-port-mtu number
    default-l2-mtu number
    default-ip-mtu number
  aaa @aaa:aaa
    server-group* [name]
      name string
    authentication
      user* [username]
        username string
    authorization
      role* [rolename]
        rolename string
  ssh-server* [name] @linux:ssh
    name string
  netconf-server* [name] @netconf:netconf-server
    name string
  grpc-server* [name] @grpc:grpc-server
    name string
  json-rpc-server @json-rpc:json-rpc
    network-instance* [name]
      name string
  ntp! @linux:ntp
    server* [address]
      address string
  dns! @linux:dns
  logging @log:logging
    buffer* [buffer-name]
      buffer-name string
    file* [file-name]
      file-name string
    remote-server* [host]
      host string
  tls @linux:tls
    server-profile* [name]
      name string
  sflow! @linux:sflow
  snmp! @linux:snmp
  banner @linux:system-banner
"""

"""The emulated SR Linux switch: a strict NETCONF server over SSH, its datastores, commit rules and state."""

"""SR Linux: configurations as NETCONF elements and leaves, what of them is ours, and what a switch says of itself."""

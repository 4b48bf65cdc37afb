"""The lab: the same topology, inventory and commands on emulated devices, a kernel, or containerlab."""

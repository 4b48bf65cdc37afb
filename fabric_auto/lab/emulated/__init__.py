"""Emulated switches: strict SSH and NETCONF servers on loopback. They share nothing with the product's own code."""

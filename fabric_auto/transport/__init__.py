"""SSH (netmiko) and NETCONF (ncclient) sessions behind one small protocol, run by nornir."""

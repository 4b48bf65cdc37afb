"""Values: addresses, units, names. Standard library only, no I/O."""

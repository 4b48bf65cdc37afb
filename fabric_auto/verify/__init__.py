"""What should be true on the live network, and whether it is. Pure: asking the devices is the caller's."""

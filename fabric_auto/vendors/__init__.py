"""How each NOS spells a device configuration, and how a configuration is read back."""

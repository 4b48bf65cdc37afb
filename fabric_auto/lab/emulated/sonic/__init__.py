"""The emulated SONiC switch: CONFIG_DB and its commands over SSH, strict as the box is."""

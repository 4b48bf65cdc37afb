"""SONiC: configurations as ``config_db.json`` and leaves, what of them is ours, and what a switch says of itself."""

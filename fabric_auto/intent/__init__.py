"""What the user may write: strict frozen models, one module per kind, and the inventory and project file."""

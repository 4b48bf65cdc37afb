"""Moves switches to a reviewed plan: all of them confirmed, or all of them back where they were, or named."""

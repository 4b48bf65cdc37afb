"""Intent-based fabric automation: YAML intents to verified SONiC and SR Linux switches."""

__version__ = "0.1.0"

"""Keeps the SSH and NETCONF libraries from writing to stderr: their records hold tracebacks, peers' bytes and user names."""

import logging
from typing import Final

_LIBRARIES: Final = ("paramiko", "netmiko", "ncclient", "nornir")


def silence() -> None:
    """Take the libraries' loggers off the root logger; a handler put on them by hand still gets their records."""
    for name in _LIBRARIES:
        logger = logging.getLogger(name)
        logger.propagate = False
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())

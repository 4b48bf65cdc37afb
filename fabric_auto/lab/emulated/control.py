"""Steering a running lab: one JSON object a line over loopback TCP, each with the token of ``lab.json``.

A request is ``{"token": …, "operation": …, …}``, its answer ``{"ok": true, "result": …}`` or
``{"ok": false, "error": …}``.
"""

import json
import secrets
import socket
import time
from dataclasses import asdict, dataclass
from hmac import compare_digest
from pathlib import Path
from typing import Any, Final

from fabric_auto.errors import FabricAutoError
from fabric_auto.lab.emulated.lab_file import LabFile
from fabric_auto.lab.emulated.topology import Cable, CableEnd

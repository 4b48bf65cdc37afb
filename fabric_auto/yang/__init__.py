"""Device configuration checked against the vendors' own YANG, with libyang (optional extra ``yang``)."""

from fabric_auto.yang.violation import Violation

__all__ = ["Violation"]

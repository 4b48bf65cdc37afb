"""Exit codes (architecture.md, "Exit codes")."""

from enum import IntEnum


class Exit(IntEnum):
    """What a finished process tells its caller."""

    DONE = 0
    FAILED = 1
    DIFFERENCES = 2
    FINDINGS = 3
    PLAN_UNUSABLE = 4
    ROLLED_BACK = 5
    UNKNOWN_STATE = 6
    VERIFICATION_FAILED = 7
    USAGE = 64
    INTERRUPTED = 130

"""What a validation finds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Violation:
    """One place where a configuration breaks a vendor's model.

    Attributes:
        path: where, in the configuration's own words (``PORT|Ethernet4/mtu`` for CONFIG_DB, a data path for SR Linux);
            empty when the document as a whole is at fault.
        message: what is wrong, as libyang or the model's own ``error-message`` says it.
    """

    path: str
    message: str

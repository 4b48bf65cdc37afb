"""The fabric of most tests, and the same with one link shut by the intent."""

import pytest

from fabric_auto.fabric.model import Fabric
from tests.fabrics import fabric_of
from tests.strategies import Shape


@pytest.fixture(scope="module")
def fabric() -> Fabric:
    return fabric_of(Shape(leaves=2, spines=2).intent)


@pytest.fixture(scope="module")
def shut() -> Fabric:
    return fabric_of(Shape(leaves=2, spines=2, overrides=({"link": "leaf-01/spine-01/1", "admin": "down"},)).intent)

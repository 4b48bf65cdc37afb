"""The examples in docstrings are tests."""

import doctest
import importlib

import pytest

MODULES = (
    "fabric_auto.core.addresses",
    "fabric_auto.core.names",
    "fabric_auto.core.releases",
    "fabric_auto.core.units",
    "fabric_auto.fabric.allocate",
    "fabric_auto.fabric.ports",
    "fabric_auto.source.scalars",
    "fabric_auto.vendors.base",
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_hold(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0

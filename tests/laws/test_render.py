"""What holds for every device of every fabric: the same bytes again, readable back, owned exactly, valid."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric_auto.device.derive import derive
from fabric_auto.vendors.base import Rendered
from fabric_auto.vendors.registry import vendor
from tests.fabrics import fabric_of
from tests.strategies import Shape, shapes


def rendered(text: str) -> dict[str, tuple[str, Rendered]]:
    fabric = fabric_of(text)
    return {
        name: (device.nos, vendor(device.nos).render(derive(fabric, name))) for name, device in fabric.devices.items()
    }


def bytes_of(text: str) -> dict[str, dict[str, bytes]]:
    return {name: {each.name: each.content for each in one.artifacts} for name, (_, one) in rendered(text).items()}


@given(shapes(), st.lists(st.integers(0, 100), min_size=7, max_size=7))
@settings(deadline=None, max_examples=25)
def test_the_same_intent_gives_the_same_bytes_in_any_order_of_keys(shape: Shape, order: list[int]) -> None:
    first = bytes_of(shape.intent)
    assert bytes_of(shape.intent) == first
    assert bytes_of(shape.shuffled(order)) == first


@given(shapes())
@settings(deadline=None, max_examples=25)
def test_an_artifact_reads_back_as_what_was_rendered_and_all_of_it_is_ours(shape: Shape) -> None:
    for nos, one in rendered(shape.intent).values():
        assert vendor(nos).parse(one.artifacts[0].content) == one.leaves
        assert [path for path in one.leaves if not one.ownership.covers(path)] == []
        assert [path for path in one.leaves if one.origin_of(path) is None] == []


@given(shapes())
@settings(deadline=None, max_examples=25)
def test_no_artifact_holds_what_a_template_forgot(shape: Shape) -> None:
    for files in bytes_of(shape.intent).values():
        for content in files.values():
            assert not any(word in content for word in (b"None", b"{{", b"}}>", b"undefined", b"Undefined", b"<object"))


@given(shape=shapes())
@settings(deadline=None, max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_artifact_is_valid_to_the_vendor_s_models(
    yang_models: Path, schemas: dict[str, object], shape: Shape
) -> None:
    for nos, one in rendered(shape.intent).values():
        content = one.artifacts[0].content
        found = schemas[nos].validate(json.loads(content) if nos == "sonic" else content)  # type: ignore[attr-defined]
        assert found == ()


@pytest.fixture(scope="module")
def schemas(yang_models: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    from fabric_auto.yang.sonic import SonicSchema
    from fabric_auto.yang.srlinux import SrlinuxSchema

    cache = tmp_path_factory.mktemp("yang-cache")
    return {
        "sonic": SonicSchema(yang_models / "sonic/202505"),
        "srlinux": SrlinuxSchema(yang_models / "srlinux", "25.3.1", "7220-IXR-H4", cache),
    }

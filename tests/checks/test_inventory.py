"""The inventory against the fabric, and against itself."""

from pathlib import Path

from fabric_auto.compiler.program import check
from fabric_auto.compiler.project import load
from tests.strategies import Shape


def findings(project: Path) -> list[tuple[str, str, str]]:
    """Return what is found, but that most devices are missing in these small inventories."""
    return [
        (each.code, str(each.span), each.message) for each in check(load(project)).findings if each.code != "FAB115"
    ]


def test_groups_and_defaults_fill_what_a_host_does_not_say(make_project) -> None:
    project = make_project(
        Shape().intent,
        **{
            "inventory/hosts.yaml": "east-leaf-01: {hostname: 192.0.2.1, groups: [sonic]}\n",
            "inventory/groups.yaml": 'sonic: {platform: sonic, port: 22, groups: [site]}\nsite: {data: {release: "202511"}}\n',
            "inventory/defaults.yaml": "username: admin\npassword: env:SWITCH_PASSWORD\n",
        },
    )
    program = check(load(project))
    host = program.project.inventory["east-leaf-01"]
    assert (host.address, host.port, host.nos, host.release, host.username, host.password) == (
        "192.0.2.1",
        22,
        "sonic",
        "202511",
        "admin",
        "env:SWITCH_PASSWORD",
    )
    assert program.fabrics[0].devices["east-leaf-01"].release == "202511"
    assert program.fabrics[0].devices["east-leaf-01"].release_stated
    assert program.fabrics[0].devices["east-leaf-02"].release == "202505"
    assert not program.fabrics[0].devices["east-leaf-02"].release_stated


def test_a_secret_in_the_file_is_refused_without_repeating_it(make_project) -> None:
    project = make_project(Shape().intent, **{"inventory/defaults.yaml": "password: hunter2\n"})
    found = findings(project)
    assert found == [("FAB112", "inventory/defaults.yaml:1:11", "`password` is not a reference")]
    assert "hunter2" not in str(found)


def test_an_unknown_group_names_the_near_one(make_project) -> None:
    project = make_project(
        Shape().intent,
        **{
            "inventory/hosts.yaml": "east-leaf-01: {groups: [sonci]}\n",
            "inventory/groups.yaml": "sonic: {platform: sonic}\n",
        },
    )
    program = check(load(project))
    assert [(each.code, each.help) for each in program.findings] == [
        ("FAB111", "a group with a similar name exists: `sonic`")
    ]


def test_a_host_of_no_fabric_is_a_warning_that_names_the_near_device(make_project) -> None:
    project = make_project(Shape().intent, **{"inventory/hosts.yaml": "east-laef-01: {hostname: 192.0.2.1}\n"})
    program = check(load(project))
    found = next(each for each in program.findings if each.code == "FAB114")
    assert found.severity.label == "warning"
    assert found.help == "a device without inventory entry has a similar name: `east-leaf-01`"
    assert program.is_sound


def test_the_transport_must_be_the_platform_s(make_project) -> None:
    project = make_project(Shape().intent, **{"inventory/hosts.yaml": "east-leaf-01: {platform: srlinux}\n"})
    assert findings(project) == [
        (
            "FAB703",
            "inventory/hosts.yaml:1:1",
            "`east-leaf-01` is reached as srlinux, its platform `sonic-th4-64x400g` runs sonic",
        )
    ]


def test_a_release_that_is_not_rendered_for_is_refused_where_it_is_stated(make_project) -> None:
    project = make_project(Shape().intent, **{"inventory/hosts.yaml": 'east-leaf-01: {data: {release: "201911"}}\n'})
    assert findings(project) == [
        (
            "FAB704",
            "inventory/hosts.yaml:1:1",
            "sonic release `201911` is not known for `sonic-th4-64x400g` (`east-leaf-01`)",
        )
    ]


def test_a_patch_release_of_a_known_train_is_known(make_project) -> None:
    project = make_project(Shape().intent, **{"inventory/hosts.yaml": 'east-spine-01: {data: {release: "25.3.3"}}\n'})
    assert findings(project) == []


def test_unknown_keys_in_the_inventory_are_found(make_project) -> None:
    project = make_project(Shape().intent, **{"inventory/hosts.yaml": "east-leaf-01: {hostnmae: 192.0.2.1}\n"})
    assert findings(project) == [("FAB102", "inventory/hosts.yaml:1:16", "unknown key `hostnmae`")]


def test_a_device_that_an_inventory_leaves_out_is_a_warning_and_no_inventory_is_none(make_project) -> None:
    hosts = "".join(f"east-leaf-0{n}: {{hostname: 192.0.2.{n}}}\n" for n in (1, 2, 3))
    program = check(load(make_project(Shape().intent, **{"inventory/hosts.yaml": hosts})))
    assert [(each.code, each.severity.label, each.message) for each in program.findings] == [
        ("FAB115", "warning", "`east-leaf-04` (and 2 more) is not in the inventory")
    ]
    assert check(load(make_project(Shape().intent, folder="plain"))).findings == ()


def test_two_devices_at_one_address_are_refused(make_project) -> None:
    hosts = "east-leaf-01: {hostname: 192.0.2.1, port: 22}\neast-leaf-02: {hostname: 192.0.2.1, port: 22}\n"
    assert findings(make_project(Shape().intent, **{"inventory/hosts.yaml": hosts})) == [
        ("FAB705", "inventory/hosts.yaml:2:1", "`east-leaf-02` and `east-leaf-01` are both at 192.0.2.1:22")
    ]


def test_a_release_without_quotes_is_one_finding_that_says_what_to_do(make_project) -> None:
    project = make_project(
        Shape().intent,
        **{
            "inventory/hosts.yaml": "east-leaf-01: {groups: [sonic]}\n",
            "inventory/groups.yaml": "sonic: {data: {release: 202505}}\n",
        },
    )
    program = check(load(project))
    assert [(each.code, each.help) for each in program.findings] == [("FAB104", "put it in quotes: `'202505'`")]


def test_an_empty_project_is_an_error_unless_it_is_meant(make_project) -> None:
    assert {each.code for each in check(load(make_project("---\n"))).findings} == {"FAB010", "FAB109"}
    meant = make_project("# nothing\n", folder="meant", **{"fabric-auto.yaml": "apiVersion: v1\nallow_empty: true\n"})
    program = check(load(meant))
    assert program.findings == ()
    assert program.is_sound

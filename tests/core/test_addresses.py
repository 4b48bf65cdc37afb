from ipaddress import IPv4Interface, IPv4Network, IPv6Network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_auto.core.addresses import PoolExhaustedError, capacity, host_route, interface_of, subnet


def test_a_sixteen_holds_32768_point_to_point_links() -> None:
    assert capacity(IPv4Network("10.11.0.0/16"), 31) == 32_768


def test_subnets_follow_each_other() -> None:
    pool = IPv6Network("fd00:11::/64")
    assert subnet(pool, 127, 0) == IPv6Network("fd00:11::/127")
    assert subnet(pool, 127, 3) == IPv6Network("fd00:11::6/127")


def test_a_position_beyond_the_pool_says_how_many_were_needed_and_there() -> None:
    with pytest.raises(PoolExhaustedError) as caught:
        host_route(IPv4Network("10.0.0.0/30"), 4)
    assert (caught.value.needed, caught.value.available) == (5, 4)


def test_a_pool_smaller_than_the_subnet_holds_none() -> None:
    assert capacity(IPv4Network("10.0.0.0/28"), 26) == 0


def test_an_interface_keeps_the_length_of_its_subnet() -> None:
    assert interface_of(IPv4Network("10.20.0.64/26"), 1) == IPv4Interface("10.20.0.65/26")


@given(st.integers(0, 2**15 - 1), st.integers(0, 2**15 - 1))
def test_two_positions_never_share_an_address(first: int, second: int) -> None:
    pool = IPv4Network("10.11.0.0/16")
    assert subnet(pool, 31, first).overlaps(subnet(pool, 31, second)) == (first == second)

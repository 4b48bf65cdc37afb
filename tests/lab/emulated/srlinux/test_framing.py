"""RFC 6242 section 4."""

import pytest

from fabric_auto.lab.emulated.srlinux.framing import Deframer, FramingError, frame


def test_end_of_message_framing_cuts_at_the_delimiter():
    deframer = Deframer()
    deframer.feed(b"<hello/>]]>]]><rpc")
    assert deframer.next() == b"<hello/>"
    assert deframer.next() is None


def test_chunks_are_joined_as_in_the_rfc_example():
    # RFC 6242 section 4.2, the example: chunks of 4, 18 and 79 octets make one message
    chunks = [
        b"<rpc",
        b' message-id="102"\n',
        b'     xmlns="urn:ietf:params:xml:ns:netconf:base:1.0">\n  <close-session/>\n</rpc>',
    ]
    assert [len(chunk) for chunk in chunks] == [4, 18, 79]
    deframer = Deframer(chunked=True)
    deframer.feed(b"\n#4\n" + chunks[0] + b"\n#18\n" + chunks[1] + b"\n#79\n" + chunks[2] + b"\n##\n")
    assert deframer.next() == b"".join(chunks)


def test_a_message_that_arrives_byte_by_byte_is_the_same_message():
    deframer = Deframer(chunked=True)
    for byte in b"\n#10\n0123456789\n##\n":
        assert deframer.next() is None
        deframer.feed(bytes([byte]))
    assert deframer.next() == b"0123456789"


@pytest.mark.parametrize(
    "garbage", [b"<rpc/>]]>]]>", b"\n#0\n", b"\n#-1\n", b"\n#04\nabcd", b"\n##\n", b"\n#99999999999\n"]
)
def test_what_is_no_chunk_ends_the_session(garbage: bytes):
    deframer = Deframer(chunked=True)
    deframer.feed(garbage)
    with pytest.raises(FramingError):
        deframer.next()


def test_frames_are_written_as_the_rfc_says():
    assert frame(b"<ok/>", chunked=True) == b"\n#5\n<ok/>\n##\n"
    assert frame(b"<ok/>", chunked=False) == b"<ok/>]]>]]>"


def test_a_message_without_an_end_is_not_collected_for_ever():
    deframer = Deframer()
    for _ in range(16):
        deframer.feed(b"x" * (1024 * 1024))
    with pytest.raises(FramingError):
        deframer.feed(b"x")

"""NETCONF message framing over SSH (RFC 6242 section 4): end-of-message for base 1.0, chunked for base 1.1."""

import re
from dataclasses import dataclass, field
from typing import Final

END: Final = b"]]>]]>"
"""RFC 6242 section 4.3."""

MAX_MESSAGE: Final = 16 * 1024 * 1024
"""Bytes; far above any configuration, so that a broken client cannot fill the memory."""

_CHUNK: Final = re.compile(rb"\n#([1-9][0-9]{0,9})\n")
_LAST: Final = b"\n##\n"
_LONGEST_HEADER: Final = 13


class FramingError(Exception):
    """The peer broke the framing, or a message is too long; the session must end (RFC 6242 section 4.2)."""


@dataclass(slots=True)
class Deframer:
    """Cuts the incoming bytes into messages.

    Attributes:
        chunked: set to True once both hellos have said base 1.1.
    """

    chunked: bool = False
    _buffer: bytearray = field(default_factory=bytearray)
    _message: bytearray = field(default_factory=bytearray)

    def feed(self, data: bytes) -> None:
        """Take bytes from the transport.

        Raises:
            FramingError: no message is that long.
        """
        self._buffer += data
        if len(self._buffer) + len(self._message) > MAX_MESSAGE:
            raise FramingError("message too long")

    def next(self) -> bytes | None:
        """Return the next whole message, None when more bytes are needed.

        Raises:
            FramingError: the bytes are no chunk.
        """
        return self._next_chunked() if self.chunked else self._next_ended()

    def _next_ended(self) -> bytes | None:
        at = self._buffer.find(END)
        if at < 0:
            return None
        message = bytes(self._buffer[:at])
        del self._buffer[: at + len(END)]
        return message

    def _next_chunked(self) -> bytes | None:
        while True:
            if self._message and self._buffer.startswith(_LAST):
                del self._buffer[: len(_LAST)]
                message = bytes(self._message)
                self._message.clear()
                return message
            header = _CHUNK.match(self._buffer)
            if header is None:
                self._refuse_garbage()
                return None
            size = int(header[1])
            if size > MAX_MESSAGE:
                raise FramingError("chunk too long")
            if len(self._buffer) < header.end() + size:
                return None
            self._message += self._buffer[header.end() : header.end() + size]
            del self._buffer[: header.end() + size]

    def _refuse_garbage(self) -> None:
        """Wait for more of a header only while what is there can still become one."""
        start = bytes(self._buffer[:_LONGEST_HEADER])
        if not re.fullmatch(rb"(\n(#([1-9][0-9]{0,9}|#)?)?)?", start):
            raise FramingError("not a chunk")


def frame(message: bytes, *, chunked: bool) -> bytes:
    """Return a message as it goes on the wire."""
    return b"\n#%d\n%s%s" % (len(message), message, _LAST) if chunked else message + END

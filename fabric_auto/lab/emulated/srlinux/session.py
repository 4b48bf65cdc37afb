"""One NETCONF session: hello exchange, then rpc after rpc in order (RFC 6241 section 4, RFC 6242)."""

import asyncio
from typing import Protocol

import asyncssh
from lxml.etree import _Element as Element

from fabric_auto.lab.emulated.faults import SessionDropped
from fabric_auto.lab.emulated.srlinux import messages
from fabric_auto.lab.emulated.srlinux.errors import RpcError, RpcErrors
from fabric_auto.lab.emulated.srlinux.framing import Deframer, FramingError, frame
from fabric_auto.lab.emulated.srlinux.operations import Content

_READ = 65536


class Service(Protocol):
    """What carries out operations."""

    def serve(self, session: int, operation: Element) -> Content:
        """Carry out one operation.

        Raises:
            RpcError: it fails.
            RpcErrors: it fails for several reasons.
            SessionDropped: the session must be cut without an answer.
        """
        ...


class Session:
    """A client's session.

    Attributes:
        number: its session-id.
        closing: set to end it after the reply under way.
    """

    def __init__(self, number: int, process: asyncssh.SSHServerProcess[bytes], service: Service) -> None:
        self.number, self.closing = number, False
        self._process, self._service, self._deframer = process, service, Deframer()

    async def run(self) -> None:
        """Serve the client until either side ends the session."""
        try:
            self._send(messages.hello(self.number))
            greeting = await self._receive()
            if greeting is None:
                return
            self._deframer.chunked = messages.base_of(messages.parse(greeting)) == messages.BASE_11
            while not self.closing and (message := await self._receive()) is not None:
                self._answer(message)
                await self._process.stdout.drain()
        except SessionDropped:
            self.cut()
        except (RpcError, FramingError, asyncssh.Error, OSError, asyncio.IncompleteReadError):
            # A broken hello, broken framing or a lost transport: RFC 6241 section 8.1 and RFC 6242 section 4.2 end the
            # session without a word.
            return

    def cut(self) -> None:
        """Drop the transport at once, as a crash or a broken path would."""
        connection = self._process.get_extra_info("connection")
        if connection is not None:
            connection.abort()

    async def _receive(self) -> bytes | None:
        while (message := self._deframer.next()) is None:
            data = await self._process.stdin.read(_READ)
            if not data:
                return None
            self._deframer.feed(data)
        return message

    def _answer(self, message: bytes) -> None:
        rpc: Element | None = None
        try:
            rpc = messages.parse(message)
            content = self._service.serve(self.number, messages.operation_of(rpc))
        except RpcErrors as several:
            content = [each.element() for each in several.errors]
        except RpcError as error:
            if error.tag == "malformed-message" and not self._deframer.chunked:
                raise  # the tag is unknown to base 1.0 clients (RFC 6241 appendix A)
            content = [error.element()]
        self._send(messages.reply(rpc, content))

    def _send(self, message: bytes) -> None:
        self._process.stdout.write(frame(message, chunked=self._deframer.chunked))

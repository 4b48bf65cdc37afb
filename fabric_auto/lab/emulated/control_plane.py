"""The control plane: all running configurations and the cables as built, joined into what each device sees."""

from collections.abc import Collection, Mapping

from fabric_auto.lab.emulated.bgp import Adjacency, Router, Routing, routes
from fabric_auto.lab.emulated.device import SessionState, State, View
from fabric_auto.lab.emulated.links import join
from fabric_auto.lab.emulated.sessions import Outcome, Speaker, establish, index, is_up
from fabric_auto.lab.emulated.topology import Cable
from fabric_auto.lab.emulated.verdicts import Verdicts


def compute(views: Mapping[str, View], cables: Collection[Cable]) -> dict[str, State]:
    """Return the state of every device; the same views and cables give the same states.

    Args:
        views: by device name. A cable end whose device is not among them is a host.
        cables: as plugged now.
    """
    return ControlPlane().compute(views, cables)


class ControlPlane:
    """:func:`compute`, remembering what did not change: an index a view, and the routes while their inputs stay.

    A policy is the same when it is equal (``==``) to the one before. One that changes its mind without a new view goes
    unnoticed.
    """

    def __init__(self) -> None:
        self._speakers: dict[str, Speaker] = {}
        self._routers: dict[str, Router] = {}
        self._adjacencies: list[Adjacency] = []
        self._routing = Routing({}, {}, {})
        self._verdicts = Verdicts()

    def compute(self, views: Mapping[str, View], cables: Collection[Cable]) -> dict[str, State]:
        """Return the state of every device (see :func:`compute`)."""
        self._speakers = {name: self._index(name, views[name]) for name in sorted(views)}
        links = join(views, cables)
        outcomes = establish(self._speakers, links)
        routers = {name: _router(speaker, links.ports[name]) for name, speaker in self._speakers.items()}
        self._route(routers, _adjacencies(outcomes))
        return {
            name: State(
                ports_up=links.ports[name],
                lldp=links.lldp[name],
                sessions=_sessions(name, speaker.view, outcomes[name], self._routing),
                routes=self._routing.tables[name],
            )
            for name, speaker in self._speakers.items()
        }

    def _index(self, name: str, view: View) -> Speaker:
        known = self._speakers.get(name)
        return known if known is not None and known.view is view else index(view)

    def _route(self, routers: dict[str, Router], adjacencies: list[Adjacency]) -> None:
        if routers != self._routers or adjacencies != self._adjacencies:
            self._routing = routes(routers, adjacencies, self._verdicts)
            self._routers, self._adjacencies = routers, adjacencies


def _router(speaker: Speaker, ports_up: frozenset[str]) -> Router:
    view = speaker.view
    up = [(address.interface, network) for address, network in speaker.networks if is_up(address, ports_up)]
    interfaces = {interface for interface, _ in up}
    originated = (prefix for prefix, interface in view.originates if not interface or interface in interfaces)
    return Router(
        asn=view.asn,
        router_id=view.router_id,
        allow_own_as=view.allow_own_as,
        maximum_paths=view.maximum_paths,
        imports=view.imports,
        exports=view.exports,
        originated=tuple(originated) if speaker.runs else (),
        connected=tuple(network for _, network in up),
    )


def _adjacencies(outcomes: Mapping[str, Mapping[str, Outcome]]) -> list[Adjacency]:
    return [
        Adjacency(sender=outcome.peer, to=outcome.peer_session, receiver=name, via=address, families=outcome.families)
        for name, sessions in outcomes.items()
        for address, outcome in sessions.items()
        if outcome.state == "Established"
    ]


def _sessions(name: str, view: View, outcomes: Mapping[str, Outcome], routing: Routing) -> dict[str, SessionState]:
    return {
        session.address: SessionState(
            address=session.address,
            peer_asn=session.peer_asn,
            state=outcomes[session.address].state,
            families=outcomes[session.address].families,
            received=dict(routing.received.get((name, session.address), {})),
            sent=dict(routing.sent.get((name, session.address), {})),
        )
        for session in view.sessions
    }

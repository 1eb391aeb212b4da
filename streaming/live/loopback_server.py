"""A small HTTP server for pages and metrics: read only, on loopback, for requests that name a host it knows."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from streaming.errors import EnvironmentProblem
from streaming.texts.flow_texts import FlowTexts, PageServerTexts

LOOPBACK = "127.0.0.1"
OWN_NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})
READING = ("GET", "HEAD")

App = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class _Server(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True

    def server_bind(self) -> None:
        """Without asking a name server for the machine's own name."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])
        self.setup_environ()


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing on the terminal of the job."""


def _refused(start: Callable[..., Any], status: str, why: str) -> Iterable[bytes]:
    start(status, [("Content-Type", "text/plain; charset=utf-8")])
    return [f"{why}\n".encode()]


def guarded(app: App, hosts: frozenset[str]) -> App:
    """The application for reading requests whose Host header is one of `hosts`, whatever the port.

    A page of somebody else's that a browser on this machine shows can send requests here, but under its own name.
    """

    def checked(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        asked = environ.get("HTTP_HOST", "")
        name = asked if asked.endswith("]") else asked.rpartition(":")[0] or asked
        if name.lower() not in hosts:
            why = PageServerTexts.OTHER_SERVER(name=name or PageServerTexts.WITHOUT_A_NAME())
            return _refused(start, "421 Misdirected Request", why)
        if environ["REQUEST_METHOD"] not in READING:
            return _refused(start, "405 Method Not Allowed", PageServerTexts.READ_ONLY())
        return app(environ, start)

    return checked


class LoopbackServer:
    """An application served in threads of its own until it is closed. port 0: any that is free; see `port`.

    Raises EnvironmentProblem if the port cannot be had.
    """

    def __init__(self, app: App, port: int, *, bind: str = LOOPBACK, hosts: Iterable[str] = ()) -> None:
        known = OWN_NAMES | {host.lower() for host in hosts}
        try:
            self._server = make_server(bind, port, guarded(app, known), _Server, _QuietHandler)
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or error
            raise EnvironmentProblem(FlowTexts.PORT_TAKEN(port=port, address=bind, why=why)) from error
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

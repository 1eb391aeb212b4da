"""The server answers reading requests that name this machine, and nobody else's."""

from __future__ import annotations

import http.client

import pytest

from streaming.errors import EnvironmentProblem
from streaming.live.loopback_server import LoopbackServer
from tests.says import Says, raises


def app(environ, start):
    start("200 OK", [("Content-Type", "text/plain")])
    return [environ["PATH_INFO"].encode()]


@pytest.fixture
def server():
    server = LoopbackServer(app, 0, hosts=["dashboards.example"])
    yield server
    server.close()


def answer(server, host, method="GET"):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=100)
    connection.putrequest(method, "/metrics", skip_host=True)
    if host is not None:
        connection.putheader("Host", host)
    connection.endheaders()
    response = connection.getresponse()
    return response.status, response.read().decode()


@pytest.mark.parametrize("host", ["127.0.0.1:{}", "localhost:{}", "LOCALHOST", "[::1]:{}", "dashboards.example:80"])
def test_a_request_for_this_machine_is_answered(server, host):
    assert answer(server, host.format(server.port)) == (200, "/metrics")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:80", "localhost.", "", None])
def test_a_request_for_another_name_is_refused(server, host):
    assert answer(server, host)[0] == 421


def test_nothing_can_be_written(server):
    assert answer(server, "localhost", "POST")[0] == 405


def test_it_listens_on_loopback_alone(server):
    assert server._server.server_address[0] == "127.0.0.1"


def test_a_port_that_is_taken_is_reported_in_a_sentence(server):
    with raises(EnvironmentProblem, Says("flow.port-taken", port=server.port, address="127.0.0.1")):
        LoopbackServer(app, server.port)

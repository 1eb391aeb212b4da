"""A collector on loopback: it reads requests with OpenTelemetry's own types, and refuses what they do not know."""

from __future__ import annotations

import base64
import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from google.protobuf.json_format import ParseDict, ParseError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

IDS = ("traceId", "spanId", "parentSpanId")


def _as_protobuf_spells_it(value: Any) -> Any:
    """OTLP's JSON has ids in hexadecimal, protobuf's own has bytes in base64."""
    if isinstance(value, dict):
        return {
            key: base64.b64encode(bytes.fromhex(inner)).decode() if key in IDS else _as_protobuf_spells_it(inner)
            for key, inner in value.items()
        }
    return [_as_protobuf_spells_it(inner) for inner in value] if isinstance(value, list) else value


def parsed(document: dict[str, Any]) -> ExportTraceServiceRequest:
    """A request as protobuf. Raises ParseError for a field that it does not have."""
    return ParseDict(_as_protobuf_spells_it(document), ExportTraceServiceRequest())


class TestCollector:
    """What came: (resource attributes, span) of every span."""

    __test__ = False

    def __init__(self) -> None:
        self.spans: list[tuple[dict[str, str], Any]] = []
        self.answer: tuple[int, dict[str, Any]] = (200, {})
        self.most: int | None = None
        self.lock = threading.Lock()
        self.url = ""

    def refuse_after(self, spans: int | None) -> None:
        """Answer 503 when there are so many spans, and take them again with None."""
        self.most = spans

    def take(self, document: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        try:
            request = parsed(document)
        except ParseError as error:
            return 400, {"message": str(error)}
        with self.lock:
            if self.most is not None and len(self.spans) > self.most:
                return 503, {}
            for part in request.resource_spans:
                named = {one.key: one.value.string_value for one in part.resource.attributes}
                self.spans += [(named, span) for scope in part.scope_spans for span in scope.spans]
        return self.answer


@contextmanager
def collecting() -> Iterator[TestCollector]:
    """A collector for as long as the block lasts."""
    found = TestCollector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            code, said = found.take(json.loads(body)) if self.path == "/v1/traces" else (404, {})
            answer = json.dumps(said).encode()
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()

"""An OpenTelemetry collector that takes traces over HTTP (OTLP/HTTP with JSON, which needs no package)."""

from __future__ import annotations

import gzip
import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from streaming.errors import EnvironmentProblem, InputError
from streaming.problems import OTLP_REFUSED as REFUSED
from streaming.texts.flow_texts import FlowTexts

TRACES = "/v1/traces"
PATIENCE_S = 10.0


class OtlpRefusedError(RuntimeError):
    """A collector did not take spans; the message says which and why."""


def collector_asked(url: str, where: str) -> str:
    """The address of a collector, with its path. Raises InputError."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise InputError(FlowTexts.COLLECTOR_EXPECTED().at(f"{where} {url}"))
    if parts.username or parts.password:
        raise InputError(FlowTexts.PASSWORD_REFUSED().at(where))
    path = parts.path.rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path if path.endswith(TRACES) else path + TRACES}"


@dataclass(frozen=True)
class Collector:
    """Where spans go, and which moment virtual time 0 is: ns since 1970."""

    url: str
    zero_ns: int

    def take(self, request: dict[str, Any]) -> None:
        """Send one ExportTraceServiceRequest. Raises OtlpRefusedError."""
        body = gzip.compress(json.dumps(request, separators=(",", ":")).encode(), 1)
        headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
        asked = urllib.request.Request(self.url, body, headers)
        try:
            with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
                said = json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as error:
            answered = FlowTexts.COLLECTOR_ANSWERED(url=self.url, code=error.code, reason=error.reason)
            raise OtlpRefusedError(answered.at(REFUSED)) from error
        except (OSError, ValueError) as error:
            why = getattr(error, "reason", error)
            raise OtlpRefusedError(FlowTexts.COLLECTOR_DID_NOT_TAKE(url=self.url, why=why).at(REFUSED)) from error
        left_out = int(said.get("partialSuccess", {}).get("rejectedSpans", 0))
        if left_out:
            why = said["partialSuccess"].get("errorMessage", "without a reason")
            raise OtlpRefusedError(FlowTexts.COLLECTOR_REJECTED(url=self.url, count=left_out, why=why).at(REFUSED))

    def check(self) -> None:
        """Raise EnvironmentProblem if nobody takes spans there."""
        try:
            self.take({"resourceSpans": []})
        except OtlpRefusedError as error:
            raise EnvironmentProblem(f"--otlp: {str(error).removeprefix(f'{REFUSED}: ')}") from error

"""A real Kafka broker of our own, in KRaft mode on free loopback ports: for tests and the demonstration."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from streaming.conf_files import conf_folder
from streaming.errors import EnvironmentProblem
from streaming.kafka.brokers.jars import BROKER, jars
from streaming.spark.java import require_java

PATIENCE_S = 90.0
READY = "Kafka Server started"
JAVA_OPTIONS = ("-Xmx256m", "-Xms64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
PARENT_DIED = 1  # PR_SET_PDEATHSIG


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    try:
        return [server.getsockname()[1] for server in sockets]
    finally:
        for server in sockets:
            server.close()


def _die_with_parent() -> None:
    with suppress(OSError, AttributeError):  # Linux alone has it
        ctypes.CDLL(None).prctl(PARENT_DIED, signal.SIGKILL)


class LocalBroker:
    """One broker whose data, settings and log (`broker.log`) are in a folder; it ends with this process.

    password: also listens where user `sendlab` with that password is asked for (SASL/PLAIN): `guarded`.
    """

    def __init__(self, folder: Path, password: str | None = None) -> None:
        self.folder = folder
        self.log = folder / "broker.log"
        port, controller, guarded = _free_ports(3)
        self.bootstrap = f"127.0.0.1:{port}"
        self.guarded = f"127.0.0.1:{guarded}"
        self._controller = f"127.0.0.1:{controller}"
        self._password = password
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def _settings(self) -> Path:
        return self.folder / "server.properties"

    def _write_settings(self) -> None:
        listeners = {"PLAINTEXT": self.bootstrap, "CONTROLLER": self._controller}
        lines = ["listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,GUARDED:SASL_PLAINTEXT"]
        if self._password is not None:
            listeners["GUARDED"] = self.guarded
            login = "org.apache.kafka.common.security.plain.PlainLoginModule"
            lines += [
                "sasl.enabled.mechanisms=PLAIN",
                f'listener.name.guarded.plain.sasl.jaas.config={login} required user_sendlab="{self._password}";',
            ]
        named = {name: f"{name}://{address}" for name, address in listeners.items()}
        lines += [
            f"listeners={','.join(named.values())}",
            f"advertised.listeners={','.join(at for name, at in named.items() if name != 'CONTROLLER')}",
            f"controller.quorum.bootstrap.servers={self._controller}",
            f"log.dirs={self.folder / 'data'}",
        ]
        fixed = (conf_folder() / "kafka" / "server.properties").read_text()
        self._settings.write_text("\n".join([fixed, *lines, ""]))
        self._settings.chmod(0o600)

    def _java(self, *arguments: str) -> list[str]:
        logging = f"-Dlog4j2.configurationFile={(conf_folder() / 'kafka' / 'log4j2.properties').as_uri()}"
        program = str(require_java().home / "bin" / "java")
        classes = ":".join(map(str, jars(BROKER)))
        return [program, *JAVA_OPTIONS, logging, "-cp", classes, *arguments]

    def start(self) -> None:
        """Start it, on what it had before if there is something. Raises EnvironmentProblem if it does not come up."""
        if self._process is not None and self._process.poll() is None:
            return
        if not self._settings.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            self._write_settings()
            tool = ("kafka.tools.StorageTool", "format", "--standalone", "-t", "c2VuZGxhYi1rYWZrYS0wMQ", "-c")
            done = subprocess.run(self._java(*tool, str(self._settings)), capture_output=True, text=True, check=False)
            if done.returncode != 0:
                self._settings.unlink()
                raise EnvironmentProblem(f"the broker's folder could not be made: {(done.stdout + done.stderr)[-300:]}")
        begins = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._java("kafka.Kafka", str(self._settings)),
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
                preexec_fn=_die_with_parent,
            )  # fmt: skip
        self._wait_until_ready(self._process, begins)

    def _wait_until_ready(self, process: subprocess.Popen[bytes], begins: int) -> None:
        until = time.monotonic() + PATIENCE_S
        while READY not in self.log.read_text(errors="replace")[begins:]:
            if process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise EnvironmentProblem(f"the local Kafka broker did not start; its log is {self.log}")
            time.sleep(0.05)

    @property
    def pid(self) -> int | None:
        """Its process, while it runs."""
        return None if self._process is None else self._process.pid

    def kill(self) -> None:
        """SIGKILL: nothing is flushed, nobody is told."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Let it end in order."""
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        if self._process is None:
            return
        with suppress(ProcessLookupError):
            os.kill(self._process.pid, number)
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def __enter__(self) -> LocalBroker:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

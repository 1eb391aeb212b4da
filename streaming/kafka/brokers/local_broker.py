"""A real Kafka broker of our own, in KRaft mode on free loopback ports: for tests and the demonstration."""

from __future__ import annotations

import errno
import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from streaming.errors import EnvironmentProblem
from streaming.installation.conf_files import conf_folder
from streaming.spark.children import die_with_parent
from streaming.spark.jars import BROKER, jars
from streaming.spark.java import require_java
from streaming.texts.kafka_texts import KafkaTexts

PATIENCE_S = 90.0
PORTS = range(20_000, 32_000)  # Linux gives connections a port from 32768 on
READY = "Kafka Server started"
JAVA_OPTIONS = ("-Xmx256m", "-Xms64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
USER = "sendlab"
STORE_PASSWORD = "SENDLAB_STORE_PASSWORD"  # an environment variable
LOGIN_MODULES = "org.apache.kafka.common.security"


def free_ports(count: int) -> list[int]:
    """Ports of loopback that nobody has now, and that the system gives to no connection that begins meanwhile."""
    sockets: list[socket.socket] = []
    try:
        for port in random.sample(PORTS, len(PORTS)):
            if len(sockets) == count:
                break
            try:
                sockets.append(socket.create_server(("127.0.0.1", port)))
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise
        return [server.getsockname()[1] for server in sockets]
    finally:
        for server in sockets:
            server.close()


def _login_lines(password: str, store: Path) -> list[str]:
    """Settings of the two listeners that ask who is there."""
    plain = f'{LOGIN_MODULES}.plain.PlainLoginModule required user_{USER}="{password}";'
    guarded = {"sasl.enabled.mechanisms": "PLAIN", "plain.sasl.jaas.config": plain}
    secure = {
        "sasl.enabled.mechanisms": "SCRAM-SHA-256",
        "scram-sha-256.sasl.jaas.config": f"{LOGIN_MODULES}.scram.ScramLoginModule required;",
        "ssl.keystore.type": "PKCS12", "ssl.keystore.location": str(store),
        "ssl.keystore.password": password, "ssl.key.password": password,
    }  # fmt: skip
    listeners: dict[str, Mapping[str, object]] = {"guarded": guarded, "secure": secure}
    return [f"listener.name.{name}.{key}={value}" for name, own in listeners.items() for key, value in own.items()]


class LocalBroker:
    """One broker whose data, settings and log (`broker.log`) are in a folder; it ends with this process.

    password: also listens where user `sendlab` with that password is asked for: `guarded` (SASL/PLAIN without TLS) and
    `secure` (SCRAM-SHA-256 over TLS, with a certificate of its own: `authority`).
    """

    def __init__(self, folder: Path, password: str | None = None) -> None:
        self.folder = folder
        self.log = folder / "broker.log"
        port, controller, guarded, secure = free_ports(4)
        self.bootstrap = f"127.0.0.1:{port}"
        self.guarded = f"127.0.0.1:{guarded}"
        self.secure = f"127.0.0.1:{secure}"
        self.authority = folder / "authority.pem"
        self._controller = f"127.0.0.1:{controller}"
        self._password = password
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def _settings(self) -> Path:
        return self.folder / "server.properties"

    def _write_settings(self) -> None:
        listeners = {"PLAINTEXT": self.bootstrap, "CONTROLLER": self._controller}
        protocols = "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,GUARDED:SASL_PLAINTEXT,SECURE:SASL_SSL"
        lines = [f"listener.security.protocol.map={protocols}"]
        if self._password is not None:
            listeners |= {"GUARDED": self.guarded, "SECURE": self.secure}
            lines += _login_lines(self._password, self._make_certificate(self._password))
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

    def _make_certificate(self, password: str) -> Path:
        """A key and a certificate of 127.0.0.1; gives the store of both, and leaves the certificate as `authority`."""
        store, tool = self.folder / "broker.p12", str(require_java().home / "bin" / "keytool")
        named = (tool, "-alias", "broker", "-keystore", str(store), "-storepass:env", STORE_PASSWORD)
        about = ("-dname", "CN=127.0.0.1", "-ext", "san=ip:127.0.0.1", "-keyalg", "EC", "-storetype", "PKCS12")
        for arguments in (("-genkeypair", *about), ("-exportcert", "-rfc", "-file", str(self.authority))):
            done = subprocess.run(
                [*named, *arguments], capture_output=True, text=True, check=False,
                env=os.environ | {STORE_PASSWORD: password},
            )  # fmt: skip
            if done.returncode != 0:
                raise EnvironmentProblem(KafkaTexts.NO_CERTIFICATE_MADE(why=done.stdout[-300:]))
        return store

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
            user = f"SCRAM-SHA-256=[name={USER},password={self._password}]"
            users = () if self._password is None else ("--add-scram", user)
            done = subprocess.run(
                self._java(*tool, str(self._settings), *users), capture_output=True, text=True, check=False
            )
            if done.returncode != 0:
                self._settings.unlink()
                raise EnvironmentProblem(KafkaTexts.NO_FOLDER_MADE(why=(done.stdout + done.stderr)[-300:]))
        begins = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._java("kafka.Kafka", str(self._settings)),
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
                preexec_fn=die_with_parent,
            )  # fmt: skip
        self._wait_until_ready(self._process, begins)

    def _wait_until_ready(self, process: subprocess.Popen[bytes], begins: int) -> None:
        until = time.monotonic() + PATIENCE_S
        while READY not in self.log.read_text(errors="replace")[begins:]:
            if process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise EnvironmentProblem(KafkaTexts.LOCAL_BROKER_NOT_STARTED(log=self.log))
            time.sleep(0.05)

    @property
    def pid(self) -> int | None:
        """Its process, while it runs."""
        return None if self._process is None else self._process.pid

    def kill(self) -> None:
        """SIGKILL: nothing is flushed, no client hears of it."""
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

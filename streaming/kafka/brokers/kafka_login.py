"""How to reach a Kafka cluster: its bootstrap servers, and a file or environment variables that say how to log in.

Secrets are read where they are needed, again in every process, and never put into a checkpoint or run.json.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.scenario.texts.reading_texts import ReadingTexts
from streaming.errors import InputError
from streaming.options.changes import checked_choice
from streaming.texts.kafka_texts import KafkaTexts
from streaming.texts.output_texts import OutputTexts

ENVIRONMENT = "SENDLAB_KAFKA_"
PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
# What the file may say, and what kafka-python calls it.
KEYS = {
    "security.protocol": "security_protocol",
    "sasl.mechanism": "sasl_mechanism",
    "sasl.username": "sasl_plain_username",
    "sasl.password": "sasl_plain_password",
    "ssl.ca.location": "ssl_cafile",
    "ssl.keystore.location": "ssl_certfile",
    "ssl.key.password": "ssl_password",
}
ONE_OF = {"security.protocol": PROTOCOLS, "sasl.mechanism": MECHANISMS}


@dataclass(frozen=True)
class Connection:
    """A cluster. `bootstrap`: HOST:PORT, several with commas; `file`: lines KEY=VALUE with KEYS."""

    bootstrap: str
    file: Path | None = None

    def __post_init__(self) -> None:
        for server in self.bootstrap.split(","):
            host, _, port = server.rpartition(":")
            if not host or not port.isdigit() or not 0 < int(port) < 1 << 16:
                raise InputError(KafkaTexts.ADDRESS_EXPECTED().at(f"--bootstrap {self.bootstrap}"))

    def settings(self) -> dict[str, str]:
        """What file and environment say by KEYS; the environment has the last word. Raises InputError."""
        said = {} if self.file is None else _lines(self.file)
        for name in KEYS:
            variable = ENVIRONMENT + name.upper().replace(".", "_")
            if variable in os.environ:
                said[name] = os.environ[variable]
        for name, known in ONE_OF.items():
            if name in said:
                checked_choice(said[name], known, f"{name}={said[name]}")
        if said.get("security.protocol", "").startswith("SASL"):
            for name in ("sasl.mechanism", "sasl.username", "sasl.password"):
                if not said.get(name):
                    variable = ENVIRONMENT + name.upper().replace(".", "_")
                    raise InputError(KafkaTexts.LOGIN_MISSING(name=name, variable=variable))
        return said

    def check_files(self) -> None:
        """Raise InputError if a file of certificates is not there."""
        for name, value in self.settings().items():
            if name.endswith(".location") and not Path(value).is_file():
                raise InputError(KafkaTexts.NO_CERTIFICATES(name=name, value=value))

    def for_python(self) -> dict[str, Any]:
        """Keywords of kafka-python's clients."""
        said = {KEYS[name]: value for name, value in self.settings().items()}
        if "ssl_certfile" in said:
            said["ssl_keyfile"] = said["ssl_certfile"]
        return {"bootstrap_servers": self.bootstrap.split(","), **said}

    def for_spark(self) -> dict[str, str]:
        """Options of Spark's Kafka source and sink."""
        said = self.settings()
        options = {"kafka.bootstrap.servers": self.bootstrap}
        for name in ("security.protocol", "sasl.mechanism", "ssl.key.password"):
            if name in said:
                options[f"kafka.{name}"] = said[name]
        if "sasl.username" in said:
            options["kafka.sasl.jaas.config"] = _login(said)
        for name, store in (("ssl.ca.location", "ssl.truststore"), ("ssl.keystore.location", "ssl.keystore")):
            if name in said:
                options |= {f"kafka.{store}.type": "PEM", f"kafka.{store}.location": said[name]}
        return options


def _login(said: Mapping[str, str]) -> str:
    kind = "scram.Scram" if said.get("sasl.mechanism", "").startswith("SCRAM") else "plain.Plain"
    quoted = {name: said[f"sasl.{name}"].replace("\\", "\\\\").replace('"', '\\"') for name in ("username", "password")}
    module = f"org.apache.kafka.common.security.{kind}LoginModule"
    return f'{module} required username="{quoted["username"]}" password="{quoted["password"]}";'


def _lines(file: Path) -> dict[str, str]:
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        byte, offset = error.object[error.start], error.start
        language = KafkaTexts.LINES()
        raise InputError(
            ReadingTexts.NOT_UTF8(language=language, byte=byte, offset=offset).at(f"--kafka-config {file}")
        ) from error
    except OSError as error:
        raise InputError(OutputTexts.UNREADABLE(why=error.strerror or error).at(f"--kafka-config {file}")) from error
    said = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, equals, value = line.partition("=")
        name = name.strip()
        if not equals:
            raise InputError(KafkaTexts.LINE_EXPECTED().at(f"{file}, line {number}"))
        if name not in KEYS:
            near = difflib.get_close_matches(name, KEYS, n=1, cutoff=0.0)[0]
            raise InputError(KafkaTexts.UNKNOWN_CONFIG_KEY(name=name, near=near).at(f"{file}, line {number}"))
        said[name] = value.strip()
    return said

"""The client of a group of producers that sends over proxies: rocketmq-client-java, or that of another language."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from simulator.client.sending.grpc_send import MAX_ATTEMPTS, REQUEST_TIMEOUT_MS
from simulator.releases.grpc_release import EVERY_GRPC_RELEASE, GRPC_LANGUAGES, NEWEST_GRPC, GrpcLanguage
from simulator.scenario.reading.fields import Model, TimeoutMs, choice, whole
from simulator.scenario.reading.first_proxies import EXPECTED, MEANING, FirstProxies
from simulator.scenario.reading.scenario_error import Problem, not_known, raise_any
from simulator.scenario.texts.proxied_texts import ProxiedTexts


class GrpcSettings(Model):
    """What a producer over gRPC is built with.

    Source of the defaults: rocketmq-clients java 5.0.0 to 5.0.8, ProducerBuilderImpl, ClientConfigurationBuilder; of
    the other languages simulator/releases/grpc_release.py.
    """

    client: Annotated[Literal["java", "go", "cpp", "csharp", "python", "nodejs", "rust"], choice(*GRPC_LANGUAGES)] = (
        Field("java", description="language of the client (rocketmq-clients)")
    )
    release: Annotated[str, choice(*EVERY_GRPC_RELEASE)] = Field(
        NEWEST_GRPC, description="release of the client; default the newest one of its language"
    )
    max_attempts: Annotated[int, whole(1, 100)] = Field(
        MAX_ATTEMPTS, description="attempts of a message (setMaxAttempts); with client rust 1"
    )
    proxy: FirstProxies | None = Field(None, title=EXPECTED, description=MEANING)
    request_timeout_ms: TimeoutMs = Field(
        REQUEST_TIMEOUT_MS, alias="request_timeout", description="time for each attempt (setRequestTimeout)"
    )

    @property
    def client_text(self) -> str:
        """The client's library and release, such as rocketmq-client-java 5.0.8."""
        return f"{self.language.library} {self.release}"

    @model_validator(mode="before")
    @classmethod
    def _of_language(cls, given: Any) -> Any:
        """Give the defaults of the language; refuse a release that no client has with those that its own has."""
        language = given.get("client", "java") if isinstance(given, dict) else None
        if not isinstance(language, str) or language not in GRPC_LANGUAGES:
            return given
        own = GRPC_LANGUAGES[language]
        release = given.get("release", own.releases[-1])
        if release not in EVERY_GRPC_RELEASE:
            text = not_known(f"release of the {language} client", str(release), own.releases)
            raise_any([Problem(("release",), text)])
        return {"release": own.releases[-1], "max_attempts": own.max_attempts} | given if "client" in given else given

    @model_validator(mode="after")
    def _check(self) -> GrpcSettings:
        problems = []
        if self.release not in self.language.releases:
            text = not_known(f"release of the {self.client} client", self.release, self.language.releases)
            problems.append(Problem(("release",), text))
        if self.language.max_attempts == 1 and self.max_attempts > 1:
            problems.append(Problem(("max_attempts",), ProxiedTexts.NO_RETRIES(client=self.client)))
        raise_any(problems)
        return self

    @property
    def language(self) -> GrpcLanguage:
        """What the client of its language does."""
        return GRPC_LANGUAGES[self.client]

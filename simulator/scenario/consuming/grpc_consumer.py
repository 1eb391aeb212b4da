"""The clients of a group that consumes over proxies: PushConsumer or SimpleConsumer of rocketmq-client-java."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from simulator.client.sending.grpc_send import REQUEST_TIMEOUT_MS
from simulator.releases.grpc_release import GRPC_RELEASES, NEWEST_GRPC
from simulator.scenario.reading.fields import DURATION_MS_TEXT, Model, TimeoutMs, choice, duration_ms, whole
from simulator.scenario.reading.first_proxies import EXPECTED, MEANING, FirstProxies
from simulator.scenario.reading.scenario_error import Problem, raise_any
from simulator.scenario.texts.proxied_texts import ProxiedTexts

KINDS = ("push", "simple")
CACHE_MOST = 1_000_000
CACHE_MOST_MIB = 10_240
BATCH_MOST = 32  # ProxyUtils.MAX_MSG_NUMS_FOR_POP_REQUEST
AWAIT_MOST_MS = 3_600_000
INVISIBLE_LEAST_MS, INVISIBLE_MOST_MS = 10_000, 43_200_000  # minInvisibleTimeMillsForRecv, maxInvisibleTimeMills
OF_PUSH = ("max_cache_message_count", "max_cache_message_size")
OF_SIMPLE = ("max_message_num", "invisible_duration_ms", "await_duration_ms")

InvisibleMs = Annotated[int, duration_ms(INVISIBLE_LEAST_MS, INVISIBLE_MOST_MS), DURATION_MS_TEXT]
AwaitMs = Annotated[int, duration_ms(0, AWAIT_MOST_MS), DURATION_MS_TEXT]


class GrpcConsumer(Model):
    """What a consumer of rocketmq-client-java is built with.

    Source of the defaults: rocketmq-clients java 5.0.0 to 5.0.8, PushConsumerBuilderImpl, ClientConfigurationBuilder;
    a SimpleConsumer has none: its application says them.
    """

    release: Annotated[str, choice(*GRPC_RELEASES)] = Field(NEWEST_GRPC, description="release of rocketmq-client-java")
    kind: Annotated[Literal["push", "simple"], choice(*KINDS)] = Field(
        "push", description="push: PushConsumer, with a listener; simple: SimpleConsumer, whose application receives"
    )
    proxy: FirstProxies | None = Field(None, title=EXPECTED, description=MEANING)
    request_timeout_ms: TimeoutMs = Field(
        REQUEST_TIMEOUT_MS, alias="request_timeout", description="time for each request (setRequestTimeout)"
    )
    max_cache_message_count: Annotated[int, whole(1, CACHE_MOST)] = Field(
        1024, description="push: messages that an instance caches, shared by its process queues"
    )
    max_cache_message_size: Annotated[int, whole(1, CACHE_MOST_MIB)] = Field(
        64, description="push: the same in MiB (maxCacheMessageSizeInBytes)"
    )
    max_message_num: Annotated[int, whole(1, BATCH_MOST)] = Field(16, description="simple: messages of a receive")
    invisible_duration_ms: InvisibleMs = Field(
        60_000, alias="invisible_duration",
        description="simple: until a message that is not acknowledged is due again, of each receive",
    )  # fmt: skip
    await_duration_ms: AwaitMs = Field(
        30_000, alias="await_duration",
        description="simple: how long a receive waits for messages; a proxy waits 5 to 20 s",
    )  # fmt: skip

    @model_validator(mode="after")
    def _check(self) -> GrpcConsumer:
        others = OF_SIMPLE if self.kind == "push" else OF_PUSH
        for name in others:
            if name in self.model_fields_set:
                other = KINDS[1 - KINDS.index(self.kind)]
                key = type(self).model_fields[name].alias or name
                text = ProxiedTexts.NOT_OF_KIND(kind=self.kind, other=other)
                raise_any([Problem((key,), text)])
        return self

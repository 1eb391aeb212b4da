"""The client of a scenario: its release and the settings of DefaultMQProducer, in its spelling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, PlainSerializer, ValidationError, create_model, model_validator

from simulator.client.sending.accumulation import BATCH_MAX_BYTES, BATCH_MAX_DELAY_MS, TOTAL_BATCH_MAX_BYTES
from simulator.client.sending.async_admission import BACK_PRESSURE_BYTES
from simulator.codes import RESPONSE_CODES
from simulator.releases.ledger import NEWEST, RELEASES, first_with, nearest_release
from simulator.releases.producer_release import CLIENTS
from simulator.scenario.policy.policy_settings import PolicySettings
from simulator.scenario.reading.fields import (
    DURATION_MS_TEXT,
    Flag,
    Model,
    Reads,
    TimeoutMs,
    WaitMs,
    choice,
    code_number,
    duration_ms,
    size_bytes,
    whole,
)
from simulator.scenario.reading.scenario_error import Problem, ProblemsError, raise_any
from simulator.scenario.reading.sentences import problems_of
from simulator.scenario.texts.client_texts import ClientTexts
from simulator.units import format_size, shown

BATCH_SETTINGS = ("auto_batch", "batch_max_delay", "batch_max_bytes", "total_batch_max_bytes")
# Settings that not every release has, and the property of a release that says so.
NOT_IN_EVERY_RELEASE = {
    "retry_response_codes": "retry_codes_extensible",
    "start_detector_enable": "has_detector",
    "start_detector_property": "has_detector",
    "send_msg_max_timeout_per_request": "has_max_timeout_per_request",
    "enable_backpressure_for_async_mode": "has_back_pressure",
    "back_pressure_for_async_send_num": "has_back_pressure",
    "back_pressure_for_async_send_size": "has_back_pressure",
    **dict.fromkeys(BATCH_SETTINGS, "has_auto_batch"),
}

PENALTY_STEPS_MAX = 64
JavaInt = Annotated[int, whole(-(2**31), 2**31 - 1)]
MAX_MESSAGE_BYTES = 4 * 1024 * 1024
COMPRESS_OVER_BYTES = 4096
SizeBytes = Annotated[int, size_bytes(1, 2**31 - 1), PlainSerializer(format_size)]


def known_release(value: Any) -> str:
    """A release in RELEASES; raises ValueError otherwise."""
    if not isinstance(value, str):
        raise ValueError(ClientTexts.RELEASE_EXPECTED(got=shown(value)))
    if value not in RELEASES:
        known = f"known: {RELEASES[0]} to {NEWEST}"
        raise ValueError(ClientTexts.NO_SUCH_RELEASE(got=shown(value), known=known, near=nearest_release(value)))
    return value


def retry_codes(value: Any) -> tuple[int, ...]:
    """Response codes by name or number as sorted numbers, each once."""
    if not isinstance(value, list | tuple):
        raise ValueError(ClientTexts.CODES_EXPECTED(got=shown(value)))
    return tuple(sorted({code_number(code, RESPONSE_CODES, "response code") for code in value}))


Release = Annotated[str, Reads(known_release, expects="a release such as 4.9.8", schema={"enum": list(RELEASES)})]
RetryCodes = Annotated[
    tuple[int, ...],
    Reads(retry_codes, expects="a list of response codes, by name or number", schema={"type": "array"}),
    PlainSerializer(list, return_type=list[int]),
]


class ClientSettings(Model):
    """The settings of the clients of all producers or of one group; times in whole milliseconds, as in the client.

    `latency_max_ms` and `not_available_duration_ms` are None for the release's own tables, and
    `send_msg_max_timeout_per_request_ms` is None for no cap. `start_detector_enable` is the producer's setter, which
    5.1.4 ignores; `start_detector_property` the system property com.rocketmq.startDetectorEnable, which works in all.
    The `_start` of a counter is the raw int that it holds before its first use, None for one drawn at random.
    `async_sender_threads` stands for the processors of the producer's machine: the client has as many threads for
    asynchronous sends (4.3.0 and later), and as many for callbacks. `poll_phase`: aligned means that all clients began
    within 50 ms, so they also ask for routes and scan for time-outs within 50 ms of each other.
    Source of the defaults: DefaultMQProducer and NettyClientConfig, 4.2.0 to 5.3.3.
    """

    release: Release = Field(title="a release such as 4.9.8", description="whose rules the producers follow")
    send_latency_fault_enable: Flag = Field(False, description="isolate brokers that were slow or failed")
    latency_max_ms: tuple[WaitMs, ...] | None = Field(
        None, alias="latency_max", description="steps of latency, rising; default the release's own"
    )
    not_available_duration_ms: tuple[WaitMs, ...] | None = Field(
        None, alias="not_available_duration",
        description="isolation period for each step of latency_max; default the release's",
    )  # fmt: skip
    retry_times_when_send_failed: Annotated[int, whole(0, 100)] = Field(
        2, description="attempts of a synchronous send beyond the first"
    )
    retry_another_broker_when_not_store_ok: Flag = Field(
        False, description="try again elsewhere after any SendStatus but SEND_OK"
    )
    send_msg_timeout_ms: TimeoutMs = Field(
        3_000, alias="send_msg_timeout",
        description="time for one attempt, or for all attempts of a send: as the release has it",
    )  # fmt: skip
    send_msg_max_timeout_per_request_ms: TimeoutMs | None = Field(
        None, alias="send_msg_max_timeout_per_request", description="most time for one attempt; default no cap"
    )
    start_detector_enable: Flag = Field(False, description="the producer's setter for the detector; 5.1.4 ignores it")
    start_detector_property: Flag = Field(
        False, description="the system property com.rocketmq.startDetectorEnable, which works in all that have one"
    )
    retry_response_codes: RetryCodes = Field(
        (), description="response codes that are retried besides the release's own"
    )
    connect_timeout_ms: TimeoutMs = Field(
        3_000, alias="connect_timeout", description="most time for opening a connection"
    )
    send_which_queue_start: JavaInt | None = Field(
        None, description="initial raw int of sendWhichQueue; default random"
    )
    which_item_worst_start: JavaInt | None = Field(
        None, description="initial raw int of whichItemWorst; default random"
    )
    poll_name_server_interval_ms: TimeoutMs = Field(
        30_000, alias="poll_name_server_interval", description="how often a producer asks for routes"
    )
    poll_phase: Annotated[Literal["spread", "aligned"], choice("spread", "aligned")] = Field(
        "spread", description="aligned: all producers began within 50 ms, and ask and scan so"
    )
    retry_times_when_send_async_failed: Annotated[int, whole(0, 100)] = Field(
        2, description="attempts of an asynchronous send beyond the first"
    )
    async_sender_threads: Annotated[int, whole(1, 1_024)] = Field(
        4, description="processors of the producer's machine: threads for asynchronous sends, and for callbacks"
    )
    enable_backpressure_for_async_mode: Flag = Field(
        False, description="asynchronous sends wait for a permit (5.0.0 and later)"
    )
    back_pressure_for_async_send_num: Annotated[int, whole(1, 2**31 - 1)] | None = Field(
        None, description="maximum asynchronous messages in flight; default 10000, since 5.4.0 1024"
    )
    back_pressure_for_async_send_size_bytes: SizeBytes = Field(
        BACK_PRESSURE_BYTES,
        alias="back_pressure_for_async_send_size",
        description="maximum bytes of asynchronous messages in flight",
    )
    auto_batch: Flag = Field(
        False, description="messages of a topic that come close together are sent as one (5.1.4 and later)"
    )
    batch_max_delay_ms: Annotated[int, duration_ms(1, 30_000), DURATION_MS_TEXT] = Field(
        BATCH_MAX_DELAY_MS, alias="batch_max_delay", description="age at which such a batch is sent, at most 30s"
    )
    batch_max_bytes: Annotated[int, size_bytes(1, 2 * 1024 * 1024), PlainSerializer(format_size)] = Field(
        BATCH_MAX_BYTES, description="size of its bodies above which it is sent at once, at most 2MiB"
    )
    total_batch_max_bytes: SizeBytes = Field(
        TOTAL_BATCH_MAX_BYTES, description="bytes in a producer's batches above which messages are sent one by one"
    )
    max_message_size_bytes: SizeBytes = Field(
        MAX_MESSAGE_BYTES, alias="max_message_size", description="larger messages are refused without an attempt"
    )
    compress_msg_body_over_howmuch_bytes: SizeBytes = Field(
        COMPRESS_OVER_BYTES, alias="compress_msg_body_over_howmuch", description="a body of this size is compressed"
    )

    policy: PolicySettings | None = Field(
        None, title="a mapping such as {choose: p2c_peak_ewma, avoid: outlier_ejection, retry: budget}",
        description="policy instead of the release's strategy; default the release's own",
    )  # fmt: skip

    @model_validator(mode="after")
    def _check(self) -> ClientSettings:
        raise_any(
            [
                *self._keys_of_other_releases(),
                *self._penalty_tables(),
                *self._policy_problems(),
                *self._batch_problems(),
            ]
        )
        return self

    def _keys_of_other_releases(self) -> Iterator[Problem]:
        for name in sorted(self.model_fields_set):
            key = type(self).model_fields[name].alias or name
            has_it = NOT_IN_EVERY_RELEASE.get(key)
            if has_it is not None and not getattr(CLIENTS[self.release], has_it):
                first = first_with(CLIENTS, has_it)
                yield Problem((key,), ClientTexts.NOT_IN_RELEASE(release=self.release, first=first))

    def _policy_problems(self) -> Iterator[Problem]:
        if self.policy is not None and self.send_latency_fault_enable:
            yield Problem(("policy",), ClientTexts.POLICY_AND_STRATEGY())

    def _batch_problems(self) -> Iterator[Problem]:
        if self.auto_batch and self.enable_backpressure_for_async_mode:
            text = ClientTexts.BATCHES_WITH_BACKPRESSURE()
            yield Problem(("auto_batch",), text)

    def _penalty_tables(self) -> Iterator[Problem]:
        latencies, durations = self.latency_max_ms, self.not_available_duration_ms
        for key, table in (("latency_max", latencies), ("not_available_duration", durations)):
            if table is not None and not 1 <= len(table) <= PENALTY_STEPS_MAX:
                yield Problem((key,), ClientTexts.STEPS_OUT_OF_RANGE(most=PENALTY_STEPS_MAX, got=len(table)))
        for i, (low, high) in enumerate(zip(latencies or (), (latencies or ())[1:], strict=False)):
            if low >= high:
                yield Problem(("latency_max", i + 1), ClientTexts.STEP_NOT_ABOVE(before=low, got=high))
        for i, (low, high) in enumerate(zip(durations or (), (durations or ())[1:], strict=False)):
            if low > high:
                text = ClientTexts.STEP_BELOW(before=low, got=high)
                yield Problem(("not_available_duration", i + 1), text)
        sizes = [len(table) for table in self.penalty_tables_ms]
        if sizes[0] != sizes[1]:
            key = "not_available_duration" if durations is not None else "latency_max"
            text = ClientTexts.STEPS_UNLIKE(latencies=sizes[0], durations=sizes[1])
            yield Problem((key,), text)

    @property
    def detects(self) -> bool:
        """Whether the detector runs: asked for in a way that reaches the strategy, and the strategy is on."""
        set_here = self.start_detector_enable and CLIENTS[self.release].detector_setter_works
        return self.send_latency_fault_enable and (set_here or self.start_detector_property)

    @property
    def penalty_tables_ms(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """latencyMax and notAvailableDuration in milliseconds, the release's own where none is given."""
        own = CLIENTS[self.release]
        latency_max, duration = self.latency_max_ms, self.not_available_duration_ms
        return (
            own.latency_max_ms if latency_max is None else latency_max,
            own.not_available_duration_ms if duration is None else duration,
        )


# The event loop has one policy and one round of route polls.
SAME_FOR_ALL = ("policy", "poll_name_server_interval", "poll_phase")


class _OverrideCheck(Model):
    """Refuses the settings that all producers share."""

    @model_validator(mode="before")
    @classmethod
    def _check(cls, value: Any) -> Any:
        if isinstance(value, dict):
            text = ClientTexts.SAME_FOR_ALL()
            raise_any(Problem((key,), text) for key in SAME_FOR_ALL if key in value)
        return value


def _override_fields() -> dict[str, Any]:
    """Every setting of a client that a group may have of its own, each without a default."""
    found: dict[str, Any] = {}
    for name, field in ClientSettings.model_fields.items():
        key = field.alias or name
        if key not in SAME_FOR_ALL:
            hint: Any = Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation
            own = Field(None, alias=field.alias, title=field.title, description=field.description)
            found[name] = (hint | None, own)
    return found


if TYPE_CHECKING:
    ClientOverride = _OverrideCheck
else:
    ClientOverride = create_model("ClientOverride", __base__=_OverrideCheck, **_override_fields())


def client_with(base: ClientSettings, override: Model | None) -> ClientSettings:
    """The client of a group: that of the scenario with the group's own settings.

    A setting of the scenario's client that the group's release does not have is left out. Raises ProblemsError, with
    paths that start at the group's `client`.
    """
    own = {} if override is None else override.model_dump(by_alias=True, exclude_none=True)
    if not own:
        return base
    rules = CLIENTS[own.get("release", base.release)]
    shared = base.model_dump(by_alias=True, exclude_unset=True)
    known = {
        key: value
        for key, value in shared.items()
        if key not in NOT_IN_EVERY_RELEASE or getattr(rules, NOT_IN_EVERY_RELEASE[key])
    }
    try:
        return ClientSettings.model_validate(known | own)
    except ValidationError as error:
        raise ProblemsError(problems_of(error, ClientSettings)) from None

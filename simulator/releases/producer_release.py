"""The producer of every release: its rules and its peculiarities, each declared once with what releases change.

Source: rocketmq tags rocketmq-all-4.2.0 to rocketmq-all-5.5.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from simulator.client import rules
from simulator.client.faults import fault_table
from simulator.client.routes.default_route import CREATE_TOPIC_KEY
from simulator.client.rules import AsyncRules, ClientRules
from simulator.client.selection import (
    selection_4_2_0,
    selection_4_8_0,
    selection_4_9_0,
    selection_4_9_4,
    selection_4_9_8,
    selection_5_0_0,
    selection_5_1_0,
    selection_5_1_4,
    selectors,
)
from simulator.client.sending import async_admission, async_send, closing, message_checks, send_loop
from simulator.codes import RESPONSE_CODES
from simulator.releases.broker_release import KEY_OF_NEW_TOPICS
from simulator.releases.ledger import compiled, every_release, since

_CODES = ("TOPIC_NOT_EXIST", "SERVICE_NOT_AVAILABLE", "SYSTEM_ERROR", "NO_PERMISSION", "NO_BUYER_ID")
_RETRY_4_2_0 = frozenset(RESPONSE_CODES[name] for name in (*_CODES, "NOT_IN_CURRENT_UNIT"))
_RETRY_5_3_0 = _RETRY_4_2_0 | {RESPONSE_CODES["SYSTEM_BUSY"]}
_RETRY_5_3_1 = _RETRY_5_3_0 | {RESPONSE_CODES["GO_AWAY"]}

NAME_SERVERS_ALL = 1 << 30


@dataclass(frozen=True, kw_only=True)
class Client(ClientRules):
    """The producer of one release: its rules, its defaults (ms) and peculiarities."""

    release: str

    # choosing, the fault table and the synchronous send path
    select_off: rules.Select = since(
        selection_4_2_0.select_off,
        {
            "4.8.0": selection_4_8_0.select_off,
            "4.9.0": selection_4_9_0.select_off,
            "4.9.4": selection_4_9_4.select_off,
            "5.0.0": selection_5_0_0.select_off,
        },
    )
    select_on: rules.Select = since(
        selection_4_2_0.select_on,
        {
            "4.8.0": selection_4_8_0.select_on,
            "4.9.0": selection_4_9_0.select_on,
            "4.9.4": selection_4_9_4.select_on,
            "4.9.8": selection_4_9_8.select_on,
            "5.0.0": selection_5_0_0.select_on,
            "5.1.0": selection_5_1_0.select_on_5_1_0,
            "5.1.1": selection_5_1_0.select_on_5_1_1,
            "5.1.4": selection_5_1_4.select_on_5_1_4,
            "5.2.0": selection_5_1_4.select_on_5_2_0,
        },
    )
    update: rules.Update = since(fault_table.update_4_2_0, {"5.1.4": fault_table.update_5_1_4})
    is_available: rules.Available = since(
        fault_table.is_available_4_2_0,
        {"5.1.4": fault_table.is_available_5_1_4, "5.2.0": fault_table.is_available_4_2_0},
    )
    over_budget: rules.OverBudget = since(send_loop.over_budget_4_2_0, {"4.3.0": send_loop.over_budget_4_3_0})
    attempt_timeout: rules.AttemptTimeout = since(
        send_loop.attempt_timeout_4_2_0,
        {"4.3.0": send_loop.attempt_timeout_4_3_0, "5.3.3": send_loop.attempt_timeout_5_3_3},
    )
    response_wait: rules.ResponseWait = since(
        send_loop.response_wait_4_2_0, {"4.3.0": send_loop.response_wait_4_3_0, "5.1.4": send_loop.response_wait_5_1_4}
    )
    is_isolated: rules.IsIsolated = since(send_loop.is_isolated_4_2_0, {"5.1.4": send_loop.is_isolated_5_1_4})
    is_reachable: rules.IsReachable = since(send_loop.is_reachable_5_1_4)
    after_attempt: rules.AfterAttempt = since(send_loop.after_attempt)
    hash_place: rules.HashPlace = since(selectors.hash_place_4_2_0, {"4.8.0": selectors.hash_place_4_8_0})

    # the asynchronous send path
    async_left: rules.AsyncLeft = since(async_admission.async_left_4_2_0, {"4.3.0": async_admission.async_left_4_3_0})
    async_wait: rules.AsyncWait = since(async_send.async_wait_4_2_0, {"4.3.0": async_send.async_wait_4_3_0})
    is_thrown: rules.IsThrown = since(async_send.is_thrown_4_2_0, {"5.3.0": async_send.is_thrown_5_3_0})
    async_charged: rules.AsyncCharged = since(async_send.async_charged_4_2_0, {"4.9.3": async_send.async_charged_4_9_3})
    async_latency: rules.AsyncLatency = since(
        async_send.async_latency_4_2_0,
        {"4.9.3": async_send.async_latency_4_9_3, "5.2.0": async_send.async_latency_5_2_0},
    )
    async_reachable: rules.AsyncReachable = since(async_send.async_reachable_5_1_4)
    retry_timeout: rules.RetryTimeout = since(
        async_send.retry_timeout_4_2_0,
        {"4.7.0": async_send.retry_timeout_4_7_0, "4.9.3": async_send.retry_timeout_4_9_3},
    )
    after_async: rules.AfterAsync = since(
        async_send.after_async_4_2_0,
        {
            "4.9.3": async_send.after_async_4_9_3,
            "5.3.0": async_send.after_async_5_3_0,
            "5.3.2": async_send.after_async_5_3_2,
        },
    )
    hands_over: rules.HandsOver = since(async_send.hands_over_4_2_0, {"4.9.3": async_send.hands_over_4_9_3})
    async_exception: rules.AsyncException = since(
        async_send.async_exception_4_2_0, {"4.9.3": async_send.async_exception_4_9_3}
    )
    async_code: rules.AsyncCode = since(async_send.async_code_4_2_0, {"4.9.3": async_send.async_code_4_9_3})

    # defaults and peculiarities
    # the class of selection and fault table, named after its last release
    behaviour: str = since(
        "4.2.0",
        {
            "4.8.0": "4.8.0",
            "4.9.0": "4.9.3",
            "4.9.4": "4.9.7",
            "4.9.8": "4.9.8",
            "5.0.0": "5.0.0",
            "5.1.0": "5.1.0",
            "5.1.1": "5.1.3",
            "5.1.4": "5.1.4",
            "5.2.0": "5.3.3",
        },
    )
    latency_max_ms: tuple[int, ...] = since(
        (50, 100, 550, 1000, 2000, 3000, 15000), {"5.1.4": (50, 100, 550, 1800, 3000, 5000, 15000)}
    )
    not_available_duration_ms: tuple[int, ...] = since(
        (0, 0, 30000, 60000, 120000, 180000, 600000), {"5.1.4": (0, 0, 2000, 5000, 6000, 10000, 30000)}
    )
    # latency an isolated broker is charged with
    isolation_ms: int = since(fault_table.ISOLATION_MS_4_2_0, {"5.1.4": fault_table.ISOLATION_MS_5_1_4})
    # broker response codes after which another attempt is made
    retry_codes: frozenset[int] = since(_RETRY_4_2_0, {"5.3.0": _RETRY_5_3_0, "5.3.1": _RETRY_5_3_1})
    retry_codes_extensible: bool = since(False, {"4.9.2": True})
    # equal items of the fault table are ordered by chance, not by the table
    shuffles: bool = since(True, {"4.9.4": False})
    # a fault-table pick overwrites the shared queue list
    rewrites_queue_list: bool = since(True, {"4.9.8": False, "5.0.0": True, "5.1.4": False})
    # the topic of createTopicKey is polled as if it were published to
    keeps_create_topic_key: bool = since(True, {"5.1.1": False})
    # the default route is that of createTopicKey; else always that of TBW102
    asks_for_create_topic_key: bool = since(True, {"5.1.1": False})
    # the topic whose route a new one starts with (createTopicKey), unless that is always TBW102
    create_topic_key: str = KEY_OF_NEW_TOPICS
    # name servers that a request for a route tries at most after the one in use
    name_servers_tried: int = since(NAME_SERVERS_ALL, {"5.3.0": 1})
    # a request for a route that no name server answers leaves send() as an IllegalStateException
    throws_unanswered: bool = since(False, {"4.6.0": True})
    has_detector: bool = since(False, {"5.1.4": True})
    # else only the system property com.rocketmq.startDetectorEnable does
    detector_setter_works: bool = since(False, {"5.2.0": True})
    # a fault table calls a broker that is not reachable unavailable
    unreachable_is_unavailable: bool = since(False, {"5.1.4": True, "5.2.0": False})
    # and every probe of the scan for an available broker moves the counter (apache/rocketmq#5672)
    has_reset_index: bool = since(False, {"5.1.4": True})
    has_max_timeout_per_request: bool = since(False, {"5.3.3": True})
    # GO_AWAY on the new connection, too, is a RemotingSendRequestException
    go_away_is_send_failure: bool = since(False, {"5.3.2": True})
    # closing.NEVER ...: a synchronous time-out closes the connection
    closes_on_timeout: int = since(closing.NEVER, {"4.9.1": closing.ALWAYS, "5.1.4": closing.UNLESS_LITTLE_WAS_LEFT})
    # a connection that closes fails what is under way on it at once, else that times out
    fails_fast: bool = since(False, {"4.3.0": True})
    # an asynchronous send holds its thread until the connection stands
    connect_blocks: bool = since(True, {"5.3.0": False})
    # what the first asynchronous attempt throws leaves send(); else the callback gets it
    throws_to_caller: bool = since(True, {"4.3.0": False})
    # the clock that an asynchronous attempt is charged by is read before the fault table is updated
    reads_cost_before_update: bool = since(True, {"5.2.0": False})
    # how often the callback of an attempt hears that it was refused
    refusals_reported: int = since(1, {"5.3.0": 2, "5.4.0": 1})
    # for time-outs of asynchronous sends: the first after its start, the period
    scans_ms: tuple[int, int] = since(async_send.SCANS_MS_4_2_0, {"5.1.1": async_send.SCANS_MS_5_1_1})
    # async_admission: whose thread runs the asynchronous send path
    sending_threads: int = since(
        async_admission.CALLERS_THREAD,
        {"4.3.0": async_admission.CALLBACK_THREADS, "4.4.0": async_admission.SENDING_THREADS},
    )
    has_back_pressure: bool = since(False, {"5.0.0": True})
    # of back-pressure, where none is set
    back_pressure_number: int = since(
        async_admission.BACK_PRESSURE_NUMBER_5_0_0, {"5.4.0": async_admission.BACK_PRESSURE_NUMBER_5_4_0}
    )
    # until the callback has run; else only while the message is handed to its thread
    holds_permits: bool = since(False, {"5.1.4": True})
    # the limit of messages stands for that of bytes
    number_limits_bytes: bool = since(False, {"5.0.0": True, "5.1.1": False})
    # who waits in vain for the permits of its bytes does not give back that for a message
    loses_number_permit: bool = since(False, {"5.1.4": True, "5.3.1": False})
    # DefaultMQProducer.send(Collection<Message>, SendCallback), apache/rocketmq#2315
    has_async_batch: bool = since(False, {"4.8.0": True})
    # sends messages of one topic together that come close together (sending.accumulation)
    has_auto_batch: bool = since(False, {"5.1.4": True})
    topic_length_max: int = since(message_checks.LENGTH_MAX_4_2_0, {"4.6.1": message_checks.LENGTH_MAX_4_6_1})
    # that it does not send to
    reserved_topics: frozenset[str] = since(
        message_checks.RESERVED_4_2_0,
        {
            "4.3.0": message_checks.RESERVED_4_3_0,
            "4.3.1": message_checks.RESERVED_4_2_0,
            "4.7.1": message_checks.RESERVED_4_7_1,
            "4.9.4": message_checks.RESERVED_4_9_4,
            "5.4.0": message_checks.RESERVED_5_4_0,
        },
    )

    @property
    def default_route_key(self) -> str:
        """The topic whose route a topic that does not exist yet starts with."""
        return self.create_topic_key if self.asks_for_create_topic_key else CREATE_TOPIC_KEY

    def leaves_send(self, outcome: int, attempts: int) -> bool:
        """Whether what an asynchronous message failed with leaves send() as an exception, not to the callback."""
        return self.throws_to_caller and attempts <= 1 and bool(self.is_thrown(outcome))

    def failed_with(self, outcome: int, code: int, attempt: int) -> tuple[int, int]:
        """The exception, as an outcome, and the response code that a callback gets after such an attempt."""
        thrown = self.is_thrown(outcome)
        return int(self.async_exception(outcome, thrown, attempt)), int(self.async_code(outcome, code, thrown, attempt))

    def with_async_path_of(self, other: Client) -> Client:
        """This client with the asynchronous send path of another."""
        return replace(self, **{each.name: getattr(other, each.name) for each in fields(AsyncRules)})


CLIENTS: Mapping[str, Client] = every_release(Client)


def client_of(release: str) -> Client:
    """The client of that release, its functions compiled. Raises ValueError for an unknown one, naming the nearest."""
    return compiled(CLIENTS, release)

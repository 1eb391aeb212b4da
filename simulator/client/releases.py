"""The one table of releases: what each of them changes, and so which functions and constants a client has.

Source: rocketmq tags rocketmq-all-4.2.0 to rocketmq-all-5.3.3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from typing import Any

from simulator.client.faults import fault_table
from simulator.client.selection import (
    selection_4_2_0,
    selection_4_8_0,
    selection_4_9_0,
    selection_4_9_4,
    selection_4_9_8,
    selection_5_0_0,
    selection_5_1_0,
    selection_5_1_1,
    selection_5_1_4,
    selectors,
)
from simulator.client.sending import async_admission, async_send, closing, message_checks, send_loop
from simulator.codes import RESPONSE_CODES
from simulator.compiled.jit import ready

Rule = Callable[..., Any]


@dataclass(frozen=True)
class Client:
    """The producer of one release: its functions (types in `signatures`), defaults (ms) and peculiarities."""

    release: str
    behaviour: str  # the class of selection and fault table, named after its last release
    select_off: Rule  # SELECT, sendLatencyFaultEnable off
    select_on: Rule  # SELECT, on
    update: Rule  # UPDATE
    is_available: Rule  # AVAILABLE
    over_budget: Rule  # OVER_BUDGET
    attempt_timeout: Rule  # ATTEMPT_TIMEOUT
    response_wait: Rule  # RESPONSE_WAIT
    is_isolated: Rule  # IS_ISOLATED
    is_reachable: Rule  # IS_REACHABLE
    after_attempt: Rule  # AFTER_ATTEMPT
    async_left: Rule  # ASYNC_LEFT
    async_wait: Rule  # ASYNC_WAIT
    is_thrown: Rule  # IS_THROWN
    async_charged: Rule  # ASYNC_CHARGED
    async_latency: Rule  # ASYNC_LATENCY
    async_reachable: Rule  # ASYNC_REACHABLE
    retry_timeout: Rule  # RETRY_TIMEOUT
    after_async: Rule  # AFTER_ASYNC
    hands_over: Rule  # HANDS_OVER
    async_exception: Rule  # ASYNC_EXCEPTION
    async_code: Rule  # ASYNC_CODE
    hash_place: Rule  # HASH_PLACE
    latency_max_ms: tuple[int, ...]
    not_available_duration_ms: tuple[int, ...]
    isolation_ms: int  # latency an isolated broker is charged with
    retry_codes: frozenset[int]  # broker response codes after which another attempt is made
    retry_codes_extensible: bool
    shuffles: bool  # equal items of the fault table are ordered by chance, not by the table
    rewrites_queue_list: bool  # a fault-table pick overwrites the shared queue list
    keeps_create_topic_key: bool  # the topic of createTopicKey is polled as if it were published to
    asks_for_create_topic_key: bool  # the default route is that of createTopicKey; else always that of TBW102
    has_detector: bool
    detector_setter_works: bool  # else only the system property com.rocketmq.startDetectorEnable does
    has_reset_index: bool
    has_max_timeout_per_request: bool
    go_away_is_send_failure: bool  # GO_AWAY on the new connection, too, is a RemotingSendRequestException
    closes_on_timeout: int  # closing.NEVER ...: a synchronous time-out closes the connection
    fails_fast: bool  # a connection that closes fails what is under way on it at once, else that times out
    connect_blocks: bool  # an asynchronous send holds its thread until the connection stands
    throws_to_caller: bool  # what the first asynchronous attempt throws leaves send(); else the callback gets it
    refusals_reported: int  # how often the callback of an attempt is told that it was refused
    scans_ms: tuple[int, int]  # for time-outs of asynchronous sends: the first after its start, the period
    sending_threads: int  # async_admission: whose thread runs the asynchronous send path
    has_back_pressure: bool
    holds_permits: bool  # until the callback has run; else only while the message is handed to its thread
    has_async_batch: bool  # DefaultMQProducer.send(Collection<Message>, SendCallback), apache/rocketmq#2315
    topic_length_max: int
    reserved_topics: frozenset[str]  # that it does not send to


RELEASES = (
    *(
        "4.2.0",
        "4.3.0",
        "4.3.1",
        "4.3.2",
        "4.4.0",
        "4.5.0",
        "4.5.1",
        "4.5.2",
        "4.6.0",
        "4.6.1",
        "4.7.0",
        "4.7.1",
    ),
    *("4.8.0", "4.9.0", "4.9.1", "4.9.2", "4.9.3", "4.9.4", "4.9.5", "4.9.6", "4.9.7", "4.9.8"),
    *("5.0.0", "5.1.0", "5.1.1", "5.1.2", "5.1.3", "5.1.4", "5.2.0", "5.3.0", "5.3.1", "5.3.2", "5.3.3"),
)

_CODES = ("TOPIC_NOT_EXIST", "SERVICE_NOT_AVAILABLE", "SYSTEM_ERROR", "NO_PERMISSION", "NO_BUYER_ID")
_RETRY_4_2_0 = frozenset(RESPONSE_CODES[name] for name in (*_CODES, "NOT_IN_CURRENT_UNIT"))
_RETRY_5_3_0 = _RETRY_4_2_0 | {RESPONSE_CODES["SYSTEM_BUSY"]}
_RETRY_5_3_1 = _RETRY_5_3_0 | {RESPONSE_CODES["GO_AWAY"]}

FIRST = Client(
    release="4.2.0",
    behaviour="4.2.0",
    select_off=selection_4_2_0.select_off,
    select_on=selection_4_2_0.select_on,
    update=fault_table.update_4_2_0,
    is_available=fault_table.is_available_4_2_0,
    over_budget=send_loop.over_budget_4_2_0,
    attempt_timeout=send_loop.attempt_timeout_4_2_0,
    response_wait=send_loop.response_wait_4_2_0,
    is_isolated=send_loop.is_isolated_4_2_0,
    is_reachable=send_loop.is_reachable_5_1_4,
    after_attempt=send_loop.after_attempt,
    async_left=async_admission.async_left_4_2_0,
    async_wait=async_send.async_wait_4_2_0,
    is_thrown=async_send.is_thrown_4_2_0,
    async_charged=async_send.async_charged_4_2_0,
    async_latency=async_send.async_latency_4_2_0,
    async_reachable=async_send.async_reachable_5_1_4,
    retry_timeout=async_send.retry_timeout_4_2_0,
    after_async=async_send.after_async_4_2_0,
    hands_over=async_send.hands_over_4_2_0,
    async_exception=async_send.async_exception_4_2_0,
    async_code=async_send.async_code_4_2_0,
    hash_place=selectors.hash_place_4_2_0,
    latency_max_ms=(50, 100, 550, 1000, 2000, 3000, 15000),
    not_available_duration_ms=(0, 0, 30000, 60000, 120000, 180000, 600000),
    isolation_ms=fault_table.ISOLATION_MS_4_2_0,
    retry_codes=_RETRY_4_2_0,
    retry_codes_extensible=False,
    shuffles=True,
    rewrites_queue_list=True,
    keeps_create_topic_key=True,
    asks_for_create_topic_key=True,
    has_detector=False,
    detector_setter_works=False,
    has_reset_index=False,
    has_max_timeout_per_request=False,
    go_away_is_send_failure=False,
    closes_on_timeout=closing.NEVER,
    fails_fast=False,
    connect_blocks=True,
    throws_to_caller=True,
    refusals_reported=1,
    scans_ms=async_send.SCANS_MS_4_2_0,
    sending_threads=async_admission.CALLERS_THREAD,
    has_back_pressure=False,
    holds_permits=False,
    has_async_batch=False,
    topic_length_max=message_checks.LENGTH_MAX_4_2_0,
    reserved_topics=message_checks.RESERVED_4_2_0,
)

# What a release changes against the one before it.
CHANGES: Mapping[str, Mapping[str, Any]] = {
    "4.3.0": {
        "over_budget": send_loop.over_budget_4_3_0,
        "attempt_timeout": send_loop.attempt_timeout_4_3_0,
        "response_wait": send_loop.response_wait_4_3_0,
        "async_left": async_admission.async_left_4_3_0,
        "async_wait": async_send.async_wait_4_3_0,
        "throws_to_caller": False,
        "fails_fast": True,
        "reserved_topics": message_checks.RESERVED_4_3_0,
        "sending_threads": async_admission.CALLBACK_THREADS,
    },
    "4.3.1": {"reserved_topics": message_checks.RESERVED_4_2_0},
    "4.4.0": {"sending_threads": async_admission.SENDING_THREADS},
    "4.6.1": {"topic_length_max": message_checks.LENGTH_MAX_4_6_1},
    "4.7.0": {"retry_timeout": async_send.retry_timeout_4_7_0},
    "4.7.1": {"reserved_topics": message_checks.RESERVED_4_7_1},
    "4.8.0": {
        "behaviour": "4.8.0",
        "select_off": selection_4_8_0.select_off,
        "select_on": selection_4_8_0.select_on,
        "hash_place": selectors.hash_place_4_8_0,
        "has_async_batch": True,
    },
    "4.9.0": {
        "behaviour": "4.9.3",
        "select_off": selection_4_9_0.select_off,
        "select_on": selection_4_9_0.select_on,
    },
    "4.9.1": {"closes_on_timeout": closing.ALWAYS},
    "4.9.2": {"retry_codes_extensible": True},
    "4.9.3": {
        "async_charged": async_send.async_charged_4_9_3,
        "async_latency": async_send.async_latency_4_9_3,
        "retry_timeout": async_send.retry_timeout_4_9_3,
        "after_async": async_send.after_async_4_9_3,
        "hands_over": async_send.hands_over_4_9_3,
        "async_exception": async_send.async_exception_4_9_3,
        "async_code": async_send.async_code_4_9_3,
    },
    "4.9.4": {
        "behaviour": "4.9.7",
        "select_off": selection_4_9_4.select_off,
        "select_on": selection_4_9_4.select_on,
        "reserved_topics": message_checks.RESERVED_4_9_4,
        "shuffles": False,
    },
    "4.9.8": {"behaviour": "4.9.8", "select_on": selection_4_9_8.select_on, "rewrites_queue_list": False},
    "5.0.0": {
        "behaviour": "5.0.0",
        "select_off": selection_5_0_0.select_off,
        "select_on": selection_5_0_0.select_on,
        "rewrites_queue_list": True,
        "has_back_pressure": True,
    },
    "5.1.0": {"behaviour": "5.1.0", "select_on": selection_5_1_0.select_on},
    "5.1.1": {
        "behaviour": "5.1.3",
        "select_on": selection_5_1_1.select_on,
        "keeps_create_topic_key": False,
        "asks_for_create_topic_key": False,
        "scans_ms": async_send.SCANS_MS_5_1_1,
    },
    "5.1.4": {
        "behaviour": "5.1.4",
        "select_on": selection_5_1_4.select_on_5_1_4,
        "update": fault_table.update_5_1_4,
        "is_available": fault_table.is_available_5_1_4,
        "response_wait": send_loop.response_wait_5_1_4,
        "is_isolated": send_loop.is_isolated_5_1_4,
        "latency_max_ms": (50, 100, 550, 1800, 3000, 5000, 15000),
        "not_available_duration_ms": (0, 0, 2000, 5000, 6000, 10000, 30000),
        "isolation_ms": fault_table.ISOLATION_MS_5_1_4,
        "closes_on_timeout": closing.UNLESS_LITTLE_WAS_LEFT,
        "rewrites_queue_list": False,
        "has_detector": True,
        "has_reset_index": True,
        "holds_permits": True,
    },
    "5.2.0": {
        "behaviour": "5.3.3",
        "select_on": selection_5_1_4.select_on_5_2_0,
        "is_available": fault_table.is_available_4_2_0,
        "detector_setter_works": True,
        "async_latency": async_send.async_latency_5_2_0,
    },
    "5.3.0": {
        "retry_codes": _RETRY_5_3_0,
        "is_thrown": async_send.is_thrown_5_3_0,
        "after_async": async_send.after_async_5_3_0,
        "connect_blocks": False,
        "refusals_reported": 2,
    },
    "5.3.1": {"retry_codes": _RETRY_5_3_1},
    "5.3.2": {"after_async": async_send.after_async_5_3_2, "go_away_is_send_failure": True},
    "5.3.3": {
        "attempt_timeout": send_loop.attempt_timeout_5_3_3,
        "has_max_timeout_per_request": True,
    },
}


def _build() -> dict[str, Client]:
    clients = {}
    client = FIRST
    for release in RELEASES:
        client = replace(client, release=release, **CHANGES.get(release, {}))
        clients[release] = client
    return clients


CLIENTS: Mapping[str, Client] = _build()


def _distance(release: str, other: str) -> int:
    weights = (10_000, 100, 1)
    parts = zip(weights, release.split("."), other.split("."), strict=True)
    return abs(sum(weight * (int(a) - int(b)) for weight, a, b in parts))


def nearest_release(release: str) -> str:
    """The known release nearest to any text: one it begins, else by version number, else by spelling."""
    begun = [known for known in RELEASES if known.startswith(f"{release}.")]
    if begun:
        return begun[-1]
    try:
        return min(RELEASES, key=lambda known: _distance(release, known))
    except ValueError:
        return (get_close_matches(release, RELEASES, n=1, cutoff=0.0) or [RELEASES[-1]])[0]


def client_of(release: str) -> Client:
    """The client of that release, its functions compiled.

    Raises ValueError for a release that is not known, naming the nearest that is.
    """
    if release not in CLIENTS:
        near = nearest_release(release)
        raise ValueError(f"unknown RocketMQ release {release!r}: the nearest known is {near}")
    client = CLIENTS[release]
    for member in fields(client):
        ready(getattr(client, member.name))
    return client

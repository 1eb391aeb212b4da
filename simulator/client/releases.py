"""The client of every release: its rules and its peculiarities, each declared once with what releases change.

Source: rocketmq tags rocketmq-all-4.2.0 to rocketmq-all-5.3.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches

from simulator.client.by_release import ByRelease, since
from simulator.client.faults import fault_table
from simulator.client.rules import AsyncRules, ClientRules
from simulator.client.sending import async_admission, async_send, closing, message_checks
from simulator.codes import RESPONSE_CODES
from simulator.compiled.jit import ready

_CODES = ("TOPIC_NOT_EXIST", "SERVICE_NOT_AVAILABLE", "SYSTEM_ERROR", "NO_PERMISSION", "NO_BUYER_ID")
_RETRY_4_2_0 = frozenset(RESPONSE_CODES[name] for name in (*_CODES, "NOT_IN_CURRENT_UNIT"))
_RETRY_5_3_0 = _RETRY_4_2_0 | {RESPONSE_CODES["SYSTEM_BUSY"]}
_RETRY_5_3_1 = _RETRY_5_3_0 | {RESPONSE_CODES["GO_AWAY"]}

NAME_SERVERS_ALL = 1 << 30

RELEASES = (
    *("4.2.0", "4.3.0", "4.3.1", "4.3.2", "4.4.0", "4.5.0", "4.5.1", "4.5.2", "4.6.0", "4.6.1", "4.7.0", "4.7.1"),
    *("4.8.0", "4.9.0", "4.9.1", "4.9.2", "4.9.3", "4.9.4", "4.9.5", "4.9.6", "4.9.7", "4.9.8"),
    *("5.0.0", "5.1.0", "5.1.1", "5.1.2", "5.1.3", "5.1.4", "5.2.0", "5.3.0", "5.3.1", "5.3.2", "5.3.3"),
)


@dataclass(frozen=True, kw_only=True)
class Client(ClientRules):
    """The producer of one release: its rules, its defaults (ms) and peculiarities."""

    release: str
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
    create_topic_key: str = since("TBW102", {"4.3.0": "AUTO_CREATE_TOPIC_KEY", "4.3.1": "TBW102"})
    # name servers that a request for a route tries at most after the one in use
    name_servers_tried: int = since(NAME_SERVERS_ALL, {"5.3.0": 1})
    # a request for a route that no name server answers leaves send() as an IllegalStateException
    throws_unanswered: bool = since(False, {"4.6.0": True})
    has_detector: bool = since(False, {"5.1.4": True})
    # else only the system property com.rocketmq.startDetectorEnable does
    detector_setter_works: bool = since(False, {"5.2.0": True})
    # a fault table calls a broker that is not reachable unavailable
    unreachable_is_unavailable: bool = since(False, {"5.1.4": True, "5.2.0": False})
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
    # how often the callback of an attempt is told that it was refused
    refusals_reported: int = since(1, {"5.3.0": 2})
    # for time-outs of asynchronous sends: the first after its start, the period
    scans_ms: tuple[int, int] = since(async_send.SCANS_MS_4_2_0, {"5.1.1": async_send.SCANS_MS_5_1_1})
    # async_admission: whose thread runs the asynchronous send path
    sending_threads: int = since(
        async_admission.CALLERS_THREAD,
        {"4.3.0": async_admission.CALLBACK_THREADS, "4.4.0": async_admission.SENDING_THREADS},
    )
    has_back_pressure: bool = since(False, {"5.0.0": True})
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
        },
    )

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


def declared() -> dict[str, ByRelease]:
    """The fields of a client. Raises ValueError for an unknown release, TypeError for a rule of another name."""
    found = {each.name: each.default for each in fields(Client) if isinstance(each.default, ByRelease)}
    for name, values in found.items():
        for release in values.changes:
            if release not in RELEASES:
                raise ValueError(f"{name}: unknown release {release}, the nearest known is {nearest_release(release)}")
    # The numbers of two rules can be of the same types: what tells them apart is what they are called.
    for rule in fields(ClientRules):
        for function in found[rule.name].values:
            if not function.__name__.startswith(rule.name):
                raise TypeError(f"{rule.name}: {function.__name__} is another rule")
    return found


DECLARED: Mapping[str, ByRelease] = declared()
CLIENTS: Mapping[str, Client] = {
    release: Client(release=release, **{name: each.after(RELEASES[: place + 1]) for name, each in DECLARED.items()})
    for place, release in enumerate(RELEASES)
}


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

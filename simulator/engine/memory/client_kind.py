"""A client: what does not change of it. It is the same for all producers of a group."""

from __future__ import annotations

from simulator.client.rules import Rules
from simulator.compiled.records import Directory, Ms, Us, Within

REMOTING = 0
GRPC = 1  # sends over proxies
PROXY = 2  # what sends for those: its remoting client


class ClientKind(Directory):
    """The rules and settings of the clients of a group of producers: each producer is a process with one client."""

    rules: Within[Rules]  # of a gRPC client: those of its proxies
    kind: int  # REMOTING, GRPC or PROXY
    # of a gRPC client: GrpcLanguage
    tries: int  # BROKERS_IN_TURN ...
    isolates: int
    retries_throttled: int
    retries_transactions: int
    bound_us: Us  # within which a synchronous send ends, 0: it ends with its last attempt
    strategy_on: int
    send_msg_timeout_ms: Ms
    max_timeout_per_request_ms: Ms  # -1 = no such limit
    attempts_total: int
    retry_not_store_ok: int
    detector_on: int
    first_retry_code: int  # in world.retry_codes
    retry_code_count: int
    name_servers_tried: int  # at most, beyond the producer's own, until a request for a route fails
    throws_unanswered: int  # 1: a request for a route that fails is an IllegalStateException
    connect_timeout_us: Us
    async_attempts_total: int
    async_senders: int  # threads that send for a producer's callers; 0 = the callers themselves do
    connect_blocks: int
    back_pressure: int
    holds_permits: int  # 0: permits come back with the hand-over
    loses_number_permit: int
    max_message_bytes: int
    compress_over_bytes: int
    go_away_is_send_failure: int
    closes_on_timeout: int  # client.closing: NEVER ...
    fails_fast: int  # 1: requests end with their connection
    auto_batch: int
    batch_max_delay_ms: Ms
    batch_max_bytes: int
    total_batch_max_bytes: int

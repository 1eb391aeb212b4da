"""What is printed about groups of producers and their topics."""

from __future__ import annotations

from state.texts import Text


class ProducerTexts:
    """What is printed about groups of producers and their topics."""

    A_MESSAGE_SIZE = Text("a size from 1B to {most}")
    BATCH_DELAY = Text("the client refuses a batch with a delay; expected a batch of 1, or no delay")
    BATCH_ONE_WAY = Text("the client sends no batch one-way; expected mode sync or async, or a batch of 1")
    BATCH_SELECTOR = Text("a batch has no selector in the client; expected none, got {got}")
    BROKER_NAMED_ALL = Text("a broker cannot be named all: faults use it for every broker")
    CLOSED_LOOP = Text("closed loop: each thread waits for the end of its {returned}, pauses ({think}) and sends again")
    HAND_OFF = Text("messages come at their rate; up to {queue:,} wait for each busy thread")
    HEDGES = Text("client.policy.retry hedges, and a second request beside the first is not modelled")
    KEY_AND_ROUTE = Text("{key} and route exclude each other; keep one")
    LEVELS_EXPECTED = Text(
        "expected delays in order of their levels, with a unit of s m h d between single blanks, such as "
        '"1s 5s 10s 30s", got {got}'
    )
    LOOP_RATE = Text(
        "a closed loop has no rate, it sends as fast as answers come; leave rate out, or set other arrivals"
    )
    LOOP_RATE_CHANGES = Text("a closed loop has no rate that could change; leave it out")
    LOOP_SKIPS = Text("in a closed loop no message arrives while the thread is blocked; leave when_blocked out")
    MADE_TOPIC = Text("a topic that is created by its first sends has no {key}; keep one of the two")
    MOMENT_EXPECTED = Text("expected a moment after the begin of the run, got {got}")
    MORE_CELLS_THAN_PRODUCERS = Text("expected at most one cell a producer, {most}, got {got}")
    NOT_WITH_OWN_BATCHES = Text("{why} for batches that the client makes; take that part out, or leave out auto_batch")
    NOT_WRITABLE = Text("no queue can be written; expected a broker with permission w, a master and write queues")
    NO_ASYNC_BATCH = Text("release {release} sends no batch with a callback; the first that does is {first}")
    NO_GROUP = Text("expected at least one group of producers, got an empty list")
    NO_THINK_TIME = Text("with mode {mode} a send returns at once; expected a think time above 0")
    NO_TRANSACTIONS = Text("release {release} ends no transactions, 4.3.0 is the first that does")
    ONE_DELAY = Text("expected one of level, delay_time and deliver_time")
    ORDER_CONF_EXPECTED = Text('expected an order topic conf such as "broker-a:4;broker-b:2", got {got}')
    ORDER_CONF_QUEUES = Text("{conf}: expected 1 to {most} {most:queue|queues}")
    ORDER_WITHOUT_KEYS = Text("the order is that of messages with one key; expected keys as well")
    ORDER_WITH_OWN_BATCHES = Text(
        "the order is not followed through batches that the client makes; leave out this or auto_batch"
    )
    POWER_LOSS_WITH_OWN_BATCHES = Text(
        "it is not known what a power loss takes of batches that the client makes; leave out auto_batch"
    )
    RATE_MISSING = Text("missing; expected a rate such as 100/s, or arrivals: closed with a think time such as 5ms")
    SAME_GROUP = Text("two groups are named {group}")
    SELECTOR_EXPECTED = Text("expected one of {selectors}, or {{function: my_selector.py:choose}}, got {got}")
    SKIPPING = Text("messages come at their rate; those that find their thread busy are not sent")
    STARTS = Text("the producers' releases start a new topic from different ones: {starts}")
    THINK_MISSING = Text("missing; expected what a closed loop waits for between two sends, such as 5ms, or 0ms")
    THINK_OUTSIDE_A_LOOP = Text(
        "only a closed loop thinks; expected arrivals closed and no rate, got arrivals {arrivals}"
    )
    TIMES_EXPECTED = Text("expected {expected}, in whole milliseconds, got {got}")
    TRACE_NOT_BEFORE = Text("release {release} has no message trace, {first} is the first that has")
    TRACE_OF_A_LOOP = Text("how much trace a closed loop makes is not known beforehand; set a rate, or leave trace out")
    TRACE_OVER_PROXIES = Text("gRPC clients send no message trace; leave trace out")
    TOO_MANY_BROKERS = Text("expected at most {most} brokers, got {got}")
    TOO_MANY_FAULTS = Text("with this one the faults occur more than {most} times; make every longer")
    TOO_MANY_IDLE = Text("expected fewer than the {count} {count:producer|producers} of the group, got {got}")
    TOO_MANY_PAIRS = Text("{pairs:,} pairs of thread and key are more than {most:,}; expected fewer keys")
    TOPICS_EXPECTED = Text("expected a list of topics or a mapping of topic to weight, got {got}")
    TOPIC_WITHOUT_KEYS = Text("it chooses by the key, and the messages of topic {topic} have none; give the topic keys")
    TRANSACTION_BATCH = Text("a batch cannot be sent in a transaction; expected a batch of 1, got {got}")
    TRANSACTION_DELAY = Text("the client clears the delay of a transactional message (5.5.0 refuses it); leave one out")
    TRANSACTION_LOOP = Text("a closed loop of transactions is not modelled; expected a rate")
    TRANSACTION_MODE = Text("sendMessageInTransaction is synchronous; expected mode sync, got {got}")
    TRANSACTION_SELECTOR = Text("a transaction has no selector in the client; leave selector out")
    TWO_RATES = Text("{at} has two rates; keep one")
    UNLIKE_STARTS = Text("{starts}; use releases that start from the same one")
    WEIGHTS_TOO_FINE = Text("the weights need whole numbers that add up to more than {most}; round them")

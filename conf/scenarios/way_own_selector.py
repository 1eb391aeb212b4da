"""The selector of way-own-selector.yaml: customers have a home broker, big customers share one."""

from __future__ import annotations

BIG = 3  # customers below that number send most of the orders


def choose(queues, message, arg):
    """Place in `queues` of the queue for the order of customer `arg`.

    queues: the topic's queues in the client's order, each with topic, broker_name and queue_id. message: topic,
    producer, thread, number, body_bytes. arg: number of the message's key, None if the topic has no keys.
    """
    home = "broker-a" if arg < BIG else "broker-b"
    places = [place for place, queue in enumerate(queues) if queue.broker_name == home]
    places = places or list(range(len(queues)))  # name servers drop a broker that is away: any queue then
    return places[arg % len(places)]


def sticky(queues, message, arg):
    """Sixteen orders of a thread go to one queue, the next sixteen to the next."""
    return (message.producer + message.thread + message.number // 16) % len(queues)

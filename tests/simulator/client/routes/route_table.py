"""What a producer knows of topics and brokers, and when it replaces what it knows: what the event loop is held against.

Source: rocketmq 4.2.0-5.3.3, DefaultMQProducerImpl.tryToFindTopicPublishInfo, MQClientInstance
.updateTopicRouteInfoFromNameServer, .cleanOfflineBroker and .findBrokerAddressInPublish.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from simulator.client.routes.default_route import CREATE_TOPIC_KEY, DEFAULT_TOPIC_QUEUE_NUMS, default_route
from simulator.client.routes.queue_list import MASTER_ID, TopicRoute, queue_list, write_queues
from simulator.releases.producer_release import Client


@dataclass(frozen=True, eq=False)
class TopicPublishInfo:
    """What a topic's messages are sent with until its route changes; a new one starts a new counter."""

    queues: tuple[tuple[str, int], ...]  # (broker name, queue id)
    write_queues: dict[str, tuple[int, bool]]  # broker name -> write queues, whether writeable

    @property
    def is_ok(self) -> bool:
        """Whether there is any queue to send to."""
        return bool(self.queues)

    @classmethod
    def of(cls, route: TopicRoute) -> TopicPublishInfo:
        """The info built from a route."""
        return cls(tuple(queue_list(route)), write_queues(route))


class RouteTable:
    """The topics and broker addresses of one producer.

    `query` asks the name server: a topic's route now, or None for TOPIC_NOT_EXIST.
    """

    def __init__(
        self,
        client: Client,
        query: Callable[[str], TopicRoute | None],
        create_topic_key: str = CREATE_TOPIC_KEY,
        default_topic_queue_nums: int = DEFAULT_TOPIC_QUEUE_NUMS,
    ) -> None:
        self._query = query
        self._default_key = create_topic_key if client.asks_for_create_topic_key else CREATE_TOPIC_KEY
        self._default_nums = default_topic_queue_nums
        self._infos: dict[str, TopicPublishInfo | None] = {}
        self._routes: dict[str, TopicRoute] = {}
        self._broker_ids: dict[str, frozenset[int]] = {}
        if client.keeps_create_topic_key:
            self._infos[create_topic_key] = None

    def find(self, topic: str) -> TopicPublishInfo | None:
        """The info to send a message of `topic` with; None: send() ends with NOT_FOUND_TOPIC_EXCEPTION.

        Without a usable info the name server is asked; without any route yet, for the default route as well.
        """
        info = self._infos.setdefault(topic, None)
        if info is None or not info.is_ok:
            self._take(topic, self._query(topic))
            info = self._infos[topic]
        if info is None:
            route = self._query(self._default_key)
            self._take(topic, route and default_route(route, self._default_nums))
            info = self._infos[topic]
        return info if info is not None and info.is_ok else None

    def poll(self) -> None:
        """Ask for the routes of all topics that were published to."""
        for topic in list(self._infos):
            self._take(topic, self._query(topic))

    def has_master(self, broker_name: str) -> bool:
        """Whether the address of that broker's master is known."""
        return MASTER_ID in self._broker_ids.get(broker_name, ())

    def clean_offline_brokers(self) -> None:
        """Drop the addresses that no known route names any more."""
        for name, ids in list(self._broker_ids.items()):
            named = frozenset().union(*(route.broker_ids.get(name, frozenset()) for route in self._routes.values()))
            if ids & named:
                self._broker_ids[name] = ids & named
            else:
                del self._broker_ids[name]

    def _take(self, topic: str, route: TopicRoute | None) -> None:
        """Replace what is known of a topic if its route changed, or nothing usable is known.

        A topic that does not exist (any more) keeps what was known.
        """
        if route is None:
            return
        old, info = self._routes.get(topic), self._infos.get(topic)
        if old is not None and old.is_same(route) and info is not None and info.is_ok:
            return
        self._broker_ids.update(route.broker_ids)
        self._infos[topic] = TopicPublishInfo.of(route)
        self._routes[topic] = route

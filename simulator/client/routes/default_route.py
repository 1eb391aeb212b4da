"""The route of a topic that does not exist yet.

Source: rocketmq 4.2.0-5.3.3, MQClientInstance.updateTopicRouteInfoFromNameServer.
"""

from __future__ import annotations

from dataclasses import replace

from simulator.client.routes.queue_list import TopicRoute

CREATE_TOPIC_KEY = "TBW102"  # the topic whose route new topics start with
DEFAULT_TOPIC_QUEUE_NUMS = 4


def default_route(route: TopicRoute, default_topic_queue_nums: int = DEFAULT_TOPIC_QUEUE_NUMS) -> TopicRoute:
    """The route of a topic that does not exist yet, from that of the create-topic key."""
    datas = []
    for data in route.queue_datas:
        nums = min(default_topic_queue_nums, data.read_queue_nums)
        datas.append(replace(data, read_queue_nums=nums, write_queue_nums=nums))
    return replace(route, queue_datas=tuple(datas))

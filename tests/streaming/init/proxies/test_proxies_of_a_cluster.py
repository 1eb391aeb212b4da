"""Proxies of a cluster, and groups that consume over them, which brokers do not know."""

from __future__ import annotations

import json

import pytest

from streaming.errors import InputError
from streaming.texts.init_texts import InitTexts
from tests.says import Printed, Says, raises
from tests.streaming.init.asked import init_scenario, init_text, saved
from tests.streaming.init.mqadmin.test_running_info import CONNECTION

PROXY = {"rocketMQClusterName": "DefaultCluster", "namesrvAddr": "192.0.2.1:9876"}
GROUPS = "%-64s  %-6s  %-24s %-5s  %-14s  %-7s  %s\n"
QUEUES = "%-64s  %-32s  %-4s  %-20s  %-20s  %-20s %-20s %-20s %s\n"


def progress(per_s=12, count=0, name="billing"):
    """consumerProgress of 5.3.3, and -g of the group."""
    every = GROUPS % ("#Group", "#Count", "#Version", "#Type", "#Model", "#TPS", "#Diff Total")
    every += GROUPS % (name, count, "OFFLINE" if not count else "V5_3_3", "", "", per_s, 3)
    own = QUEUES % ("#Topic", "#Broker Name", "#QID", "#Broker Offset", "#Consumer Offset", "#Client IP", "#Diff",
                    "#Inflight", "#LastTime")  # fmt: skip
    own += QUEUES % ("orders", "broker-a", 0, 100, 97, "N/A", 3, 3, "2026-11-23 11:01:52")
    return f"$ mqadmin consumerProgress\n{every}\n$ mqadmin consumerProgress -g {name}\n{own}\n"


def proxied(folder, *proxies, groups=None):
    files = [saved(folder, f"proxy-{i}.json", json.dumps(own)) for i, own in enumerate(proxies)]
    return [*files, saved(folder, "groups.txt", groups or progress())]


def test_a_group_that_consumes_without_an_instance_does_it_over_the_proxies(tmp_path):
    files = proxied(tmp_path, PROXY, PROXY)
    scenario = init_scenario(*files)
    assert scenario.consumers["billing"].grpc.kind == "push"
    assert scenario.proxies.count == 2
    words = " ".join(init_text(*files).replace("# ", "").split())
    assert InitTexts.COUNT_OVER_PROXIES() in words


def test_settings_of_proxies_are_those_of_their_files(tmp_path):
    own = PROXY | {
        "useEndpointPortFromRequest": True, "topicRouteServiceCacheRefreshSeconds": 5, "sendLatencyEnable": True,
        "defaultInvisibleTimeMills": 120_000, "startDetectorEnable": False, "grpcServerPort": 8081,
    }  # fmt: skip
    found = init_scenario(*proxied(tmp_path, own)).proxies
    assert (found.use_endpoint_port_from_request, found.send_latency_enable) == (True, True)
    assert (found.topic_route_service_cache_refresh_us, found.default_invisible_time_us) == (5_000_000, 120_000_000)


def test_without_proxies_such_a_group_is_left_out_with_the_reason(tmp_path):
    text = init_text(*proxied(tmp_path, groups=progress() + "$ mqadmin topicRoute -t orders\n" + ROUTE))
    words = " ".join(text.replace("# ", "").split())
    assert Says("init.group-left-out", group="billing") in Printed(words)
    assert Says("init.unseen-instances", per_s="12.0") in Printed(words)


ROUTE = """{"brokerDatas":[{"brokerAddrs":{"0":"192.0.2.1:10911"},"brokerName":"broker-a","cluster":"c"}],
"filterServerTable":{},"queueDatas":[{"brokerName":"broker-a","perm":6,"readQueueNums":4,"topicSysFlag":0,
"writeQueueNums":4}]}
"""


def test_a_group_that_stands_still_is_no_group_over_proxies(tmp_path):
    files = proxied(tmp_path, PROXY, groups=progress(per_s=0) + "$ mqadmin topicRoute -t orders\n" + ROUTE)
    scenario = init_scenario(*files)
    assert (scenario.consumers, scenario.proxies) == ({}, None)


@pytest.mark.parametrize(("consume_type", "kind"), [("CONSUME_PASSIVELY", "push"), ("CONSUME_ACTIVELY", "simple")])
def test_ids_of_four_parts_are_those_of_grpc_clients_behind_a_local_proxy(tmp_path, consume_type, kind):
    text = CONNECTION.replace("192.0.2.31@7#1234 ", "host-1@7@0@abc12z ").replace("CONSUME_PASSIVELY", consume_type)
    file = saved(tmp_path, "consumerConnection-billing.txt", text)
    own = saved(tmp_path, "rmq-proxy.json", json.dumps(PROXY | {"proxyMode": "LOCAL", "sendLatencyEnable": True}))
    scenario = init_scenario(file, own)
    group = scenario.consumers["billing"]
    assert (group.grpc.kind, group.count, group.release) == (kind, 1, None)
    assert (scenario.proxies.mode, scenario.proxies.send_latency_enable) == ("local", False)


def test_the_retry_topic_of_a_group_that_pops_is_no_group(tmp_path):
    text = progress(count=2).replace("V5_3_3                        ", "V5_3_3                   PUSH ")
    both = text + progress(per_s=0, name="billing_orders").partition("$ mqadmin consumerProgress -g")[0]
    words = " ".join(init_text(saved(tmp_path, "groups.txt", both)).replace("# ", "").split())
    why = InitTexts.RETRY_OF_POP(group="billing", topic="orders")
    assert InitTexts.GROUP_LEFT_OUT(group="billing_orders", why=why) in words


def test_a_proxy_s_file_that_is_cut_off_or_has_another_kind_of_value_is_refused(tmp_path):
    with raises(InputError, Says("init.proxy-config-cut")):
        init_text(saved(tmp_path, "rmq-proxy.json", '{"proxyMode": "CLUSTER", '))
    with raises(InputError, Says("init.proxy-value", name="sendLatencyEnable", wanted="true or false", got="yes")):
        init_text(saved(tmp_path, "rmq-proxy.json", json.dumps(PROXY | {"sendLatencyEnable": "yes"})))

"""A proxy's rmq-proxy.json as facts.

Source: rocketmq 5.3.3, proxy ConfigurationManager, ProxyConfig: JSON with the fields of ProxyConfig; absent ones have
its defaults.
"""

from __future__ import annotations

import json
import re

from streaming.errors import InputError
from streaming.init.cluster_facts import ClusterFacts, Sourced
from streaming.init.saved_part import SavedPart
from streaming.texts.init_texts import InitTexts

MARKS = re.compile(
    r'^\s*\{.*?"(?:rocketMQClusterName|proxyClusterName|proxyMode|proxyName|grpcServerPort|remotingListenPort)"\s*:',
    re.DOTALL,
)
# Of ProxyConfig: the scenario's key, the unit that its value needs, and the default, which is left out.
SETTINGS = {
    "useEndpointPortFromRequest": ("use_endpoint_port_from_request", "", False),
    "topicRouteServiceCacheRefreshSeconds": ("topic_route_service_cache_refresh", "s", 20),
    "defaultInvisibleTimeMills": ("default_invisible_time", "ms", 60_000),
    "sendLatencyEnable": ("send_latency_enable", "", False),
    "startDetectorEnable": ("start_detector_enable", "", False),
}  # fmt: skip


def is_proxy_config(part: SavedPart) -> bool:
    """A JSON object with a field that only a proxy's configuration has."""
    return MARKS.match(part.text) is not None


def read_proxy_config(part: SavedPart, facts: ClusterFacts) -> None:
    """One proxy more, its mode and settings. Raises InputError for what is no JSON, or a value of another kind."""
    try:
        content = json.loads(part.text)
    except json.JSONDecodeError as error:
        raise InputError(InitTexts.PROXY_CONFIG_CUT(why=error.msg).at(part.place(error.lineno - 1))) from None
    proxies = facts.proxies
    proxies.count += 1
    mode = str(content.get("proxyMode", "CLUSTER")).upper()
    proxies.modes.add(mode)
    for name, (key, unit, default) in SETTINGS.items():
        value = content.get(name, default)
        if isinstance(value, bool) != isinstance(default, bool) or not isinstance(value, int):
            wanted = "true or false" if isinstance(default, bool) else "a whole number"
            raise InputError(InitTexts.PROXY_VALUE(name=name, wanted=wanted, got=value).at(part.file))
        if value != default:
            proxies.settings[key] = Sourced(f"{value}{unit}" if unit else value, f"{part.file.name}: {name}")

"""What is printed about brokers, name servers, networks and proxies of a scenario."""

from __future__ import annotations

from state.texts import Text


class BrokerTexts:
    """What is printed about brokers, name servers, networks and proxies of a scenario."""

    BUFFER_OF_A_SET = Text("check points in memory are not modelled with mode {mode}; leave it out")
    DELAY_TOO_LONG = Text(
        "{broker} answers a delay above its timer_max_delay, {most}, with MESSAGE_ILLEGAL (13); expected "
        "at most that, got {got}"
    )
    DETECTOR_WITHOUT_FAULT_STRATEGY = Text(
        "a proxy that leaves out no broker needs no detector; set send_latency_enable: true, too"
    )
    NONE_NAMED = Text("expected at least one broker, got an empty list")
    NO_CONTROLLERS = Text("release {release} has no controllers; expected {first} or later")
    NOBODY_ACTS = Text("nothing escapes where no slave acts for its master; set slave_acting_master and slaves, too")
    NO_JRAFT = Text("controllers of {release} agree by DLedger only; expected {first} or later")
    SCAN_OF_DLEDGER = Text("only controllers of type dledger have this scan; with jraft no scan finds a silent master")
    NO_SCAN = Text("controllers of {release} do not look for sets without an active master; expected {first} or later")
    EMBEDDED_CONTROLLERS = Text(
        "embedded controllers run in name servers, and name_servers.count is {count}; raise that, or set "
        "embedded: false"
    )
    FLOW_OF_DLEDGER = Text("DLedger copies its commit log itself, and has no flow control; leave it out")
    NO_SUCH_REPLICA = Text("the slaves of this broker are the machines {first} to {machines}; got {got}")
    FIXED_PLACES = Text("a network has fixed places; expected names or patterns, or all")
    GRPC_AUTO_CREATE = Text(
        "a proxy refuses a topic that does not exist; leave out auto_create, or grpc of its producers"
    )
    GRPC_BATCH = Text("a gRPC producer sends its messages one by one; expected 1, got {got}")
    GRPC_DELAY_LEVEL = Text("a gRPC message has no delay level; expected delay_time or deliver_time")
    GRPC_ONE_WAY = Text("a gRPC producer sends nothing one-way; expected sync or async")
    GRPC_SELECTOR = Text(
        "a proxy chooses the queues of a gRPC producer's messages; expected none, or hash for message groups, got {got}"
    )
    HEARTBEATS_TOO_RARE = Text(
        "expected less than controller_heart_beat_timeout, {timeout}: with fewer heartbeats the controllers take every "
        "machine for gone"
    )
    HOURS_EXPECTED = Text('expected hours of the day such as "04" or "00;12", got {got}')
    LATENCY_MISSING = Text("missing; expected a duration such as 2ms, here or in requests and answers")
    LATENCY_TWICE = Text("requests and answers both have their own; leave this out")
    NETWORK_OF_GRPC = Text("{group} sends over proxies, which are no part of its network; leave producers out for all")
    NETWORK_WITH_PROXIES = Text("a network that takes time is not modelled together with proxies; see proxies.hop")
    LOCAL_CLIENT = Text("in local mode a client sends to the brokers themselves; leave it out")
    LOCAL_FAULT = Text("not modelled in local mode, where brokers are proxies; expected one of {known}")
    LOCAL_PROXY = Text("in local mode a broker's proxy is in its process; strike the broker instead, as broker: {name}")
    LOCAL_RELEASE = Text("in local mode its proxy is in its process; expected the release of proxies, {release}")
    LOCAL_SET = Text("sets of replicas are not modelled in local mode; expected no mode and replicas")
    LOCAL_TOO_MANY = Text("at most {most} brokers with proxies in local mode, got {got}")
    NO_TIMER_MESSAGES = Text("release {release} has no timer messages, 5.0.0 is the first that does")
    OF_CLUSTER_MODE = Text("in local mode each broker has one proxy in its process; leave it out, or set mode: cluster")
    POLICY_WITH_PROXIES = Text("a policy together with proxies is not modelled; leave out one of them")
    PROXIES_MISSING = Text(
        "its producers send over proxies, and the scenario has none; set proxies, such as {{count: 2}}"
    )
    PROXIES_SHARED = Text("proxies are shared by all producers; expected 1 with proxies, got {got}")
    PROXIES_UNUSED = Text(
        "nobody sends or receives over them; give a group grpc, such as {{release: 5.0.8}}, or leave them out"
    )
    NO_PROXY_BEFORE = Text("RocketMQ has proxies from {first} on, got {release}")
    PROXY_NOT_BEFORE = Text("a proxy of release {release} does not have it; the first that has it is {first}")
    REMOTING_SETTINGS = Text("it holds settings of a remoting client, and this group has grpc; leave one out")
    REQUESTS_WITH_PROXIES = Text("requests that take time are not modelled together with proxies; expected answers")
    TIME_OF_DAY_EXPECTED = Text('expected a time of day such as "03:30", got {got}')
    WITHOUT_WHEEL = Text("without its wheel the broker answers timer messages with SYSTEM_ERROR (1); expected true")
    ANSWERS_ONE_REQUEST = Text(
        "with it a name server of {release} answers one request for a route, then none "
        "(apache/rocketmq#9182); expected 5.3.2 or later"
    )
    CONTROLLER_ONLY = Text("only mode controller has it, and this is {mode}")
    DOES_NOT_WORK_BEFORE = Text("release {release} does not have it; the first in which it works is 5.3.2")
    MORE_THAN_REPLICAS = Text("expected at most replicas, {replicas}")
    NAME_SERVER_NOT_BEFORE_5 = Text("release {release} does not have it; the first that has it is 5.0.0")
    NOBODY_ELECTED = Text("mode master_slave elects nobody; set mode: controller, or slaves instead of replicas")
    NOT_BEFORE_5 = Text("release {release} has it not, it came in 5.0.0")
    NOT_BEFORE_5_2 = Text("release {release} has it not, it came in 5.2.0")
    NO_SLAVE_TIMEOUT = Text("release {release} has no slaveTimeout, it came in 4.9.3; set sync_flush_timeout instead")
    NO_SUCH_MODE = Text("release {release} has no {mode} mode, it came in {first}")
    POOL_NEEDS_ASYNC_FLUSH = Text("only flush: async has a transient store pool; drop one of them")
    ROLE_OF_A_SET = Text("mode {mode} decides the role; leave it out")
    SLAVES_IN_A_SET = Text("mode {mode} counts machines in replicas; leave slaves out")
    TOO_FEW_REPLICAS = Text("mode {mode} needs {least} or more, got {got}")
    PRIORITY_EACH = Text("expected a priority for each of the {replicas} {replicas:replica|replicas}, got {got}")

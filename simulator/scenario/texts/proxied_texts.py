"""What is printed about groups that consume over proxies."""

from __future__ import annotations

from state.texts import Text


class ProxiedTexts:
    """What is printed about groups that consume over proxies."""

    AT_BROKERS = Text("{name} reaches brokers through proxies; expected a fault of proxies, such as proxy: proxy-1")
    BATCH = Text("a gRPC listener gets one message at a time; expected 1")
    BROADCAST = Text("a gRPC consumer cannot broadcast; expected CLUSTERING")
    DELAY_LEVEL = Text("a gRPC listener cannot choose a delay level; leave it out")
    NOT_OF_KIND = Text("a {kind} consumer does not have it; leave it out, or set kind: {other}")
    NO_POP = Text("release {release} knows no POP, which proxies ask for; 5.0.0 is the first that does")
    NO_PROXIES = Text("it consumes over proxies, and the scenario has none; set proxies, such as {{count: 2}}")
    NO_RETRIES = Text("the {client} client makes one attempt of a message; expected 1")
    ONE_FOR_EACH = Text("expected one proxy, or one for each of {clients:,} {clients:client|clients}, got {got:,}")
    OTHER_MODE = Text("a gRPC group with {mode} is not modelled (messages are popped anyway); leave it out")
    REMOTING_RELEASE = Text("it is the release of a remoting client, and this group has grpc; expected grpc.release")
    SUSPENDS = Text("a gRPC client tries again by the number of the attempt, after 1 s, 5 s, 10 s ...; leave it out")

"""The kinds of faults: one row a kind. The checks, `sendlab faults`, the report and the effects read this table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

BROKER = "broker"
LINK = "producers and broker"  # the network between some producers and a broker
NAME_SERVER = "name server"
CONTROLLER = "controller"
LEADER = -1  # instead of the number of a controller: the one that leads as the fault begins
CONSUMER = "consumer"


@dataclass(frozen=True)
class Kind:
    """One kind of fault.

    needs: keys it must have, of `a|b` exactly one; may: keys it may have beyond at, for, every, until and label.
    lasting: without `for` it lasts to the end. ramps: it may have `ramp`. title: its name in reports.
    seen_with: settings of the broker without which there is nothing to see. of_consumers: it strikes instances of
    consumer groups as well. cuts_consumers: it strikes the network between them and brokers. takes_us: how long it
    lasts, where the scenario does not say it.
    """

    name: str
    title: str
    meaning: str
    sets: str
    example: str
    target: str = BROKER
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    lasting: bool = False
    ramps: bool = False
    seen_with: str = ""
    of_consumers: bool = False
    cuts_consumers: bool = False
    takes_us: int = 0

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of its own that it must or may have."""
        needed = [key for keys in self.needs for key in keys.split("|")]
        return (*needed, *self.may)


_ROWS = (
    Kind(
        "hang", "hangs", "the process freezes (SIGSTOP); requests wait",
        "no request is served; no registration with the name servers",
        "{at: 1m, for: 60s, broker: broker-b, kind: hang}",
        of_consumers=True,
    ),
    Kind(
        "pause", "stops the world", "repeated short pauses, as of a garbage collector",
        "no request is served for `for`, every `every`",
        "{at: 30s, for: 400ms, every: 5s, until: 3m, broker: broker-b, kind: pause}",
        needs=("every",), of_consumers=True,
    ),
    Kind(
        "slow", "is slow", "service times grow, by a factor or by an added distribution, at once or over `ramp`",
        "service time x factor, or + latency",
        "{at: 1m, for: 2m, ramp: 30s, broker: broker-b, kind: slow, factor: 40}",
        needs=("factor|latency",), ramps=True, of_consumers=True,
    ),
    Kind(
        "disk_stall", "disk stalls", "the disk takes nothing, so the lock of the commit log is held",
        "table of commit log stalls",
        "{at: 1m, for: 3s, every: 30s, broker: broker-b, kind: disk_stall}",
    ),
    Kind(
        "kill", "is killed",
        "the process is killed: connections close at once, or after `dying`, then are refused until it is back",
        "requests under way end as send failures; gone from the name servers at once",
        "{at: 1m, for: 40s, broker: broker-b, kind: kill}",
        may=("dying",), lasting=True, of_consumers=True,
    ),
    Kind(
        "restart", "restarts", "the process is stopped and back after `for`; graceful (default) or hard",
        "the port closes first, requests under way end as send failures; it registers when back, or 10 s later",
        "{at: 1m, for: 20s, broker: broker-b, kind: restart, graceful: true}",
        may=("graceful",), of_consumers=True,
    ),
    Kind(
        "rolling_restart", "restarts in turn", "the brokers restart one after the other",
        "a restart of `each` on every broker, `pause` after the one before is back",
        "{at: 30s, each: 20s, pause: 40s, broker: all, kind: rolling_restart}",
        needs=("each", "pause"), may=("graceful",), lasting=True, of_consumers=True,
    ),
    Kind(
        "silent_death", "dies silently", "all packets are dropped: requests and connects time out",
        "connections stay open until a time-out; the name servers notice after 120 s",
        "{at: 30s, broker: broker-b, kind: silent_death}",
        lasting=True,
    ),
    Kind(
        "power_loss", "loses power", "as a silent death; unflushed messages are gone after the restart",
        "table of outages: power",
        "{at: 30s, for: 60s, broker: broker-b, kind: power_loss}",
        lasting=True,
    ),
    Kind(
        "disk_loss", "loses its disk", "as a power loss, and the disk comes back empty",
        "table of outages: disk",
        "{at: 30s, for: 60s, broker: broker-b, kind: disk_loss}",
        lasting=True,
    ),
    Kind(
        "partition", "is cut off", "no packet between the broker and the producers of a group, or named consumers",
        "as a silent death for those producers or consumers; the name servers see nothing of it",
        "{at: 1m, for: 60s, broker: broker-b, producers: shop, kind: partition}",
        target=LINK, may=("producers",), cuts_consumers=True,
    ),
    Kind(
        "packet_loss", "loses packets", "packets are lost with a probability and sent again after a time-out",
        "latency + rto, doubled with every loss in a row",
        "{at: 1m, for: 2m, broker: broker-b, kind: packet_loss, probability: 0.05, rto: 200ms}",
        target=LINK, needs=("probability",), may=("rto", "producers"), ramps=True,
    ),
    Kind(
        "slow_link", "has a slow link",
        "answers of the broker, or requests to it, take longer on the network; no send thread waits",
        "latency + delay; beyond the time-out attempts fail although the message is stored",
        "{at: 1m, for: 2m, broker: broker-b, kind: slow_link, delay: 300ms}",
        target=LINK, needs=("delay",), may=("producers", "ways"), ramps=True,
    ),
    Kind(
        "refuse", "refuses connections", "every connection is refused",
        "attempts end as RemotingConnectException",
        "{at: 1m, for: 30s, broker: broker-b, kind: refuse}",
    ),
    Kind(
        "code", "answers with a code", "every send is answered with a response code",
        "attempts end as MQBrokerException",
        "{at: 1m, for: 30s, broker: broker-b, kind: code, response_code: SYSTEM_BUSY}",
        needs=("response_code",),
    ),
    Kind(
        "status", "answers with a status", "every send is stored, and answered with a SendStatus",
        "attempts end with that SendStatus",
        "{at: 1m, for: 30s, broker: broker-b, kind: status, send_status: FLUSH_DISK_TIMEOUT}",
        needs=("send_status",),
    ),
    Kind(
        "master_lost", "loses its master", "the master is killed, its slave stays: routes name the broker without id 0",
        "as a kill; the route keeps the broker, without a master",
        "{at: 1m, for: 60s, broker: broker-b, kind: master_lost}",
        lasting=True,
    ),
    Kind(
        "slave_lost", "loses its slave", "the slave is away",
        "table of slaves: away",
        "{at: 1m, for: 60s, broker: broker-b, kind: slave_lost}",
        may=("replica",), lasting=True,
        seen_with="release: 4.9.8, role: sync_master, slaves: 1",
    ),
    Kind(
        "slave_lag", "slave lags", "the slave is further behind than the master allows: it copies nothing, or slowly",
        "table of slaves: lag",
        "{at: 1m, for: 60s, broker: broker-b, kind: slave_lag}",
        may=("replica", "copied_bytes_per_s"), lasting=True,
        seen_with="release: 4.9.8, role: sync_master, slaves: 1",
    ),
    Kind(
        "wipe_permission", "write permission wiped", "mqadmin wipeWritePerm: all topics of the broker become read-only",
        "route: permission r",
        "{at: 1m, for: 60s, broker: broker-b, kind: wipe_permission}",
        lasting=True,
    ),
    Kind(
        "read_only", "topic read-only", "mqadmin updateTopicPerm: one topic becomes read-only on the broker",
        "route: permission r of that topic",
        "{at: 1m, for: 60s, broker: broker-b, topic: orders, kind: read_only}",
        needs=("topic",), lasting=True,
    ),
    Kind(
        "queues", "queue numbers change", "mqadmin updateTopic: a topic gets another number of queues on the broker",
        "route: read and write queues of that topic",
        "{at: 1m, broker: all, topic: orders, kind: queues, queues: 16}",
        needs=("topic", "queues"), lasting=True,
    ),
    Kind(
        "scale_out", "joins", "the broker is not there before `at`, and then registers",
        "route: without the broker until then",
        "{at: 1m, broker: broker-d, kind: scale_out}",
        lasting=True, of_consumers=True,
    ),
    Kind(
        "scale_in", "leaves", "write permission wiped, then, after `drain`, the broker is shut down permanently",
        "route: permission r, then without the broker",
        "{at: 1m, drain: 60s, broker: broker-c, kind: scale_in}",
        needs=("drain",), lasting=True,
    ),
    Kind(
        "name_server_down", "is down", "a name server is killed; it comes back empty and waits for registrations",
        "its producers move on to the next one; with none left routes stay as they are",
        "{at: 1m, for: 60s, name_server: 1, kind: name_server_down}",
        target=NAME_SERVER, lasting=True,
    ),
    Kind(
        "name_server_hang", "stands still", "a name server freezes, or no packet reaches it: requests get no answer",
        "a request for a route times out after 3 s; the next one goes to the next name server",
        "{at: 1m, for: 60s, name_server: 1, kind: name_server_hang}",
        target=NAME_SERVER, lasting=True,
    ),
    Kind(
        "name_server_slow", "is slow", "a name server takes `delay` for an answer",
        "routes change so much later; from 3 s on as name_server_hang",
        "{at: 1m, for: 60s, name_server: 1, kind: name_server_slow, delay: 2500ms}",
        target=NAME_SERVER, needs=("delay",), lasting=True,
    ),
    Kind(
        "name_server_cut", "is cut off",
        "no packet between a name server and the producers of a group, an instance of consumers, or a broker",
        "as name_server_hang for those clients; the broker is dropped 120 s after its last registration",
        "{at: 1m, for: 60s, name_server: 1, producers: shop, kind: name_server_cut}",
        target=NAME_SERVER, needs=("producers|consumer|broker",), lasting=True,
    ),
    Kind(
        "controller_down", "is down",
        "a controller (a number, all or leader) is killed; embedded ones go with their name server instead",
        "while less than a majority of the controllers is there nobody is elected, and no sync set changes",
        "{at: 1m, for: 60s, controller: 1, kind: controller_down}",
        target=CONTROLLER, lasting=True, seen_with="replicas: 3, mode: controller",
    ),
    Kind(
        "stop", "is stopped", "a consumer is shut down, as by SIGTERM: it reports its offsets and says goodbye",
        "its brokers tell the rest of its group at once",
        "{at: 1m, for: 30s, consumer: billing-2, kind: stop}",
        target=CONSUMER, lasting=True, of_consumers=True,
    ),
    Kind(
        "stuck", "has a stuck message", "the listener does not return from one message: the next that a thread takes",
        "one thread is lost until then; offsets are committed no further",
        "{at: 1m, for: 40s, consumer: billing-2, kind: stuck}",
        target=CONSUMER, of_consumers=True,
    ),
    Kind(
        "reset_offset", "goes to another offset", "offsets of its queues are reset to the moment `to`, while it runs",
        "it drops what it holds, does nothing for 10 s, and begins again with what was stored from then on",
        "{at: 1m, to: 30s, consumer: billing, kind: reset_offset}",
        target=CONSUMER, needs=("to",), lasting=True, of_consumers=True, takes_us=10_000_000,
    ),
    Kind(
        "fail", "fails to handle messages", "a consumer handles no message, or a share `probability` of them fails",
        "what fails comes again through the retry topic of its group, and is a dead letter in the end",
        "{at: 1m, for: 10m, consumer: billing, kind: fail}",
        target=CONSUMER, may=("probability",), lasting=True, of_consumers=True,
    ),
)  # fmt: skip

KINDS = {row.name: row for row in _ROWS}


@cache
def kinds_with(key: str) -> tuple[str, ...]:
    """Names of the kinds that have a key of their own of that name."""
    return tuple(kind.name for kind in _ROWS if key in kind.keys)


def server_in_words(kind: str, number: int) -> str:
    """Which name server or controller a fault of that kind strikes; number: from 1, 0 = all of them, LEADER."""
    target = KINDS[kind].target if kind in KINDS else NAME_SERVER
    if number == LEADER:
        return f"the {target} that leads"
    return f"{target} {number}" if number else f"every {target}"

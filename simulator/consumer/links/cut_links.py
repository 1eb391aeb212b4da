"""What a client makes of a network that is cut between it and a broker, or that refuses its connections.

No packet passes a cut. A pull gets no answer for consumerTimeoutMillisWhenSuspend, 30 s, and comes again a moment after
that; one whose time is not over as the cut ends goes on, since TCP sends again what was lost. A synchronous request
(a heartbeat, a question for the members) gives up after 3 s, and from 4.9.1 on closes the connection: from 5.0.0 on the
pulls over it fail then, before they wait for their time-out. Without a connection every pull tries to connect for 3 s.
The broker hears nothing, and strikes the client off once it was silent for 120 s.

Where connections are refused every request fails at once; the broker hears nothing of that either.

Source: rocketmq 4.2.0-5.3.3, NettyRemotingClient.invokeSync and createChannel (NettyClientConfig.connectTimeoutMillis,
clientCloseSocketIfTimeout), PullAPIWrapper.pullKernelImpl, MQClientInstance.sendHeartbeatToAllBroker.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.links.hung_connections import REQUEST_TIMEOUT_US
from simulator.consumer.links.reaching import LINK_MASTER_CUT, LINK_OPEN, LINK_REFUSED, member_at
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import ASKED, FAILED, HELD
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.shared.holdings import group_of, pull_at, release_held

CONNECT_TIMEOUT_US = 3_000_000
OLD_ADDRESS_US = 2_500  # a connection that the machine of an old master refuses; 68 pulls of failover/ctl-kill-r1
LINK_BITS = 2  # of the value of a LINK_FALLS: LINK_CUT ..., the rest is until when
LINK_MASK = (1 << LINK_BITS) - 1


@rule()
def link_falls(world: ConsumerWorld, place: int, value: int, now_us: Us) -> None:
    """The network between an instance and a broker fails: what the broker holds for it gets no answer.

    `place`: of the two in world.members.
    """
    broker, number = place // world.settings.instances, place % world.settings.instances
    member = member_at(world, broker, number)
    member.link = value & LINK_MASK
    member.link_until_us = value >> LINK_BITS
    member.closed_us = now_us if member.link == LINK_REFUSED else 0
    is_master = member.link == LINK_MASTER_CUT
    at = world.instances[number].first_holding
    while at != NOBODY:
        holding = world.holdings[at]
        stays = is_master and holding.from_slave == 1
        if holding.state == HELD and world.logs[holding.log].broker == broker and not stays:
            release_held(world, at)
            _wait(world, at, broker, now_us)
        at = holding.next_holding


@rule()
def link_rises(world: ConsumerWorld, place: int) -> None:
    """The network is whole again; a connection that the client closed is opened by its next request."""
    member = member_at(world, place // world.settings.instances, place % world.settings.instances)
    member.link = LINK_OPEN


@rule()
def has_no_connection(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """A process that starts has no connection yet: where the network is cut it gets none."""
    for broker in range(world.settings.brokers):
        member = member_at(world, broker, number)
        member.closed_us = now_us if member.link != LINK_OPEN else 0


@rule()
def lose_pull(world: ConsumerWorld, at: int, broker: int, now_us: Us) -> None:
    """A pull does not get to the broker."""
    holding, settings = world.holdings[at], world.settings
    member = member_at(world, broker, holding.instance)
    if member.link == LINK_REFUSED:
        pull_at(world, at, FAILED, now_us + (OLD_ADDRESS_US if member.has_old_address == 1 else settings.link_us))
    elif member.closed_us > 0 and member.closed_us <= now_us:
        if member.link_until_us < now_us + CONNECT_TIMEOUT_US:
            pull_at(world, at, ASKED, max(member.link_until_us, now_us + 1))
        else:
            pull_at(world, at, FAILED, now_us + CONNECT_TIMEOUT_US)
    else:
        holding.until_us = now_us + group_of(world, holding).hold_us
        _wait(world, at, broker, now_us)


@rule()
def _wait(world: ConsumerWorld, at: int, broker: int, now_us: Us) -> None:
    """A pull waits for an answer that does not come: for its time-out, or until its connection closes."""
    holding, settings = world.holdings[at], world.settings
    member = member_at(world, broker, holding.instance)
    group = group_of(world, holding)
    gives_up_us = holding.until_us - group.hold_us + group.pull_timeout_us
    if member.closed_us > 0:
        noticed_us = min(member.closed_us, gives_up_us) if group.fails_held == 1 else gives_up_us
        pull_at(world, at, FAILED, max(noticed_us, now_us) + settings.link_us)
    elif member.link_until_us < gives_up_us:
        pull_at(world, at, ASKED, max(member.link_until_us, now_us + 1))
    else:
        pull_at(world, at, FAILED, max(gives_up_us, now_us + 1))


@rule()
def time_out(world: ConsumerWorld, number: int, broker: int, now_us: Us) -> None:
    """A synchronous request of an instance gets no answer: its release may close the connection, and pulls fail."""
    member, instance = member_at(world, broker, number), world.instances[number]
    closes_us = now_us + REQUEST_TIMEOUT_US
    if member.link < LINK_MASTER_CUT or member.closed_us > 0 or member.link_until_us <= closes_us:
        return
    if world.groups[instance.group].closes_on_timeout == 0:
        return
    member.closed_us = closes_us
    at = instance.first_holding
    while at != NOBODY:
        holding = world.holdings[at]
        waits = (holding.state == ASKED or holding.state == FAILED) and holding.from_slave == 0
        if waits and world.logs[holding.log].broker == broker and holding.due_us > closes_us:
            _wait(world, at, broker, now_us)
        at = holding.next_holding

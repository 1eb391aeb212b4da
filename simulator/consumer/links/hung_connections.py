"""What a broker that stood still makes of the connections which clients closed meanwhile.

A request that waits for 3 s has its client close the connection and open another. What lies in the closed one is read
all the same as the broker goes on, beside the word that it is closed, by another thread. If the heartbeat comes second,
the dead connection is a member until it was silent for 120 s, so that a client id is listed twice. And who has no
heartbeat in its new connection is not listed until the next one; from 5.2.0 on a client sends one over each. There is a
new one within seconds where it has a queue of this broker, as its pulls fail and come again; each of them may stay.
Where it has none, nothing connects until its next heartbeat or question for the members. In brokerstop-r1 such a client
of 5.3.3, whose heartbeat was lost 11 s before the broker went on, is missing from the list for 19 s.

How many stay differs between hangs more than between the clients of one, of 4.9.8 and of 5.3.3. In eight recorded hangs
of 30 s, seven of them with 24 clients, 91 of 312 heartbeats in closed connections did, in each hang 0 to 61 %; on a
busier machine more.
Source: rocketmq 4.2.0-5.3.3, NettyRemotingClient.invokeSync, ConsumerManager, MQClientInstance (onChannelActive),
ClientConfig.enableHeartbeatChannelEventListener.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_side import Member
from simulator.kernel.randomness import CONNECTION_RACE, DEAD_CONNECTION, NEW_CONNECTION, below, hash4

REQUEST_TIMEOUT_US = 3_000_000  # of heartbeats and of questions for members
NEW_BEAT_US = 4_000_000  # from one heartbeat to the next of a client that sends one over each new connection
# of a client: whether a new connection begins with a heartbeat, and whether its pulls make one
NO_BEAT, BY_REQUESTS, BY_PULLS = range(3)
SHARES = 1 << 20
DEAD_MOST = 0.6  # of the heartbeats in closed connections that are read last, in the worst hang
DEAD_MAX = 7  # dead connections of a client that are followed


@rule()
def beat_unheard(member: Member, now_us: Us) -> None:
    """A heartbeat to a broker that stands still; the one before, if there is one, was given up."""
    if member.beat_us > 0:
        member.lost_beats += 1
    member.beat_us = now_us
    ask_unheard(member, now_us)


@rule()
def ask_unheard(member: Member, now_us: Us) -> None:
    """A question for members to a broker that stands still, or another request that its client waits for."""
    if member.asked_us == 0:
        member.asked_us = now_us


@rule()
def dead_share(seed: int, broker: int, now_us: Us) -> float:
    """Of the heartbeats in closed connections, the part that a broker that goes on reads after their ends.

    How far its threads get before each other is much the same for all clients of a hang, and differs between hangs.
    """
    return DEAD_MOST * below(hash4(seed, CONNECTION_RACE, broker, now_us), SHARES) / SHARES


@rule()
def leave_dead(member: Member, seed: int, number: int, connects: int, share: float, now_us: Us) -> None:
    """The broker goes on: each connection that the client has closed stays a member if its heartbeat is read last.

    A client that pulls, and sends a heartbeat over each new connection, has opened and closed one after the other.
    """
    if member.beat_us > 0 and now_us - member.beat_us >= REQUEST_TIMEOUT_US:
        member.lost_beats += 1
        member.beat_us = 0
    beats = member.lost_beats
    if connects == BY_PULLS and member.asked_us > 0:
        beats += max(now_us - member.asked_us - REQUEST_TIMEOUT_US, 0) // NEW_BEAT_US
    for beat in range(beats):
        if member.dead < DEAD_MAX and drawn(seed, DEAD_CONNECTION, number + (beat << 32), now_us, share):
            member.dead += 1
            member.dead_us = now_us


@rule()
def go_on_with(member: Member, seed: int, number: int, is_up: int, connects: int, now_us: Us) -> int:
    """Whether the broker, of which all closed connections are known, lists the client by a living one.

    connects: NO_BEAT, or whether requests of a client that sends a heartbeat over each new connection make one.
    """
    is_heard = member.beat_us > 0
    is_closed = is_up == 0 or member.lost_beats > 0
    is_closed = is_closed or (member.asked_us > 0 and now_us - member.asked_us >= REQUEST_TIMEOUT_US)
    if is_closed and connects == BY_PULLS:
        is_heard = is_heard or drawn(seed, NEW_CONNECTION, number, now_us, REQUEST_TIMEOUT_US / NEW_BEAT_US)
    is_heard = is_heard and is_up == 1
    if is_heard:
        member.seen_us = now_us
    elif is_closed and connects != NO_BEAT:
        member.closed_us = now_us
    member.beat_us = 0
    member.asked_us = 0
    member.lost_beats = 0
    return 1 if is_heard or (member.is_listed == 1 and not is_closed) else 0


@rule()
def drawn(seed: int, purpose: int, number: int, now_us: Us, share: float) -> bool:
    """Whether something happens that has that chance."""
    return below(hash4(seed, purpose, number, now_us), SHARES) < share * SHARES

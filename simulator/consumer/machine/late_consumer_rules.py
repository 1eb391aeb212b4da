"""What most groups of consumers do not need of the machine: each of these rules is compiled when it is first called.

The loop calls them through `world.late`, so that it need not import them.
"""

from __future__ import annotations

from simulator.compiled.late import late
from simulator.compiled.records import Us
from simulator.consumer.broker.check_points import forget_revived, keep_popped
from simulator.consumer.broker.expiring import clean_files
from simulator.consumer.broker.reviving import expire_in_order, go_on_reviving
from simulator.consumer.machine.actions import act
from simulator.consumer.machine.append_rows import append_later, lose_waiting, take_answer
from simulator.consumer.machine.autoscaling import scale
from simulator.consumer.machine.other_machines import copy_tables
from simulator.consumer.machine.pop_windows import close_pops
from simulator.consumer.memory import consumer_events as events
from simulator.consumer.memory.consumer_world import ConsumerWorld, LateConsumerRules
from simulator.consumer.memory.half_message import UNWRITTEN
from simulator.consumer.pop.pop_buffer import forget_batches, hold_offsets_back
from simulator.consumer.proxied.renewing import renew_receipts
from simulator.consumer.schedule.delay_windows import close_delays
from simulator.consumer.schedule.delivering import deliver, flush_delays
from simulator.consumer.schedule.taken_over import copy_progress
from simulator.consumer.transactions.checking import begin_round, check_next
from simulator.consumer.transactions.half_requests import arrive
from simulator.consumer.transactions.other_master import forget_ended
from simulator.consumer.transactions.transaction_windows import close_transactions


@late
def act_now(world: ConsumerWorld, at: int, now_us: Us) -> int:
    """An action of the scenario happens."""
    act(world, world.actions.rows[at], now_us)
    return 0


@late
def put_later(world: ConsumerWorld, at: int, now_us: Us) -> int:
    """An appended message waits for its time or its transaction."""
    append_later(world, world.appends.rows[at], now_us)
    return 0


@late
def lose_later(world: ConsumerWorld, at: int, now_us: Us) -> int:
    """A message is lost that waits for its time or its transaction."""
    lose_waiting(world, world.losses.rows[at])
    return 0


@late
def answer_half(world: ConsumerWorld, at: int, now_us: Us) -> int:
    """A producer gets the answer to a half message."""
    take_answer(world, world.answers.rows[at], now_us)
    return 0


@late
def follow_transaction(world: ConsumerWorld, kind: int, number: int, now_us: Us) -> int:
    """A request about a half message, or a check-back."""
    if kind == events.CHECK_ROUND:
        begin_round(world, number, now_us)
    elif kind == events.CHECK_NEXT:
        check_next(world, number, now_us)
    else:
        arrive(world, number, now_us)
    return 0


@late
def deliver_delayed(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """A deliverer of delayed messages."""
    deliver(world, number, now_us)
    return 0


@late
def scale_group(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """The autoscaler looks at a group."""
    scale(world, number, now_us)
    return 0


@late
def keep_store(world: ConsumerWorld, kind: int, number: int, now_us: Us) -> int:
    """A timer of a broker beyond those that every group needs; a master that is silent skips its turn, too."""
    if world.serving[number].is_unled == 1:
        return 0
    if kind == events.DELAY_FLUSH:
        flush_delays(world, number)
    elif kind == events.CLEAN_FILES:
        clean_files(world, number, now_us)
    elif kind == events.ORDER_EXPIRY:
        expire_in_order(world, number, now_us)
    elif kind == events.RENEW:
        renew_receipts(world, number, now_us)
    elif kind == events.SLAVE_SYNC:
        copy_tables(world, number, now_us)
    elif kind == events.WHEEL_SYNC:
        copy_progress(world, number, 1)
    elif kind == events.OP_BATCH:
        forget_ended(world, number, UNWRITTEN)
    return 0


@late
def revive(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """The event of a revive service."""
    go_on_reviving(world, number, now_us)
    return 0


@late
def note_flush(world: ConsumerWorld, broker: int, now_us: Us) -> int:
    """A broker has written its offsets: what it revived before it does not revive again."""
    if world.store_rules[broker].elects == 0:
        forget_revived(world, broker, 0)
    if world.settings.merges_pops == 1:
        hold_offsets_back(world, broker)
    return 0


@late
def crash_pops(world: ConsumerWorld, broker: int, now_us: Us) -> int:
    """A broker was killed: it forgets check points in memory, and reads its revive log from its last flush on."""
    if world.settings.merges_pops == 1:
        forget_batches(world, broker)
    if world.store_rules[broker].elects == 0:
        forget_revived(world, broker, 1)
    return 0


@late
def close_others(world: ConsumerWorld, now_us: Us) -> int:
    """The window of what is popped, delayed and sent in transactions."""
    if world.settings.pops > 0:
        keep_popped(world)
        close_pops(world)
    close_delays(world)
    close_transactions(world)
    return 0


LATE_CONSUMER_RULES = (
    act_now, put_later, lose_later, answer_half, follow_transaction, deliver_delayed, scale_group, keep_store,
    revive, note_flush, crash_pops, close_others,
)  # fmt: skip


def fill_late_consumer_rules(own: LateConsumerRules) -> None:
    """Let the machine call them."""
    for one in LATE_CONSUMER_RULES:
        setattr(own, one.__name__, one)

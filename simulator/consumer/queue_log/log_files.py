"""The files of a broker's commit log: which there are, and when each was begun and ended.

An entry does not go over the end of a file: what is left of it is filled up (CommitLog, END_OF_FILE).
Source: rocketmq 4.2.0-5.3.3, CommitLog.calMsgLength, MappedFileQueue.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.queue_log import NO_FILE
from simulator.kernel.pools import give_back, take


@rule()
def write_entry(world: ConsumerWorld, broker: int, topic: int, body_bytes: int, now_us: Us) -> int:
    """Write a message to the commit log of a broker; where it begins."""
    files = world.broker_files[broker]
    size = world.log_topics[topic].entry_bytes + body_bytes
    whole = world.store_rules[broker].file_bytes
    if files.last_file == NO_FILE or files.end + size > world.log_files[files.last_file].begin + whole:
        _begin_file(world, broker, now_us)
    position = files.end
    files.end = position + size
    world.log_files[files.last_file].ended_us = now_us
    return position


@rule()
def _begin_file(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    files, file = world.broker_files[broker], take(world, world.clock.log_files, world.log_files)
    file.next_file = NO_FILE
    if files.last_file == NO_FILE:
        files.first_file = file.number
        file.begin = files.end
    else:
        last = world.log_files[files.last_file]
        last.next_file = file.number
        file.begin = last.begin + world.store_rules[broker].file_bytes
    file.begun_us = now_us
    files.last_file = file.number
    files.end = file.begin


@rule()
def delete_first_file(world: ConsumerWorld, broker: int) -> None:
    """Delete the oldest file, which is not the last."""
    files = world.broker_files[broker]
    file = world.log_files[files.first_file]
    files.first_file = file.next_file
    files.begin = world.log_files[file.next_file].begin
    give_back(world.clock.log_files, file)

"""The log of a queue: its messages in pages, the oldest first; what everybody has read is forgotten, page by page."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from simulator.compiled.records import Record, Region, Us, bits, several
from simulator.kernel.pools import Taken

PAGE_MESSAGES = 128
NO_PAGE = -1
NO_LOG = -1
NO_FILE = -1
TIMES_BITS = 4  # in which a message counts its consumptions by a group; by a broadcasting instance in one
COUNT_BITS = 32  # of all its readers
SENDER_SHIFT = 40  # of the sender thread, beyond the message's number


class NewMessage(NamedTuple):
    """What is known of a message that is about to be stored; the fields are those of MessageContent."""

    arrival_us: Us
    draw: int
    sender: int
    counts: int
    body_bytes: int


class MessageContent(Record):
    """What a message is, wherever a broker stores it."""

    arrival_us: Us  # when the application wanted to send it
    draw: int  # its own randomness
    sender: int  # sender thread << SENDER_SHIFT | number of the message
    counts: Annotated[int, bits(COUNT_BITS + 1)]  # how often each reader has consumed it (queue_log/consumptions.py)
    body_bytes: Annotated[int, bits(31)]


class StoredMessage(MessageContent):
    """One message of a log."""

    stored_us: Us


class LogPage(Taken):
    """Messages of one log that follow each other."""

    next_page: int
    log: int  # NO_LOG: it is free
    first_offset: int
    position: int  # of its first message in the commit log, bytes
    messages: Annotated[Region[StoredMessage], several(PAGE_MESSAGES)]


class QueueLog(Record):
    """The log of a (topic, broker, queue)."""

    number: int
    topic: int
    broker: int
    queue_id: int
    min_offset: int  # of the first message that can be read
    max_offset: int  # of the next one that will be appended
    first_page: int
    last_page: int
    held: int  # first pull that the broker holds for it, a number of world.holdings, or -1
    appended: int  # in the open window
    kept_from: int  # smallest offset that a reset may go to
    read_from: int  # smallest offset that somebody may still ask for, while pages are forgotten


class LogTopic(Record):
    """The logs of a topic: those of all brokers, in the order of the client's sorted list."""

    first_log: int
    logs: int  # 0: nobody reads it
    first_tag: int  # in world.tag_edges
    tags: int  # 0: its messages have none
    entry_bytes: int  # of a message in the commit log, without its body
    first_popping: int  # in world.popping
    popping: int  # subscriptions that pop it


class StoreRules(Record):
    """What a broker's settings say about its commit log, and about reading it."""

    file_bytes: int  # mappedFileSizeCommitLog
    reserved_us: Us  # fileReservedTime
    hours: int  # deleteWhen: bits of the hours of the day
    disk_bytes: int  # 0: without limit
    disk_percent: int  # diskMaxUsedSpaceRatio
    memory_bytes: int  # what is further behind the end is read from the disk; 0: nothing is
    cache_bytes: int  # what is further behind the end has left the page cache; 0: nothing has
    disk_read_us: Us  # what the disk takes for one pull
    pull_us: Us  # what a thread takes for one pull
    pop_us: Us  # from the begin of a pop until it reads its queues
    slaves: int
    slave_sync_us: Us  # from one copy of the offset table to the next
    elects: int  # 1: a slave becomes the master where that is gone
    escapes: int  # 1: a slave that acts for its master delivers delayed messages to other brokers
    op_batch_us: Us  # transactionOpBatchInterval, 0: an op message for each half message
    slave_read: int  # 1: slaveReadEnable
    revive_us: Us  # reviveInterval; 0: it knows no POP
    revive_slow: int  # reviveMaxSlow
    slave_is_named: int  # 1: name servers name a slave that acts as master
    slave_us: Us  # until a slave has what the master stored
    property_filter: int  # 1: enablePropertyFilter
    keeps_answers: int  # 1: what SQL92 does not take is not read from the commit log
    filter_us: Us  # to read a message's properties and evaluate SQL92


class BrokerFiles(Record):
    """The commit log of a broker: its files, the oldest first."""

    begin: int  # of the oldest file, bytes since the scenario began
    end: int  # where the next message is written
    first_file: int
    last_file: int
    disk_free_us: Us  # of reading; and of the slave
    slave_disk_free_us: Us


class LogFile(Taken):
    """A file of a commit log."""

    next_file: int
    begin: int
    begun_us: Us
    ended_us: Us  # when the last message was written to it

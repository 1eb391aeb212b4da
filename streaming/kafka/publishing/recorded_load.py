"""What the producers of a recording wanted to send, as arrivals of a scenario that has these producers."""

from __future__ import annotations

import numpy as np

from simulator.kernel.randomness import ARRIVAL_LATENCY, hash4
from simulator.plan.run_plan import Plan
from simulator.workload import Arrivals
from streaming.errors import InputError
from streaming.kafka.publishing.run_records import Load
from streaming.recording.recording import Recording
from streaming.recording.recording_clock import SEND
from streaming.texts.kafka_texts import KafkaTexts


def load_of(recording: Recording, plan: Plan) -> Load:
    """The first row of each recorded message is its arrival; those before the begin or after the end are left out.

    The threads that a producer of the recording sends with are its threads 0, 1, ... here.

    Raises InputError for a producer, a thread or a topic that the scenario does not have.
    """
    rows = recording.rows.to_pandas()
    sent = rows[rows["problem"].isna() & rows["send_seq"].notna()].sort_values(["run_us", "row"])
    sent = sent.groupby(SEND, sort=False, as_index=False).first()
    sent = sent[(sent["run_us"] >= 0) & (sent["run_us"] < plan.duration_us)].sort_values(["run_us", "row"])
    sent["thread"] = sent.groupby("producer")["thread"].rank(method="dense").astype(int) - 1
    load, placed = {}, 0
    for cell in plan.cells:
        names = cell.names
        threads = {key: n for n, key in enumerate(zip(names.producer_of_thread, names.number_of_thread, strict=True))}
        topics = {name: number for number, name in enumerate(names.topics)}
        thread = np.array(
            [threads.get(key, -1) for key in zip(sent["producer"], sent["thread"], strict=True)], np.int64
        )
        topic = np.array([topics.get(name, -1) for name in sent["topic"]], np.int64)
        if len(topic) and topic.min() < 0:
            raise InputError(
                KafkaTexts.TOPIC_NOT_IN_SCENARIO(topic=sent["topic"].iloc[topic.argmin()]).at(recording.path)
            )
        at_us, mine = sent["run_us"].to_numpy(np.int64), thread >= 0
        placed += int(mine.sum())
        draw = [hash4(plan.seed, ARRIVAL_LATENCY, int(t), n) for n, t in enumerate(thread[mine])]
        events = Arrivals(at_us[mine], thread[mine], topic[mine], np.array(draw, np.uint64).astype(np.int64))
        windows = events.at_us // plan.window_us
        for window in np.unique(windows):
            chosen = windows == window
            load[cell.number, int(window)] = Arrivals(*(column[chosen] for column in vars(events).values()))
    if placed < len(sent):
        raise InputError(KafkaTexts.MESSAGES_OF_OTHERS(count=len(sent) - placed).at(recording.path))
    return load

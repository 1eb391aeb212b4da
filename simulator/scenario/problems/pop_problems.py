"""What of POP groups does not fit the rest of the scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from simulator.releases.consumer_release import CONSUMERS
from simulator.scenario.consuming.consumers import ConsumerGroup, client_ids_of
from simulator.scenario.faults.fault_list import Fault
from simulator.scenario.faults.targets import struck_instances
from simulator.scenario.reading.scenario_error import Problem
from simulator.scenario.texts.consumer_texts import ConsumerTexts


def pop_problems(groups: Mapping[str, ConsumerGroup], release: str, faults: Sequence[Fault]) -> Iterator[Problem]:
    """Clients that cannot pop, and resets of offsets that nobody pulls from; `release`: where a group has none."""
    for name, group in groups.items():
        if not group.is_pop:
            continue
        own = group.release or release
        if group.grpc is None and CONSUMERS[own].pop_batch_nums is None:
            yield Problem(("consumers", name, "consume_mode"), ConsumerTexts.RELEASE_WITHOUT_POP(release=own))
        ids = list(client_ids_of(name, group))
        for i, fault in enumerate(faults):
            if fault.kind == "reset_offset" and struck_instances(fault.consumers or (), ids):
                yield Problem(("faults", i, "consumer"), ConsumerTexts.POP_RESET(group=name))

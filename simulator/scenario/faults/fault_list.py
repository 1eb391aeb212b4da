"""The faults of a scenario: what goes wrong where, from when to when."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, model_validator

from simulator.codes import SEND_STATUS_CODES
from simulator.scenario.client_settings import SizeBytes
from simulator.scenario.distributions.latency_settings import Latency
from simulator.scenario.faults.fault_kinds import CONTROLLER, KINDS, LINK, NAME_SERVER, kinds_with, server_in_words
from simulator.scenario.faults.fault_values import (
    BrokerNames,
    ConsumerNames,
    Controllers,
    ErrorCode,
    Factor,
    GroupNames,
    KindName,
    NameServers,
    Probability,
    ReplicaNumber,
    StatusName,
)
from simulator.scenario.faults.struck import OF_PRODUCERS, OF_PROXIES, strikes
from simulator.scenario.faults.targets import (
    ALL,
    EXPECTED,
    TARGETS,
    placed,
    struck,
    struck_instances,
    unknown_instance,
    unknown_target,
)
from simulator.scenario.reading.fields import (
    DURATION_TEXT,
    Flag,
    Model,
    PeriodUs,
    Text,
    TimeUs,
    choice,
    duration_us,
    whole,
)
from simulator.scenario.reading.scenario_error import Problem, not_known, raise_any
from simulator.scenario.texts.fault_texts import FaultTexts
from simulator.scenario.texts.field_texts import FieldTexts
from simulator.scenario.topics import QUEUES_MAX, TopicName
from simulator.units import US_PER_MS, US_PER_S, format_duration

PERIODS_MAX = 100_000
RTO_US = 200 * US_PER_MS  # Linux, TCP_RTO_MIN
LINK_DELAY_MAX_US = 30 * US_PER_S
PRODUCER = "transactional producer"
LinkDelayUs = Annotated[int, duration_us(1, LINK_DELAY_MAX_US), DURATION_TEXT]


class FaultPeriod(NamedTuple):
    """One stretch of one fault at one place: [at_us, until_us) of virtual time.

    `broker`: "" for a name server, a proxy (`details["proxy"]`) and an instance of a consumer group, which
    `details["consumer"]` names; both are there where the network between the two is cut. `value`:
    slow = the factor in millionths; code = the response code; status = its code in `codes.SEND_STATUS_CODES`.
    packet_loss, fail = the probability in millionths; slow_link = the delay in us; queues = their number. slave_lost,
    slave_lag = the replica from 1, 0 = all; a name server's or controller's kinds = its number from 1, 0 = all
    controllers, LEADER; all others = 0. `producers`: the group that it is for, or "". `more`: the rest as sorted JSON.
    """

    at_us: int
    until_us: int
    broker: str
    kind: str
    value: int
    label: str
    producers: str = ""
    more: str = ""

    @property
    def details(self) -> dict[str, Any]:
        """What `more` says."""
        return dict(json.loads(self.more)) if self.more else {}

    @property
    def title(self) -> str:
        """The label, or else what happens to whom: `broker-b is killed`."""
        if self.label:
            return self.label
        details = self.details
        if self.broker and "consumer" in details:
            return f"{details['consumer']} {KINDS[self.kind].title} from {self.broker}"
        process = details.get("consumer") or details.get("producer") or details.get("proxy")
        server = server_in_words(self.kind, self.value)
        place = self.broker or process or server
        cut = self.producers or details.get("cut_consumer") or details.get("cut_broker")
        if cut:
            place += f" for {cut}"
        return f"{place} {KINDS[self.kind].title}"


class Fault(Model):
    """Something that happens from `at_us` for `for_us`, once or every `every_us` until `until_us`.

    `fault_kinds.KINDS` says what each kind does and which keys it has. Several at once: speeds multiply, so a hang
    stands still whatever else goes on; a process is away until nothing keeps it away. A cut network is cut, added
    latencies add up and so do losses; of refuse, code and status the one that started last wins. Faults that are alike
    strike as often as they are there. What lies beyond the scenario's duration is cut off.
    """

    at_us: TimeUs = Field(alias="at", title="a duration such as 1m", description="virtual time at which it begins")
    for_us: PeriodUs | None = Field(
        None, alias="for", description="how long it lasts; some kinds last to the end without it"
    )
    every_us: PeriodUs | None = Field(None, alias="every", description="it comes back this often; default once")
    until_us: TimeUs | None = Field(None, alias="until", description="when it stops coming back; default at the end")
    ramp_us: PeriodUs | None = Field(None, alias="ramp", description="how long it takes to grow to its full size")
    brokers: BrokerNames | None = Field(None, alias="broker", description="affected brokers")
    consumers: ConsumerNames | None = Field(
        None, alias="consumer", description="affected instances of consumer groups, instead of brokers; partition: both"
    )
    struck_producers: ConsumerNames | None = Field(
        None, alias="producer", description="affected transactional producers, instead of brokers"
    )
    struck_proxies: ConsumerNames | None = Field(
        None, alias="proxy", description="affected proxies, instead of brokers"
    )
    producers: GroupNames | None = Field(None, description="groups whose network is affected; default all")
    name_servers: NameServers | None = Field(None, alias="name_server", description="affected name servers")
    controllers: Controllers | None = Field(None, alias="controller", description="affected controllers")
    kind: KindName = Field(title="a fault kind such as hang; `sendlab faults` lists them", description="what happens")
    factor_millionths: Factor | None = Field(None, alias="factor", description="slow: times the service time")
    latency: Latency | None = Field(None, description="slow: added to the service time, instead of factor")
    probability_millionths: Probability | None = Field(
        None, alias="probability", description="packet_loss: of losing a packet; fail: of failing, default 1"
    )
    rto_us: PeriodUs | None = Field(
        None, alias="rto", description="packet_loss: until a packet is sent again, doubled each time; default 200ms"
    )
    delay_us: LinkDelayUs | None = Field(
        None,
        alias="delay",
        description="slow_link: added to the way of each answer or request, at most 30s; "
        "name_server_slow: until a name server answers",
    )
    ways: Annotated[Literal["answers", "requests", "both"], choice("answers", "requests", "both")] | None = Field(
        None, description="slow_link: what takes longer; default answers"
    )
    response_code: ErrorCode | None = Field(None, description="code: what the broker answers")
    send_status: StatusName | None = Field(None, description="status: what the broker answers")
    graceful: Flag | None = Field(None, description="restart, rolling_restart: it closes its port first; default true")
    dying_us: PeriodUs | None = Field(
        None, alias="dying", description="kill: how long it is mute until its connections close; default 0s"
    )  # fmt: skip
    each_us: PeriodUs | None = Field(None, alias="each", description="rolling_restart: how long a broker is away")
    pause_us: TimeUs | None = Field(None, alias="pause", description="rolling_restart: between two brokers")
    drain_us: TimeUs | None = Field(None, alias="drain", description="scale_in: from read-only to away")
    to_us: TimeUs | None = Field(None, alias="to", description="reset_offset: the moment that it goes to")
    topic: TopicName | None = Field(None, description="read_only, queues: which topic")
    queues: Annotated[int, whole(1, QUEUES_MAX)] | None = Field(None, description="queues: how many there are then")
    replica: ReplicaNumber | None = Field(None, description="slave_lost, slave_lag: of a set, from 1; default all")
    copied_bytes_per_s: SizeBytes | None = Field(None, description="slave_lag: what it still copies; default nothing")
    label: Text | None = Field(None, description="what reports call it")

    @model_validator(mode="after")
    def _check(self) -> Fault:
        raise_any([*self._key_problems(), *self._time_problems()])
        return self

    def _given(self) -> dict[str, Any]:
        return {field.alias or name: getattr(self, name) for name, field in type(self).model_fields.items()}

    def _key_problems(self) -> Iterator[Problem]:
        kind, given = KINDS[self.kind], self._given()
        target = TARGETS.get(kind.target, "broker")
        if given["proxy"] is not None and kind.name not in OF_PROXIES:
            expected = FaultTexts.OTHER_TARGET(kinds=", ".join(OF_PROXIES))
            yield Problem(("kind",), FaultTexts.NOT_OF_PROXIES(kind=kind.name, expected=expected))
            return
        if kind.of_consumers and given["consumer"] is not None and given["broker"] is None:
            target = "consumer"
            if given["latency"] is not None:
                yield Problem(("latency",), FaultTexts.CONSUMER_LATENCY())
        elif kind.cuts_consumers and given["consumer"] is not None:
            target = "consumer"
            if given["producers"] is not None:
                yield Problem(("producers",), FaultTexts.CUTS_ONE_SIDE())
        elif kind.name in OF_PRODUCERS and given["producer"] is not None and given["broker"] is None:
            target = "producer"
        elif kind.name in OF_PROXIES and given["proxy"] is not None and given["broker"] is None:
            target = "proxy"
        for key, wanted in EXPECTED.items():
            if key == target and given[key] is None:
                yield Problem((key,), FieldTexts.MISSING(expected=wanted))
            elif key != target and given[key] is not None and key not in kind.keys:
                if key == "broker" and target == "consumer" and kind.cuts_consumers:
                    continue  # from whom the consumers are cut off
                if key == "consumer" and kind.target == LINK:
                    yield Problem((key,), FaultTexts.LINK_ONLY(kind=kind.name, link=LINK))
                    continue
                text = FaultTexts.OTHER_KEY(kind=kind.name, affected=target.replace("_", " "), target=target)
                if given[target] is not None and strikes(kind, key):
                    text = FaultTexts.EXCLUSIVE(first=target, second=key)
                yield Problem((key,), text)
        for keys in kind.needs:
            found = [key for key in keys.split("|") if given[key] is not None]
            first = keys.split("|")[0]
            if not found:
                other = f" or {keys.split('|')[1]}" if "|" in keys else ""
                yield Problem((first,), FaultTexts.NEEDED(kind=kind.name, other=other))
            elif len(found) > 1:
                yield Problem((found[1],), FaultTexts.EXCLUSIVE(first=first, second=found[1]))
        for key, value in given.items():
            owners = [k.name for k in KINDS.values() if k.ramps] if key == "ramp" else kinds_with(key)
            if value is not None and key not in ("every", *EXPECTED) and owners and kind.name not in owners:
                have = f"kind {owners[0]} has" if len(owners) == 1 else f"kinds {', '.join(owners)} have"
                yield Problem((key,), FaultTexts.NOT_OF_THIS_KIND(owners=have, kind=kind.name))

    def _time_problems(self) -> Iterator[Problem]:
        if KINDS[self.kind].takes_us:
            for key, given in (("for", self.for_us), ("every", self.every_us)):
                if given is not None:
                    yield Problem((key,), FaultTexts.HAPPENS_ONCE(kind=self.kind))
        if self.to_us is not None and self.to_us > self.at_us:
            text = FaultTexts.TO_ABOVE_AT(at=format_duration(self.at_us), got=format_duration(self.to_us))
            yield Problem(("to",), text)
        if self.for_us is None and not KINDS[self.kind].lasting:
            yield Problem(("for",), FaultTexts.DURATION_MISSING())
        if self.every_us is None:
            if self.until_us is not None:
                yield Problem(("until",), FaultTexts.UNTIL_WITHOUT_EVERY())
        elif self.for_us is None:
            yield Problem(("every",), FaultTexts.EVERY_WITHOUT_LENGTH())
        elif self.every_us < self.for_us:
            text = FaultTexts.EVERY_BELOW_FOR(least=format_duration(self.for_us), got=format_duration(self.every_us))
            yield Problem(("every",), text)
        if self.until_us is not None and self.until_us <= self.at_us:
            text = FaultTexts.UNTIL_NOT_ABOVE_AT(at=format_duration(self.at_us), got=format_duration(self.until_us))
            yield Problem(("until",), text)
        if self.ramp_us is not None and self.for_us is not None and self.ramp_us > self.for_us:
            text = FaultTexts.RAMP_ABOVE_FOR(most=format_duration(self.for_us), got=format_duration(self.ramp_us))
            yield Problem(("ramp",), text)

    @property
    def value(self) -> int:
        """The number of `FaultPeriod.value`."""
        if self.send_status is not None:
            return SEND_STATUS_CODES[self.send_status]
        own = (self.factor_millionths, self.response_code, self.probability_millionths, self.delay_us, self.queues)
        return next((number for number in (*own, self.replica) if number is not None), 0)

    @property
    def more(self) -> str:
        """The text of `FaultPeriod.more`."""
        rto_us = self.rto_us or RTO_US
        found: dict[str, Any] = {
            "copied_bytes_per_s": self.copied_bytes_per_s,
            "drain_us": self.drain_us,
            "delay_us": self.delay_us if self.kind == "name_server_slow" else None,
            "dying_us": self.dying_us,
            "graceful": False if self.graceful is False else None,
            "latency": None if self.latency is None else self.latency.model_dump(by_alias=True, exclude_defaults=True),
            "ramp_us": self.ramp_us,
            "rto_us": rto_us if self.kind == "packet_loss" else None,
            "to_us": self.to_us,
            "topic": self.topic,
            "ways": None if self.ways == "answers" else self.ways,
        }
        found = {key: value for key, value in found.items() if value is not None}
        return json.dumps(found, sort_keys=True, separators=(",", ":")) if found else ""

    @property
    def _cuts_consumers(self) -> bool:
        """Whether it strikes the network between consumers and brokers."""
        return self.consumers is not None and KINDS[self.kind].cuts_consumers

    def starts_us(self, duration_us: int) -> range:
        """Begin of every repetition before the end of the repetition and of the scenario, microseconds."""
        if self.every_us is None:
            return range(self.at_us, min(self.at_us + 1, duration_us))
        end_us = duration_us if self.until_us is None else min(self.until_us, duration_us)
        return range(self.at_us, end_us, self.every_us)

    def places(
        self, brokers: Sequence[str], name_servers: int, instances: Sequence[str] = (), producers: Sequence[str] = (),
        proxies: Sequence[str] = (),
    ) -> int:  # fmt: skip
        """How many places it strikes."""
        if self.struck_proxies is not None:
            return len(struck_instances(self.struck_proxies, proxies))
        if self.struck_producers is not None:
            return len(struck_instances(self.struck_producers, producers))
        if self.consumers is not None and KINDS[self.kind].target != NAME_SERVER:
            count = len(struck_instances(self.consumers, instances))
            return count * len(struck(self.brokers or (ALL,), brokers, 0, 0)) if self._cuts_consumers else count
        if KINDS[self.kind].target == CONTROLLER:
            return len(self.controllers or (ALL,))
        if KINDS[self.kind].target == NAME_SERVER:
            cut = struck_instances(self.consumers or (), instances) or struck(self.brokers or (), brokers, 0, 0)
            return len(self.name_servers or range(name_servers)) * max(len(cut), len(self.producers or ()), 1)
        return len(struck(self.brokers or (), brokers, 0, 0)) * len(self.producers or (ALL,))

    def periods(
        self, duration_us: int, brokers: Sequence[str], name_servers: int = 1, seed: int = 0, number: int = 0,
        instances: Sequence[str] = (), producers: Sequence[str] = (), proxies: Sequence[str] = (),
    ) -> Iterator[FaultPeriod]:  # fmt: skip
        """Every stretch of this fault at each of its places, cut at `until` and at the scenario's end.

        `seed` and the fault's `number` in the scenario decide whom it strikes where that is drawn.
        """
        end_us = duration_us if self.until_us is None else min(self.until_us, duration_us)
        kind, label, more = KINDS[self.kind], self.label or "", self.more
        lasts_us = self.for_us or kind.takes_us or end_us
        names = struck(self.brokers or ((ALL,) if self._cuts_consumers else ()), brokers, seed, number)
        if self.consumers is not None and not self._cuts_consumers:
            names = struck_instances(self.consumers, instances)
        if self.struck_proxies is not None:
            names = struck_instances(self.struck_proxies, proxies)
        groups = ("",) if self.producers in (None, (ALL,)) else sorted(set(self.producers or ()))
        for at_us in self.starts_us(duration_us):
            until_us = min(at_us + lasts_us, end_us)
            if kind.target == NAME_SERVER:
                for server in self.name_servers or range(1, name_servers + 1):
                    whole = FaultPeriod(at_us, until_us, "", self.kind, server, label, "", more)
                    yield from self._of_name_server(whole, names, groups)
            elif kind.target == CONTROLLER:
                for controller in self.controllers or (0,):
                    yield FaultPeriod(at_us, until_us, "", self.kind, controller, label, "", more)
            elif self.kind == "rolling_restart":
                yield from self._in_turn(at_us, until_us, names, more)
            elif self.struck_producers is not None:
                for name in struck_instances(self.struck_producers, producers):
                    yield self._of_process(at_us, until_us, "producer", name)
            elif self._cuts_consumers:
                for name in struck_instances(self.consumers or (), instances):
                    cut = self._of_process(at_us, until_us, "consumer", name)
                    yield from (cut._replace(broker=broker) for broker in names)
            elif self.of_process:
                for name in names:
                    yield self._of_process(at_us, until_us, self.of_process, name)
            else:
                for broker in names:
                    for group in groups:
                        yield FaultPeriod(at_us, until_us, broker, self.kind, self.value, label, group, more)

    def _of_name_server(self, whole: FaultPeriod, names: Sequence[str], groups: Sequence[str]) -> Iterator[FaultPeriod]:
        """What strikes a name server, or its network to each of those that it is cut off from."""
        key = "cut_consumer" if self.consumers is not None else "cut_broker"
        for name in names:
            yield whole._replace(more=json.dumps({key: name}))
        if not names:
            yield from (whole._replace(producers=group) for group in groups)

    def _in_turn(self, at_us: int, end_us: int, names: Sequence[str], more: str) -> Iterator[FaultPeriod]:
        assert self.each_us is not None
        assert self.pause_us is not None
        for broker in names:
            if at_us >= end_us:
                return
            until_us = min(at_us + self.each_us, end_us)
            if self.of_process:
                yield self._of_process(at_us, until_us, self.of_process, broker)
            else:
                yield FaultPeriod(at_us, until_us, broker, self.kind, 0, self.label or "", "", more)
            at_us += self.each_us + self.pause_us

    @property
    def of_process(self) -> str:
        """What kind of process other than a broker it strikes: consumer, proxy, or "" for none of these."""
        if self.struck_proxies is not None:
            return "proxy"
        return "consumer" if self.consumers is not None else ""

    def _of_process(self, at_us: int, until_us: int, what: str, name: str) -> FaultPeriod:
        details = {**(json.loads(self.more) if self.more else {}), what: name}
        more = json.dumps(details, sort_keys=True, separators=(",", ":"))
        return FaultPeriod(at_us, until_us, "", self.kind, self.value, self.label or "", "", more)

    def unknown_names(
        self, brokers: Sequence[str], groups: Sequence[str], topics: Sequence[str], name_servers: int,
        instances: Sequence[str] = (), transactional: Sequence[str] = (), proxies: Sequence[str] = (),
    ) -> Iterator[Problem]:  # fmt: skip
        """A problem for everything that is named and does not exist."""
        unknown = [unknown_instance(target, transactional, PRODUCER) for target in self.struck_producers or ()]
        yield from placed("producer", unknown)
        yield from placed("proxy", [unknown_instance(target, proxies, "proxy") for target in self.struck_proxies or ()])
        consumers = [unknown_instance(target, instances) for target in self.consumers or ()]
        yield from placed("consumer", consumers)
        yield from placed("broker", [unknown_target(target, brokers) for target in self.brokers or ()])
        known = {*groups, ALL} if self.producers == (ALL,) else groups
        said = [None if name in known else not_known("producer group", name, groups) for name in self.producers or ()]
        yield from placed("producers", said)
        if self.topic is not None and self.topic not in topics:
            yield Problem(("topic",), not_known("topic", self.topic, topics))
        for number in self.name_servers or ():
            if number > name_servers:
                yield Problem(("name_server",), FaultTexts.NO_NAME_SERVER(number=number, count=name_servers))

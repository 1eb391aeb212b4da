"""Java properties as RocketMQ's brokers read them: what they take from each line, and what they ignore.

Source: java.util.Properties; MixAll.properties2Object of rocketmq 4.2.0 to 5.3.3, which leaves a key at its default
where its value cannot be parsed (`catch (Throwable ignored)`), and takes any flag but true for false. Values of names
are trimmed from 5.2.0 on. What is an int, a long or a flag: the setters of BrokerConfig and MessageStoreConfig, 5.3.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from simulator.scenario.texts.reading_texts import ReadingTexts

KEY_END = re.compile(r"(?<!\\)(?:\s*[=:]\s*|\s+)")
WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
FLAGS = frozenset({
    "brokerFastFailureEnable", "transientStorePoolEnable", "enableSlaveActingMaster", "enableRemoteEscape",
    "slaveReadEnable", "timerWheelEnable", "enableDLegerCommitLog", "enableControllerMode", "allAckInSyncStateSet",
    "haFlowControlEnable", "enablePropertyFilter", "enableCalcFilterBitMap", "enableConsumeQueueExt",
    "enablePopMessageThreshold", "enablePopBufferMerge", "enableAutoInSyncReplicas", "rejectTransactionMessage",
    "duplicationEnable", "enableBrokerContainer",
})  # fmt: skip
NAMES: Mapping[str, tuple[str, ...]] = {
    "brokerRole": ("ASYNC_MASTER", "SYNC_MASTER", "SLAVE"),
    "flushDiskType": ("ASYNC_FLUSH", "SYNC_FLUSH"),
}
INTS = frozenset({
    "sendMessageThreadPoolNums", "sendThreadPoolQueueCapacity", "syncFlushTimeout", "slaveTimeout", "inSyncReplicas",
    "minInSyncReplicas", "brokerHeartbeatInterval", "fileReservedTime", "mappedFileSizeCommitLog",
    "mapedFileSizeCommitLog", "diskMaxUsedSpaceRatio", "accessMessageInMemoryMaxRatio", "pullMessageThreadPoolNums",
    "timerPrecisionMs", "timerMaxDelaySec", "listenPort", "defaultTopicQueueNums", "brokerPermission",
})  # fmt: skip
LONGS = frozenset({
    "waitTimeMillsInSendQueue", "osPageCacheBusyTimeOutMills", "haMaxTimeSlaveNotCatchup", "maxHaTransferByteInSecond",
    "controllerHeartBeatTimeoutMills", "checkSyncStateSetPeriod", "popInflightMessageThreshold", "reviveInterval",
    "reviveMaxSlow", "brokerId",
})  # fmt: skip


@dataclass(frozen=True)
class JavaProperty:
    """A key, its value with the blanks behind it, and the first of its lines, from 1."""

    key: str
    value: str
    line: int

    @property
    def ignored(self) -> str | None:
        """Why RocketMQ does not take the value as it is written, as the end of a sentence; None if it does."""
        bits = 31 if self.key in INTS else 63 if self.key in LONGS else None
        if bits is not None and not WHOLE.fullmatch(self.value):
            return ReadingTexts.NO_WHOLE_NUMBER_TO_ROCKETMQ(value=self.value)
        if bits is not None and not -(1 << bits) <= int(self.value) < 1 << bits:
            return ReadingTexts.NUMBER_BEYOND_ROCKETMQ(value=self.value, most=(1 << bits) - 1)
        if self.key in NAMES and self.value.strip() not in NAMES[self.key]:
            return ReadingTexts.NO_NAME_TO_ROCKETMQ(value=self.value.strip(), names=", ".join(NAMES[self.key]))
        if self.key in NAMES and self.value != self.value.strip():
            return ReadingTexts.BLANK_BEHIND_IGNORED(value=self.value)
        if self.key in FLAGS and self.value.lower() not in ("true", "false"):
            return ReadingTexts.ANYTHING_BUT_TRUE(value=self.value)
        return None

    @property
    def taken(self) -> str | None:
        """The value that the broker has by it, None for its default."""
        if self.key in FLAGS:
            return "true" if self.value.lower() == "true" else "false"
        is_taken = self.ignored is None or (self.key in NAMES and self.value.strip() in NAMES[self.key])
        return self.value.strip() if is_taken else None


def properties_in(text: str) -> dict[str, JavaProperty]:
    """The properties of a text; of one that is there twice the last. Comments begin with # or !."""
    found: dict[str, JavaProperty] = {}
    for number, line in _whole_lines(text):
        end = KEY_END.search(line)
        key, value = (line[: end.start()], line[end.end() :]) if end else (line.strip(), "")
        key = re.sub(r"\\(.)", r"\1", key)
        found[key] = JavaProperty(key, re.sub(r"\\([:=#! ])", r"\1", value), number)
    return found


def _whole_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with what a backslash at the end continues."""
    begun, whole = 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        own = line.lstrip()
        if not whole and (not own or own[0] in "#!"):
            continue
        begun = begun if whole else number
        is_continued = (len(own) - len(own.rstrip("\\"))) % 2 == 1
        whole += own[:-1] if is_continued else own
        if is_continued:
            continue
        yield begun, whole
        whole = ""
    if whole:
        yield begun, whole

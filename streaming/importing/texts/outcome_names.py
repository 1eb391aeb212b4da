"""How an attempt ended, as logs write it: a status, or an exception by its short, full or wrapped name.

Source: rocketmq 4.9.8 and 5.3.3: DefaultMQProducerImpl.sendDefaultImpl ("Send [n] times, still failed"),
MQBrokerException ("CODE: n  DESC: ..."), ClientErrorCode, SendResult.toString.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from simulator import codes
from simulator.scenario.reading.scenario_error import did_you_mean
from streaming.importing.texts.bad_value import SHOWN, BadValue
from streaming.importing.trace import OUTCOME_NUMBERS
from streaming.texts.import_texts import ImportTexts

OK, TIME_OUT = "SEND_OK", "RemotingTimeoutException"
ALIKE = {
    **dict.fromkeys(("OK", "SUCCESS", "SUCCEEDED", "SUCCESSFUL", "TRUE", "成功", "发送成功"), OK),
    **dict.fromkeys(("TIMEOUT", "TIMED_OUT", "超时", "发送超时"), TIME_OUT),
}
FAILED = ("FALSE", "FAIL", "FAILED", "FAILURE", "ERROR", "失败", "发送失败")
KNOWN = {name.upper(): name for name in OUTCOME_NUMBERS} | ALIKE
# What a cause of an attempt's exception may be called, too.
WEAK = (codes.NO_MASTER, codes.NO_SEND_RESULT, codes.ROUTE_UNANSWERED)
BROKER_ERROR, CLIENT_ERROR = codes.OUTCOME_NAMES[codes.BROKER_ERROR], codes.OUTCOME_NAMES[codes.NO_MASTER]
# What the client puts into the exception that ends a send, by the exception of its last attempt.
CAUSES = {
    codes.CONNECT_BROKER_EXCEPTION: codes.OUTCOME_NAMES[codes.CONNECT_REFUSED],
    codes.ACCESS_BROKER_TIMEOUT: codes.OUTCOME_NAMES[codes.RESPONSE_TIMEOUT],
}
EXCEPTION = re.compile(r"(?:[A-Za-z_][\w$]*\.)*([A-Za-z_]\w*(?:Exception|Error))\b", re.ASCII)
STATUS = re.compile(r"sendStatus=(\w+)", re.ASCII)
CODE = re.compile(r"\bCODE: (-?\d{1,9})\b", re.ASCII)
TIMES = re.compile(r"Send \[(\d{1,4})\] times, still failed", re.ASCII)
BROKERS = re.compile(r"BrokersSent: \[([^\]]*)\]")


@dataclass(frozen=True)
class SaidOutcome:
    """What a text says of an attempt. name: as in the table attempts. attempts: of how many it speaks."""

    name: str
    response_code: int | None = None
    broker: str | None = None
    attempts: int = 1


@lru_cache(maxsize=65_536)
def outcome_of(text: str) -> SaidOutcome:
    """The outcome of the last attempt that the text speaks of. Raises BadValue."""
    text = text.strip()
    if known := KNOWN.get(text.upper()):
        return SaidOutcome(known)
    if text.upper() in FAILED:
        raise BadValue(ImportTexts.OUTCOME_UNCLEAR(), text)
    if text.upper() in codes.RESPONSE_CODES and text.upper() != "SUCCESS":
        return SaidOutcome(BROKER_ERROR, codes.RESPONSE_CODES[text.upper()])
    if status := STATUS.search(text):
        if status[1] in OUTCOME_NUMBERS:
            return SaidOutcome(status[1])
        raise BadValue(ImportTexts.UNKNOWN_SEND_STATUS(), text)
    code = int(found[1]) if (found := CODE.search(text)) else None
    names = [KNOWN[name.upper()] for name in EXCEPTION.findall(text) if name.upper() in KNOWN]
    causes = [name for name in names if OUTCOME_NUMBERS[name] not in WEAK]
    times = TIMES.search(text)
    if causes:
        name = causes[-1]  # the innermost one
    elif code in CAUSES:
        name = CAUSES[code]
    elif times and not set(names) - {CLIENT_ERROR}:
        raise BadValue(ImportTexts.NO_FAILURE_NAMED(), text)
    elif names:
        name = names[-1]
    else:
        near = did_you_mean(text[:SHOWN], OUTCOME_NUMBERS)
        raise BadValue(ImportTexts.UNKNOWN_OUTCOME(), text[:SHOWN] + near)
    brokers = [one.strip() for one in found[1].split(",")] if times and (found := BROKERS.search(text)) else []
    sent = [one for one in brokers if one and one != "null"]
    return SaidOutcome(
        name, code if name == BROKER_ERROR else None, sent[-1] if sent else None, int(times[1]) if times else 1
    )

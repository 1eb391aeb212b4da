"""Names that logs use for what a column means, letters and digits only, in small letters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from streaming.importing.csv_log.column_units import plain_name

BEGINS = (
    *("begintime", "starttime", "begints", "startts", "beginat", "startat", "begin", "start", "beginus", "startedat"),
    *("sentat", "sendtime", "requesttime", "reqtime", "开始时间", "起始时间", "发送时间", "请求时间", "发起时间"),
)
ENDS = (
    *("endtime", "endts", "endat", "end", "endedat", "finishtime", "finishedat", "finished", "finishat", "finish"),
    *("completetime", "completedat", "completiontime", "completed", "donetime", "doneat", "stoptime", "returntime"),
    *("returnedat", "ackedat", "acktime", "callbacktime", "receivedat", "结束时间", "完成时间", "返回时间", "终止时间"),
)
# What does not say whether an attempt began or ended then.
MOMENTS = (
    *("ts", "timestamp", "datetime", "date", "logtime", "eventtime", "when", "at", "time", "t"),
    *("时间", "日期", "日期时间", "时间戳", "日志时间", "记录时间", "时刻"),
)
LATENCIES = (
    *("latency", "latencies", "cost", "costtime", "timecost", "rt", "elapsed", "elapsedtime", "duration", "took"),
    *("timetaken", "responsetime", "sendcost", "sendrt", "sendlatency", "usetime", "usedtime", "delay", "spent"),
    *("耗时", "用时", "时延", "延迟", "延时", "响应时间", "花费时间", "处理时间", "消耗时间", "发送耗时", "耗费时间"),
)
ALIASES: Mapping[str, tuple[str, ...]] = {
    "producer": (
        *("client", "clientid", "producerid", "producername", "instance", "instancename", "host", "hostname", "pod"),
        *("app", "application", "producergroup", "group", "groupname", "ip", "clienthost", "clientip", "podname"),
        *("生产者", "生产者组", "生产组", "生产者名称", "客户端", "客户端id", "实例", "实例名", "应用", "应用名"),
        *("主机", "主机名", "机器", "机器ip", "客户端ip", "组名", "发送方"),
    ),
    "topic": ("topicname", "destination", "mqtopic", "主题", "主题名", "主题名称", "消息主题"),
    "broker": (
        *("brokername", "brokeraddr", "brokeraddress", "storehost", "server", "addr", "address", "remoteaddr"),
        *("broker名称", "broker名", "broker地址", "brokerip", "代理", "代理名称", "服务器", "节点", "目标地址"),
        *("存储节点", "消息服务器", "服务端地址"),
    ),
    "outcome": (
        *("result", "status", "sendstatus", "sendresult", "exception", "exceptionname", "error", "errorname"),
        *("errormessage", "state", "ending", "success", "结果", "发送结果", "状态", "发送状态", "返回结果", "异常"),
        *("异常信息", "错误", "错误信息", "是否成功"),
    ),
    "queue_id": ("queue", "queueno", "qid", "queuenum", "partition", "队列", "队列id", "队列号", "队列编号"),
    "thread": ("threadname", "threadid", "线程", "线程名", "线程id", "线程名称"),
    "message": ("msgid", "messageid", "uniqkey", "msgkey", "消息id", "消息编号", "消息标识", "消息"),
    "attempt": ("attemptno", "trynumber", "times", "第几次", "尝试次数", "次数"),
    "response_code": ("code", "respcode", "errorcode", "errcode", "responsecode", "响应码", "返回码", "错误码"),
    "body_bytes": ("size", "bodysize", "bodylength", "msgsize", "length", "消息大小", "消息长度", "消息体大小"),
}  # fmt: skip

ENDING = re.compile(r"^end|finish|complet|respon|return|receiv|recv|callback|结束|完成|返回|响应|终止|回调")
BEGINNING = re.compile(r"begin|start|sent|send|request|\breq|开始|起始|发送|请求|发起")
END_WORDS = frozenset(("end", "ended", "done", "stop", "stopped", "ack", "acked", "resp", "rsp"))


def side_of(name: str) -> Literal["begin", "end"] | None:
    """Whether the name of a time says that something began or ended then."""
    plain = plain_name(name)
    words = re.split(r"[\W_]+", plain)
    bare = "".join(words)
    if bare.endswith("end") and not bare.endswith("send"):
        return "end"
    if END_WORDS.intersection(words) or ENDING.search(bare):
        return "end"
    return "begin" if BEGINNING.search(bare) else None

"""Numbers and names of what can happen to a send, in the reference client's words.

Source: rocketmq 4.2.0-5.3.3, ResponseCode, SendStatus and the exceptions of the remoting client.
"""

from __future__ import annotations

# How one attempt ended.
SEND_OK = 0
SEND_STATUS = 1  # a SendStatus other than SEND_OK: stored on the master all the same
BROKER_ERROR = 2  # MQBrokerException with a response code
CONNECT_REFUSED = 3  # RemotingConnectException
RESPONSE_TIMEOUT = 4  # RemotingTimeoutException
SEND_FAILURE = 5  # RemotingSendRequestException
TOO_MUCH_REQUEST = 6  # RemotingTooMuchRequestException raised inside an attempt
NO_MASTER = 7  # MQClientException: no address of a master, nothing was sent
SENT_ONEWAY = 8  # handed to the connection; nobody will tell whether it was stored
HAND_OFF_QUEUE_FULL = 9  # result of a message that its thread's hand-off queue had no place for
NO_SEND_RESULT = 10  # NullPointerException: another caller's thread sent the batch in which it was, in vain
ROUTE_UNANSWERED = 11  # IllegalStateException: nothing is known of the topic's route, and no name server answered
# Of gRPC clients. Their attempts end as the proxy's at the broker did, or with the first two.
UNAVAILABLE = 12  # the proxy's connection is refused or closes
DEADLINE_EXCEEDED = 13  # no answer within the request time-out
INTERNAL_ERROR = 14  # the proxy's attempt failed
TOO_MANY_REQUESTS = 15  # the broker was busy
PROXY_TIMEOUT = 16  # stored, but not flushed or copied in time

STORED = (SEND_OK, SEND_STATUS)  # the caller gets a SendResult: the message is on the master
WELL = (SEND_OK, SENT_ONEWAY)  # nothing went wrong, as far as the caller can know

OUTCOME_NAMES = (
    "SEND_OK",
    "SEND_STATUS",
    "MQBrokerException",
    "RemotingConnectException",
    "RemotingTimeoutException",
    "RemotingSendRequestException",
    "RemotingTooMuchRequestException",
    "MQClientException",
    "SENT_ONEWAY",
    "HandOffQueueFull",
    "NullPointerException",
    "IllegalStateException",
    "UNAVAILABLE",
    "DEADLINE_EXCEEDED",
    "InternalErrorException",
    "TooManyRequestsException",
    "ProxyTimeoutException",
)

# SendStatus values other than SEND_OK, by the response code that carries them.
FLUSH_DISK_TIMEOUT = 10
SLAVE_NOT_AVAILABLE = 11
FLUSH_SLAVE_TIMEOUT = 12

SEND_STATUS_CODES = {
    "FLUSH_DISK_TIMEOUT": FLUSH_DISK_TIMEOUT,
    "SLAVE_NOT_AVAILABLE": SLAVE_NOT_AVAILABLE,
    "FLUSH_SLAVE_TIMEOUT": FLUSH_SLAVE_TIMEOUT,
}

# Response codes that the model of a broker gives itself.
SYSTEM_ERROR = 1
SYSTEM_BUSY = 2
SERVICE_NOT_AVAILABLE = 14
REQUEST_CODE_NOT_SUPPORTED = 3  # of a name server
INVALID_PARAMETER = 29
GO_AWAY = 1500  # of a server that shuts down

RESPONSE_CODES = {
    "SUCCESS": 0,
    "SYSTEM_ERROR": SYSTEM_ERROR,
    "SYSTEM_BUSY": SYSTEM_BUSY,
    "REQUEST_CODE_NOT_SUPPORTED": REQUEST_CODE_NOT_SUPPORTED,
    "MESSAGE_ILLEGAL": 13,
    "SERVICE_NOT_AVAILABLE": SERVICE_NOT_AVAILABLE,
    "VERSION_NOT_SUPPORTED": 15,
    "NO_PERMISSION": 16,
    "TOPIC_NOT_EXIST": 17,
    "INVALID_PARAMETER": INVALID_PARAMETER,
    "NO_BUYER_ID": 204,
    "NOT_IN_CURRENT_UNIT": 205,
    "GO_AWAY": GO_AWAY,
}

# Codes the client itself puts into the MQClientException that ends a send.
CONNECT_BROKER_EXCEPTION = 10001
ACCESS_BROKER_TIMEOUT = 10002
BROKER_NOT_EXIST_EXCEPTION = 10003
NO_NAME_SERVER_EXCEPTION = 10004
NOT_FOUND_TOPIC_EXCEPTION = 10005
NO_CODE = -1

# What the send loop does after an attempt.
RETRY = 0
RETURN = 1
THROW = 2

# Why a queue was picked.
PICK_PLAIN = 0  # strategy off, first attempt: next counter value
PICK_OTHER_BROKER = 1  # strategy off, retry: another broker than the last
PICK_AVAILABLE = 2  # strategy on: the broker is available
PICK_REACHABLE = 3  # 5.1.4+: not available, but reachable
PICK_FROM_FAULT_TABLE = 4  # up to 5.1.3: the better half of the fault table
PICK_FALLBACK = 5  # everything filtered out: a plain step
PICK_AFTER_ERROR = 6  # an exception inside the selection was swallowed: a plain step
PICK_SELECTOR = 7  # the caller's own selector
# 8 to 13: a policy's part that chooses, by its name
PICK_BY_PROXY = 14  # the next queue of the proxy's own route
PICK_ENDPOINTS = 15  # of a gRPC client in local mode: the next broker that is not isolated, any of its queues
PICK_BY_GROUP = 16  # of a gRPC message with a message group: the queue of all of that group

OWN = "own"  # a part of a file of the user's
PICK_REASON_NAMES = (
    "plain",
    "other_broker",
    "available",
    "reachable",
    "fault_table",
    "fallback",
    "after_error",
    "selector",
    "random",
    "round_robin",
    "least_outstanding",
    "p2c_peak_ewma",
    "kafka",
    OWN,
    "proxy",
    "endpoints",
    "message_group",
)

"""What an asynchronous message passes before its first attempt: back-pressure, and the queue of the sending threads.

1. 5.0.0 and later with enableBackpressureForAsyncMode: one permit of `number_permits`, then as many of
   `byte_permits` as `permits_of` says, each waited for in order of arrival for AsyncLeft of the time since send().
   NOTHING_LEFT or a wait in vain calls back with RemotingTooMuchRequestException. The callback gives both back; up to
   5.1.3 (not `holds_permits`) send() itself does, as soon as step 2 is done, so that they limit nothing under way.
2. The queue of the sending threads (`Client.sending_threads`); when it is full, MQClientException to the caller, or,
   with back-pressure on, the caller's own thread sends.
3. On a sending thread: NOTHING_LEFT of AsyncLeft calls back with RemotingTooMuchRequestException; else that is the
   budget of the message, counted from then on.

Source: rocketmq, DefaultMQProducerImpl.send(msg, callback, timeout), executeAsyncMessageSend and constructor.
"""

from __future__ import annotations

from simulator.compiled.jit import entry, rule

NOTHING_LEFT = -1

# Where the send path of an asynchronous message runs.
CALLERS_THREAD = 0  # 4.2.0
CALLBACK_THREADS = 1  # 4.3.x: the threads that also run the callbacks
SENDING_THREADS = 2  # 4.4.0 and later: as many threads as processors
SENDING_QUEUE = 50_000  # messages that may wait for one of them

BACK_PRESSURE_NUMBER_5_0_0 = 10_000  # default of backPressureForAsyncSendNum
BACK_PRESSURE_NUMBER_5_4_0 = 1_024
BACK_PRESSURE_BYTES = 100 * 1024 * 1024  # default of backPressureForAsyncSendSize
LEAST_NUMBER = 10
LEAST_BYTES = 1024 * 1024


@entry
def async_left_4_2_0(send_msg_timeout_ms: int, waited_ms: int) -> int:
    """4.2.0: nothing is waited for before the send path."""
    return send_msg_timeout_ms


@entry
def async_left_4_3_0(send_msg_timeout_ms: int, waited_ms: int) -> int:
    """4.3.0 and later: waiting counts, and something must be left."""
    return send_msg_timeout_ms - waited_ms if send_msg_timeout_ms > waited_ms else NOTHING_LEFT


@rule()
def number_permits(configured: int) -> int:
    """5.0.0 and later: messages that may be under way."""
    return max(configured, LEAST_NUMBER)


@rule()
def byte_permits(configured: int) -> int:
    """5.0.0 and later: bytes of message bodies that may be under way."""
    return max(configured, LEAST_BYTES)


@rule()
def permits_of(body_bytes: int) -> int:
    """5.0.0 and later: byte permits of a message; one without a body counts for one."""
    return max(body_bytes, 1)

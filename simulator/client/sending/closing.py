"""When a synchronous request that is not answered in time closes its connection; asynchronous ones never do.

Closing fails every other request on the connection at once. Source: rocketmq, NettyClientConfig
.clientCloseSocketIfTimeout (false up to 4.9.0, NettySystemConfig's true since 4.9.1), NettyRemotingClient.invokeSync
(MIN_CLOSE_TIMEOUT_MILLIS since 5.1.4), NettyConnectManageHandler.close (failFast since 4.3.0).
"""

from __future__ import annotations

from simulator.compiled.jit import rule

NEVER = 0
ALWAYS = 1
UNLESS_LITTLE_WAS_LEFT = 2

MIN_CLOSE_TIMEOUT_MS = 100


@rule()
def closes(kind: int, timeout_ms: int, left_ms: int) -> int:
    """Whether a time-out closes the connection; `left_ms`: what was left of `timeout_ms` once connected."""
    if kind == UNLESS_LITTLE_WAS_LEFT:
        return 1 if left_ms > MIN_CLOSE_TIMEOUT_MS or left_ms > timeout_ms // 4 else 0
    return kind

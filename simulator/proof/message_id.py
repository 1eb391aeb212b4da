"""The id that a broker gives a message: its address and the place in its commit log, in hexadecimal digits.

Source: rocketmq 4.2.0-5.3.3, common.message.MessageDecoder.createMessageId.
"""

from __future__ import annotations

from ipaddress import IPv4Address


def message_id(address: str, port: int, commit_log_offset: int) -> str:
    """offsetMsgId of a message. Raises ValueError for what is not an IPv4 address."""
    return (IPv4Address(address).packed + port.to_bytes(4, "big") + commit_log_offset.to_bytes(8, "big")).hex().upper()


def offset_of(offset_message_id: str) -> int:
    """The place in the commit log that an id names."""
    return int(offset_message_id[-16:], 16)

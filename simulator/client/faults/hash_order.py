"""Hash of a broker name as java.util.concurrent.ConcurrentHashMap uses it, which decides the listing of fault tables.

Source: java.lang.String.hashCode; ConcurrentHashMap.spread (JDK 8-17).
"""

from __future__ import annotations


def java_hash(text: str) -> int:
    """String.hashCode as an unsigned 32-bit value, over UTF-16 code units."""
    units = text.encode("utf-16-be")
    value = 0
    for high, low in zip(units[::2], units[1::2], strict=True):
        value = (31 * value + (high << 8 | low)) & 0xFFFFFFFF
    return value


def spread(text: str) -> int:
    """The non-negative hash whose low bits name the slot of that key."""
    value = java_hash(text)
    return (value ^ value >> 16) & 0x7FFFFFFF


def java_order(text: str) -> bytes:
    """Sort key that puts strings in String.compareTo order."""
    return text.encode("utf-16-be", "surrogatepass")

"""Tag expressions: what a client makes of them, what a broker passes, and what the client keeps.

Source: rocketmq 4.2.0-5.3.3, FilterAPI.buildSubscriptionData, ExpressionMessageFilter.isMatchedByConsumeQueue,
PullAPIWrapper.processPullResult.
"""

from __future__ import annotations

from dataclasses import dataclass

from simulator.client.faults.hash_order import java_hash
from simulator.client.java_int import wrap_int
from simulator.compiled.jit import rule
from simulator.compiled.records import Cells

SUB_ALL = "*"
TAG = "TAG"
SQL92 = "SQL92"
SEPARATOR = "||"
BLANKS = "".join(map(chr, range(0x21)))  # what String.trim takes away


@dataclass(frozen=True)
class Subscription:
    """SubscriptionData: the expression, the tags it names and their codes."""

    sub_string: str
    tags: frozenset[str]
    codes: frozenset[int]
    expression_type: str | None

    @property
    def is_all(self) -> bool:
        """Whether the broker passes every message."""
        return self.sub_string == SUB_ALL

    def keeps(self, tag: str | None) -> bool:
        """Whether the client hands over what the broker passed: a tag that only has the code of another is dropped."""
        return not self.tags or tag in self.tags


def tag_code(tag: str | None) -> int:
    """The code stored with a message: String.hashCode, 0 without a tag."""
    return int(wrap_int(java_hash(tag))) if tag else 0


def subscription(expression: str | None, expression_type: str | None = TAG) -> Subscription:
    """The subscription of a tag expression: pieces between ||, trimmed; null, "" and `*` for all.

    Raises ValueError("subString split error") where nothing but separators is left.
    """
    if not expression or expression == SUB_ALL:
        return Subscription(SUB_ALL, frozenset(), frozenset(), expression_type)
    pieces = expression.split(SEPARATOR)
    while pieces and not pieces[-1]:
        pieces.pop()
    if not pieces:
        raise ValueError("subString split error")
    tags = frozenset(filter(None, (piece.strip(BLANKS) for piece in pieces)))
    return Subscription(expression, tags, frozenset(map(tag_code, tags)), expression_type)


def filtered_subscription(expression: str | None, kind: str | None, tag_type: str | None = TAG) -> Subscription:
    """The subscription of a MessageSelector: of another type than TAG the expression is not looked at.

    `tag_type`: what a release calls the type of tags. Raises ValueError without an expression of another type.
    """
    if kind is None or kind == TAG:
        return subscription(expression, tag_type)
    if not expression:
        raise ValueError(f"Expression can't be null! {kind}")
    return Subscription(expression, frozenset(), frozenset(), kind)


def passes_tag(own: Subscription, tag: str) -> bool:
    """Whether a message with that tag gets through: past the broker, which compares codes, and past the client."""
    return own.is_all or (tag_code(tag) in own.codes and own.keeps(tag))


@rule()
def passes(is_all: int, codes: Cells, code_count: int, code: int) -> int:
    """1 if the broker passes a message with that tag code; `codes`: of the subscription, sorted."""
    if is_all:
        return 1
    low, high = 0, code_count
    while low < high:
        middle = (low + high) // 2
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return 1 if low < code_count and codes[low] == code else 0

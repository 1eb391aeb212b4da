"""Selectors of the user's own: a Python function that the event loop calls for each message.

It stands for MessageQueueSelector.select(List<MessageQueue>, Message, Object): `choose(queues, message, arg)` gives
the place of a queue in `queues`, or None. It must follow from its arguments alone; that is tried on the first calls.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from operator import index
from typing import Any, NamedTuple

from simulator.client.selection.selectors import NO_PLACE
from simulator.client.view import QueueList
from simulator.compiled.records import Region
from simulator.engine.memory.send import Message
from simulator.plan.run_plan import Names
from simulator.plan.texts.selector_texts import OwnSelectorTexts
from simulator.scenario.policy.own_function import Function, line_of, own_function, said, split_function
from simulator.scenario.producers import SELECT_ARGUMENTS
from simulator.scenario.reading.scenario_error import ScenarioError
from state.texts import Text

TRIED_TWICE = 64  # first calls of a cell that are made again, to find a function that depends on more
LISTS_KEPT = 1024
_CALLED = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


class MessageQueue(NamedTuple):
    """One queue as a selector sees it."""

    topic: str
    broker_name: str
    queue_id: int


class SelectedMessage(NamedTuple):
    """The message of a send; number: from 0, of its thread and topic."""

    topic: str
    producer: int
    thread: int
    number: int
    body_bytes: int


class SelectorError(ScenarioError):
    """A selector of the user's own that raised or gave no index; its text is one sentence with file and line."""


class _Wrong(Exception):
    """What a selector gave is no index; the text of it, and what is known of it here."""

    def __init__(self, text: Text, **facts: str) -> None:
        super().__init__(text.id)
        self.text, self.facts = text, facts


class OwnSelectors:
    """What the event loop calls for the threads whose group has a selector of its own (OwnPlace).

    `functions`: function and source by the number of the group; `messages` gives the loop's region of that name.
    """

    def __init__(
        self, functions: Mapping[int, tuple[str, str]], names: Names, messages: Callable[[], Region[Message]]
    ) -> None:
        self.error: BaseException | None = None  # to be raised when the loop has returned
        self._texts = {group: text for group, (text, _) in functions.items()}
        self._functions = {group: own_function(*both, SELECT_ARGUMENTS) for group, both in functions.items()}
        self._names, self._messages = names, messages
        threads = (names.producer_of_thread, names.number_of_thread, names.group_of_thread)
        self._threads = list(zip(*(column.tolist() for column in threads), strict=True))
        self._lists: dict[tuple[int, bytes], tuple[MessageQueue, ...]] = {}
        self._calls = 0
        self._called = _CALLED(self._by_address)

    def _by_address(self, queues: int, record: int) -> int:
        """What compiled code calls: it hands records over as addresses."""
        return self(QueueList(queues), record)

    def __call__(self, queues: QueueList, record: int) -> int:
        """The place that the function gives for the message of that record and the queue list, or NO_PLACE."""
        if self.error is not None:
            return NO_PLACE
        sent = self._messages()[record]
        producer, number, group = self._threads[sent.thread]
        topic, key = int(sent.topic), int(sent.key)
        listed = self._listed(queues, topic)
        message = SelectedMessage(self._names.topics[topic], producer, number, int(sent.send_seq), int(sent.body_bytes))
        arguments = listed, message, None if key < 0 else key
        try:
            return self._place(self._functions[group], arguments, len(listed))
        except KeyboardInterrupt as error:
            self.error = error
            return NO_PLACE
        except BaseException as error:
            file, name = split_function(self._texts[group])
            about = OwnSelectorTexts.OF_MESSAGE(
                number=message.number, topic=message.topic, arg=str(arguments[2]), queues=len(listed)
            )
            if isinstance(error, _Wrong):
                line, trouble = self._line(group), error.text(name=name, about=about, **error.facts)
            else:
                line, trouble = line_of(error, file), OwnSelectorTexts.RAISED(name=name, error=said(error), about=about)
            self.error = SelectorError([trouble.at(f"{file}:{line}")])
            return NO_PLACE

    def _place(self, function: Function, arguments: tuple[Any, ...], count: int) -> int:
        found = function(*arguments)
        if self._calls < TRIED_TWICE:
            self._calls += 1
            if function(*arguments) != found:
                raise _Wrong(OwnSelectorTexts.NOT_THE_SAME)
        if found is None:
            return NO_PLACE
        try:
            place = index(found)
        except TypeError:
            raise _Wrong(OwnSelectorTexts.NOT_A_PLACE, got=repr(found)) from None
        return place if 0 <= place < count else NO_PLACE

    def _line(self, group: int) -> int:
        return getattr(getattr(self._functions[group], "__code__", None), "co_firstlineno", 1)

    def _listed(self, queues: QueueList, topic: int) -> tuple[MessageQueue, ...]:
        entries = queues.queues
        known = (topic, entries.array.tobytes())
        found = self._lists.get(known)
        if found is None:
            if len(self._lists) >= LISTS_KEPT:
                self._lists.clear()
            name, brokers = self._names.topics[topic], self._names.brokers
            found = self._lists[known] = tuple(
                MessageQueue(name, brokers[entry.broker], int(entry.queue_id))
                for entry in map(entries.__getitem__, range(len(entries)))
            )
        return found

    def __wrapper_address__(self) -> int:
        """Address of the function for compiled code, which holds no lock of the interpreter while it runs."""
        return ctypes.cast(self._called, ctypes.c_void_p).value or 0

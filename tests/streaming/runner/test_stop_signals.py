"""Ctrl-C and SIGTERM are noted, and what was there before is put back."""

from __future__ import annotations

import signal

import pytest

from streaming.runner.stop_signals import SIGNALS, StopSignals


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_is_noted_and_the_handler_before_is_back_at_the_end(number):
    before, asked = signal.getsignal(number), []
    stop = StopSignals(lambda: asked.append(number))
    with stop.listening():
        signal.raise_signal(number)
        signal.raise_signal(number)
    assert (stop.asked.is_set(), asked) == (True, [number, number])
    assert signal.getsignal(number) == before


def test_where_nothing_is_to_be_waited_for_the_second_signal_ends_at_once():
    stop = StopSignals(twice_ends=True)
    with stop.listening():
        signal.raise_signal(signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

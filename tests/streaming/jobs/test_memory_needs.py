"""What a job needs is estimated before it starts."""

from __future__ import annotations

import pytest

from streaming.errors import EnvironmentProblem, InputError
from streaming.jobs import memory_needs
from streaming.jobs.memory_needs import GIB, Needs, check_fits_machine, heap_bytes, heap_option, memory_asked
from streaming.problems import heap_full, is_heap_full
from streaming.spark.jvm_log import JvmLog
from tests.says import Said, Says, raises
from tests.streaming.asked import job_of


def test_a_small_scenario_gets_the_least_heap():
    assert heap_option(job_of().needs) == "1024m"


def test_ten_times_the_producers_need_ten_times_the_memory():
    small, large = (job_of(producers={"count": count, "rate": "10/s"}).needs for count in (100, 1000))
    assert large.heap == pytest.approx(10 * small.heap, rel=0.01)
    assert large.python == pytest.approx(10 * small.python, rel=0.01)


def test_the_heap_grows_with_the_needs():
    assert heap_bytes(Needs(heap=3 * GIB)) == 3 * GIB + GIB // 2


def test_what_does_not_fit_is_refused_with_what_would(monkeypatch):
    monkeypatch.setattr(memory_needs, "memory_bytes", lambda: (8 * GIB, 7 * GIB))
    needs = Needs(heap=6 * GIB, python=10 * GIB)
    with pytest.raises(EnvironmentProblem) as refused:
        check_fits_machine(needs, 1_000_000)
    facts = {name: round(fact, 1) for name, fact in refused.value.facts.items()}
    assert facts == {"producers": 1_000_000, "needed": 17.1, "total": 8.0, "fitting": 430_000}
    check_fits_machine(Needs(heap=2 * GIB, python=4 * GIB), 400_000)


@pytest.mark.parametrize("text", ["", "2", "2t", "0g", "100m", "-1g", "1.5g"])
def test_a_heap_that_spark_cannot_use_is_refused(text):
    with raises(InputError, Says("job.memory-expected")):
        memory_asked(text, "--memory")


def test_a_full_heap_is_reported_by_what_the_jvm_said_last(tmp_path):
    log = tmp_path / "jvm.log"
    log.write_text("java.lang.OutOfMemoryError: Java heap space, of an earlier run\n")
    of_this_run = JvmLog(log)
    assert not is_heap_full(of_this_run.since())
    log.write_text(log.read_text() + "java.lang.OutOfMemoryError: Java heap space\n")
    assert is_heap_full(of_this_run.since())
    assert Says("job.heap-full", memory="1024m") in Said(heap_full("1024m"))

import pytest

from simulator.fit.measured_point import Point
from streaming.errors import InputError
from streaming.fitting.point_file import read_points
from tests.says import Says, raises

PRINTED = """topic: BenchmarkTest threadCount: 64 messageSize: 2048 keyEnable: false propertySize: 0
Current Time: 2026-01-01 10:00:10,000 | TPS: 20000 | Max RT(ms): 40 | Average RT(ms):   3.200 | Send Failed: 0
Current Time: 2026-01-01 10:00:20,000 | TPS: 22000 | Max RT(ms): 30 | Average RT(ms):   2.900 | Send Failed: 0
Current Time: 2026-01-01 10:00:30,000 | TPS: 21000 | Max RT(ms): 30 | Average RT(ms):   3.000 | Send Failed: 0
[Complete] Send Total: 9 | Send TPS: 1 | Max RT(ms): 1 | Average RT(ms):   1.000 | Send Failed: 0
topic BenchmarkTest threadCount 1 messageSize 2048 keyEnable false
Send TPS: 900 Max RT: 12 Average RT:   1.100 Send Failed: 0 Response Failed: 0
"""


def given(tmp_path, text):
    file = tmp_path / "measured.txt"
    file.write_text(text)
    return file


def test_the_lines_of_producer_sh_are_read_as_they_are(tmp_path):
    points = read_points(given(tmp_path, PRINTED), 16)
    assert points == [Point(2048, 16, 1, 900.0, 1.1), Point(2048, 16, 64, 21000.0, 3.0)]


def test_a_csv_may_name_sizes_in_kib_and_its_own_queues(tmp_path):
    text = "threads,body_kib,queues,tps_median,tps_low,mean_rt_ms\n1,3,8,4074,3957,0.245\n"
    assert read_points(given(tmp_path, text), 4) == [Point(3072, 8, 1, 4074.0, 0.245)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "thread,message_bytes,tps,rt_ms\n1,1,1,1\n",
            ":1: no column for threads or threadcount; did you mean 'threads'?",
        ),
        (
            "threads,message_bytes,tps,rt_ms\n1,1024,fast,1\n",
            Says("fit.number-expected", "...:2", name="tps", got="fast"),
        ),
        ("threads,message_bytes,tps,rt_ms\n8,1024,1000,8000\n", Says("fit.not-a-closed-loop")),
        ("threads,message_bytes,tps,rt_ms\n1,1024,1000,1\n1,1024,1001,1\n", Says("fit.point-twice", threads=1)),
        ("Send TPS: 900 Max RT: 12 Average RT: 1.1\n", Says("fit.figures-before-head", "...:1")),
        ("threads,message_bytes,tps,rt_ms\n", Says("fit.no-point")),
    ],
)
def test_a_table_that_cannot_be_fitted_is_refused_with_its_line(tmp_path, text, said):
    with raises(InputError, said):
        read_points(given(tmp_path, text), 8)

"""Spark's part of a checkpoint in an object store: whose it is, what is read of it, and a job that goes on from it."""

from __future__ import annotations

import json

import pytest
from pyarrow.fs import FileSelector

from simulator.run.simulate import simulate
from streaming.errors import EnvironmentProblem, InputError
from streaming.jobs.asked import checkpoint_asked
from streaming.jobs.folders.checkpoint import Checkpoint
from streaming.objects.place import opened, put
from streaming.objects.stored_checkpoint import StoredFiles
from streaming.texts.spark_texts import SparkTexts
from tests.says import Says, raises
from tests.simulator.hashed import hashes_of
from tests.simulator.small import scenario_of
from tests.streaming.asked import ask, job_of
from tests.streaming.lives import hashes_by_duckdb
from tests.streaming.objects.conftest import KEYS
from tests.streaming.objects.test_object_sink import CHANGES
from tests.streaming.shared import run_shared


@pytest.fixture
def files(place_of, request):
    return StoredFiles(place_of(request.node.name[:40]))


def store(files, name, text):
    (fs, root) = opened(files.place)
    put(fs, f"{root}/{name}", text.encode())


def test_what_spark_logs_is_read_there(files):
    assert (files.numbers("offsets"), files.damage()) == ([], None)
    for name in ("offsets/9", "offsets/10", "offsets/.11.7a.tmp", "metadata"):
        store(files, name, '{"id": "x"}')
    assert (files.numbers("offsets"), files.read("offsets/9"), files.damage()) == ([9, 10], '{"id": "x"}', None)


def test_a_query_without_its_name_is_damaged(files):
    store(files, "offsets/0", "v1")
    assert files.damage() == SparkTexts.METADATA_MISSING(file=f"{files.place}/metadata")


def test_a_place_is_one_checkpoints(files):
    files.check(None, fresh=False)
    files.take("mine")
    files.check("mine", fresh=False)
    with raises(InputError, Says("output.place-of-another")):
        files.check("yours", fresh=False)
    store(files, "metadata", "{}")
    with raises(InputError, Says("output.place-not-empty")):
        files.check(None, fresh=True)
    files.remove()
    with raises(InputError, Says("output.place-of-another")):
        files.check("mine", fresh=False)


def test_a_store_that_takes_nothing_is_named(place_of):
    with pytest.raises(EnvironmentProblem, match=r"cannot be used: .*NO_SUCH_BUCKET"):
        StoredFiles(place_of("x").replace("//twins", "//nobody")).take("mine")


def test_hadoop_is_reported_what_the_url_says_of_the_store(monkeypatch):
    monkeypatch.setattr("streaming.objects.stored_checkpoint.jars", lambda kind: ("a.jar", "b.jar"))
    files = StoredFiles("s3://twins/a?scheme=http&region=eu-west-1&endpoint_override=host:90")
    assert files.location == "s3a://twins/a"
    assert files.spark_settings == {
        "spark.jars": "a.jar,b.jar",
        "spark.hadoop.fs.s3a.bucket.twins.endpoint": "http://host:90",
        "spark.hadoop.fs.s3a.bucket.twins.endpoint.region": "eu-west-1",
        "spark.hadoop.fs.s3a.bucket.twins.path.style.access": "true",
    }


def test_a_place_of_another_kind_is_refused_with_what_is_supported(tmp_path):
    with raises(InputError, Says("output.shared-place-expected", "--checkpoint hdfs://nn/x")):
        checkpoint_asked("hdfs:/nn/x", "--checkpoint")  # as a Path spells it
    assert checkpoint_asked(f"file://{tmp_path}", "--checkpoint") == {"checkpoint": tmp_path}


@pytest.fixture
def session(spark, bucket):
    """The shared session, which hears of the store and has keys for it."""
    hadoop = spark._jsc.hadoopConfiguration()
    for name, value in StoredFiles(bucket).spark_settings.items():
        hadoop.set(name.removeprefix("spark.hadoop."), value)
    hadoop.set("fs.s3a.bucket.twins.access.key", KEYS["AWS_ACCESS_KEY_ID"])
    hadoop.set("fs.s3a.bucket.twins.secret.key", KEYS["AWS_SECRET_ACCESS_KEY"])
    return spark


def test_a_job_goes_on_from_a_store_with_every_row_once(session, files, tmp_path, monkeypatch, capsys):
    out, job = tmp_path / "out", job_of(**CHANGES)
    place = {"checkpoint_url": files.place, "events": 400, "partitions": 1}
    assert run_shared(session, job, out, stop_after=1, **place) is None
    fs, root = opened(files.place)
    fs.delete_file(f"{root}/commits/0")  # killed after its rows were written, before Spark said so
    store(files, "commits/.0.of-a-rename.tmp", "v1")
    assert run_shared(session, job, out, **place) is None
    assert hashes_by_duckdb(out) == hashes_of(simulate(scenario_of(**CHANGES)).tables)
    said = " ".join(fs.open_input_stream(file.path).read().decode("latin-1") for file in small(fs, root))
    assert KEYS["AWS_SECRET_ACCESS_KEY"] not in said
    assert not (out / "_checkpoint" / "spark").exists()
    code, text = ask(monkeypatch, capsys, "state", out, "--json")
    assert (code, min(cell["clock_us"] for cell in json.loads(text)["cells"])) == (0, 8_000_000)
    Checkpoint(out / "_checkpoint").clear()
    assert small(fs, root) == []


def small(fs, root):
    found = fs.get_file_info(FileSelector(root, recursive=True, allow_not_found=True))
    return [file for file in found if file.is_file and file.size < 10_000]


def test_another_place_than_the_one_it_began_with_is_refused(place_of, tmp_path):
    there = Checkpoint(tmp_path, place_of("there"))
    there.begin({"runs": {}})
    for url in (None, place_of("there")):
        Checkpoint(tmp_path, url).check_place(fresh=False)
    with raises(InputError, Says("job.checkpoint-elsewhere")):
        Checkpoint(tmp_path, place_of("elsewhere")).check_place(fresh=False)
    Checkpoint(tmp_path, place_of("elsewhere")).check_place(fresh=True)

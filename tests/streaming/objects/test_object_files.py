"""Rows in an object store: whole objects, each there once however often it is put, and nobody else's overwritten."""

from __future__ import annotations

import pyarrow.dataset as ds
import pytest
from pyarrow.fs import FileType

from simulator.run.simulate import simulate
from streaming.errors import EnvironmentProblem, InputError
from streaming.objects.object_files import ObjectFiles
from streaming.objects.place import Place, claim, opened, place_asked
from tests.says import Says, raises
from tests.simulator.small import scenario_of

SENDS = simulate(scenario_of()).tables["sends"]


def put(url, name, rows=SENDS):
    files = ObjectFiles(url, name)
    files.write("small", "sends", rows)
    files.close()


def rows_of(url):
    store, root = opened(url)
    return ds.dataset(f"{root}/sends", filesystem=store, format="parquet").count_rows()


def test_a_micro_batch_that_is_written_again_is_there_once(place_of):
    for _ in range(2):
        put(place_of("again"), "b00000000-p0000")
    put(place_of("again"), "b00000001-p0000")
    assert rows_of(place_of("again")) == 2 * SENDS.num_rows


def test_a_task_that_ends_in_the_middle_leaves_nothing(place_of):
    files = ObjectFiles(place_of("middle"), "b00000000-p0000")
    files.write("small", "sends", SENDS)
    del files
    store, root = opened(place_of("middle"))
    assert store.get_file_info(root).type == FileType.NotFound


def test_a_place_belongs_to_the_checkpoint_that_began_there(place_of):
    mine = Place(place_of("mine"), "small", "first")
    claim(mine)
    put(mine.url, "b00000000-p0000")
    claim(mine._replace(is_begun=True))
    with raises(InputError, Says("output.of-another-run")):
        claim(mine._replace(checkpoint="second"))
    assert rows_of(mine.url) == SENDS.num_rows


def test_starting_over_removes_the_rows_of_that_run_alone(place_of):
    url = place_of("over")
    claim(Place(url, "small", "first"))
    put(url, "b00000000-p0000")
    put(url, "somebody-elses")
    claim(Place(url, "small", "second", fresh=True))
    assert rows_of(url) == SENDS.num_rows


def test_a_checkpoint_does_not_go_on_in_a_place_without_its_first_rows(place_of):
    with raises(InputError, Says("output.first-rows-missing")):
        claim(Place(place_of("empty"), "small", "first", is_begun=True))


def test_a_store_that_takes_nothing_is_named(place_of):
    with pytest.raises(EnvironmentProblem, match=r"s3://nobody/x.* cannot be used: .*NO_SUCH_BUCKET"):
        claim(Place(place_of("x").replace("//twins", "//nobody"), "small", "first"))


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("ftp://host/x", "--objects ftp://host/x: expected s3://, s3a://"),
        ("bucket/x", "--objects bucket/x: expected s3://"),
        ("s3://me:secret@bucket/x", Says("output.keys-in-url", "--objects")),
    ],
)
def test_a_place_of_another_kind_is_refused(url, sentence):
    with raises(InputError, sentence):
        place_asked(url, "--objects")


def test_hadoops_name_of_a_store_is_understood():
    assert place_asked("s3a://bucket/twin/", "--objects") == "s3://bucket/twin"

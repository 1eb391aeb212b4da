"""How Spark writes the files of a checkpoint in a folder, and in a store."""

from pathlib import Path

import pytest

from streaming.objects.stored_checkpoint import StoredFiles
from streaming.spark import query_settings, spark_internals
from streaming.spark.checkpoint.checkpoint_files import LocalFiles
from streaming.spark.checkpoint.checksums import damage_in
from streaming.spark.query_settings import FILE_MANAGER, ONLY_FOLDERS, OWN_FILES, set_for_query


@pytest.fixture
def put(spark, tmp_path):
    """Writes a file as Spark does in a query whose checkpoint is in a folder."""
    jvm, conf = spark._jvm, spark._jsc.hadoopConfiguration()
    conf.set(FILE_MANAGER, ONLY_FOLDERS)
    path = jvm.org.apache.hadoop.fs.Path
    managers = getattr(jvm, f"{ONLY_FOLDERS.rpartition('.')[0]}.CheckpointFileManager")
    manager = managers.create(path(str(tmp_path)), conf)
    conf.unset(FILE_MANAGER)

    def write(name, content, *, replace):
        stream = manager.createAtomic(path(f"{tmp_path}/{name}"), replace)
        stream.write(bytearray(content))
        stream.close()

    return write


def test_a_file_of_a_micro_batch_that_runs_again_replaces_the_first_and_its_checksums(put, tmp_path):
    put("1.delta", b"first", replace=True)
    put("1.delta", b"second", replace=True)
    assert (tmp_path / "1.delta").read_bytes() == b"second"
    assert sorted(path.name for path in tmp_path.iterdir()) == [".1.delta.crc", "1.delta"]
    assert damage_in(tmp_path) is None


def test_an_entry_of_a_log_is_never_replaced(put, tmp_path):
    put("7", b"first", replace=False)
    with pytest.raises(Exception, match="already exists"):
        put("7", b"second", replace=False)
    assert (tmp_path / "7").read_bytes() == b"first"


@pytest.mark.parametrize("file_system", ["org.apache.hadoop.fs.LocalFileSystem", "org.apache.hive.AnotherOne"])
def test_nothing_but_a_folder_whose_files_are_replaced_goes_without_the_file_context(spark, monkeypatch, file_system):
    monkeypatch.setattr(query_settings, "file_system", lambda _: file_system)
    replaces, usual = "hadoop" in file_system, spark.conf.get(FILE_MANAGER, None)
    for files, is_quick in ((LocalFiles(Path("x")), replaces), (StoredFiles("s3://twins/a"), False)):
        with set_for_query(spark, 2, in_folder=files.in_folder):
            assert spark.conf.get(FILE_MANAGER, None) == (ONLY_FOLDERS if is_quick else usual)
        assert spark.conf.get(FILE_MANAGER, None) == usual


def test_a_session_of_sendlab_replaces_files(spark):
    assert spark_internals.file_system(spark) in OWN_FILES.values()

"""A reload of a job that has just been started: what is printed, and a request that the starting job removes."""

from __future__ import annotations

import os
import threading
import time

from streaming.jobs.folders.checkpoint import REQUEST
from streaming.jobs.folders.folder_lock import held
from streaming.jobs.reload.reload_request import ReloadAnswer, answer, asked
from streaming.texts.job_texts import JobTexts
from tests.simulator.small import text_of
from tests.streaming.asked import ask, begin_run, job_of


def test_a_job_whose_checkpoint_is_not_there_yet_is_starting(monkeypatch, capsys, tmp_path):
    file, checkpoint = tmp_path / "own.yaml", tmp_path / "out" / "_checkpoint"
    file.write_text(text_of())
    checkpoint.mkdir(parents=True)
    with held(checkpoint, JobTexts.FOLDER_IN_USE()):
        code, said = ask(monkeypatch, capsys, "reload", tmp_path / "out", file)
    assert (code, said) == (2, JobTexts.STILL_STARTING(process=os.getpid()).at(checkpoint))


def test_a_request_that_a_starting_job_removed_is_made_again(monkeypatch, capsys, tmp_path):
    out, file = tmp_path / "out", tmp_path / "own.yaml"
    file.write_text(text_of(producers={"rate": "20/s"}))
    checkpoint = begin_run(out, job_of())

    def start() -> None:
        for _ in range(2):
            while (request := asked(checkpoint)) is None:
                time.sleep(0.01)
            (checkpoint.folder / REQUEST).unlink()
        answer(checkpoint, ReloadAnswer(request.id, at_us=10_000_000, changes=("rate of producers",)))

    with held(checkpoint.folder, JobTexts.FOLDER_IN_USE()):
        job = threading.Thread(target=start)
        job.start()
        code, said = ask(monkeypatch, capsys, "reload", out, file)
        job.join()
    assert (code, "changed from 0:10 on: rate of producers" in said) == (0, True), said

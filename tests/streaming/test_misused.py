"""A command line that asks for what there is not gets one sentence and exit code 2, as a wrong file does."""

from __future__ import annotations

import pytest

from tests.streaming.asked import ask


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (("whatif", "x.yaml", "--seeds", "0"), "--seeds 0: expected at least 1"),
        (("whatif", "x.yaml", "--seeds", "20000"), "--seeds 20000: expected at most 10000"),
        (("advise", "x.yaml", "--seeds", "many"), "--seeds many: expected a whole number"),
        (("policy", "check", "x.py", "--patience", "soon"), "--patience soon: expected a number"),
        (("run", "x.yaml", "--max-events", "1.5"), "--max-events 1.5: expected a whole number"),
        (("whatif", "x.yaml", "--sed", "3"), "No such option: --sed (Possible options: --master, --seeds, --set); "),
        (("whatif", "x.yaml", "--seeds"), "Option '--seeds' requires an argument; "),
        (("whatif",), "Missing argument 'experiment'; "),
        (("whatf",), "No such command 'whatf'. Did you mean 'whatif', 'watch'?"),
    ],
)
def test_it_is_reported_in_one_sentence(monkeypatch, capsys, asked, sentence):
    code, said = ask(monkeypatch, capsys, *asked)
    assert (code, said[: len(sentence)]) == (2, sentence)
    assert "│" not in said

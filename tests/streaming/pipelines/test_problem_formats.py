import io
import json

import pytest
from rich.console import Console

from streaming.commands.check_command import checks_command
from streaming.errors import InputError
from tests.says import Printed, Says

GOOD = """name: fine
seed: 1
duration: 10s
client: {release: 4.9.8}
producers: {count: 1, rate: 5/s}
topics: {orders: {queues: 4}}
brokers: {broker-a: {latency: {constant: 1ms}}}
"""


@pytest.fixture
def checked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def check(form, *texts, strict=False):
        files = [tmp_path / f"s{number}.yaml" for number in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_text(text)
        console = Console(file=io.StringIO(), width=80)
        names = [file.relative_to(tmp_path) for file in files]
        return checks_command(names, (), console, strict=strict, form=form), console.file.getvalue()

    return check


def test_github_shows_an_error_beside_its_line(checked):
    code, text = checked("github", GOOD.replace("queues: 4", "queue: 4"))
    assert code == 2
    place = "::error file=s0.yaml,line=6::topics.orders.queue"
    assert Says("reading.unknown-meant", place, near="queues") in Printed(text)


def test_sarif_holds_every_problem_with_file_and_line(checked):
    code, text = checked("sarif", GOOD.replace("5/s", "5"), GOOD.replace("4.9.8", "4.9.9"))
    found = [result["locations"][0]["physicalLocation"] for result in json.loads(text)["runs"][0]["results"]]
    assert code == 2
    assert [(one["artifactLocation"]["uri"], one["region"]["startLine"]) for one in found] == [
        ("s0.yaml", 5), ("s1.yaml", 4)
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["rate: 5", "rte: 5/s"])
def test_a_problem_has_an_id_that_stays_when_words_change(checked, text):
    ids = [one["id"] for one in json.loads(checked("json", GOOD.replace("rate: 5/s", text))[1])]
    rules = json.loads(checked("sarif", GOOD.replace("rate: 5/s", text))[1])["runs"][0]["results"]
    assert [rule["ruleId"] for rule in rules] == [f"sendlab/{id or 'error'}" for id in ids]
    assert text != "rte: 5/s" or ids[0] == "reading.unknown-meant"


def test_a_warning_fails_a_strict_check_alone(checked):
    late = GOOD + "faults: [{at: 20s, for: 1s, broker: broker-a, kind: hang}]\n"
    assert checked("json", late)[0] == 0
    code, text = checked("json", late, strict=True)
    assert code == 1
    assert [(one["level"], one["text"].split(":")[0]) for one in json.loads(text)] == [("warning", "never happens")]


def test_the_worst_of_several_files_decides(checked):
    assert checked("text", GOOD, GOOD.replace("5/s", "5"))[0] == 2
    assert checked("text", GOOD, GOOD)[0] == 0


def test_an_unknown_format_is_refused(checked):
    with pytest.raises(InputError, match="--format xml: expected text, github, sarif or json"):
        checked("xml", GOOD)

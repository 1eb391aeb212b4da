"""The page of an advice: verdict first, each of the few with costs and Java, and how sure it is."""

import re
from html import unescape
from io import StringIO

import pytest
from rich.console import Console

from simulator.advice.advice import Advice
from simulator.advice.advice_texts import AdviceTexts
from simulator.advice.standing import Standing
from simulator.experiments.study import Study
from streaming.advice.advice_page import html, markdown
from streaming.advice.advise_command import tell
from streaming.page_frame.cell_text import NO_BREAK
from streaming.page_frame.template_texts import TemplateTexts
from tests.says import Printed, Says
from tests.simulator.advice.made import advice, trial
from tests.streaming.experiment_page.findings import findings
from tests.streaming.page_frame.parsed import wrong_in

FIGURES = {"time-out 1s": {"p99_ms": 10.0}, "retries 5": {"failed_percent": 0.1, "p99_ms": 300.0}}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return advice(tmp_path_factory.mktemp("advice"), FIGURES, name="<b>mine")


def test_the_verdict_comes_first(found):
    body = html(found).partition("<main>")[2].replace(NO_BREAK, " ")
    assert unescape(re.sub(r"<[^>]+>", " ", body)).split("Verdict")[1].strip().startswith(found.verdict[0])


def test_names_are_escaped(found):
    assert "<b>mine" not in html(found)


@pytest.mark.parametrize(
    "text", ["producer.setSendMsgTimeout(1000);", TemplateTexts.COSTS(), TemplateTexts.KNOWS_NOTHING()]
)
def test_the_page_has_java_costs_and_what_it_does_not_know(found, text):
    assert text in html(found)


def test_the_markdown_has_every_setting_with_who_beats_it(found):
    assert re.search(r"\| as it is \| [\d.]+ % ± [\d.]+ \|.*\| by time-out 1s \|", markdown(found))


def test_a_terminal_of_80_columns_shows_every_figure_and_the_situations(found):
    console = Console(width=80, record=True, file=StringIO())
    tell(found, console)
    said = console.export_text()
    assert max(map(len, said.splitlines())) <= 80
    assert re.search(r"^ *retries 5 +0\.1\d* % +30\d\.?\d* ms +", said, re.MULTILINE)
    situations = "hang, kill, slow, overload and rolling restart"
    assert Says("advice.not-shown-worse", situations=situations) in Printed(said)


def test_a_trial_that_was_stopped_before_its_first_run_prints_no_figures(tmp_path):
    planned, console = trial(tmp_path), Console(record=True, file=StringIO())
    tell(Advice(Standing(planned, Study(planned.experiment())), interrupted=True), console)
    assert console.export_text().strip() == AdviceTexts.NO_RUN()


@pytest.mark.timeout(180)
def test_nobody_stumbles_in_the_page(found, chromium, tmp_path):
    assert findings(html(found), chromium, tmp_path, 390) == []


def test_the_markup_is_whole(found):
    assert wrong_in(html(found)) == []

"""The notebooks of docs/ run from their first cell to their last, and are kept without what they print."""

from __future__ import annotations

import pytest
from nbclient import NotebookClient
from nbformat import read

from simulator.calibrate.calibrate_texts import FittedTexts
from tests.house.tree import ROOT

FOLDER = ROOT / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SHOWN_MOST = 25_000  # characters of one cell: no notebook grows by a megabyte when it is saved
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module", params=[path.stem for path in NOTEBOOKS])
def executed(request, tmp_path_factory):
    """A notebook after a run in an empty folder."""
    notebook = read(FOLDER / f"{request.param}.ipynb", as_version=4)
    place = {"metadata": {"path": str(tmp_path_factory.mktemp("notebook"))}}
    NotebookClient(notebook, timeout=280, kernel_name="python3", resources=place).execute()
    return request.param, [output for cell in notebook.cells for output in cell.get("outputs", ())]


def said(outputs) -> str:
    return " ".join(str(output.get("text") or output.get("data", {}).get("text/plain", "")) for output in outputs)


def test_a_notebook_runs_and_shows_what_its_text_says(executed):
    name, outputs = executed
    expected = {
        "first-look": ["RemotingTooMuchRequestException        49", "<Result of broker-b-hangs-for-a-minute", "True"],
        "your-own-plots": ["ExperimentResult", "5.3.3 fails", "True"],
        "your-own-log": [FittedTexts.FITTED(name="night.csv"), "kind: hang", "5.3.3"],
    }[name]
    assert [words for words in expected if words not in said(outputs)] == []


def test_no_cell_shows_more_than_a_reader_takes_in(executed):
    _, outputs = executed
    assert max(len(str(text)) for output in outputs for text in output.get("data", {}).values()) < SHOWN_MOST


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_its_outputs(path):
    cells = [cell for cell in read(path, as_version=4).cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)


def test_there_are_three_notebooks_and_the_index_names_them():
    index = (ROOT / "docs" / "README.md").read_text()
    assert [path.name for path in NOTEBOOKS if f"notebooks/{path.name}" not in index] == []
    assert len(NOTEBOOKS) == 3

"""A page's parts that are loaded before the page is made."""

from __future__ import annotations

import pytest

from streaming.page_frame import templates
from streaming.page_frame.page_ahead import load_page_ahead
from streaming.page_frame.plotly_text import packed_plotly


@pytest.mark.parametrize("page", ["streaming.experiment_page.experiment_html", "streaming.advice.advice_page"])
def test_the_template_and_the_script_are_there_when_the_page_is_made(page):
    packed_plotly.cache_clear()
    templates._templates.cache_clear()
    load_page_ahead(page).join()
    assert packed_plotly.cache_info().currsize == 1
    assert len(templates._templates().cache) > 1  # beside the kit


def test_what_cannot_be_loaded_is_left_to_whoever_makes_the_page(capfd):
    load_page_ahead("streaming.page_frame.no_page").join()
    assert capfd.readouterr() == ("", "")

"""What a page needs whatever is in it, loaded while something else is waited for."""

from __future__ import annotations

import threading
from contextlib import suppress
from importlib import import_module


def load_page_ahead(page: str) -> threading.Thread:
    """Have a page's module and TEMPLATE, plotly's script and the intervals' functions loaded in a thread.

    Returns at once; nobody needs to wait for it. page: the name of the module, which is loaded there.
    """

    def load() -> None:
        # Only a head start: what goes wrong here goes wrong again, and is reported, where the page is made.
        with suppress(Exception):
            from scipy import special  # noqa: F401

            from streaming.page_frame.plotly_text import packed_plotly
            from streaming.page_frame.templates import load_template

            load_template(import_module(page).TEMPLATE)
            packed_plotly()

    loading = threading.Thread(target=load, name="page-ahead", daemon=True)
    loading.start()
    return loading

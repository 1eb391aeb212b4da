"""The templates of pages: files beside the code that fills them; every value that they are given is escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from jinja2.ext import Extension
from markupsafe import Markup

from streaming.installation.own_version import sendlab_version
from streaming.page_frame.cell_text import breakable, sentence, unbroken
from streaming.page_frame.figure import figure_json
from streaming.page_frame.plotly_text import packed_plotly
from streaming.page_frame.template_texts import TemplateTexts

KIT = "page_frame/kit.html"
FOLD = re.compile(r"(?<=%})\n +|\n +(?={%)|(?<=[>}])\n +(?=[<{])")


class Folded(Extension):
    """An indented line of a template continues the line before it; between tags nothing stands for the break."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The template as it is parsed."""
        return re.sub(r"\n +", " ", FOLD.sub("", source))


def rendered(name: str, **values: Any) -> str:
    """A template filled with values; name: its path below streaming/. Raises jinja2.UndefinedError for one too few."""
    return _templates().get_template(name).render(values)


def load_template(name: str) -> None:
    """Have a template ready to be filled."""
    _templates().get_template(name)


def rendered_blocks(name: str, start: str, values: Mapping[str, Any]) -> dict[str, str]:
    """The blocks of a template whose names begin with `start`, by the rest of their names."""
    template = _templates().get_template(name)
    return {
        block.removeprefix(start): "".join(write(template.new_context(dict(values))))
        for block, write in template.blocks.items()
        if block.startswith(start)
    }


def kit() -> Any:
    """The macros of which pages are made."""
    return _templates().globals["kit"]


def file_text(name: str) -> Markup:
    """A style or a script, as it is; name: its path below streaming/."""
    return Markup((files("streaming") / name).read_text("utf-8"))


@cache
def _templates() -> Environment:
    made = Environment(
        loader=FunctionLoader(file_text), extensions=[Folded], autoescape=True, undefined=StrictUndefined,
        keep_trailing_newline=True,
    )  # fmt: skip
    made.filters |= {"breakable": breakable, "sentence": sentence, "unbroken": unbroken, "script_json": _script_json}
    made.globals |= {
        "file_text": file_text,
        "plotly": packed_plotly,
        "version": sendlab_version,
        "TemplateTexts": TemplateTexts,
    }
    made.globals["kit"] = made.get_template(KIT).module
    return made


def _script_json(value: Any) -> Markup:
    # "<" would let a name end the script element.
    return Markup(figure_json(value).replace("<", "\\u003c"))

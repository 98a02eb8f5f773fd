# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One HTML page about a model: structure, rewrites and costs.

The page needs nothing but itself: no scripts, no fonts, no network.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from parablock.output import replace_file
from parablock_studies.page.drift import draw_drift
from parablock_studies.page.html import Markup, element, escape
from parablock_studies.page.kernels import draw_kernels
from parablock_studies.page.layers import draw_layers
from parablock_studies.page.remarks import list_remarks
from parablock_studies.page.summary import describe_chip, draw_summary


@dataclasses.dataclass(frozen=True)
class PageData:
    """Reports of a model before and after rewriting."""

    name: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    explanation: Mapping[str, Any]
    drift: Mapping[str, Any] | None
    #: Costs of each kernel; none before a model has kernels.
    kernels: Sequence[Mapping[str, Any]] = ()


def render_page(data: PageData) -> str:
    """Returns the page's text."""
    style = resources.files("parablock_studies.page").joinpath("style.css").read_text()
    sections: list[tuple[str, str, Markup]] = [
        ("summary", "Summary", draw_summary(data.before, data.after, data.explanation)),
        ("layers", "Layers", draw_layers(data.before, data.after, data.explanation)),
        ("kernels", "Kernels", draw_kernels(data.kernels, describe_chip(data.after))),
        ("drift", "Drift", draw_drift(data.drift, data.after)),
        ("remarks", "Decisions", list_remarks(data.explanation)),
    ]
    links = [element("a", title, href=f"#{key}") for key, title, _ in sections]
    body = [
        element("a", "Skip to the content", href="#content", class_="skip"),
        element(
            "header",
            element("h1", data.name),
            element("nav", *links, aria_label="Sections"),
        ),
        element(
            "main",
            *(
                element(
                    "section",
                    element("h2", title, id=f"{key}-title"),
                    content,
                    id=key,
                    aria_labelledby=f"{key}-title",
                )
                for key, title, content in sections
            ),
            id="content",
        ),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(data.name)}: blocks</title>\n<style>\n{style}</style>\n"
        f"</head>\n<body>\n{''.join(body)}\n</body>\n</html>\n"
    )


def write_page(data: PageData, path: Path) -> Path:
    """Writes the page, whole or not at all."""
    with replace_file(path) as file:
        file.write(render_page(data).encode())
    return path

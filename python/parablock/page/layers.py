# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers: a drawing of each kind, and bars of what each layer costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parablock.page.graph import draw_form
from parablock.page.html import (
    Markup,
    bar,
    describe_layers,
    element,
    format_count,
    join,
    table,
)

_COLUMNS = (("launches", "Launches"), ("bytes", "Bytes"), ("flops", "FLOPs"))


def draw_layers(
    before: Mapping[str, Any], after: Mapping[str, Any], explanation: Mapping[str, Any]
) -> Markup:
    old, new = before.get("layers", []), after.get("layers", [])
    if not new:
        return element("p", "No layer was recognised.")
    exactness = {
        layer["name"]: layer["exactness"] for layer in explanation.get("layers", [])
    }
    largest = {
        key: max((layer.get(key) or 0 for layer in [*old, *new]), default=0)
        for key, _ in _COLUMNS
    }
    return join(
        _draw_kinds(old, new),
        _draw_costs("Layers before", old, largest, "before", {}),
        _draw_costs("Layers after", new, largest, "after", exactness),
    )


def _draw_kinds(
    old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]
) -> Markup:
    """Each pair of forms once, with the layers that have it."""
    forms = {layer["name"]: layer["form"] for layer in old}
    kinds: dict[tuple[str, str], list[str]] = {}
    for layer in new:
        pair = (forms.get(layer["name"], layer["form"]), layer["form"])
        kinds.setdefault(pair, []).append(layer["name"])
    figures = []
    for (form, result), names in kinds.items():
        if form == result:
            parts = [_label(form, "before and after")]
        else:
            parts = [_label(form, "before"), _label(result, "after")]
        figures.append(
            element(
                "figure",
                element("div", *parts, class_="graphs"),
                element("figcaption", f"{describe_layers(names)} ({_count(names)})"),
            )
        )
    return join(*figures)


def _count(names: Sequence[str]) -> str:
    return "1 layer" if len(names) == 1 else f"{len(names)} layers"


def _label(form: str, when: str) -> Markup:
    return element("div", element("p", f"{when}: {form}"), draw_form(form))


def _draw_costs(
    caption: str,
    layers: Sequence[Mapping[str, Any]],
    largest: Mapping[str, float],
    kind: str,
    exactness: Mapping[str, str],
) -> Markup:
    rows = []
    for layer in layers:
        approximate = exactness.get(layer["name"]) == "approximate"
        name = join(
            layer["name"],
            element("span", " not exact", class_="badge") if approximate else "",
        )
        cells = [
            bar(
                layer.get(key) or 0,
                largest[key],
                format_count(layer.get(key) or 0),
                "approximate" if approximate else kind,
            )
            for key, _ in _COLUMNS
        ]
        rows.append([name, layer["form"], *cells])
    head = ["Layer", "Form", *(title for _, title in _COLUMNS)]
    return table(caption, head, rows)

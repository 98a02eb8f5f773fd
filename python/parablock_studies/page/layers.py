# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers: a drawing of each kind, and bars of what layers cost before and after."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from parablock.layer_names import describe_layers
from parablock_studies.page.graph import draw_form
from parablock_studies.page.html import (
    Markup,
    bar,
    element,
    format_count,
    join,
    table,
)

#: Forms of what is no whole layer.
_PARTS = ("attention-only", "mlp-only")
_COLUMNS = (("launches", "Launches"), ("bytes", "Bytes"), ("flops", "FLOPs"))


@dataclasses.dataclass(frozen=True)
class Change:
    """A layer before and after."""

    name: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    is_approximate: bool

    @property
    def likeness(self) -> tuple[object, ...]:
        """Equal of layers that need one row together."""
        stack = self.name.rpartition(".")[0]
        forms = (self.before["form"], self.after["form"])
        numbers = [(self.before.get(key), self.after.get(key)) for key, _ in _COLUMNS]
        return (stack, self.is_approximate, *forms, *numbers)


def draw_layers(
    before: Mapping[str, Any], after: Mapping[str, Any], explanation: Mapping[str, Any]
) -> Markup:
    old = {layer["name"]: layer for layer in before.get("layers", [])}
    told = {layer["name"]: layer for layer in explanation.get("layers", [])}
    changes = [
        Change(
            layer["name"],
            _find_before(layer, old.get(layer["name"]), told.get(layer["name"], {})),
            layer,
            told.get(layer["name"], {}).get("exactness") == "approximate",
        )
        for layer in after.get("layers", [])
    ]
    if not changes:
        return element("p", "No layer was recognised.")
    return join(_draw_kinds(changes), _draw_costs(changes))


def _find_before(
    layer: Mapping[str, Any], old: Mapping[str, Any] | None, told: Mapping[str, Any]
) -> dict[str, Any]:
    """Returns the original of a layer, with the numbers of explain().

    A shifted pair was one sublayer after the other, and what pairs left of a layer
    was the same part of it.
    """
    before = dict(old or layer)
    if old is None:
        before["form"] = "serial-shifted"
    elif layer["form"] in _PARTS and old["form"] not in _PARTS:
        before = dict(layer)
    for key in ("launches", "bytes"):
        if key in told:
            before[key] = told[key]["before"]
    return before


def _draw_kinds(changes: Sequence[Change]) -> Markup:
    """Draws each pair of forms once, with its layers."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for change in changes:
        pair = (change.before["form"], change.after["form"])
        kinds.setdefault(pair, []).append(change.name)
    figures = []
    for (form, result), names in kinds.items():
        if form == result:
            parts = [_label(form, "before and after")]
        else:
            parts = [_label(form, "before"), _label(result, "after")]
        figures.append(
            element(
                "figure",
                element("figcaption", f"{describe_layers(names)} ({_count(names)})"),
                element("div", *parts, class_="graphs"),
            )
        )
    return join(*figures)


def _count(names: Sequence[str]) -> str:
    return "1 layer" if len(names) == 1 else f"{len(names)} layers"


def _label(form: str, when: str) -> Markup:
    return element("div", element("p", f"{when}: {form}"), draw_form(form))


def _draw_costs(changes: Sequence[Change]) -> Markup:
    """Draws costs; neighbours of equal cost are one row."""
    largest = {
        key: max(
            (each.get(key) or 0 for c in changes for each in (c.before, c.after)),
            default=0,
        )
        for key, _ in _COLUMNS
    }
    rows = []
    for _, group in itertools.groupby(changes, lambda change: change.likeness):
        alike = list(group)
        cells = [_compare(alike[0], key, largest[key]) for key, _ in _COLUMNS]
        rows.append([_name(alike), _describe_form(alike[0]), *cells])
    head = ["Layers", "Form", *(f"{title}, each" for _, title in _COLUMNS)]
    return table("What a layer costs before (grey) and after", head, rows)


def _name(alike: Sequence[Change]) -> Markup:
    names = [change.name for change in alike]
    badge = element("span", " not exact", class_="badge")
    return join(describe_layers(names), badge if alike[0].is_approximate else "")


def _describe_form(change: Change) -> str:
    forms = dict.fromkeys((change.before["form"], change.after["form"]))
    return " \u2192 ".join(forms)


def _compare(change: Change, key: str, largest: float) -> Markup:
    """Returns two bars, one above the other."""
    kind = "approximate" if change.is_approximate else "after"
    pairs = (("before", change.before, "before"), ("after", change.after, kind))
    return join(
        *(
            element(
                "div",
                element("span", f"{when} ", class_="spoken"),
                bar(
                    layer.get(key) or 0,
                    largest,
                    format_count(layer.get(key) or 0),
                    shade,
                ),
            )
            for when, layer, shade in pairs
        )
    )

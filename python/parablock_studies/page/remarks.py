# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decisions of passes, and unrecognised parts."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from parablock.layer_names import describe_layers
from parablock_studies.page.html import Markup, element, join, table


def _list_metrics(fusion: Mapping[str, Any]) -> Markup:
    """Returns the numbers of a decision."""
    metrics = fusion.get("metrics") or {}
    text = ", ".join(f"{name} {value}" for name, value in metrics.items())
    return element("small", text) if text else Markup("")


def list_remarks(explanation: Mapping[str, Any]) -> Markup:
    missed = [
        [miss["kind"], miss["reason"], miss.get("detail", ""), miss.get("location", "")]
        for miss in explanation.get("missed", [])
    ]
    parts = []
    if missed:
        head = ["Kind", "Reason", "Detail", "Place"]
        parts.append(table("Not recognised", head, missed))
    layers = explanation.get("layers", [])
    for _, group in itertools.groupby(layers, _describe_decisions):
        parts.append(_list_decisions(list(group)))
    return join(*parts) if parts else element("p", "No pass had anything to decide.")


def _describe_decisions(layer: Mapping[str, Any]) -> list[Any]:
    """Returns a key that is equal for layers with equal decisions."""
    fusions = layer.get("fusions", [])
    keys = ("pass", "status", "reason", "metrics")
    return [[fusion.get(key) for key in keys] for fusion in fusions]


def _list_decisions(alike: Sequence[Mapping[str, Any]]) -> Markup:
    fusions = alike[0].get("fusions", [])
    done = sum(fusion["status"] == "passed" for fusion in fusions)
    rows = [
        [
            fusion["pass"],
            element("span", fusion["status"], class_=f"status {fusion['status']}"),
            join(fusion.get("reason") or "", _list_metrics(fusion)),
            fusion.get("location") or "",
        ]
        for fusion in fusions
    ]
    names = describe_layers([layer["name"] for layer in alike])
    place = "Place" if len(alike) == 1 else "Place in the first"
    return element(
        "details",
        element("summary", f"{names}: {done} of {len(fusions)} rewrites"),
        table(
            f"Decisions in {names}", ["Pass", "Status", "Reason and numbers", place], rows
        ),
    )

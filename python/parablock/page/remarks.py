# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decisions of passes, and what was not recognised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parablock.page.html import Markup, element, join, table


def _list_metrics(fusion: Mapping[str, Any]) -> Markup:
    """The numbers of a decision."""
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
    for layer in explanation.get("layers", []):
        fusions = layer.get("fusions", [])
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
        title = f"{layer['name']}: {done} of {len(fusions)} rewrites"
        head = ["Pass", "Status", "Reason and numbers", "Place"]
        parts.append(
            element(
                "details",
                element("summary", title),
                table(f"Decisions in {layer['name']}", head, rows),
            )
        )
    return join(*parts) if parts else element("p", "No pass had anything to decide.")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The whole model in numbers, before and after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parablock.layer_names import describe_layers
from parablock_studies.page.html import (
    Markup,
    bar,
    element,
    format_count,
    format_time,
    join,
    table,
)

def _format_milliseconds(number: float) -> str:
    return format_time(1000 * number)


_ROWS = (
    ("launches", "Launches", format_count),
    ("activation_bytes", "Activation bytes", format_count),
    ("flops_per_token", "FLOPs per token", format_count),
    ("roofline_ms", "Time at the roofline", _format_milliseconds),
    ("reachable_ms", "Time at measured rates", _format_milliseconds),
)


def draw_summary(
    before: Mapping[str, Any], after: Mapping[str, Any], explanation: Mapping[str, Any]
) -> Markup:
    params = before.get("model", {}).get("params", {})
    found = explanation.get("recognised", {})
    recognised = ", ".join(f"{count} {kind}" for kind, count in found.items())
    facts = [
        ("Parameters", format_count(params.get("total", 0))),
        ("Recognised", recognised or "nothing"),
        ("Chip", describe_chip(after)),
        ("Sizes", _describe_sizes(after.get("sizes", {}))),
        *_describe_codes(after.get("model", {}).get("codes")),
    ]
    approximate = [
        layer["name"]
        for layer in explanation.get("layers", [])
        if layer.get("exactness") == "approximate"
    ]
    count = len(explanation.get("layers", []))
    note = (
        element(
            "p",
            element("strong", "Not exact: "),
            f"{describe_layers(approximate)} ({len(approximate)} of {count} layers) "
            "by rules that change results.",
            class_="approximate",
        )
        if approximate
        else element("p", "All rewrites are exact.", class_="exact")
    )
    terms = [join(element("dt", name), element("dd", text)) for name, text in facts]
    return join(note, element("dl", *terms, class_="facts"), _compare(before, after))


def describe_chip(report: Mapping[str, Any]) -> str:
    """Returns the chip, and the product whose numbers predictions use.

    >>> describe_chip({"chip": "sm_90a", "product": "H200"}), describe_chip({"chip": "cpu"})
    ('sm_90a (H200)', 'cpu')
    """
    chip, product = report.get("chip") or "none", report.get("product")
    return f"{chip} ({product})" if product else chip


def _describe_codes(codes: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    if not codes:
        return []
    text = f"{codes['weights']} weights, {format_count(codes['code_bytes'])} bytes"
    if codes["runs_unpacked"]:
        text += f", of which some run unpacked, as {format_count(codes['read_number_bytes'])} bytes"
    return [("Codes", text)]


def _describe_sizes(sizes: Mapping[str, Any]) -> str:
    text = ", ".join(
        f"{name} {size}" for name, size in sizes.items() if name != "assumed"
    )
    return f"{text} (assumed)" if sizes.get("assumed") else text


def _compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> Markup:
    rows = []
    for key, title, describe in _ROWS:
        own, new = before["model"].get(key), after["model"].get(key)
        if not isinstance(own, int | float) or not isinstance(new, int | float):
            continue
        largest = max(own, new)
        rows.append(
            [
                title,
                bar(own, largest, describe(own), "before"),
                bar(new, largest, describe(new), "after"),
            ]
        )
    return table("The model before and after", ["", "before", "after"], rows)

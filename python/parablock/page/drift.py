# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What approximate rewrites change, layer by layer, and what the budget buys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parablock.page.html import Markup, bar, element, join, table


def draw_drift(drift: Mapping[str, Any] | None, after: Mapping[str, Any]) -> Markup:
    if drift is None:
        stamped = [layer for layer in after.get("layers", []) if layer.get("approx")]
        text = (
            f"{len(stamped)} layers are approximate and were not measured: call "
            "drift() with inputs of your own."
            if stamped
            else "Nothing approximate ran, so results are the original's up to "
            "rounding. drift() measures what parallel layers would change."
        )
        return element("p", text)
    chosen = [str(pair) for pair in drift.get("chosen", [])]
    return join(
        element("p", f"Chosen: {', '.join(chosen) or 'none'}. {_describe_kl(drift)}"),
        _list_layers(drift, chosen),
        _draw_budget(drift),
    )


def _describe_kl(drift: Mapping[str, Any]) -> str:
    parts = []
    for key, name in (("predicted_kl", "predicted"), ("measured_kl", "measured")):
        value = drift.get(key)
        if isinstance(value, int | float):
            parts.append(f"{name} {value:.3g} nats a token")
    return f"KL divergence: {', '.join(parts)}." if parts else ""


def _get_update(layer: Mapping[str, Any]) -> float:
    value = layer.get("update_rel_l2", {}).get("mean")
    return float(value) if isinstance(value, int | float) else 0.0


def _list_layers(drift: Mapping[str, Any], chosen: list[str]) -> Markup:
    layers = drift.get("layers", [])
    largest = max((_get_update(layer) for layer in layers), default=0.0)
    rows = []
    for layer in layers:
        pair = str(layer.get("pair", layer.get("index")))
        kl = layer.get("kl_alone")
        update = _get_update(layer)
        rows.append(
            [
                pair,
                "chosen" if pair in chosen else "",
                bar(update, largest, f"{update:.3g}", "approximate"),
                f"{kl:.3g}" if isinstance(kl, int | float) else "",
            ]
        )
    head = ["Pair", "", "Change of the update", "KL alone"]
    return table("Drift of each pair", head, rows)


def _draw_budget(drift: Mapping[str, Any]) -> Markup:
    """The sum of the single pairs' KL, cheapest first."""
    costs = sorted(
        layer["kl_alone"]
        for layer in drift.get("layers", [])
        if isinstance(layer.get("kl_alone"), int | float)
    )
    if len(costs) < 2:
        return Markup("")
    total, points = 0.0, [(0, 0.0)]
    for count, cost in enumerate(costs, 1):
        total += max(cost, 0.0)
        points.append((count, total))
    most = total or 1.0
    places = " ".join(
        f"{40 + 340 * count / len(costs):.1f},{170 - 150 * kl / most:.1f}"
        for count, kl in points
    )
    drawing = element(
        "svg",
        Markup(
            '<path class="axis" d="M40 10V170H390"/>'
            f'<polyline class="curve" points="{places}"/>'
            f'<text class="start" x="44" y="20">{most:.3g} nats</text>'
            f'<text class="end" x="390" y="188">{len(costs)} pairs</text>'
        ),
        viewBox="0 0 400 195",
        role="img",
        aria_label=f"Budget curve: {len(costs)} pairs cost {most:.3g} nats a token",
        class_="graph",
        style="max-width:480px",
    )
    caption = element("figcaption", "Sum of the pairs' KL, cheapest first")
    return element("figure", drawing, caption)

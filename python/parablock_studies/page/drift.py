# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Effects of approximate rewrites, layer by layer, and budgets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parablock.drift import describe_outcome, find_stream_error, has_post_norms, is_number
from parablock_studies.page.html import Markup, bar, element, join, table


def draw_drift(drift: Mapping[str, Any] | None, after: Mapping[str, Any]) -> Markup:
    if drift is None:
        stamped = [layer["approx"] for layer in after.get("layers", []) if layer.get("approx")]
        measured = {stamp["measured"] for stamp in stamped if is_number(stamp.get("measured"))}
        text = (
            f"{len(stamped)} layers are approximate, by a choice that was measured as a whole: "
            f"KL divergence {', '.join(f'{kl:.3g}' for kl in sorted(measured))} nats a token. "
            "drift() measures it with inputs of your own."
            if measured
            else f"{len(stamped)} layers are approximate and were not measured: call "
            "drift() with inputs of your own."
            if stamped
            else "Nothing approximate ran, so results are the original's up to "
            "rounding. drift() measures what parallel layers would change."
        )
        return element("p", text)
    chosen = [str(pair) for pair in drift.get("chosen", [])]
    return join(
        element("p", f"Chosen: {', '.join(chosen) or 'none'}. {_describe_kl(drift)}".strip()),
        element("p", " ".join(describe_outcome(drift))),
        element("p", " ".join(_describe_use(drift))) if chosen else Markup(""),
        _list_layers(drift, chosen),
        _draw_budget(drift),
    )


#: Savings of each form, and where they count; docs/Drift.md has the same table.
_PAIRS = (
    "Pairs save one of two sums over devices and two of five launches a layer: for 4 to 8 "
    "devices at small batches, or one GPU at few tokens."
)
_POST_NORMS = (
    "Pairs with norms behind their sums save one launch of seven a layer; both sums over devices "
    "stay, and neither waits for the other: for several devices, or one GPU at few tokens."
)
_USES = {
    "ladder": "A ladder runs each sum over devices beside the next branch: for 4 to 8 devices "
    "whose sums take long.",
    "shortcut": "Shortcut pairs run routed experts beside the next attention: for experts on "
    "several devices.",
}


def _describe_use(drift: Mapping[str, Any]) -> list[str]:
    """Returns sentences on what the chosen pairs are for, and what they are not for.

    >>> _describe_use({"pairing": "block", "generation": {}, "tasks": {}})[1:]
    ['Not for one CPU, which saves at most 2 % of the time.']
    >>> _describe_use({"pairing": "ladder", "generation": {}, "tasks": None})[2]
    'Not measured: tasks (--tasks). Long generation, arithmetic and copying break before KL \
divergence and perplexity show it.'
    """
    pairs = _POST_NORMS if has_post_norms(drift) else _PAIRS
    parts = [_USES.get(str(drift.get("pairing")), pairs)]
    parts.append("Not for one CPU, which saves at most 2 % of the time.")
    if find_stream_error(drift) is not None:
        parts.append(
            "Not measured: the work that the model is for. The error of the last stream does not "
            "tell what becomes of similarities or labels: compare them on data of your own."
        )
        return parts
    missing = [
        name
        for key, name in (("generation", "generation"), ("tasks", "tasks (--tasks)"))
        if drift.get(key) is None
    ]
    if missing:
        parts.append(
            f"Not measured: {' and '.join(missing)}. Long generation, arithmetic and copying "
            "break before KL divergence and perplexity show it."
        )
    return parts


def _describe_kl(drift: Mapping[str, Any]) -> str:
    parts = []
    for key, name in (("predicted_kl", "predicted"), ("measured_kl", "measured")):
        value = drift.get(key)
        if isinstance(value, int | float):
            parts.append(f"{name} {value:.3g} nats a token")
    return f"KL divergence: {', '.join(parts)}." if parts else ""


def _find_cost(layer: Mapping[str, Any]) -> float | None:
    """Returns the KL of a pair alone, after the correction if there is one."""
    for key in ("kl_alone_corrected", "kl_alone"):
        if isinstance(cost := layer.get(key), int | float):
            return float(cost)
    return None


def _get_update(layer: Mapping[str, Any]) -> float:
    value = (layer.get("update_rel_l2") or {}).get("mean")
    return float(value) if isinstance(value, int | float) else 0.0


def _describe_choice(layer: Mapping[str, Any], is_chosen: bool) -> Markup | str:
    if is_chosen:
        return element("span", "chosen", class_="badge")
    screen = layer.get("screen")
    is_left_out = layer.get("dropped") and screen
    return f"left out: {str(screen).replace('-', ' ')}" if is_left_out else ""


def _list_layers(drift: Mapping[str, Any], chosen: list[str]) -> Markup:
    layers = drift.get("layers", [])
    largest = max((_get_update(layer) for layer in layers), default=0.0)
    # Pairs alone are fitted, but not healed.
    healing = drift.get("healing") or {}
    correction = str(healing.get("start") or drift.get("correction", "none"))
    is_corrected = correction != "none"
    has_kl = find_stream_error(drift) is None
    rows = []
    for layer in layers:
        pair = str(layer.get("pair", layer.get("index")))
        update = _get_update(layer)
        numbers = [layer.get("kl_alone")] if has_kl else []
        if is_corrected:
            recovered = (layer.get("recovered") or {}).get(correction) or {}
            numbers.append(layer.get("kl_alone_corrected") if has_kl else _get_update(recovered))
        rows.append(
            [
                pair,
                _describe_choice(layer, pair in chosen),
                bar(update, largest, f"{update:.3g}", "approximate"),
                *map(_show, numbers),
            ]
        )
    head = ["Pair", "Choice", "Change of the update", *(["KL alone"] if has_kl else [])]
    if is_corrected:
        head.append(f"{'KL alone' if has_kl else 'Change'}, {correction.replace('-', ' ')}")
    return table("Drift of each pair", head, rows)


def _show(number: object) -> Markup | str:
    return element("span", f"{number:.3g}", class_="number") if is_number(number) else ""


#: The picture's inner edges.
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 390, 14, 170


def _draw_budget(drift: Mapping[str, Any]) -> Markup:
    """Draws the predicted and measured cost of the cheapest pairs together."""
    found = map(_find_cost, drift.get("layers", []))
    costs = sorted(cost for cost in found if cost is not None)
    if len(costs) < 2:
        return Markup("")
    points = [(0, 0.0)]
    for count, cost in enumerate(costs, 1):
        points.append((count, points[-1][1] + max(cost, 0.0)))
    trials = [(t["pairs"], t["measured_kl"]) for t in drift.get("trials", [])]
    budget = drift.get("budget_kl")
    most = max(kl for _, kl in (*points, *trials)) or 1.0
    # A budget that is far above all of them would press them to the floor.
    if isinstance(budget, int | float) and budget < 2 * most:
        most = max(most, budget)
    chosen = len(drift.get("chosen", []))

    def place(count: float, kl: float) -> tuple[float, float]:
        return (
            _LEFT + (_RIGHT - _LEFT) * count / len(costs),
            _BOTTOM - (_BOTTOM - _TOP) * kl / most,
        )

    curve = " ".join("{:.1f},{:.1f}".format(*place(*point)) for point in points)
    parts = [
        f'<path class="axis" d="M{_LEFT} {_TOP}V{_BOTTOM}H{_RIGHT}"/>',
        f'<polyline class="curve" points="{curve}"/>',
        f'<text class="start" x="{_LEFT + 4}" y="{_TOP + 6}">{most:.3g} nats</text>',
        f'<text class="end" x="{_RIGHT}" y="{_BOTTOM + 18}">{len(costs)} pairs</text>',
    ]
    if isinstance(budget, int | float) and budget <= most:
        height = place(0, budget)[1]
        parts.append(
            f'<path class="limit" d="M{_LEFT} {height:.1f}H{_RIGHT}"/>'
            f'<text class="end" x="{_RIGHT}" y="{height - 5:.1f}">budget '
            f"{budget:.3g}</text>"
        )
    for count, kl in trials:
        x, y = place(count, kl)
        kind, radius = ("point chosen", 8) if count == chosen else ("point", 5)
        parts.append(
            f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}"/>'
        )
    words = f"{len(costs)} pairs cost {points[-1][1]:.3g} nats a token"
    if isinstance(budget, int | float):
        words += f"; {chosen} are within the budget of {budget:.3g}"
    drawing = element(
        "svg",
        Markup("".join(parts)),
        viewBox="0 0 400 195",
        role="img",
        aria_label=f"Budget curve: {words}",
        class_="graph",
        style="max-width:480px",
    )
    caption = element(
        "figcaption",
        "Line: the sum of single pairs' KL, cheapest first. Points: sets that were "
        f"measured; the chosen one is the large one. {words[0].upper()}{words[1:]}.",
    )
    return element("figure", drawing, caption)

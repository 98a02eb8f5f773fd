# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels: what each costs, beside the least that the chip would need."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

from parablock.page.html import (
    Markup,
    bar,
    describe_layers,
    element,
    format_count,
    join,
    table,
)

Kernel = Mapping[str, Any]


@dataclasses.dataclass
class Kind:
    """Kernels that are alike, in all layers."""

    number: int
    kernel: Kernel
    layers: list[str]

    @property
    def name(self) -> str:
        return f"{self.number} {self.kernel['kind']}"

    @property
    def bytes(self) -> float:
        return float(self.kernel["bytes"] + self.kernel["weight_bytes"])

    @property
    def least(self) -> float:
        """Microseconds at the roofline; 0 where the chip has none."""
        times = (self.kernel["arithmetic_us"], self.kernel["memory_us"])
        return max((time for time in times if time is not None), default=0.0)

    @property
    def bound(self) -> str:
        arithmetic, memory = self.kernel["arithmetic_us"], self.kernel["memory_us"]
        if arithmetic is None or memory is None:
            return ""
        return "arithmetic" if arithmetic > memory else "memory"


def draw_kernels(kernels: Sequence[Kernel], chip: str) -> Markup:
    if not kernels:
        return element(
            "p", "The model has no kernels yet: optimize() it to see what they cost."
        )
    kinds = group_kernels(kernels)
    has_times = all(kind.kernel["us"] is not None for kind in kinds)
    total = sum((kind.kernel["us"] or 0) * len(kind.layers) for kind in kinds)
    least = sum(kind.least * len(kind.layers) for kind in kinds)
    text = f"{len(kernels)} launches of {len(kinds)} kinds on {chip}"
    if has_times:
        text += (
            f": {format_time(total)} predicted, {format_time(least)} at the roofline. "
            "The strong part of a time is the roofline; the pale rest is the launch "
            "and tiles that are not full."
        )
    return join(
        element("p", text),
        _list_kinds(kinds),
        draw_roofline(kinds, chip) if has_times else "",
    )


def group_kernels(kernels: Sequence[Kernel]) -> list[Kind]:
    """Equal kernels of several layers once."""
    found: dict[str, Kind] = {}
    for kernel in kernels:
        key = str({name: kernel[name] for name in kernel if name != "layer"})
        kind = found.setdefault(key, Kind(len(found) + 1, kernel, []))
        kind.layers.append(kernel.get("layer") or "outside of layers")
    return list(found.values())


def format_time(microseconds: float) -> str:
    """A time with its unit.

    >>> format_time(2500), format_time(2.5)
    ('2.5 ms', '2.5 \u00b5s')
    """
    if microseconds >= 1000:
        return f"{microseconds / 1000:.3g} ms"
    return f"{microseconds:.3g} \u00b5s"


def _list_kinds(kinds: Sequence[Kind]) -> Markup:
    def most(values: Sequence[float]) -> float:
        return max(values, default=0.0)

    times = [kind.kernel["us"] or 0 for kind in kinds]
    rows = []
    for kind, time in zip(kinds, times, strict=True):
        layers = kind.layers
        rows.append(
            [
                join(kind.name, element("small", ", ".join(kind.kernel["steps"]))),
                describe_layers(layers),
                bar(
                    len(layers),
                    most([len(k.layers) for k in kinds]),
                    str(len(layers)),
                    "after",
                ),
                bar(
                    kind.bytes,
                    most([k.bytes for k in kinds]),
                    format_count(kind.bytes),
                    "after",
                ),
                bar(
                    kind.kernel["flops"],
                    most([k.kernel["flops"] for k in kinds]),
                    format_count(kind.kernel["flops"]),
                    "after",
                ),
                _draw_time(kind, time, most(times)),
            ]
        )
    head = ["Kernel", "Layers", "Launches", "Bytes", "FLOPs", "Time of one"]
    return table("Kernels", head, rows)


def _draw_time(kind: Kind, time: float, longest: float) -> Markup:
    if kind.kernel["us"] is None:
        return Markup("")
    label = (
        f"{format_time(time)}, roofline {format_time(kind.least)} ({kind.bound})"
    )
    return bar(time, longest, label, "waste", kind.least)


#: The picture's inner edges.
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 600, 16, 250


def draw_roofline(kinds: Sequence[Kind], chip: str) -> Markup:
    """Work per byte, and the rate that is predicted, below what the chip can do."""
    busy = [kind for kind in kinds if kind.kernel["flops"] > 0 and kind.bytes > 0]
    if not busy:
        return Markup("")
    peak = max(k.kernel["flops"] / k.kernel["arithmetic_us"] for k in busy) * 1e6
    bandwidth = max(k.bytes / k.kernel["memory_us"] for k in busy) * 1e6
    points = [
        (k, k.kernel["flops"] / k.bytes, k.kernel["flops"] / k.kernel["us"] * 1e6)
        for k in busy
    ]
    ridge = peak / bandwidth
    low_x = min(0.5, *(x for _, x, _ in points)) / 2
    high_x = max(4 * ridge, *(2 * x for _, x, _ in points))
    low_y = min(y for _, _, y in points) / 4
    high_y = 3 * peak

    def place(x: float, y: float) -> tuple[float, float]:
        across = math.log(x / low_x) / math.log(high_x / low_x)
        up = math.log(max(y, low_y) / low_y) / math.log(high_y / low_y)
        return (
            _LEFT + (_RIGHT - _LEFT) * across,
            _BOTTOM - (_BOTTOM - _TOP) * up,
        )

    corners = [(low_x, bandwidth * low_x), (ridge, peak), (high_x, peak)]
    roof = " ".join("{:.1f},{:.1f}".format(*place(x, y)) for x, y in corners)
    marks = []
    for kind, x, y in points:
        across, up = place(x, y)
        marks.append(
            f'<circle class="point" cx="{across:.1f}" cy="{up:.1f}" r="5"/>'
            f'<text class="start" x="{across + 8:.1f}" y="{up + 4:.1f}">'
            f"{kind.number}</text>"
        )
    right, top = place(high_x, peak)
    drawing = element(
        "svg",
        Markup(
            f'<path class="axis" d="M{_LEFT} {_TOP}V{_BOTTOM}H{_RIGHT}"/>'
            f'<polyline class="roof" points="{roof}"/>{"".join(marks)}'
            f'<text class="end" x="{right:.1f}" y="{top - 6:.1f}">'
            f"{format_count(peak)}FLOP/s</text>"
            f'<text class="end" x="{_RIGHT}" y="{_BOTTOM + 22}">FLOPs per byte</text>'
            f'<text class="start" x="{_LEFT}" y="{_BOTTOM + 22}">{low_x:.2g}</text>'
            f'<text class="start" x="4" y="{_TOP - 4}">FLOP/s</text>'
        ),
        viewBox=f"0 0 {_RIGHT + 20} {_BOTTOM + 34}",
        role="img",
        aria_label=f"Roofline of {chip}: the table above has the same numbers",
        class_="graph",
        style=f"max-width:{_RIGHT + 60}px",
    )
    caption = element(
        "figcaption",
        f"Predicted rates below the roofline of {chip}, both on logarithmic scales; "
        "numbers are those of the kernels",
    )
    return element("figure", drawing, caption)

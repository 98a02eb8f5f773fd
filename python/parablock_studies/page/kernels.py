# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels: their costs, beside the chip's lower bound."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
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
from parablock_studies.page.roofline import draw_roofline

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
    """Groups equal kernels of several layers."""
    found: dict[str, Kind] = {}
    for kernel in kernels:
        key = str({name: kernel[name] for name in kernel if name != "layer"})
        kind = found.setdefault(key, Kind(len(found) + 1, kernel, []))
        kind.layers.append(kernel.get("layer") or "outside of layers")
    return list(found.values())


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
    return table("What kernels cost", head, rows)


def _draw_time(kind: Kind, time: float, longest: float) -> Markup:
    if kind.kernel["us"] is None:
        return Markup("")
    least = f"roofline {format_time(kind.least)} ({kind.bound})"
    return join(
        bar(time, longest, format_time(time), "waste", kind.least),
        element("small", least),
    )

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The roofline of a chip, with its kernels."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from parablock_studies.page.html import Markup, element, format_count

if TYPE_CHECKING:
    from parablock_studies.page.kernels import Kind

#: The picture's inner edges.
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 420, 22, 240
#: Marks that are nearer to each other have one label.
_NEAR = 15


@dataclasses.dataclass(frozen=True)
class Scale:
    """Logarithmic, from numbers to the picture's coordinates."""

    low: float
    high: float
    first: float
    last: float

    def place(self, value: float) -> float:
        """
        >>> Scale(1, 100, 0, 50).place(10)
        25.0
        """
        share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        return self.first + (self.last - self.first) * share

    def list_ticks(self) -> list[float]:
        """Powers of ten, at most five.

        >>> Scale(0.5, 200, 0, 1).list_ticks()
        [1.0, 10.0, 100.0]
        """
        powers = range(
            math.ceil(math.log10(self.low)), math.floor(math.log10(self.high)) + 1
        )
        return [10.0**power for power in powers[:: len(powers) // 5 + 1]]


@dataclasses.dataclass(frozen=True)
class Mark:
    """A kernel in the picture."""

    number: int
    x: float
    y: float


def draw_roofline(kinds: Sequence[Kind], chip: str) -> Markup:
    """Draws work per byte and predicted rates below the chip's limits."""
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
    low = min(0.5, *(x for _, x, _ in points)) / 2
    high = max(4 * ridge, *(2 * x for _, x, _ in points))
    across = Scale(low, high, _LEFT, _RIGHT)
    up = Scale(min(y for _, _, y in points) / 4, 3 * peak, _BOTTOM, _TOP)
    corners = [(low, bandwidth * low), (ridge, peak), (high, peak)]
    roof = " ".join(f"{across.place(x):.1f},{up.place(y):.1f}" for x, y in corners)
    marks = [Mark(k.number, across.place(x), up.place(y)) for k, x, y in points]
    top = up.place(peak)
    drawing = element(
        "svg",
        Markup(
            f'{_draw_axes(across, up)}<polyline class="roof" points="{roof}"/>'
            f'<text class="end" x="{_RIGHT}" y="{top - 6:.1f}">'
            f"{format_count(peak)}FLOP/s</text>{''.join(_draw_marks(marks))}"
        ),
        viewBox=f"0 0 {_RIGHT + 10} {_BOTTOM + 40}",
        role="img",
        aria_label=f"Roofline of {chip}: the table above has the same numbers",
        class_="graph",
        style="max-width:540px",
    )
    caption = element(
        "figcaption",
        f"Predicted rates below the roofline of {chip}, both on logarithmic scales; "
        "numbers are those of the kernels",
    )
    return element("figure", drawing, caption)


def _draw_axes(across: Scale, up: Scale) -> str:
    lines = [
        f'<path class="grid" d="M{across.place(x):.1f} {_TOP}V{_BOTTOM}"/>'
        f'<text x="{across.place(x):.1f}" y="{_BOTTOM + 17}">{x:g}</text>'
        for x in across.list_ticks()
    ]
    lines += [
        f'<path class="grid" d="M{_LEFT} {up.place(y):.1f}H{_RIGHT}"/>'
        f'<text class="end" x="{_LEFT - 5}" y="{up.place(y) + 4:.1f}">'
        f"{format_count(y)}</text>"
        for y in up.list_ticks()
    ]
    return (
        "".join(lines)
        + f'<path class="axis" d="M{_LEFT} {_TOP}V{_BOTTOM}H{_RIGHT}"/>'
        + f'<text class="end" x="{_RIGHT}" y="{_BOTTOM + 34}">FLOPs per byte</text>'
        + f'<text class="start" x="2" y="{_TOP - 9}">FLOP/s</text>'
    )


def _draw_marks(marks: Sequence[Mark]) -> Iterator[str]:
    """Circles, and labels that do not cover each other."""
    for mark in marks:
        yield f'<circle class="point" cx="{mark.x:.1f}" cy="{mark.y:.1f}" r="5"/>'
    for group in _group(marks):
        number = ", ".join(str(mark.number) for mark in group)
        middle = sum(mark.y for mark in group) / len(group)
        # Beside all marks of its line, on the side that has room.
        beside = [mark.x for mark in marks if abs(mark.y - middle) < _NEAR]
        fits = max(beside) + 8 + 8 * len(number) < _RIGHT
        x = max(beside) + 9 if fits else min(beside) - 9
        yield (
            f'<text class="{"start" if fits else "end"}" x="{x:.1f}" '
            f'y="{middle + 4:.1f}">{number}</text>'
        )


def _group(marks: Sequence[Mark]) -> list[list[Mark]]:
    """
    >>> [len(g) for g in _group([Mark(1, 0, 0), Mark(2, 50, 0), Mark(3, 5, 5)])]
    [2, 1]
    """
    groups: list[list[Mark]] = []
    for mark in marks:
        for group in groups:
            if any(math.hypot(mark.x - m.x, mark.y - m.y) < _NEAR for m in group):
                group.append(mark)
                break
        else:
            groups.append([mark])
    return groups

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results as SVG: losses by step and by second, times of a step, peaks of memory."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from parablock_studies.page.html import Markup, element
from parablock_studies.page.plot import draw_bars
from parablock_studies.trainer.results import Results, group

Point = tuple[float, float]
_WIDTH, _HEIGHT = 780, 400
_LEFT, _TOP, _RIGHT, _BOTTOM = 60, 30, 250, 50
_COLOURS = ("#0969da", "#bc4c00", "#1a7f37", "#8250df", "#bf3989", "#9a6700", "#57606a", "#0b7285")
_STYLE = (
    "text{fill:#1c2128}line{stroke:#d0d7de}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}line{stroke:#424a53}}"
)


def draw_all(results: Results) -> dict[str, str]:
    """Writes all pictures, and returns them by name."""
    groups = group(results["runs"])
    by_step, by_second, times = {}, {}, []
    for (label, engine), runs in groups.items():
        name = f"{label}, {engine}"
        curves = [run["curve"] for run in runs if run["curve"]]
        if not curves:
            continue
        by_step[name] = _average(curves, 0)
        by_second[name] = _average(curves, 1)
        median = statistics.mean(run["median_ms"] for run in runs)
        times.append((name, median, f"{median:.1f} ms"))
    files = {
        "loss-by-step.svg": draw_lines("Loss while training", "steps", "loss", by_step),
        "loss-by-second.svg": draw_lines("Loss while training", "seconds", "loss", by_second),
        "ms-a-step.svg": draw_bars("Milliseconds a step", times),
    }
    peaks = [
        (f"{name}, {kind}", size / 2**20, f"{size / 2**20:.0f} MiB")
        for name, found in results["memory"].items()
        for kind, size in found.items()
        if size is not None
    ]
    if peaks:
        files["memory.svg"] = draw_bars("Memory of a step, and of the process", peaks)
    return files


def _average(curves: Sequence[Sequence[Sequence[float]]], axis: int) -> list[Point]:
    """Means over seeds of one number of steps each."""
    return [
        (statistics.mean(p[axis] for p in points), statistics.mean(p[2] for p in points))
        for points in zip(*curves, strict=False)
    ]


def draw_lines(title: str, across: str, up: str, lines: dict[str, list[Point]]) -> str:
    """Lines by name, on axes that hold them all.

    >>> "polyline" in draw_lines("t", "x", "y", {"a": [(0.0, 1.0), (1.0, 2.0)]})
    True
    """
    points = [point for line in lines.values() for point in line] or [(0.0, 0.0)]
    xs, ys = _list_ticks([0.0, *(x for x, _ in points)]), _list_ticks([y for _, y in points])
    inner = (_WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM)

    def place(point: Point) -> Point:
        x = _LEFT + inner[0] * (point[0] - xs[0]) / (xs[-1] - xs[0])
        return x, _TOP + inner[1] * (1 - (point[1] - ys[0]) / (ys[-1] - ys[0]))

    rows = [element("title", title), element("style", Markup(_STYLE))]
    rows += [element("text", title, x=_LEFT, y=18, font_weight="bold")]
    for x in xs:
        at = round(place((x, ys[0]))[0], 1)
        rows.append(element("line", x1=at, x2=at, y1=_TOP, y2=_TOP + inner[1]))
        rows.append(element("text", f"{x:g}", x=at, y=_TOP + inner[1] + 16, text_anchor="middle"))
    for y in ys:
        at = round(place((xs[0], y))[1], 1)
        rows.append(element("line", x1=_LEFT, x2=_LEFT + inner[0], y1=at, y2=at))
        rows.append(element("text", f"{y:g}", x=_LEFT - 6, y=at + 4, text_anchor="end"))
    rows.append(element("text", across, x=_LEFT + inner[0], y=_HEIGHT - 12, text_anchor="end"))
    rows.append(element("text", up, x=8, y=_TOP + 4))
    for number, (name, line) in enumerate(lines.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        # The ninth line on is drawn in dashes of the first colours.
        dashes = "5 3" if number >= len(_COLOURS) else None
        where = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, line))
        style = {"fill": "none", "stroke": colour, "stroke_width": 1.5}
        rows.append(element("polyline", points=where, stroke_dasharray=dashes, **style))
        y = _TOP + 10 + 18 * number
        left = _WIDTH - _RIGHT + 8
        rows.append(element("polyline", points=f"{left},{y} {left + 16},{y}", stroke_dasharray=dashes, **style))
        rows.append(element("text", name, x=left + 20, y=y + 4, font_size=11))
    drawing = element(
        "svg",
        *rows,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="img",
        aria_label=title,
        font_family="sans-serif",
        font_size=12,
    )
    return f"{drawing}\n"


def _list_ticks(values: Sequence[float]) -> list[float]:
    """Returns about six round numbers around all values.

    >>> _list_ticks([0.0, 47.0])
    [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]
    """
    low, high = min(values), max(values)
    if high <= low:
        high = low + 1
    step = 10.0 ** math.floor(math.log10((high - low) / 6))
    step *= next(f for f in (1, 2, 5, 10) if (high - low) / (f * step) <= 6)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(i * step, 10) for i in range(first, last + 1)]

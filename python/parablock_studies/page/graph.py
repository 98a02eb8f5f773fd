# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drawings of layers: the stream from left to right, sublayers above it."""

from __future__ import annotations

from parablock_studies.page.html import Markup, element, escape

#: The steps of a branch, by the form of the layer; branches leave the stream
#: and come back to it in this order. "|" separates branches that leave together.
_BRANCHES: dict[str, tuple[str, ...]] = {
    "serial": ("norm > attention", "norm > MLP"),
    "parallel": ("norm > attention | norm > MLP",),
    "post-norm": ("attention", "norm", "MLP", "norm"),
    "peri-norm": ("norm > attention > norm", "norm > MLP > norm"),
    "post-norm-in-branch": ("attention > norm", "MLP > norm"),
    "three-sublayer": ("norm > attention", "norm > cross-attention", "norm > MLP"),
    "serial-shifted": ("norm > MLP", "norm > attention"),
    "attention-only": ("norm > attention",),
    "mlp-only": ("norm > MLP",),
}
#: The least width of a step, what is between two, and sizes around them.
_STEP, _BETWEEN, _GAP, _HEIGHT = 80, 12, 14, 30
_LETTER = 7.2


def draw_form(form: str) -> Markup:
    """Returns the form of a layer as SVG, with a description."""
    stages = _BRANCHES.get(form, (form,))
    x, boxes = 10.0, []
    rows = max(stage.count("|") + 1 for stage in stages)
    line = 20 + rows * (_HEIGHT + _GAP)
    for stage in stages:
        branches = [branch.strip().split(" > ") for branch in stage.split("|")]
        length = max(sum(map(_get_width, branch)) for branch in branches)
        on_stream = branches == [["norm"]]
        for row, branch in enumerate(branches):
            y = line - _HEIGHT / 2 if on_stream else 10 + row * (_HEIGHT + _GAP)
            boxes.append(_draw_branch(branch, x, y, line, length, on_stream))
        x += length + 2 * _GAP + (0 if on_stream else 24)
    stream = f'<line class="stream" x1="0" y1="{line}" x2="{x + 10}" y2="{line}"/>'
    words = "; then ".join(
        stage.replace(">", "to").replace("|", "beside") for stage in stages
    )
    drawing = element(
        "svg",
        Markup(stream),
        *boxes,
        viewBox=f"0 0 {x + 10} {line + 24}",
        role="img",
        aria_label=f"{form}: {words}",
        class_="graph",
        # Rather than smaller than can be read, it is partly out of sight.
        style=f"max-width:{x + 10}px;min-width:{0.8 * x:.0f}px",
    )
    return element(
        "div", drawing, class_="wide", tabindex=0, role="region", aria_label=form
    )


def _get_width(step: str) -> float:
    """Returns the width of a step and of the way to the next one."""
    return max(_STEP, _LETTER * len(step) + 12) + _BETWEEN


def _draw_branch(
    steps: list[str], x: float, y: float, line: float, length: float, on_stream: bool
) -> Markup:
    middle = y + _HEIGHT / 2
    end = x + length + _GAP
    left = x + _GAP
    parts = []
    if not on_stream:
        parts.append(
            f'<path class="branch" d="M{x} {line}V{middle}H{end + 10}V{line - 9}"/>'
            f'<circle class="sum" cx="{end + 10}" cy="{line}" r="9"/>'
            f'<text x="{end + 10}" y="{line + 5}">+</text>'
        )
    for step in steps:
        width = _get_width(step) - _BETWEEN
        kind = step.split("-")[-1].lower()
        parts.append(
            f'<rect class="step {kind}" x="{left}" y="{y}" width="{width:g}" '
            f'height="{_HEIGHT}" rx="5"/>'
            f'<text x="{left + width / 2:g}" y="{middle + 4}">'
            f"{escape(step)}</text>"
        )
        left += width + _BETWEEN
    return Markup("".join(parts))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drawings of layers: the stream from left to right, sublayers above it."""

from __future__ import annotations

from parablock.page.html import Markup, element, escape

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
_STEP, _GAP, _HEIGHT = 92, 14, 30


def draw_form(form: str) -> Markup:
    """The form of a layer as SVG, with the same in words."""
    stages = _BRANCHES.get(form, (form,))
    x, boxes = 10, []
    rows = max(stage.count("|") + 1 for stage in stages)
    line = 20 + rows * (_HEIGHT + _GAP)
    for stage in stages:
        branches = [branch.strip().split(" > ") for branch in stage.split("|")]
        length = max(len(branch) for branch in branches)
        on_stream = branches == [["norm"]]
        for row, branch in enumerate(branches):
            y = line - _HEIGHT / 2 if on_stream else 10 + row * (_HEIGHT + _GAP)
            boxes.append(_draw_branch(branch, x, y, line, length, on_stream))
        x += length * _STEP + 2 * _GAP + (0 if on_stream else 24)
    stream = f'<line class="stream" x1="0" y1="{line}" x2="{x + 10}" y2="{line}"/>'
    words = "; then ".join(
        stage.replace(">", "to").replace("|", "beside") for stage in stages
    )
    return element(
        "svg",
        Markup(stream),
        *boxes,
        viewBox=f"0 0 {x + 10} {line + 24}",
        role="img",
        aria_label=f"{form}: {words}",
        class_="graph",
        style=f"max-width:{x + 10}px",
    )


def _draw_branch(
    steps: list[str], x: float, y: float, line: float, length: int, on_stream: bool
) -> Markup:
    middle = y + _HEIGHT / 2
    end = x + length * _STEP + _GAP
    parts = []
    if not on_stream:
        parts.append(
            f'<path class="branch" d="M{x} {line}V{middle}H{end + 10}V{line - 9}"/>'
            f'<circle class="sum" cx="{end + 10}" cy="{line}" r="9"/>'
            f'<text x="{end + 10}" y="{line + 5}">+</text>'
        )
    for number, step in enumerate(steps):
        left = x + _GAP + number * _STEP
        kind = step.split("-")[-1].lower()
        parts.append(
            f'<rect class="step {kind}" x="{left}" y="{y}" width="{_STEP - 12}" '
            f'height="{_HEIGHT}" rx="5"/>'
            f'<text x="{left + (_STEP - 12) / 2}" y="{middle + 4}">'
            f"{escape(step)}</text>"
        )
    return Markup("".join(parts))

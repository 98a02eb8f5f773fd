# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times as bars, in one SVG file."""

from __future__ import annotations

from collections.abc import Sequence

from parablock_studies.page.html import Markup, element

_STYLE = (
    "text{fill:#1c2128}rect{fill:#8c959f}rect.own{fill:#0969da}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}rect.own{fill:#4493f8}}"
)


def draw_bars(title: str, bars: Sequence[tuple[str, float, str]]) -> str:
    """Bars with a name, a length and a label each; the first one is ours.

    >>> "2 ms" in draw_bars("times", [("parablock", 2.0, "2 ms")])
    True
    """
    longest = max((length for _, length, _ in bars), default=0.0) or 1.0
    # Letters are seven wide, more or less.
    left = max([130, *(7 * len(name) + 10 for name, _, _ in bars)])
    rows = [element("title", title), element("style", Markup(_STYLE))]
    for number, (name, length, label) in enumerate(bars):
        y, width = 10 + 30 * number, 380 * length / longest
        rows += [
            element("text", name, x=left, y=y + 15, text_anchor="end"),
            element(
                "rect",
                x=left + 10,
                y=y,
                width=f"{width:.1f}",
                height=20,
                class_="own" if number == 0 else None,
            ),
            element("text", label, x=f"{left + 15 + width:.1f}", y=y + 15),
        ]
    drawing = element(
        "svg",
        *rows,
        xmlns="http://www.w3.org/2000/svg",
        width=left + 530,
        height=20 + 30 * len(bars),
        role="img",
        aria_label=title,
        font_family="sans-serif",
        font_size=13,
    )
    return f"{drawing}\n"

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elements of HTML and SVG; text is escaped where it enters."""

from __future__ import annotations

import html
from collections.abc import Sequence


class Markup(str):
    """Text that is markup already."""


def escape(text: object) -> Markup:
    """Returns text as markup.

    >>> escape("a < b")
    'a &lt; b'
    """
    return text if isinstance(text, Markup) else Markup(html.escape(str(text)))


def join(*parts: object) -> Markup:
    return Markup("".join(escape(part) for part in parts))


def element(name: str, *children: object, **attributes: object) -> Markup:
    """Returns an element; `class_` and `aria_label` are its class and aria-label.

    >>> element("p", "1 < 2", class_="note")
    '<p class="note">1 &lt; 2</p>'
    """
    text = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{text}>{join(*children)}</{name}>")


def table(
    caption: str, head: Sequence[object], rows: Sequence[Sequence[object]]
) -> Markup:
    """Returns a table whose first column names its rows; a wide one scrolls."""
    header = element("tr", *(element("th", cell, scope="col") for cell in head))
    lines = [
        element(
            "tr",
            element("th", row[0], scope="row"),
            *(element("td", cell) for cell in row[1:]),
        )
        for row in rows
    ]
    content = element(
        "table",
        element("caption", element("span", caption)),
        element("thead", header),
        element("tbody", *lines),
    )
    return element(
        "div", content, class_="scroll", tabindex=0, role="region", aria_label=caption
    )


def bar(
    value: float, largest: float, label: str, kind: str, inner: float = 0.0
) -> Markup:
    """Returns a number with a bar in proportion to the largest one.

    `inner` is a part of the value that is drawn apart.
    """
    share = 100 * value / largest if largest > 0 else 0
    part = 100 * min(inner / value, 1.0) if value > 0 else 0
    inside = element("span", class_="inner", style=f"width:{part:.2f}%") if inner else ""
    fill = element("span", inside, class_=f"fill {kind}", style=f"width:{share:.2f}%")
    return join(
        element("span", fill, class_="bar", aria_hidden="true"),
        element("span", label, class_="number"),
    )


def format_count(number: float) -> str:
    """Returns a number with a prefix.

    >>> format_count(1234567)
    '1.23 M'
    """
    for factor, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(number) >= factor:
            return f"{number / factor:.3g} {prefix}"
    return f"{number:.4g}"


def format_time(microseconds: float) -> str:
    """Returns a time with its unit.

    >>> format_time(2500), format_time(2.5)
    ('2.5 ms', '2.5 \u00b5s')
    """
    if microseconds >= 1000:
        return f"{microseconds / 1000:.3g} ms"
    return f"{microseconds:.3g} \u00b5s"

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Short descriptions of many layers."""

from __future__ import annotations

from collections.abc import Sequence


def describe_layers(names: Sequence[str]) -> str:
    """Returns names that end in a number, with consecutive numbers as ranges.

    >>> describe_layers(["layers.0", "layers.1", "layers.4", "head"])
    'layers.0, 1, 4; head'
    """
    numbers: dict[str, list[int]] = {}
    for name in dict.fromkeys(names):
        prefix, _, last = name.rpartition(".")
        if last.isdigit():
            numbers.setdefault(prefix, []).append(int(last))
        else:
            numbers[name] = []
    return "; ".join(
        f"{prefix}.{_list_runs(found)}".lstrip(".") if found else prefix
        for prefix, found in numbers.items()
    )


def _list_runs(numbers: Sequence[int]) -> str:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] + 1 == number:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    texts = {0: "{0}", 1: "{0}, {1}"}
    return ", ".join(texts.get(b - a, "{0} to {1}").format(a, b) for a, b in runs)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The numbers that tokens are drawn by, as docs/use/Generation.md says, in Python's own."""

from __future__ import annotations

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


def _mix(number: int) -> int:
    number = (number + _STEP) & _MASK
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB & _MASK
    return number ^ (number >> 31)


def find_points(seed: int, row: int, count: int) -> list[float]:
    """Those of the first tokens of a row."""
    name = 0xCBF29CE484222325
    for byte in f"row.{row}".encode():
        name = (name ^ byte) * 0x100000001B3 & _MASK
    state = _mix(_mix(seed) ^ name)
    values = [_mix((state + step * _STEP) & _MASK) for step in range(count)]
    return [((value >> 11) + 0.5) * 2.0**-53 for value in values]

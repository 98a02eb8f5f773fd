# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports of what passes did and declined, and of costs."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from parablock.layer_names import describe_layers


class Explanation:
    """A report of recognised blocks and of rewrites, layer by layer.

    >>> Explanation({"recognised": {"attention": 12, "mlp": 12}})
    recognised: 12 attention, 12 mlp
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = dict(data)

    def to_dict(self) -> dict[str, Any]:
        """Returns block-explain's JSON."""
        return dict(self._data)

    def describe_counts(self) -> str:
        """Returns the recognised blocks by kind; experts only if there are some."""
        found = self._data.get("recognised", {}).items()
        return ", ".join(f"{n} {kind}" for kind, n in found if n or kind != "experts")

    def __str__(self) -> str:
        lines = [f"recognised: {self.describe_counts()}"]
        for miss in self._data.get("missed", []):
            lines.append(f"missed {miss['kind']}: {miss['reason']}{_place(miss)}")
        if left := _describe_leftovers(self._data.get("leftovers", {})):
            lines.append(left)
        layers = self._data.get("layers", [])
        # Adjacent layers with the same text share one line.
        for text, alike in itertools.groupby(layers, _describe_layer):
            names = describe_layers([layer["name"] for layer in alike])
            lines.append(f"{names}: {text}")
        for reason, meaning in self._data.get("reasons", {}).items():
            lines.append(f"{reason}: {meaning}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)


def _place(entry: Mapping[str, Any]) -> str:
    location = entry.get("location") or entry.get("path")
    return f" ({location})" if location else ""


def _describe_leftovers(left: Mapping[str, Any]) -> str:
    """Returns the ops outside of blocks, and their cost.

    >>> ops = {"tosa.gather": 1, "tosa.add": 2}
    >>> _describe_leftovers({"launches": 1, "bytes": 80, "outside": 0, "ops": ops})
    'leftovers: 1 launch, 80 bytes: tosa.gather, tosa.add x 2'
    """
    if not left.get("ops") and not left.get("launches"):
        return ""
    ops = [name + (f" x {n}" if n > 1 else "") for name, n in left["ops"].items()]
    parts = []
    if left["launches"]:
        noun = "launch" if left["launches"] == 1 else "launches"
        parts.append(f"{left['launches']} {noun}, {left['bytes']} bytes")
    if left["outside"]:
        noun = "op" if left["outside"] == 1 else "ops"
        parts.append(f"{left['outside']} {noun} in no block or kernel")
    return f"leftovers: {'; '.join(parts)}: {', '.join(ops)}"


def _describe_layer(layer: Mapping[str, Any]) -> str:
    launches = layer.get("launches", {})
    lines = [
        f"{layer['exactness']}, "
        f"{launches.get('before', '?')} launches -> {launches.get('after', '?')}"
    ]
    for fusion in layer.get("fusions", []):
        reason = f": {fusion['reason']}" if fusion.get("reason") else ""
        lines.append(f"  {fusion['status']:7} {fusion['pass']}{reason}")
    return "\n".join(lines)


def name_left(
    ops: Sequence[Mapping[str, Any]], beside_blocks: bool, without: Collection[int]
) -> list[str]:
    """Returns operations that belong to no block; see Model.list_left."""
    left = [
        op
        for op in ops
        if (beside_blocks or not op["prepares"]) and op.get("line") not in without
    ]
    return [f"'{op['op']}' of {op.get('file') or 'the module'}" for op in left]

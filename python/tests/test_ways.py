# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every module goes every way, or is refused by a message that says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from ways import MODULES, WAYS, make_subject

import parablock

#: Cells that are refused, with the words.
REFUSED: dict[tuple[str, str], str] = {
    ("bart", "drift"): "got a cross-attention: drift measures an encoder alone",
    # It counts its rows, whose number is open.
    ("gpt2-classes", "open-sizes"): "'tosa.const' op has attributes that depend on sizes",
}
#: Of all cells.
_LEAST_HOLDING = 0.95


def _make_cells() -> list[object]:
    """Each module and each way once or more on every day, the rest under --full."""
    ways = list(WAYS)
    return [
        pytest.param(
            module,
            way,
            marks=() if number % len(ways) == place else (pytest.mark.full,),
        )
        for number, module in enumerate(MODULES)
        for place, way in enumerate(ways)
    ]


@pytest.mark.parametrize(("module", "way"), _make_cells())
def test_way(module: str, way: str, tmp_path: Path) -> None:
    subject = make_subject(module, tmp_path)
    words = REFUSED.get((module, way))
    if words is None:
        WAYS[way](subject)
        return
    with pytest.raises(parablock.Error, match=words):
        WAYS[way](subject)


def test_most_ways_hold() -> None:
    cells = len(MODULES) * len(WAYS)
    assert cells == 160
    assert all(m in MODULES and w in WAYS for m, w in REFUSED)
    assert 1 - len(REFUSED) / cells >= _LEAST_HOLDING

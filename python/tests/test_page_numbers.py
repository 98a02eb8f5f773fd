# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page says of each layer what explain() and the report's JSON say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import parablock
from parablock_studies.page.layers import draw_layers

_ROW = re.compile(r"<tr>(.*?)</tr>", re.DOTALL)
_CELL = re.compile(r"<t[dh][^>]*>(.*?)</t[dh]>", re.DOTALL)


def _read_rows(page: str) -> dict[str, list[str]]:
    """Cells of the table of layers by the name in front, as text."""
    table = page.split("What a layer costs before")[2].split("</table>")[0]
    rows = {}
    for row in _ROW.findall(table):
        cells = [re.sub(r"<[^>]*>", " ", cell).split() for cell in _CELL.findall(row)]
        rows[cells[0][0].rstrip(";,")] = [" ".join(cell) for cell in cells[1:]]
    return rows


@pytest.mark.parametrize("pairing", ["block", "shifted", None])
def test_page_report_and_explanation_agree(
    checkpoint: Path, tmp_path: Path, pairing: str | None
) -> None:
    serial = parablock.from_pretrained(checkpoint)
    model = serial.optimize(parallel="all" if pairing else "none", pairing=pairing)
    told = {layer["name"]: layer for layer in model.explain().to_dict()["layers"]}
    before, after = serial.count("sm_90a"), model.count("sm_90a")
    page = model.report(tmp_path / "page.html", "sm_90a").read_text()
    rows = _read_rows(page)
    beside = before["model"]["launches"] - sum(
        layer["launches"] for layer in before["layers"]
    )
    whole = sum(layer["launches"]["before"] for layer in told.values())
    assert whole + beside == before["model"]["launches"]
    for layer in after["layers"]:
        launches = told[layer["name"]]["launches"]
        assert layer["launches"] == launches["after"] < launches["before"]
        if layer["name"] in rows:
            words = re.findall(r"(before|after) (\d+)", rows[layer["name"]][1])
            shown = {when: int(number) for when, number in words}
            assert shown == {k: launches[k] for k in ("before", "after")}
    assert set(told) == {layer["name"] for layer in after["layers"]}
    assert any(name in rows for name in told)


def test_what_stood_before_a_shifted_pair(checkpoint: Path) -> None:
    serial = parablock.from_pretrained(checkpoint)
    model = serial.optimize(parallel="all", pairing="shifted")
    drawn = draw_layers(
        serial.count("sm_90a"), model.count("sm_90a"), model.explain().to_dict()
    )
    assert "before: serial-shifted" in drawn and "after: parallel" in drawn
    assert "serial-shifted \u2192 parallel" in drawn
    assert "before and after: parallel" not in drawn
    assert drawn.count("before and after: attention-only") == 1

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Findings on a compiled model, as a table."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from parablock.errors import ToleranceError

#: From this error of the model's own on, it is said that rounding explains much.
_LARGE = 0.1


class Judgement:
    """Errors beyond rounding, part by part, in results and in tokens.

    >>> Judgement({"model": "GPT2", "dtype": "f32", "backend": "it", "faults": []})
    fine: GPT2 in f32 by it, beside float64
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = dict(data)

    def to_dict(self) -> dict[str, Any]:
        """Returns all findings, for programs."""
        return copy.deepcopy(self._data)

    @property
    def is_fine(self) -> bool:
        """Whether rounding explains all differences."""
        return not self.faults

    @property
    def faults(self) -> list[str]:
        """The faults, in words."""
        return list(self._data["faults"])

    @property
    def layers(self) -> list[str]:
        """Names of the parts whose error exceeds rounding."""
        wrong = (part["name"] for part in self._data.get("parts", []) if part["wrong"])
        return list(dict.fromkeys(wrong))

    def check(self) -> None:
        """Raises `ToleranceError` with the table if there is a fault."""
        if self.faults:
            raise ToleranceError(str(self))

    def __str__(self) -> str:
        data = self._data
        word = "fine" if self.is_fine else "wrong"
        lines = [f"{word}: {data['model']} in {data['dtype']} by {data['backend']}, beside float64"]
        lines += [f"  {fault}" for fault in self.faults]
        shown = data.get("shown", [])
        rows = [
            _describe_part(part)
            for part in data.get("parts", [])
            if part["wrong"] or part["name"] in shown
        ]
        rows += [_describe(output["name"], output) for output in data.get("outputs", [])]
        if rows:
            lines += ["", *_align([("", "error", "floor", "limit", ""), *rows]), ""]
        if data.get("method"):
            lines.append(f"parts: {data['method']}")
        return "\n".join([*lines, *_describe_rest(data)])

    def __repr__(self) -> str:
        return str(self)


def describe_faults(data: Mapping[str, Any]) -> list[str]:
    """Returns sentences on the faults, the first wrong place first."""
    faults = []
    wrong = [part for part in data["parts"] if part["wrong"]]
    if wrong and wrong[0]["kind"] == "end":
        faults.append("diverges from float64 behind all parts, in the model's own code")
    elif wrong:
        more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        kind = "" if wrong[0]["kind"] == "other" else f"{wrong[0]['kind']} "
        inside = f" ({wrong[0]['inside']})" if wrong[0]["inside"] else ""
        inputs = wrong[0]["inputs"]
        place = "what is handed to " if inputs and inputs["wrong"] else ""
        faults.append(f"diverges from float64 at {place}{kind}{wrong[0]['name']}{inside}{more}")
    for output in data["outputs"]:
        if "expected" in output:
            faults.append(f"{output['name']}: expected {output['expected']}, got {output['got']}")
        elif output["wrong"]:
            faults.append(
                f"{output['name']}: the error is {output['error']:.1e} where roundings explain "
                f"{output['limit']:.1e}{_count_bad(output)}"
            )
    if data["tokens"] and data["tokens"]["wrong"]:
        faults.append(f"tokens: {_describe_difference(data['tokens']['first_wrong'])}")
    if data["generation"] and data["generation"]["wrong"]:
        faults.append(f"generation: {_describe_difference(data['generation']['first_wrong'])}")
    return faults


def _count_bad(output: Mapping[str, Any]) -> str:
    kinds = (("nan", "NaN"), ("inf", "Inf"))
    counts = [f"{output[key]} {name}" for key, name in kinds if output.get(key)]
    return f", {' and '.join(counts)} in it" if counts else ""


def _describe_difference(difference: Mapping[str, Any]) -> str:
    """Returns a sentence on a token that differs from float64's.

    >>> found = {"row": 0, "position": 3, "expected": 5, "got": 7, "wrong": True}
    >>> _describe_difference({**found, "margin": 0.5, "explained": 0.001})
    'row 0 has token 7 at 3 where float64 has 5, by 5.0e-01: rounding explains 1.0e-03'
    """
    text = (
        f"row {difference['row']} has token {difference['got']} at {difference['position']} "
        f"where float64 has {difference['expected']}, by {difference['margin']:.1e}: "
        f"rounding explains {difference['explained']:.1e}"
    )
    return text if difference["wrong"] else f"{text}, so it is a near tie"


def _describe_part(part: Mapping[str, Any]) -> tuple[str, ...]:
    name = part["name"] + (f" (call {part['call'] + 1})" if part["call"] else "")
    if not part["judged"]:
        return name, "", "", "", f"not judged: {part['reason']}"
    inputs = part["inputs"]
    if inputs and inputs["wrong"] and not part["result"]["wrong"]:
        return _describe(f"before {name}", inputs)
    cells = _describe(name, part["result"])
    bad = "" if part["finite"] else ", NaN or Inf"
    inside = f", {part['inside']}" if part["inside"] else ""
    if part["wrong"] and not part["result"]["wrong"]:
        return *cells[:4], f"WRONG{bad}{inside}"
    return *cells[:4], f"{cells[4]}{bad}{inside}"


def _describe(name: str, finding: Mapping[str, Any]) -> tuple[str, ...]:
    place = f" {finding['place']}" if finding["place"] else ""
    measure = f" {finding['measure']}{place}" if finding["measure"] != "result" else ""
    wrong = f"WRONG{measure}" if finding["wrong"] else measure.strip()
    return (
        name,
        *(f"{finding[key]:.1e}" for key in ("error", "floor", "limit")),
        wrong,
    )


def _align(rows: Sequence[Sequence[str]]) -> list[str]:
    """Aligns columns: names to the left, numbers to the right.

    >>> _align([("a", "1", ""), ("bc", "23", "x")])
    ['a    1', 'bc  23  x']
    """
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    last = len(widths) - 1

    def align(row: Sequence[str]) -> str:
        cells = [
            cell.rjust(width) if 0 < i < last else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return "  ".join(cells).rstrip()

    return [align(row) for row in rows]


def _describe_rest(data: Mapping[str, Any]) -> list[str]:
    lines = []
    if tokens := data.get("tokens"):
        same = tokens["compared"] - tokens["different"]
        text = f"tokens: {same} of {tokens['compared']} the same"
        if tokens["first_difference"]:
            text += f"; {_describe_difference(tokens['first_difference'])}"
        lines.append(text)
    if made := data.get("generation"):
        text = f"generation: {made['steps']} steps"
        first = made["first_difference"]
        text += f", {_describe_difference(first)}" if first else ", the same tokens"
        lines.append(text)
    if data.get("graphs") == 0:
        lines.append("graphs: none, PyTorch ran the model as it is")
    floors = [output["floor"] for output in data.get("outputs", [])]
    if floors:
        bad = sum(o.get("nan", 0) + o.get("inf", 0) for o in data["outputs"])
        expected = sum(o.get("expected_nan_or_inf", 0) for o in data["outputs"])
        of_exact = f", float64 has {expected}" if expected else ""
        lines.append(f"NaN, Inf: {bad or 'none'}{of_exact}")
        if max(floors) > _LARGE:
            lines.append(
                f"the model's own roundings make an error of {max(floors):.1e}: little can be seen"
            )
    return lines

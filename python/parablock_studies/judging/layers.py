# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Table of a model's parts, and the wrong place in a part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from parablock_studies.judging.examiner import END, Examiner, Row, UnknownError
from parablock_studies.judging.outputs import Outputs
from parablock_studies.judging.parts import Part, find_inner_parts, find_parts, has_numbers
from parablock_studies.judging.prefixes import PrefixBackend
from parablock_studies.judging.subjects import Subject
from parablock_studies.judging.trial import Trial, match

_WATCHED = "as the backend ran them, each on what it was given"
_ALONE = "each compiled alone, on what the model as it is hands to it"


class Layers:
    """Findings on parts; `method` describes how they were compared, or why not."""

    def __init__(self, trial: Trial, subject: Subject, examiner: Examiner) -> None:
        self._trial, self._subject, self._examiner = trial, subject, examiner
        self._parts = find_parts(trial.model)
        self.rows: list[dict[str, Any]] = []
        self.method = _WATCHED if subject.watched else _ALONE

    def examine(self) -> None:
        """Judges all parts, and the parts of the first wrong one."""
        names = [part.name for part in self._parts]
        if not names:
            self.method = "none, the model has no modules"
            return
        try:
            found = self._examiner.examine(names)
        except UnknownError as problem:
            self.method = str(problem)
            return
        if any(row.is_wrong for row in found[:-1]) and found[-1].name == END:
            # Results can be what a layer noted, which is wrong for its sake.
            found = found[:-1]
        kinds = {part.name: part.kind for part in self._parts}
        self.rows = [_to_dict(row, kinds.get(row.name, "end")) for row in found]
        for row, data in zip(found, self.rows, strict=True):
            if row.is_wrong:
                data["inside"] = self._look_inside(row)
                break

    def _look_inside(self, row: Row) -> str:
        """Returns what is wrong in a part: one of its parts, or its own code."""
        if row.name == END or row.result is None or not row.result.is_wrong:
            return ""
        part = next(part for part in self._parts if part.name == row.name)
        if not find_inner_parts(self._trial.model, part):
            return ""
        found = self._examine_inside([part])
        return found[1] if found else "its own code"

    def _examine_inside(self, parts: Sequence[Part]) -> tuple[str, str] | None:
        """Returns the first of `parts` with a wrong part inside, and that part; or None."""
        inner = {
            child.name: part.name
            for part in parts
            for child in find_inner_parts(self._trial.model, part)
        }
        if not inner:
            return None
        others = [other.name for other in self._parts if other not in parts]
        try:
            # Where all runs at once, the others keep their errors to themselves.
            rows = self._examiner.examine(
                [*others, *inner] if self._subject.watched else list(inner)
            )
        except UnknownError:
            return None
        for row in rows:
            if row.name in inner and row.is_wrong:
                is_own = row.inputs is not None and row.inputs.is_wrong
                last = row.name.removeprefix(f"{inner[row.name]}.")
                return inner[row.name], f"its own code before {last}" if is_own else last
        return None

    def search(self, outputs: Outputs) -> None:
        """Finds the part that makes results wrong if all parts are within their limits."""
        if self._subject.backend is not None:
            self._search_together(outputs)
            return
        # An error that is small beside a layer's update can be large beside an inner result.
        layers = [part for part in self._parts if part.kind == "layer"]
        found = self._examine_inside(layers)
        if found and any(row["name"] == found[0] for row in self.rows):
            row = next(row for row in self.rows if row["name"] == found[0])
            row.update(wrong=True, inside=found[1])
        else:
            self.method += "; none of them is wrong alone"

    def _search_together(self, outputs: Outputs) -> None:
        """Finds the part that makes a graph wrong whose pieces are right.

        What is before it is compiled with it in one piece, what is behind it runs as it is.
        """
        order = list(dict.fromkeys(row["name"] for row in self.rows if row["name"] != END))
        parts = [part for name in order for part in self._parts if part.name == name]
        if not self._is_wrong_with(parts, parts, outputs):
            self.method += "; none of them is wrong alone"
            return
        right, wrong = -1, len(parts)
        while wrong - right > 1:
            middle = (right + wrong) // 2
            if self._is_wrong_with(parts[:middle], parts, outputs):
                wrong = middle
            else:
                right = middle
        self.method += "; then those before a part with it, compiled together"
        if wrong:
            row = next(row for row in self.rows if row["name"] == parts[wrong - 1].name)
            row.update(wrong=True, inside="only together with what is before it")
        else:
            self.method += ": it is wrong without any of them"

    def _is_wrong_with(
        self, compiled: Sequence[Part], parts: Sequence[Part], outputs: Outputs
    ) -> bool:
        trial, backend = self._trial, self._subject.backend
        assert backend is not None
        kept = {part.name for part in compiled}
        stops = {part.name for part in parts if part.name not in kept}
        torch.compiler.reset()
        function = torch.compile(trial.model, backend=PrefixBackend(backend, stops))
        found = trial.run_subject(Subject(self._subject.label, function)).results
        return outputs.are_wrong_in(match(self._subject, found, outputs.own))


def _to_dict(row: Row, kind: str) -> dict[str, Any]:
    return {
        "name": row.name,
        "kind": kind,
        "call": row.number,
        "judged": row.result is not None,
        "wrong": row.is_wrong,
        "finite": row.is_finite,
        "result": row.result.to_dict() if row.result else None,
        "inputs": row.inputs.to_dict() if row.inputs else None,
        "inside": "",
        "reason": row.reason,
    }


def find_shown(model: torch.nn.Module) -> set[str]:
    """Returns the names of parts with weights; others are shown if they are wrong."""
    return {part.name for part in find_parts(model) if has_numbers(model.get_submodule(part.name))}

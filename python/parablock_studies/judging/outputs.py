# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comparison of a call's results with float64's and the original model's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch._dynamo.utils import counters

from parablock.progress import show_progress
from parablock_studies.judging.measure import Measures, Tensors, judge_tensors, measure_all
from parablock_studies.judging.subjects import Subject
from parablock_studies.judging.tokens import compare_tokens, find_logits, find_noise
from parablock_studies.judging.trial import Results, Run, Trial, match


class Outputs:
    """Results of a backend in two calls. `rows` has one finding per result."""

    def __init__(self, trial: Trial, subject: Subject) -> None:
        self._trial, self._subject = trial, subject
        self.faults: list[str] = []
        with show_progress(f"running {type(trial.model).__name__} in float64"):
            plain = trial.run_own()
            self.own = plain.results
            trial.check_repeats(self.own, trial.run_own().results)
            #: Weights and buffers that the model itself writes to.
            self._written = set(trial.find_changed_weights())
            self.exact = trial.run_exact()
        before = counters["stats"]["unique_graphs"]
        with show_progress(f"running it by {subject.label}"):
            runs = [trial.run_subject(subject) for _ in range(2)]
        #: How many graphs were compiled, where that is known.
        self.graphs = counters["stats"]["unique_graphs"] - before if subject.is_new else None
        self._logits = find_logits(trial.model, self.own)
        self._drawn = trial.draw(self._measure)
        first, second = (match(subject, run.results, self.own) for run in runs)
        self.rows = self._judge(first)
        #: Results of the backend; None if a second call returned others.
        self.found: list[torch.Tensor] | None = first
        if not trial.are_alike(first, second):
            self.faults.append("a second call with the same inputs gives other results")
            self.rows = max(self.rows, self._judge(second), key=_count_wrong)
            self.found = None
        self.tokens = self._compare_tokens(first)
        self._find_written_inputs(plain, runs[0])

    @property
    def are_wrong(self) -> bool:
        return _count_wrong(self.rows) > 0

    def are_wrong_in(self, found: Sequence[torch.Tensor]) -> bool:
        """Returns whether other results of the same call are wrong."""
        return _count_wrong(self._judge(found)) > 0

    def _measure(self, results: Results) -> tuple[dict[str, list[Measures]], float]:
        """Returns errors, and the noise of logits, of results with drawn roundings."""
        errors = {
            name: measure_all(
                Tensors((), [self.exact[name]], [own]), [results[name]], self._trial.scale
            )
            for name, own in self.own.items()
        }
        if self._logits is None:
            return errors, 0.0
        exact, drawn = self.exact[self._logits], results[self._logits]
        return errors, find_noise(exact, drawn, self._trial.scale)

    def find_written_weights(self) -> None:
        """Adds a fault if weights have changed since the start."""
        written = [n for n in self._trial.find_changed_weights() if n not in self._written]
        if written:
            self.faults.append(f"the backend changes weights: {', '.join(written)}")

    def _find_written_inputs(self, plain: Run, run: Run) -> None:
        changed = sorted(run.changed - plain.changed)
        if changed:
            numbers = ", ".join(map(str, changed))
            self.faults.append(f"the backend writes to its inputs: {numbers}")

    def _judge(self, found: Sequence[torch.Tensor]) -> list[dict[str, Any]]:
        rows = []
        for name, tensor in zip(self.own, found, strict=True):
            exact, own = self.exact[name], self.own[name]
            drawn = (errors[name] for errors, _ in self._drawn)
            tensors = Tensors([tensor], [exact], [own])
            finding = judge_tensors(tensors, self._trial.scale, drawn)
            row = {"name": name, "shape": list(tensor.shape), **finding.to_dict()}
            if (tensor.dtype, tensor.shape) != (own.dtype, own.shape):
                row["expected"] = f"{own.dtype} {list(own.shape)}".removeprefix("torch.")
                row["got"] = f"{tensor.dtype} {list(tensor.shape)}".removeprefix("torch.")
            if tensor.is_floating_point():
                row["nan"] = int(tensor.isnan().sum())
                row["inf"] = int(tensor.isinf().sum())
                row["expected_nan_or_inf"] = int((~exact.isfinite()).sum())
            rows.append(row)
        return rows

    def _compare_tokens(self, found: Sequence[torch.Tensor]) -> dict[str, Any] | None:
        name = self._logits
        if name is None:
            return None
        logits = dict(zip(self.own, found, strict=True))[name]
        if logits.shape != self.exact[name].shape:
            return None
        count, differences = compare_tokens(
            logits,
            self.exact[name],
            self.own[name],
            self._trial.scale,
            (noise for _, noise in self._drawn),
        )
        wrong = [difference for difference in differences if difference.is_wrong]
        return {
            "compared": count,
            "different": len(differences),
            "first_difference": differences[0].to_dict() if differences else None,
            "first_wrong": wrong[0].to_dict() if wrong else None,
            "wrong": bool(wrong),
        }


def _count_wrong(rows: Sequence[dict[str, Any]]) -> int:
    return sum(row["wrong"] for row in rows)

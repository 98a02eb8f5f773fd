# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `parablock.judge` does."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch._dynamo.eval_frame import OptimizedModule
from torch._dynamo.utils import counters

from parablock.errors import Error
from parablock.judging.examiner import Examiner
from parablock.judging.generation import compare_continuations
from parablock.judging.layers import Layers, find_shown
from parablock.judging.measure import Tensors, judge_tensors
from parablock.judging.subjects import Subject, read_subject
from parablock.judging.tokens import compare_tokens, find_logits
from parablock.judging.trial import Results, Trial, match, without_caches
from parablock.judging.verdict import Judgement, describe_faults
from parablock.training.dropout import refuse_dropout


def judge_model(
    model: Any,
    inputs: Any,
    backend: Any,
    compiler: Any,
    generate: int,
    tolerance: float | None,
) -> Judgement:
    """Runs and compares; see `parablock.judge`."""
    _check_model(model)
    args, kwargs = _read_inputs(inputs)
    if isinstance(generate, bool) or not isinstance(generate, int) or generate < 0:
        raise Error(f"generate: expected a number of tokens, got {generate!r}")
    is_number = isinstance(tolerance, int | float) and not isinstance(tolerance, bool)
    if tolerance is not None and not (is_number and 0 < tolerance < 1):
        raise Error(f"tolerance: expected a number between 0 and 1, got {tolerance!r}")
    subject = read_subject(model, backend, compiler)
    with contextlib.ExitStack() as context:
        context.enter_context(torch.no_grad())
        if subject.compile is not None:
            context.enter_context(without_caches(model))
        return _judge(Trial(model, args, kwargs, tolerance), subject, generate)


def _check_model(model: Any) -> None:
    if isinstance(model, OptimizedModule):
        raise Error(
            "model: expected the module itself, got what torch.compile made of it: that is "
            "backend="
        )
    if not isinstance(model, torch.nn.Module):
        raise Error(f"model: expected a module of PyTorch, got {type(model).__name__}")
    for name, inner in model.named_modules():
        if inner._compiled_call_impl is not None or isinstance(inner, OptimizedModule):
            raise Error(
                f"model: expected a module that runs eagerly, got '{name or 'the model'}' "
                "compiled in place: give another one that is not, and this as backend="
            )
    refuse_dropout(model)


def _read_inputs(inputs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Positional arguments, or those that a mapping has names for."""
    if isinstance(inputs, Mapping):
        args, kwargs = (), {str(name): value for name, value in inputs.items()}
    elif isinstance(inputs, Sequence) and not isinstance(inputs, str):
        args, kwargs = tuple(inputs), {}
    else:
        raise Error(
            "inputs: expected a tuple of the model's arguments, or a mapping of names, got "
            f"{type(inputs).__name__}: one argument is (x,)"
        )
    for value in (*args, *kwargs.values()):
        if hasattr(value, "get_seq_length"):
            raise Error(
                f"inputs: expected whole sequences, got a {type(value).__name__} of keys and "
                "values"
            )
    return args, kwargs


def _judge(trial: Trial, subject: Subject, generate: int) -> Judgement:
    plain = trial.run_own()
    own = plain.results
    trial.check_repeats(own, trial.run_own().results)
    written = trial.find_changed_weights()
    exact = trial.run_exact()
    before = counters["stats"]["unique_graphs"]
    runs = [trial.run_subject(subject) for _ in range(2)]
    graphs = counters["stats"]["unique_graphs"] - before if subject.is_new else None
    outputs = _Outputs(trial, exact, own)
    first, second = ([*match(subject, run.results, own)] for run in runs)
    rows, again = outputs.judge(first), outputs.judge(second)
    faults = []
    repeats = trial.are_alike(first, second)
    if not repeats:
        faults.append("a second call with the same inputs gives other results")
        rows = max(rows, again, key=lambda each: sum(row["wrong"] for row in each))
    changed = sorted(runs[0].changed - plain.changed)
    if changed:
        faults.append(f"the backend writes to its inputs: {', '.join(map(str, changed))}")
    tokens = outputs.compare_tokens(first)
    generation = compare_continuations(trial, subject, generate) if generate else None
    examiner = Examiner(trial, subject, own, first if repeats else None)
    layers = Layers(trial, subject, examiner)
    layers.examine()
    is_known = any(row["wrong"] for row in layers.rows)
    if layers.rows and not is_known and any(row["wrong"] for row in rows):
        layers.search(exact, own)
    weights = [name for name in trial.find_changed_weights() if name not in written]
    if weights:
        faults.append(f"the backend changes weights: {', '.join(weights)}")
    data = {
        "schema": 1,
        "model": type(trial.model).__name__,
        "dtype": trial.type_name,
        "backend": subject.label,
        "graphs": graphs,
        "parts": layers.rows,
        "method": layers.method,
        "shown": sorted(find_shown(trial.model)),
        "outputs": rows,
        "tokens": tokens,
        "generation": generation,
    }
    return Judgement({**data, "faults": [*describe_faults(data), *faults]})


class _Outputs:
    """Results beside float64 and beside the model as it is."""

    def __init__(self, trial: Trial, exact: Results, own: Results) -> None:
        self._trial, self._exact, self._own = trial, exact, own

    def judge(self, found: Sequence[torch.Tensor]) -> list[dict[str, Any]]:
        rows = []
        for name, tensor in zip(self._own, found, strict=True):
            exact, own = self._exact[name], self._own[name]
            drawn = ([results[name]] for results in self._trial.drawn)
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

    def compare_tokens(self, found: Sequence[torch.Tensor]) -> dict[str, Any] | None:
        name = find_logits(self._trial.model, self._own)
        if name is None:
            return None
        logits = dict(zip(self._own, found, strict=True))[name]
        if logits.shape != self._exact[name].shape:
            return None
        count, differences = compare_tokens(
            logits,
            self._exact[name],
            self._own[name],
            self._trial.scale,
            (results[name] for results in self._trial.drawn),
        )
        wrong = [difference for difference in differences if difference.is_wrong]
        return {
            "compared": count,
            "different": len(differences),
            "first_difference": differences[0].to_dict() if differences else None,
            "first_wrong": wrong[0].to_dict() if wrong else None,
            "wrong": bool(wrong),
        }

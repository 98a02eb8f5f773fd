# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Implementation of `parablock.judge`."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch._dynamo.eval_frame import OptimizedModule

from parablock.errors import Error
from parablock.training.dropout import refuse_dropout
from parablock.verdict import Judgement, describe_faults
from parablock_studies.judging.examiner import Examiner
from parablock_studies.judging.generation import compare_continuations
from parablock_studies.judging.layers import Layers, find_shown
from parablock_studies.judging.outputs import Outputs
from parablock_studies.judging.subjects import Subject, read_subject
from parablock_studies.judging.trial import Trial, without_caches


def judge_model(
    model: Any,
    inputs: Any,
    backend: Any,
    compiler: Any,
    generate: int,
    tolerance: float | None,
) -> Judgement:
    """Runs and compares a model; see `parablock.judge`."""
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
    refuse_dropout(model, "the judge compares runs: call .eval() on the module")


def _read_inputs(inputs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Returns positional arguments, or those of a mapping by name."""
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
    outputs = Outputs(trial, subject)
    generation = compare_continuations(trial, subject, generate) if generate else None
    layers = Layers(trial, subject, Examiner(trial, subject, outputs.own, outputs.found))
    layers.examine()
    is_known = any(row["wrong"] for row in layers.rows)
    if layers.rows and outputs.are_wrong and not is_known:
        layers.search(outputs)
    outputs.find_written_weights()
    data = {
        "schema": 1,
        "model": type(trial.model).__name__,
        "dtype": trial.type_name,
        "backend": subject.label,
        "graphs": outputs.graphs,
        "parts": layers.rows,
        "method": layers.method,
        "shown": sorted(find_shown(trial.model)),
        "outputs": outputs.rows,
        "tokens": outputs.tokens,
        "generation": generation,
    }
    return Judgement({**data, "faults": [*describe_faults(data), *outputs.faults]})

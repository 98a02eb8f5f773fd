# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Implementations of the commands."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from parablock.compiled import CompiledModel
from parablock.errors import Error
from parablock.files import from_mlir
from parablock.output import replace_file, write_output
from parablock.pretrained import from_pretrained
from parablock.public import Model
from parablock.tensors import find_numpy_type, to_stored
from parablock.weights import StoredTensor, read_safetensors, write_tensors

Array = np.ndarray[Any, Any]


def open_model(arguments: argparse.Namespace) -> Model:
    """Returns the model of a folder, or of a file of IR."""
    path = Path(arguments.model)
    if path.is_dir() or not path.exists():
        if arguments.weights:
            raise Error("--weights is for a file of model IR: a folder has its own")
        if arguments.raise_options:
            raise Error("--raise is for a file of model IR")
        if arguments.function:
            raise Error("--function is for a file of model IR")
        return from_pretrained(
            path, dtype=arguments.dtype or "f32", padding=arguments.padding
        )
    if arguments.dtype or arguments.padding:
        raise Error("--dtype and --padding are for a folder: IR has them already")
    return from_mlir(
        path,
        arguments.weights,
        options=arguments.raise_options,
        function=arguments.function,
    )


def _rewrite(model: Model, arguments: argparse.Namespace) -> Model:
    require = [name for name in arguments.require.split(",") if name]
    return model.optimize(
        arguments.parallel,
        pairing=arguments.pairing,
        from_layer=arguments.from_layer,
        norm=arguments.norm,
        router=arguments.router,
        chip=arguments.chip,
        require=require,
    )


def run_import(arguments: argparse.Namespace) -> None:
    write_output(arguments.output, str(open_model(arguments)))


def run_optimize(arguments: argparse.Namespace) -> None:
    write_output(arguments.output, str(_rewrite(open_model(arguments), arguments)))


def run_explain(arguments: argparse.Namespace) -> None:
    explanation = _rewrite(open_model(arguments), arguments).explain()
    if arguments.json:
        write_output(arguments.json, json.dumps(explanation.to_dict(), indent=2))
    print(explanation)


def run_report(arguments: argparse.Namespace) -> None:
    model = _rewrite(open_model(arguments), arguments)
    if arguments.data or arguments.budget_kl is not None:
        model.drift(arguments.data, arguments.budget_kl)
    print(model.report(arguments.output))


def run_drift(arguments: argparse.Namespace) -> None:
    names = (
        *("engine", "pairing", "norm", "router", "correction", "seed", "from_layer"),
        *("budget_generation", "budget_perplexity", "budget_tasks", "budget_order", "tasks", "generate"),
    )
    options = {name: getattr(arguments, name) for name in names}
    given = {name: value for name, value in options.items() if value is not None}
    drift = open_model(arguments).drift(
        arguments.data, arguments.budget_kl, choice=arguments.choice, **given
    )
    if arguments.json:
        write_output(arguments.json, json.dumps(drift.to_dict(), indent=2))
    print(drift)


def run_run(arguments: argparse.Namespace) -> None:
    model = _rewrite(open_model(arguments), arguments)
    compiled = model.compile(arguments.target)
    stored = read_safetensors(Path(arguments.inputs))
    results = compiled(**{name: _to_array(tensor) for name, tensor in stored.items()})
    with replace_file(arguments.outputs) as file:
        write_tensors(
            file,
            ((name, *to_stored(np.asarray(array))) for name, array in results.items()),
        )
    if isinstance(compiled, CompiledModel):
        print(json.dumps(compiled.run_report(), indent=2))


def _to_array(tensor: StoredTensor) -> Array:
    """Returns a stored tensor as a NumPy array."""
    is_narrow = tensor.kind == "bf16"
    return tensor.array.view(find_numpy_type("bf16")) if is_narrow else tensor.array

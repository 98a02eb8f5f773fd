# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measurement of parallel layers by block-drift."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from parablock.arguments import is_whole, read_number, read_path, read_text, read_whole
from parablock.drift import Choice, Drift, write_data
from parablock.errors import name_files
from parablock.interrupts import call_interruptibly
from parablock.native import get_core_module
from parablock.output import make_scratch
from parablock.progress import show_progress
from parablock.rewriting import WeightSource, write_weights

if TYPE_CHECKING:
    from parablock._core import Module
    from parablock.calling import Calling


def _read_option(key: str, value: Any) -> Any:
    """Returns an option of block-drift for JSON; block-drift checks its name."""
    option = "budget" if key == "budget-kl" else key.replace("-", "_")
    if option in ("choice", "weights_out", "heal_checkpoint") or isinstance(value, os.PathLike):
        return str(read_path(option, value))
    if option == "budget":
        return read_number(option, value)
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if is_whole(value):
        return read_whole(option, value, -(1 << 63), (1 << 63) - 1)
    if isinstance(value, float | np.floating):
        return read_number(option, value)
    return read_text(option, value, "a number or a string")


def measure_drift(
    module: Module,
    weights: WeightSource,
    calling: Calling,
    data: Any,
    options: Mapping[str, Any],
) -> Drift:
    """Returns the result of `Model.drift`; options that are None are omitted."""
    training = options.get("heal-data")
    request = {
        key: _read_option(key, value)
        for key, value in options.items()
        if value is not None and key != "heal-data"
    }
    with make_scratch() as folder:
        request["ir"] = str(Path(folder, "model.mlir"))
        Path(request["ir"]).write_text(module.print())
        request["weights"] = str(Path(folder, "weights.safetensors"))
        write_weights(Path(request["weights"]), module, weights)
        path = Path(request.setdefault("choice", str(Path(folder, "choice.json"))))
        if request.get("correction", "none") != "none" or request.get("heal"):
            request.setdefault("weights-out", str(path.with_suffix(".safetensors")))
        for key, inputs in (("data", data), ("heal-data", training)):
            if isinstance(inputs, str | Path):
                request[key] = str(read_path(key.replace("-", "_"), inputs))
            elif inputs is not None:
                request[key] = str(Path(folder, f"{key}.safetensors"))
                write_data(Path(request[key]), calling, inputs)
        files = {
            # The tool's flags are arguments here.
            "--budget-kl": "budget",
            "--budget-generation": "budget_generation",
            "--budget-perplexity": "budget_perplexity",
            "--budget-tasks": "budget_tasks",
            "--budget-order": "budget_order",
            "--tasks": "tasks",
            "--generate": "generate",
            "--from": "from_layer",
            **{
                f"--{option.replace('_', '-')}": option
                for option in (
                    *("pairing", "norm", "router", "scale", "attn_scale", "mlp_scale", "blocks"),
                    *("correction", "compare_corrections", "ridge", "add_biases", "low_rank"),
                )
            },
            "--heal-checkpoint": "checkpoint",
            "--heal-codes": "codes",
            "--heal-data": "training_data",
            "--heal-lora": "lora",
            "--heal-rate": "rate",
            "--heal-stop": "stop",
            "--heal-streams": "streams",
            "--heal-targets": "targets",
            "--heal": "tokens",
            "drift: heal_": "drift: ",
            f"{folder}/heal-data.safetensors": "the training data",
            f"{folder}/model.mlir": "the model",
            f"{folder}/weights.safetensors": "the weights",
            f"{folder}/data.safetensors": "the data",
            f"{folder}/": "",
        }
        if request.get("heal") and sys.stderr.isatty():
            # Healing shows steps and KL.
            request["progress"] = True
        shown = (
            contextlib.nullcontext()
            if request.get("progress")
            else show_progress("measuring drift")
        )
        with shown, name_files(files):
            text = call_interruptibly(
                get_core_module().measure_drift, module.context, json.dumps(request)
            )
        corrected = request.get("weights-out")
        found = Choice.read(path, Path(corrected) if corrected else None)
    return Drift(json.loads(text), found)

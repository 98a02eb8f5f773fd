# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checkpoints: folders that transformers loads, and that a training continues from."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
import transformers
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from parablock.errors import Error
from parablock.output import replace_file, replace_folder
from parablock_studies.trainer.modeling_blocks import BlocksConfig, BlocksForCausalLM
from parablock_studies.trainer.run import History, Run
from parablock_studies.trainer.settings import Settings
from parablock_studies.trainer.text import Text

#: File that marks a folder as a checkpoint, which a new checkpoint may replace.
STATE = "training.json"
_WEIGHTS, _OPTIMIZER = "model.safetensors", "optimizer.safetensors"
_MOMENTS = ("exp_avg", "exp_avg_sq")
_SCHEMA = 1


def save(run: Run, text: Text, folder: Path) -> None:
    """Writes all of a run, and replaces its last checkpoint."""
    state = {
        "schema": _SCHEMA,
        "settings": dataclasses.asdict(run.settings),
        "corpus": text.describe(),
        "versions": {"torch": torch.__version__, "transformers": transformers.__version__},
        "history": dataclasses.asdict(run.history),
    }
    with replace_folder(folder, STATE) as new:
        BlocksConfig.register_for_auto_class()
        BlocksForCausalLM.register_for_auto_class("AutoModelForCausalLM")
        with _hide_bars():
            run.module.save_pretrained(new)
        save_file(_list_moments(run), new / _OPTIMIZER)
        with replace_file(new / STATE) as file:
            file.write(f"{json.dumps(state, indent=1)}\n".encode())


def load(settings: Settings, text: Text, folder: Path) -> Run:
    """Returns a run that continues from its checkpoint, bit for bit."""
    with _explain(folder):
        state = json.loads((folder / STATE).read_text())
        _compare(folder, state, settings, text)
        history = History(**state["history"])
        history.held_out = {int(step): loss for step, loss in history.held_out.items()}
        if len({len(history.losses), len(history.wall_ms), len(history.cpu_ms)}) != 1:
            raise ValueError("the history has as many losses as times")
        run = Run(settings, text, history)
        weights = load_file(folder / _WEIGHTS)
        tied = {"lm_head.weight": weights["transformer.wte.weight"]}
        run.module.load_state_dict({**weights, **tied})
        _take_moments(run, load_file(folder / _OPTIMIZER))
    return run


@contextlib.contextmanager
def _explain(folder: Path) -> Iterator[None]:
    """Returns one line on the fault of a checkpoint."""
    problems = (
        *(OSError, ValueError, KeyError, TypeError, AttributeError),
        *(RuntimeError, SafetensorError),
    )
    try:
        yield
    except problems as problem:
        text = " ".join(str(problem).split())[:300]
        raise Error(
            f"'{folder}' cannot be resumed: {type(problem).__name__}: {text}"
        ) from problem


def _compare(folder: Path, state: dict[str, Any], settings: Settings, text: Text) -> None:
    """Rejects a checkpoint of a run with other settings."""
    if state["schema"] != _SCHEMA:
        raise ValueError(f"expected schema {_SCHEMA}, got {state['schema']}")
    wanted = {**dataclasses.asdict(settings), "sha256 of the text": text.sha256}
    found = {**state["settings"], "sha256 of the text": state["corpus"]["sha256"]}
    for name, value in wanted.items():
        if found[name] != value:
            raise Error(
                f"--resume: '{folder}' was trained with {name} = {found[name]}, and "
                f"{value} is asked for"
            )


def _list_moments(run: Run) -> dict[str, torch.Tensor]:
    """Returns the optimizer's state, by names of parameters."""
    moments = {}
    for name, parameter in run.module.named_parameters():
        state = run.optimizer.state.get(parameter, {})
        moments.update({f"{kind}.{name}": state[kind] for kind in _MOMENTS if state})
    return moments


def _take_moments(run: Run, moments: dict[str, torch.Tensor]) -> None:
    step = torch.tensor(float(run.history.step))
    for name, parameter in run.module.named_parameters():
        if not run.history.step:
            continue
        found = {kind: moments[f"{kind}.{name}"] for kind in _MOMENTS}
        for tensor in found.values():
            if tensor.shape != parameter.shape or tensor.dtype != parameter.dtype:
                raise ValueError(
                    f"{name}: expected moments of the shape {list(parameter.shape)}, got "
                    f"{list(tensor.shape)} of {tensor.dtype}"
                )
        run.optimizer.state[parameter] = {"step": step.clone(), **found}


@contextlib.contextmanager
def _hide_bars() -> Iterator[None]:
    """Hides the progress bars of transformers."""
    logging = transformers.utils.logging
    was_shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if was_shown:
            logging.enable_progress_bar()
        sys.stderr.flush()

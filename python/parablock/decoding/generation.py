# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`parablock.generation`."""

from __future__ import annotations

from typing import Any

from transformers import PreTrainedModel

from parablock.arguments import CODE_FORMS, read_choice
from parablock.decoding.own_loops import add_own_loop
from parablock.decoding.pages import read_paging
from parablock.decoding.transformers_model import CompiledForGeneration
from parablock.decoding.transformers_pair import CompiledPairForGeneration
from parablock.errors import Error
from parablock.target import CodeFolder


def make_model(
    module: Any,
    target: str | None,
    weights: str | None,
    threads: int,
    cache: CodeFolder = None,
    page_rows: int | None = None,
    pool_pages: int | None = None,
) -> CompiledForGeneration:
    """Returns a model of its own class, with the name of the module's class."""
    paging = read_paging(page_rows, pool_pages)
    if not isinstance(module, PreTrainedModel) or not module.can_generate():
        raise Error(
            "generation: expected a model of transformers that has generate(), got "
            f"{type(module).__name__}"
        )
    if isinstance(module, CompiledForGeneration):
        raise Error("generation: expected a model of transformers, got one that is compiled")
    target = _choose_target(module.device, target)
    for name in ("output_hidden_states", "output_attentions"):
        if getattr(module.config, name, False):
            raise Error(
                f"config.{name}: expected False, since compiled code gives logits alone"
            )
    read_choice("weights", weights, (None, *CODE_FORMS))
    is_pair = module.config.is_encoder_decoder
    base = CompiledPairForGeneration if is_pair else CompiledForGeneration
    # Others go by the names of classes.
    kind = type(
        type(module).__name__,
        add_own_loop(base, type(module)),
        {"config_class": type(module.config), "__doc__": base.__doc__},
    )
    made: CompiledForGeneration = kind(module, target, weights, threads, cache, paging)
    return made


def _choose_target(device: Any, target: str | None) -> str:
    """Returns the given target, or that of the device that a module is on.

    >>> import torch
    >>> _choose_target(torch.device("cpu"), None), _choose_target(torch.device("cuda:1"), None)
    ('cpu', 'cuda:1')
    >>> _choose_target(torch.device("cuda:1"), "cpu")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    parablock.errors.Error: generation: expected the model on the CPU for target 'cpu', ...
    """
    if device.type == "cpu":
        return "cpu" if target is None else target
    if device.type != "cuda":
        raise Error(f"generation: expected the model on the CPU or a GPU, got {device}")
    own = f"cuda:{device.index or 0}"
    if target not in (None, own) and (target != "cuda" or own != "cuda:0"):
        where = "that device" if str(target).startswith("cuda") else "the CPU"
        raise Error(
            f"generation: expected the model on {where} for target '{target}', got {device}: "
            "leave target= out, or move the model"
        )
    return own

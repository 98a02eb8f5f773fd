# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of parablock.judge use."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import torch
from families import FAMILIES, Family, forbid_caches, make_inputs, to_bf16
from silent_faults import Form, make_tower
from torch import nn
from torch.utils import _pytree as pytree

import parablock

#: What a day's tests look at of the families: stacks of all shapes.
EVERYDAY = ("gpt2", "gptj", "gemma2", "bert", "t5", "vit", "nn-encoder-post")

TYPES = {"f32": torch.float32, "bf16": torch.bfloat16}

Model = tuple[nn.Module, tuple[Any, ...]]


def make(name: str, kind: str = "f32") -> Model:
    family: Family = FAMILIES[name]
    module, inputs = family.make(), make_inputs(family)
    forbid_caches(module)
    if kind == "f32":
        return module, inputs
    return to_bf16(module), pytree.tree_map(
        lambda leaf: (
            leaf.to(torch.bfloat16)
            if isinstance(leaf, torch.Tensor) and leaf.is_floating_point()
            else leaf
        ),
        inputs,
    )


def make_towers() -> Model:
    return make_tower(Form(), Form(), Form())


def check_fine(judgement: parablock.Judgement) -> None:
    text = str(judgement)
    assert judgement.is_fine, text
    assert not judgement.layers and text.startswith("fine: "), text
    assert not re.search("(?i)diverge|wrong", text), text
    judgement.check()


def bend(model: nn.Module, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """A function that changes logits."""

    def run(*args: Any, **kwargs: Any) -> torch.Tensor:
        result = model(*args, **kwargs)
        return change(result if isinstance(result, torch.Tensor) else result.logits)

    return run

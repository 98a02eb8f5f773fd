# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parallel layers against the same change made to PyTorch's own layers."""

from __future__ import annotations

import itertools
import types
from typing import Any

import pytest
import torch
from families import FAMILIES, forbid_caches, make_inputs
from oracle import get_distance, run_exactly

import parablock


def _first(result: Any) -> torch.Tensor:
    return result[0] if isinstance(result, tuple) else result


def _make_llama(layer: Any) -> Any:
    def forward(self: Any, hidden_states: torch.Tensor, **options: Any) -> Any:
        normed = self.input_layernorm(hidden_states)
        attended = _first(self.self_attn(hidden_states=normed, **options))
        other = self.mlp(self.post_attention_layernorm(hidden_states))
        return hidden_states + attended + other

    return forward


def _make_gpt2(layer: Any) -> Any:
    def forward(self: Any, hidden_states: torch.Tensor, *rest: Any, **options: Any):
        attended = _first(self.attn(self.ln_1(hidden_states), **options))
        return hidden_states + attended + self.mlp(self.ln_2(hidden_states))

    return forward


#: Where layers are, and their forward pass with both branches side by side.
CHANGES: dict[str, tuple[str, Any]] = {
    "llama": ("model.layers", _make_llama),
    "qwen3": ("model.layers", _make_llama),
    "mistral": ("model.layers", _make_llama),
    "gemma": ("model.layers", _make_llama),
    "gpt2": ("transformer.h", _make_gpt2),
}


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        pytest.param(
            *pair, marks=() if pair == ("llama", "1") else (pytest.mark.full,)
        )
        for pair in itertools.product(CHANGES, ("all", "1"))
    ],
)
def test_parallel_layers(name: str, chosen: str) -> None:
    module = FAMILIES[name].make()
    forbid_caches(module)
    (ids,) = make_inputs(FAMILIES[name])
    model = parablock.from_torch(module, (ids,)).optimize(parallel=chosen)
    forms = [layer["form"] for layer in model.count("sm_90a")["layers"]]
    wanted = ["parallel" if chosen in ("all", str(i)) else "serial" for i in (0, 1)]
    assert forms == wanted
    result = model.compile()(ids).logits
    path, make = CHANGES[name]
    for number, layer in enumerate(module.get_submodule(path)):
        if chosen in ("all", str(number)):
            layer.forward = types.MethodType(make(layer), layer)
    assert get_distance(result, run_exactly(module, (ids,)).logits) < 1e-5

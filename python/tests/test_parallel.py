# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parallel layers against the same change made to PyTorch's own layers.

A layer is parallel where the branch of its MLP begins at what the layer begins
at: hooks hand that to the branch's first module.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import torch
from families import FAMILIES, forbid_caches, make_inputs, to_bf16
from oracle import get_distance, run_exactly
from torch.utils import _pytree as pytree

import parablock

#: Where layers are, and the first module of their MLP's branch.
BRANCHES: dict[str, tuple[str, str]] = {
    **{
        name: ("model.layers", "post_attention_layernorm")
        for name in ("llama", "mistral", "qwen2", "qwen3", "gemma", "phi3", "granite")
    },
    "stablelm": ("model.layers", "post_attention_layernorm"),
    "gemma2": ("model.layers", "pre_feedforward_layernorm"),
    "olmo2": ("model.layers", "mlp"),
    "gpt2": ("transformer.h", "ln_2"),
    "gpt_neox-serial": ("gpt_neox.layers", "post_attention_layernorm"),
    "falcon-rw": ("transformer.h", "post_attention_layernorm"),
    "bloom": ("transformer.h", "post_attention_layernorm"),
    "mpt": ("transformer.blocks", "norm_2"),
    "opt": ("model.decoder.layers", "final_layer_norm"),
    "t5-encoder": ("encoder.block", "layer.1.layer_norm"),
    "vit": ("layers", "layernorm_after"),
}


def make_parallel(layer: torch.nn.Module, branch: str) -> None:
    """Lets a branch of a serial layer read what the layer reads."""
    stream: list[torch.Tensor] = []

    def keep(_: Any, args: Any, kwargs: Any) -> None:
        stream[:] = [args[0] if args else kwargs["hidden_states"]]

    def replace(_: Any, args: Any) -> Any:
        return (stream[0].reshape(args[0].shape), *args[1:])

    layer.register_forward_pre_hook(keep, with_kwargs=True)
    layer.get_submodule(branch).register_forward_pre_hook(replace)


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        pytest.param(
            *pair, marks=() if pair == ("llama", "1") else (pytest.mark.full,)
        )
        for pair in itertools.product(BRANCHES, ("all", "1"))
    ],
)
def test_parallel_layers(name: str, chosen: str) -> None:
    module = FAMILIES[name].make()
    forbid_caches(module)
    inputs = make_inputs(FAMILIES[name])
    model = parablock.from_torch(module, inputs).optimize(parallel=chosen)
    layers = model.count("sm_90a")["layers"]
    are_parallel = [layer["form"] == "parallel" for layer in layers]
    assert are_parallel == [chosen in ("all", str(i)) for i in (0, 1)]
    result = pytree.tree_leaves(model.compile()(*inputs))[0]
    path, branch = BRANCHES[name]
    serial = pytree.tree_leaves(run_exactly(module, inputs))[0]
    for number, layer in enumerate(module.get_submodule(path)):
        if chosen in ("all", str(number)):
            make_parallel(layer, branch)
    exact = pytree.tree_leaves(run_exactly(module, inputs))[0]
    assert get_distance(result, exact) < 1e-5 < get_distance(serial, exact)


@pytest.mark.full
@pytest.mark.parametrize("name", ["llama", "gpt2", "gemma2"])
def test_parallel_layers_in_bf16(name: str) -> None:
    module = FAMILIES[name].make()
    forbid_caches(module)
    module = to_bf16(module)
    (ids,) = make_inputs(FAMILIES[name])
    model = parablock.from_torch(module, (ids,)).optimize(parallel="all")
    result = model.compile()(ids).logits
    path, branch = BRANCHES[name]
    for layer in module.get_submodule(path):
        make_parallel(layer, branch)
    assert get_distance(result, run_exactly(module, (ids,)).logits) < 2e-2


@pytest.mark.full
@pytest.mark.parametrize("name", ["bert", "roberta", "bart", "nn-encoder-post"])
def test_layers_that_stay_serial(name: str) -> None:
    module = FAMILIES[name].make()
    forbid_caches(module)
    inputs = make_inputs(FAMILIES[name])
    model = parablock.from_torch(module, inputs).optimize(parallel="all")
    layers = model.count("sm_90a")["layers"]
    assert all(layer["form"] != "parallel" for layer in layers)
    assert "block-parallelize" in str(model.explain().to_dict())

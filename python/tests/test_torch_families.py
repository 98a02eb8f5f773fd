# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of PyTorch against PyTorch itself in float64."""

from __future__ import annotations

import pytest
import tiers
import torch
import transformers
from drawing import STACKS, draw_case
from families import FAMILIES, Family, forbid_caches, make_inputs, to_bf16
from oracle import check_near, run_exactly
from recipes import RECIPES
from sweep import check
from torch.utils import _pytree as pytree
from wider import WIDER

import parablock

EVERYDAY = ("nn-decoder-pre", "stablelm-parallel")
#: What a day's tests look at of the sweep: two stacks of any sizes, repeated
#: heads, images.
EVERYDAY_DRAWS = [("t5", 0), ("falcon", 2), ("vit", 0)]


def _mark(is_everyday: bool) -> tuple[pytest.MarkDecorator, ...]:
    return () if is_everyday else (pytest.mark.full,)


def _prepare(family: Family) -> tuple[torch.nn.Module, tuple[object, ...]]:
    module = family.make()
    forbid_caches(module)
    return module, make_inputs(family)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=_mark(n in EVERYDAY)) for n in FAMILIES]
)
def test_numbers(name: str) -> None:
    family = FAMILIES[name]
    module, inputs = _prepare(family)
    exact = pytree.tree_leaves(run_exactly(module, inputs))
    model = parablock.from_torch(module, inputs)
    recognised = model.explain().to_dict()["recognised"]
    assert recognised["attention"] == family.attention
    assert recognised["mlp"] == family.mlp
    model = model.optimize(require=["block-fuse-input-projections", "block-form-kernels"])
    results = model.compile()(*inputs)
    for values, expected in zip(pytree.tree_leaves(results), exact, strict=True):
        check_near(values, expected)
    assert isinstance(results, type(module(*inputs)))


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        pytest.param(
            name,
            seed,
            marks=_mark((name, seed) in EVERYDAY_DRAWS),
        )
        for name in (*RECIPES, *STACKS, *WIDER)
        for seed in range(1 if name in WIDER else 8)
        # Of eight seeds half a week.
        if name in WIDER or (name, seed) in EVERYDAY_DRAWS or (seed + tiers.TURN // 7) % 2 == 0
    ],
)
def test_drawn_models(name: str, seed: int) -> None:
    case = draw_case(name, seed)
    print(case.description)
    check(case, seed)


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_bf16(name: str) -> None:
    family = FAMILIES[name]
    module, inputs = _prepare(family)
    module = to_bf16(module)
    inputs = pytree.tree_map(
        lambda a: (
            a.to(torch.bfloat16)
            if isinstance(a, torch.Tensor) and a.is_floating_point()
            else a
        ),
        inputs,
    )
    exact = pytree.tree_leaves(run_exactly(module, inputs))
    with torch.no_grad():
        own = pytree.tree_leaves(module(*inputs))
    model = parablock.from_torch(module, inputs)
    results = pytree.tree_leaves(model.optimize().compile()(*inputs))
    for values, eager, expected in zip(results, own, exact, strict=True):
        check_near(values, expected, eager)


@pytest.mark.full
@pytest.mark.parametrize("name", ["t5-encoder", "llama", "gemma2", "bloom"])
def test_eager_scores_in_bf16_are_recognised(name: str) -> None:
    module, inputs = _prepare(FAMILIES[name])
    module.set_attn_implementation("eager")
    module = to_bf16(module)
    exact = pytree.tree_leaves(run_exactly(module, inputs))[0]
    with torch.no_grad():
        own = pytree.tree_leaves(module(*inputs))[0]
    model = parablock.from_torch(module, inputs)
    assert model.list_left() == []
    result = pytree.tree_leaves(model.optimize().compile()(*inputs))[0]
    check_near(result, exact, own)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=_mark(name == "phi"))
        for name in ("gpt2", "llama", "gptj", "bert", "falcon-7b", "phi")
    ],
)
def test_emulated_device_code(name: str) -> None:
    module, _ = _prepare(FAMILIES[name])
    inputs = make_inputs(FAMILIES[name], batch=1, tokens=7)
    module = to_bf16(module)
    exact = pytree.tree_leaves(run_exactly(module, inputs))
    with torch.no_grad():
        own = pytree.tree_leaves(module(*inputs))
    model = parablock.from_torch(module, inputs).optimize(chip="sm_90a")
    results = pytree.tree_leaves(model.compile("emulate:sm_90a")(*inputs))
    for values, eager, expected in zip(results, own, exact, strict=True):
        check_near(values, expected, eager)


def test_rounded_alibi_of_many_keys() -> None:
    """Falcon multiplies slopes by numbers of keys, both of bf16: 257 is none of these.

    Slopes of more than eight heads are no powers of two: it matters which is rounded.
    """
    torch.manual_seed(5)
    config = transformers.FalconConfig(
        num_hidden_layers=1,
        hidden_size=96,
        num_attention_heads=12,
        vocab_size=61,
        alibi=True,
        multi_query=False,
        parallel_attn=False,
    )
    module = transformers.FalconForCausalLM(config).eval()
    forbid_caches(module)
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            if "query_key_value" in name:
                parameter.normal_(std=0.3)
    dims = {1: torch.export.Dim("tokens", min=2, max=512)}
    ids = torch.randint(0, 61, (1, 300))
    exact = run_exactly(module, (ids,)).logits
    for example, shapes in ((ids, None), (ids[:, :40], (dims,))):
        model = parablock.from_torch(module, (example,), dynamic_shapes=shapes)
        assert model.explain().to_dict()["recognised"]["attention"] == 1
        check_near(model.compile()(ids).logits, exact)

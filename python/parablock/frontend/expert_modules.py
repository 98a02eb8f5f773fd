# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Experts of transformers in a form that exports.

transformers chooses by an entry of a config how experts are computed: by a loop, by sorted
rows, by gathered matrices. A loop over the experts that were hit does not export; the others
are one function, which block-raise recognises. Experts some of which are the identity have
no such entry, and a loop alone: they are computed by gathered matrices here.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import math
from collections.abc import Iterator
from typing import Any

import torch

#: The entry of configs, and what it is while exporting.
_ENTRY = "_experts_implementation_internal"
_FORM = "batched_mm"
#: Hooks that use_experts_implementation gives to a module of experts.
_HOOKS = ("has_gate", "has_bias", "is_transposed", "config")


@contextlib.contextmanager
def with_gathered_experts(module: torch.nn.Module) -> Iterator[None]:
    """Makes experts of transformers gather their matrices; restores their configs."""
    configs = {id(inner.config): inner.config for inner in module.modules() if is_experts(inner)}
    before = [(config, getattr(config, _ENTRY)) for config in configs.values()]
    looped = [inner for inner in module.modules() if has_identities(inner)]
    for config, _ in before:
        setattr(config, _ENTRY, _FORM)
    for inner in looped:
        inner.forward = functools.partial(_gather_experts, inner)
    try:
        yield
    finally:
        for inner in looped:
            del inner.forward
        for config, value in before:
            setattr(config, _ENTRY, value)


def is_experts(module: torch.nn.Module) -> bool:
    """Returns whether a module has the hooks of transformers' experts."""
    has_all = all(hasattr(module, hook) for hook in _HOOKS)
    return has_all and hasattr(module.config, _ENTRY)


#: Attributes of modules whose experts beyond a number are the identity.
_LOOPED = ("num_routed_experts", "total_experts", "gate_up_proj", "down_proj", "act_fn", "identity_expert")


#: Rows of which has_identities compares results, with as many chosen experts each.
_ROWS, _CHOSEN = 8, 2
#: Largest relative distance of results in float64 that are one function.
_NEAR = 1e-9


def has_identities(module: torch.nn.Module) -> bool:
    """Returns whether a module has these parts, and computes on a few rows what _gather_experts does.

    Both compute in float64 with drawn parameters, so neither the type nor the size of the
    module's own parameters hides a difference.
    """
    inner: Any = module
    is_like = all(hasattr(inner, name) for name in _LOOPED) and "forward" not in vars(inner)
    if not is_like or not isinstance(inner.identity_expert, torch.nn.Identity) or inner.gate_up_proj is None:
        return False
    draw = torch.Generator().manual_seed(0)
    drawn = copy.copy(inner)
    drawn._parameters = {name: _draw_like(own, draw) for name, own in inner._parameters.items()}
    routed, count = inner.num_routed_experts, inner.total_experts
    # The first and last expert with matrices, the first and last that are the identity, and drawn ones.
    chosen = [torch.randperm(max(count, _CHOSEN), generator=draw)[:_CHOSEN] % count for _ in range(_ROWS - 2)]
    indices = torch.stack([torch.tensor([0, count - 1]), torch.tensor([routed - 1, routed % count]), *chosen])
    rows = torch.randn(_ROWS, inner.down_proj.shape[1], generator=draw, dtype=torch.float64)
    weights = torch.rand(_ROWS, _CHOSEN, generator=draw, dtype=torch.float64)
    given = [tensor.to(inner.down_proj.device) for tensor in (rows, indices, weights)]
    with torch.no_grad():
        try:
            found = drawn(*given)
        except Exception:
            # A module with another call, or that does not compute in float64.
            return False
        # One row at a time: each gathers a copy of the matrices that it chose.
        expected = torch.cat([_gather_experts(drawn, *(part[row : row + 1] for part in given)) for row in range(_ROWS)])
    return found.shape == expected.shape and bool((found - expected).norm() <= _NEAR * expected.norm())


def _draw_like(own: torch.Tensor | None, draw: torch.Generator) -> torch.nn.Parameter | None:
    """Returns a parameter in float64 whose products have about the size of their rows.

    The matrices of a stack overlap, each a row further than the one before, so that they are
    different and take the memory of one.
    """
    if own is None:
        return None
    columns = own.shape[-1] if own.dim() else 1
    lines = sum(own.shape[:-1]) if own.dim() > 1 else 1
    values = torch.randn(lines, columns, generator=draw, dtype=torch.float64) / math.sqrt(max(columns, 1))
    strides = [columns] * (own.dim() - 1) + [1] * bool(own.dim())
    return torch.nn.Parameter(values.to(own.device).as_strided(own.shape, strides), requires_grad=False)


def _gather_experts(
    module: Any, hidden_states: torch.Tensor, top_k_index: torch.Tensor, top_k_weights: torch.Tensor
) -> torch.Tensor:
    """Returns the sum of chosen experts, and the rows times the weights of those that are the identity."""
    count = module.num_routed_experts
    is_same = top_k_index >= count
    index, none = top_k_index.clamp(max=count - 1), torch.zeros_like(top_k_weights)
    inner = module.gate_up_proj[:count][index] @ hidden_states[:, None, :, None]
    gate, up = inner.squeeze(-1).chunk(2, dim=-1)
    made = (module.down_proj[index] @ (module.act_fn(gate) * up)[..., None]).squeeze(-1)
    result = (made * torch.where(is_same, none, top_k_weights)[..., None]).sum(1)
    kept = torch.where(is_same, top_k_weights, none).sum(1, keepdim=True)
    whole: torch.Tensor = result + hidden_states * kept
    return whole.to(hidden_states.dtype)

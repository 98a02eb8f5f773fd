# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Experts of transformers in a form that exports.

transformers chooses by an entry of a config how experts are computed: by a loop, by sorted
rows, by gathered matrices. A loop over the experts that were hit does not export; the others
are one function, which block-raise recognises. Experts some of which are the identity have
no such entry, and a loop alone: they are computed by gathered matrices here.
"""

from __future__ import annotations

import contextlib
import functools
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


#: What experts have, of which those beyond a number are the identity.
_LOOPED = ("num_routed_experts", "total_experts", "gate_up_proj", "down_proj", "act_fn", "identity_expert")


def has_identities(module: torch.nn.Module) -> bool:
    """Returns whether a module has these parts, and computes on two rows what _gather_experts does."""
    inner: Any = module
    is_like = all(hasattr(inner, name) for name in _LOOPED) and "forward" not in vars(inner)
    if not is_like or not isinstance(inner.identity_expert, torch.nn.Identity) or inner.gate_up_proj is None:
        return False
    width, count = inner.down_proj.shape[1], inner.total_experts
    draw = torch.Generator().manual_seed(0)
    # The first and the last expert with matrices, and the last one of all.
    indices = torch.tensor([[0, count - 1], [inner.num_routed_experts - 1, 0]])
    rows, weights = torch.randn(2, width, generator=draw), torch.rand(2, 2, generator=draw)
    given = (rows.to(inner.down_proj), indices.to(inner.down_proj.device), weights.to(inner.down_proj))
    with torch.no_grad():
        return torch.allclose(inner(*given).float(), _gather_experts(inner, *given).float(), rtol=2e-2, atol=1e-3)


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

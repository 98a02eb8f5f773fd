# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of modules by PyTorch, and how far others are from them."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from families import Family, forbid_caches, make_inputs
from oracle import differentiate_exactly
from torch.utils import _pytree as pytree

from parablock import _core

#: Parts of a result that gradients are taken of.
Adjoints = list[torch.Tensor]


def make_case(family: Family) -> tuple[torch.nn.Module, tuple[Any, ...]]:
    """A module and what it is called with."""
    module = family.make()
    forbid_caches(module)
    return module, make_inputs(family)


def draw_adjoints(results: Any, seed: int = 5) -> Adjoints:
    """Factors of the results' elements."""
    generator = torch.Generator().manual_seed(seed)
    return [
        torch.randn(leaf.shape, generator=generator) for leaf in list_floats(results)
    ]


def list_floats(results: Any) -> list[torch.Tensor]:
    """Tensors of floats in a structure."""
    return [
        leaf
        for leaf in pytree.tree_leaves(results)
        if isinstance(leaf, torch.Tensor) and leaf.is_floating_point()
    ]


def backpropagate(results: Any, adjoints: Sequence[torch.Tensor]) -> None:
    """Fills gradients of what results were computed from."""
    leaves = [leaf for leaf in list_floats(results)]
    pairs = [
        (leaf, a.to(leaf.dtype))
        for leaf, a in zip(leaves, adjoints, strict=True)
        if leaf.requires_grad
    ]
    torch.autograd.backward([leaf for leaf, _ in pairs], [a for _, a in pairs])


def take_gradients(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    """The gradients by the names of parameters, which are then gone."""
    taken = {n: p.grad for n, p in module.named_parameters() if p.grad is not None}
    module.zero_grad()
    return taken


def get_exact(
    module: torch.nn.Module, inputs: tuple[Any, ...], adjoints: Adjoints
) -> dict[str, torch.Tensor]:
    """Gradients of a copy in float64, by the names of parameters."""
    return differentiate_exactly(
        module, inputs, lambda results: backpropagate(results, adjoints)
    )


def find_worst(
    found: Mapping[str, Any], exact: Mapping[str, torch.Tensor]
) -> tuple[float, str]:
    """The largest relative distance of a gradient, and whose it is.

    One that is nothing beside the others, such as that of a key's bias, which is 0,
    is measured against them.
    """
    total = float(torch.stack([g.norm() for g in exact.values()]).norm())
    distances = [
        (
            float((torch.as_tensor(found[name]).double() - wanted).norm())
            / max(float(wanted.norm()), 1e-4 * total),
            name,
        )
        for name, wanted in exact.items()
    ]
    return max(distances)


def find_limit(
    module: torch.nn.Module,
    inputs: tuple[Any, ...],
    adjoints: Adjoints,
    exact: Mapping[str, torch.Tensor],
) -> float:
    """How far gradients may be off, with PyTorch's own in f32 as the floor."""
    other = copy.deepcopy(module)
    backpropagate(other(*inputs), adjoints)
    own = {n: p.grad for n, p in other.named_parameters() if p.grad is not None}
    return limit_by_own(own, exact)


def limit_by_own(own: Mapping[str, Any], exact: Mapping[str, torch.Tensor]) -> float:
    """The limit that the table of tolerances gives where PyTorch is off by so much itself."""
    return max(_core.get_base_tolerance("f32"), _core.floor_factor * find_worst(own, exact)[0])


def make_trained_layer(dropout: float = 0.0) -> tuple[torch.nn.Module, torch.Tensor]:
    """Returns a layer of an encoder in training mode, and its input; its parameters are drawn."""
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(32, 2, 48, batch_first=True, dropout=dropout).train()
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return layer, torch.randn(2, 5, 32)

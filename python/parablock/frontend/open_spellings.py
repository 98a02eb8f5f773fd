# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations over open dimensions, spelled in others that hold for all sizes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram

from parablock.frontend.table import bind

_ATEN = torch.ops.aten
#: Whether a spelling is at work in a thread.
_AT_WORK = threading.local()


def _is_open(x: torch.Tensor, dim: int) -> bool:
    return isinstance(x.shape[dim], torch.SymInt)


def _flip(x: torch.Tensor, dims: Sequence[int]) -> Any:
    if not any(_is_open(x, dim) for dim in dims):
        return NotImplemented
    for dim in dims:
        x = x.index_select(dim, torch.arange(x.shape[dim] - 1, -1, -1))
    return x


def _mean(
    x: torch.Tensor,
    dim: Sequence[int] | None,
    keepdim: bool = False,
    *,
    dtype: torch.dtype | None = None,
) -> Any:
    dims = list(dim) if dim else list(range(x.dim()))
    if not any(_is_open(x, d) for d in dims):
        return NotImplemented
    count = 1
    for d in dims:
        count = count * x.shape[d]
    return (x.float().sum(dims, keepdim) * (1.0 / count)).to(dtype or x.dtype)


def _cumsum(x: torch.Tensor, dim: int, *, dtype: torch.dtype | None = None) -> Any:
    if not _is_open(x, dim) or not x.is_floating_point() or x.dim() < 2:
        return NotImplemented
    count = x.shape[dim]
    sums = torch.ones(count, count).tril() @ x.float().movedim(dim, -2)
    return sums.movedim(-2, dim).to(dtype or x.dtype)


def _resample(name: str) -> Callable[..., Any]:
    """Sums of an open last dimension, with factors that are those of each unit row."""
    target = getattr(_ATEN, name).default
    form = getattr(_ATEN, name).vec if "upsample" in name else target

    def spell(x: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        if not _is_open(x, -1) or x.dim() != 3 or getattr(_AT_WORK, "resamples", False):
            return NotImplemented
        # The operation itself makes the factors.
        _AT_WORK.resamples = True
        try:
            factors = form(torch.eye(x.shape[-1])[None], *args, **kwargs)[0]
        finally:
            _AT_WORK.resamples = False
        return (x.float() @ factors).to(x.dtype)

    return spell


_RESAMPLED = ("avg_pool1d", "adaptive_avg_pool1d", "upsample_nearest1d", "upsample_linear1d")

#: By operation; those whose dimensions are known stay as they are.
SPELLINGS: dict[Any, Callable[..., Any]] = {
    _ATEN.flip.default: _flip,
    _ATEN.mean.dim: _mean,
    _ATEN.cumsum.default: _cumsum,
    **{
        getattr(getattr(_ATEN, name), "vec" if "upsample" in name else "default"): _resample(name)
        for name in _RESAMPLED
    },
}


def find_spellings(graph: torch.fx.Graph) -> dict[Any, Callable[..., Any]]:
    """Returns the operations of the table that read data of open sizes, and nothing else.

    Constants have rules of their own; see parablock/frontend/size_proof.py.
    """
    data: set[torch.fx.Node] = set()
    wanted: set[Any] = set()
    others: set[Any] = set()
    for node in graph.nodes:
        value = node.meta.get("val")
        if node.op == "placeholder" or any(source in data for source in node.all_input_nodes):
            if isinstance(value, torch.Tensor | tuple | list):
                data.add(node)
        if node.target in SPELLINGS:
            source = node.args[0]
            sizes = source.meta["val"].shape
            is_open = any(isinstance(size, torch.SymInt) for size in sizes)
            (wanted if source in data and is_open else others).add(node.target)
    return {target: SPELLINGS[target] for target in wanted - others}


_ATTENTION = _ATEN.scaled_dot_product_attention.default


def is_causal(node: torch.fx.Node) -> bool:
    """Returns whether an operation is attention with a causal mask of its own."""
    return node.target is _ATTENTION and bind(_ATTENTION, node.args, node.kwargs)["is_causal"]


def _attend(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    **options: Any,
) -> Any:
    if not is_causal:
        return NotImplemented
    seen = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool).tril()
    return _ATTENTION(query, key, value, seen, dropout_p, False, **options)


def spell_causal_masks(program: ExportedProgram) -> ExportedProgram:
    """Returns a program with causal masks as constants of their own.

    Each call can compute these if no block takes the attention in.
    """
    spelled: ExportedProgram = program.run_decompositions({_ATTENTION: _attend})
    return spelled

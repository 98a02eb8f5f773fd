# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where a module keeps gradients back, or gives others, which graphs do not show.

Exporting sees what is computed, and takes `x.detach()` for `x`. So a module is
called once as it is, and watched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch.autograd.function import BackwardCFunction
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree

from parablock.errors import Error

#: What gives the same numbers without their gradients.
STOPS = ("detach", "detach_", "data")


class _Watch(TorchFunctionMode):
    """Remembers the first operation that lost a gradient."""

    def __init__(self) -> None:
        super().__init__()
        self.found: str | None = None

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        result = function(*args, **(kwargs or {}))
        if self.found is None and _wants((args, kwargs)) and _loses(result):
            name = getattr(function, "__name__", str(function))
            if name == "__get__":
                name = getattr(getattr(function, "__self__", None), "__name__", name)
            if name in STOPS or not torch.is_grad_enabled():
                self.found = name
        return result


def _list_tensors(value: Any) -> list[torch.Tensor]:
    return [leaf for leaf in pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor)]


def _wants(value: Any) -> bool:
    return any(tensor.requires_grad for tensor in _list_tensors(value))


def _loses(result: Any) -> bool:
    return any(t.is_floating_point() and not t.requires_grad for t in _list_tensors(result))


def refuse_stops(
    module: torch.nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> None:
    """An error if a call of the module computes other gradients than its graph has."""
    watch = _Watch()
    with torch.enable_grad(), watch:
        results = module(*args, **kwargs)
    waiting = [t.grad_fn for t in _list_tensors(results) if t.grad_fn is not None]
    seen = set(waiting)
    while waiting:
        node = waiting.pop()
        if isinstance(node, BackwardCFunction):
            raise Error(
                f"the module has a backward of its own, '{type(node).__name__}', which a "
                "compiled step does not know"
            )
        for source, _ in node.next_functions:
            if source is not None and source not in seen:
                seen.add(source)
                waiting.append(source)
    if watch.found is not None:
        raise Error(
            f"the module keeps gradients back by '{watch.found}', which a compiled step "
            "does not: leave that part out of what is compiled"
        )

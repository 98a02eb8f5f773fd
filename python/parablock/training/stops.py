# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Detection of modules that detach or change gradients.

An export records values, so `x.detach()` equals `x` in it. To detect such operations, the
module is called once and its operations are watched.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch.autograd.function import BackwardCFunction
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree

from parablock.errors import Error

#: Operations that return the same numbers without gradients.
STOPS = ("detach", "detach_", "data")


#: Elementwise functions of one tensor with a backward of their own that is their derivative.
_DERIVATIVES = ("transformers.models.bloom.modeling_bloom.GeLUFunction",)


class _Watch(TorchFunctionMode):
    """Records the first operation that lost a gradient."""

    def __init__(self) -> None:
        super().__init__()
        self.found: str | None = None
        #: Calls of functions with a backward of their own, which need no gradients inside.
        self.depth = 0

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        is_open = self.found is None and self.depth == 0
        # Before the call, which may detach its argument in place.
        wants = is_open and _wants((args, kwargs))
        result = function(*args, **(kwargs or {}))
        if wants and _loses(result):
            name = getattr(function, "__name__", str(function))
            if name == "__get__":
                name = getattr(getattr(function, "__self__", None), "__name__", name)
            if name in STOPS or not torch.is_grad_enabled():
                self.found = name
        return result


@contextlib.contextmanager
def _looking_away(watch: _Watch) -> Iterator[None]:
    """Ignores functions whose own backward is supported."""
    kinds = []
    for name in _DERIVATIVES:
        module, _, own = name.rpartition(".")
        kind = getattr(sys.modules.get(module), own, None)
        if kind is not None:
            kinds.append(kind)

    def wrap(apply: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            watch.depth += 1
            try:
                return apply(*args)
            finally:
                watch.depth -= 1

        return call

    for kind in kinds:
        kind.apply = wrap(kind.apply)
    try:
        yield
    finally:
        for kind in kinds:
            del kind.apply


def _list_tensors(value: Any) -> list[torch.Tensor]:
    return [leaf for leaf in pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor)]


def _wants(value: Any) -> bool:
    return any(tensor.requires_grad for tensor in _list_tensors(value))


def _loses(result: Any) -> bool:
    return any(t.is_floating_point() and not t.requires_grad for t in _list_tensors(result))


def _gives_derivative(node: Any) -> bool:
    """Returns whether a custom backward is supported and is the derivative."""
    kind = node._forward_cls
    return f"{kind.__module__}.{kind.__qualname__}" in _DERIVATIVES and _is_checked(kind)


@functools.cache
def _is_checked(kind: type[torch.autograd.Function]) -> bool:
    return is_derivative(kind.apply)


def is_derivative(apply: Callable[..., Any]) -> bool:
    """Compares a function's backward with differences, from small numbers to large ones."""
    sizes = torch.logspace(-4, 1.5, 64, dtype=torch.float64)
    x = torch.cat([-sizes, sizes]).requires_grad_()
    with torch.enable_grad():
        passed: bool = torch.autograd.gradcheck(
            apply, (x,), eps=1e-6, atol=1e-6, rtol=1e-6, raise_exception=False
        )
    return passed


def _keep(tensor: torch.Tensor) -> torch.Tensor:
    return tensor


def _cut(tensor: torch.Tensor) -> torch.Tensor:
    return tensor if tensor.grad_fn is None else tensor.detach().requires_grad_()


def refuse_stops(
    module: torch.nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> None:
    """Rejects a module whose call computes other gradients than its graph."""
    # Operations that made the inputs are no part of the module.
    args, kwargs = pytree.tree_map_only(torch.Tensor, _cut, (args, kwargs))
    watch = _Watch()
    # Hooks of a caller, such as those of torch.utils.checkpoint, count what is saved in
    # every run: this one would be one more than they expect.
    # torch.func allows none.
    autograd: Any = torch._C._autograd
    hooks: Any = torch.autograd.graph.saved_tensors_hooks(_keep, _keep)
    hooks = hooks if autograd._saved_tensors_hooks_is_enabled() else contextlib.nullcontext()
    with torch.enable_grad(), hooks, watch, _looking_away(watch):
        try:
            results = module(*args, **kwargs)
        except (IndexError, RuntimeError, TypeError, ValueError) as problem:
            kind = type(problem).__name__
            raise Error(f"PyTorch rejects the call: {kind}: {problem}") from problem
    waiting = [t.grad_fn for t in _list_tensors(results) if t.grad_fn is not None]
    seen = set(waiting)
    while waiting:
        node = waiting.pop()
        if isinstance(node, BackwardCFunction) and not _gives_derivative(node):
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

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules in float64, also if their code requests float32 by name."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree

from parablock.errors import Error
from parablock_studies.judging.trees import map_tensors


class _Float64(TorchFunctionMode):
    """Replaces every request for float32 by float64."""

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        args, kwargs = pytree.tree_map(_widen_type, (args, kwargs or {}))
        if function is torch.Tensor.float:
            return args[0].double()
        return function(*args, **kwargs)


def _widen_type(argument: Any) -> Any:
    return torch.float64 if argument is torch.float32 else argument


def make_exact(module: torch.nn.Module) -> torch.nn.Module:
    """Returns a copy in float64 with the same weights."""
    try:
        return copy.deepcopy(module).double()
    except Exception as problem:
        raise Error(
            "model: expected a module that can be copied and be in float64: "
            f"{type(problem).__name__}: {problem}"
        ) from problem


@contextlib.contextmanager
def compute_exactly() -> Iterator[None]:
    """Computes new tensors in float64: tables of rotations, masks, constants."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        with contextlib.ExitStack() as context:
            context.enter_context(_Float64())
            for kind in ("cpu", "cuda") if torch.cuda.is_available() else ("cpu",):
                context.enter_context(torch.autocast(kind, enabled=False))
            yield
    finally:
        torch.set_default_dtype(before)


def widen(tensor: torch.Tensor) -> torch.Tensor:
    """Returns a copy with floats as float64, which represents them exactly."""
    tensor = tensor.detach()
    return tensor.double().clone() if tensor.is_floating_point() else tensor.clone()


def widen_all(tree: Any) -> Any:
    """Returns the structure with floats as float64."""
    return map_tensors(widen, tree)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch in float64, also where model code asks for float32 by name."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree

from parablock import _core

#: Types as the judge names them.
_TYPES = {
    torch.float64: "f64",
    torch.float32: "f32",
    torch.bfloat16: "bf16",
    torch.float16: "f16",
}


class _Float64(TorchFunctionMode):
    """Takes every request for float32 as one for float64."""

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        args, kwargs = pytree.tree_map(_widen, (args, kwargs or {}))
        if function in (torch.Tensor.float, torch.Tensor.type_as):
            if function is torch.Tensor.float:
                return args[0].double()
        return function(*args, **kwargs)


def _widen(argument: Any) -> Any:
    return torch.float64 if argument is torch.float32 else argument


def run_exactly(module: torch.nn.Module, args: Any, kwargs: Any = None) -> Any:
    """The module's result in float64, of the same weights and inputs."""
    with torch.no_grad():
        return _run(copy.deepcopy(module).double(), args, kwargs)


def differentiate_exactly(
    module: torch.nn.Module,
    args: Any,
    backward: Callable[[Any], None],
    kwargs: Any = None,
) -> dict[str, torch.Tensor]:
    """Gradients in float64 by the names of parameters, of what `backward` is given."""
    wide = copy.deepcopy(module).double()
    backward(_run(wide, args, kwargs))
    return {
        name: parameter.grad
        for name, parameter in wide.named_parameters()
        if parameter.grad is not None
    }


def _run(wide: torch.nn.Module, args: Any, kwargs: Any) -> Any:
    args, kwargs = pytree.tree_map(
        lambda a: (
            a.double() if isinstance(a, torch.Tensor) and a.is_floating_point() else a
        ),
        (args, kwargs or {}),
    )
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        with _Float64():
            return wide(*args, **kwargs)
    finally:
        torch.set_default_dtype(before)


def get_distance(values: torch.Tensor, exact: torch.Tensor) -> float:
    """Relative distance in the L2 norm; infinite for what is no number."""
    values = values.double()
    if values.shape != exact.shape or not bool(torch.isfinite(values).all()):
        return float("inf")
    return float((values - exact).norm() / exact.norm())


def judge(
    values: Any, exact: Any, own: Any = None, dtype: torch.dtype | None = None
) -> dict[str, Any]:
    """The verdict of the judge that every tool asks, by its table of tolerances.

    `own` are the numbers of the original in its own type, which raise the limit; `dtype`
    is the type that values were computed in, where it is not the one they are stored in.
    """
    kind = dtype or torch.as_tensor(values).dtype
    arrays = [_widen_values(each) for each in (values, exact)]
    if arrays[0].shape != arrays[1].shape:
        shapes = f"{list(arrays[1].shape)}, got {list(arrays[0].shape)}"
        return {"pass": False, "reasons": [f"shape differs: expected {shapes}"]}
    rounded = None if own is None else _widen_values(own)
    text = _core.judge(_core.Context(), _TYPES[kind], *arrays, own=rounded)
    verdict: dict[str, Any] = json.loads(text)
    return verdict


def _widen_values(values: Any) -> Any:
    return np.ascontiguousarray(torch.as_tensor(values).detach().double().numpy())


def check_near(
    values: Any, exact: Any, own: Any = None, dtype: torch.dtype | None = None
) -> None:
    """Asserts that the judge lets values pass."""
    verdict = judge(values, exact, own, dtype)
    assert verdict["pass"], verdict

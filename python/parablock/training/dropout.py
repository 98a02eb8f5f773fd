# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules that drop values at random."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn.modules.dropout import _DropoutNd

from parablock.errors import Error


def refuse_dropout(module: torch.nn.Module, hint: str) -> None:
    """Rejects a module that would drop elements; the error names it."""
    for name, inner in module.named_modules():
        if isinstance(inner, _DropoutNd) and inner.training and inner.p > 0:
            raise Error(
                f"dropout in training mode: '{name or 'the module'}' has p = {inner.p:g}"
                f"{_name_fields(module)}: {hint}"
            )
    for name, inner in module.named_modules():
        # Kept as a number beside the module's own, and given to a function.
        for key, value in vars(inner).items():
            is_rate = isinstance(value, float) and 0 < value < 1
            if is_rate and "drop" in key and inner.training:
                raise Error(
                    f"dropout in training mode: '{name or 'the module'}' has {key} = "
                    f"{value:g}{_name_fields(module)}: {hint}"
                )


def _name_fields(module: torch.nn.Module) -> str:
    """Returns the config's fields of dropout rates."""
    config: Any = getattr(module, "config", None)
    fields = [
        f"{key}={value:g}"
        for key, value in vars(config or object).items()
        if "drop" in key and isinstance(value, float) and value > 0
    ]
    return f" (config: {', '.join(fields)})" if fields else ""

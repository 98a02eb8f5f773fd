# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules in bf16, as checkpoints of 16 bits are loaded."""

from __future__ import annotations

import copy
from typing import Any

import torch


def narrow(value: Any) -> Any:
    """Returns tensors of wider floats as bf16."""
    is_wide = isinstance(value, torch.Tensor) and value.dtype in (torch.float32, torch.float64)
    return value.to(torch.bfloat16) if is_wide else value


def narrow_module(module: torch.nn.Module) -> torch.nn.Module:
    """Returns a copy whose parameters and stored buffers are bf16.

    Others, such as the frequencies of rotations, stay what the module made them.
    """
    known: dict[int, Any] = {
        id(parameter): torch.nn.Parameter(narrow(parameter.detach()), requires_grad=False)
        for parameter in module.parameters()
    }
    made = copy.deepcopy(module, known)
    for inner in made.modules():
        for name, buffer in inner.named_buffers(recurse=False):
            if name not in inner._non_persistent_buffers_set:
                inner.register_buffer(name, narrow(buffer))
    return made

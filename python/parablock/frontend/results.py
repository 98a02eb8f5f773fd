# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results of programs and of rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.export import ExportedProgram

from parablock.frontend.ir import Value
from parablock.frontend.table import Result, wide


def get_output_names(program: ExportedProgram) -> list[str]:
    """Returns the keys of a result that is a mapping, else out0, out1, .."""
    spec = program.call_spec.out_spec
    count = spec.num_leaves
    keys = getattr(spec, "context", None)
    if isinstance(keys, tuple | list) and keys and isinstance(keys[0], list):
        keys = keys[0]
    flat = all(child.is_leaf() for child in spec.children())
    if flat and isinstance(keys, list) and len(keys) == count > 0:
        return [str(key) for key in keys]
    return [f"out{number}" for number in range(count)]


def check_results(
    given: Result, expected: Any, find_keyword: Callable[[torch.dtype], str]
) -> Any:
    """Checks that a rule's results have PyTorch's shapes and types."""
    if isinstance(given, tuple):
        parts = list(expected)[: len(given)]
        return tuple(
            check_results(a, b, find_keyword) for a, b in zip(given, parts, strict=True)
        )
    if expected.numel() == 0:
        return torch.empty(expected.shape, dtype=expected.dtype)
    dtype = find_keyword(expected.dtype)
    found = given.dtype if isinstance(given, Value) else find_keyword(given.dtype)
    if tuple(given.shape) != tuple(expected.shape) or found not in (dtype, wide(dtype)):
        raise TypeError(
            f"expected {list(expected.shape)} of {dtype}, got {list(given.shape)} of {found}"
        )
    return given

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types: PyTorch's and the keywords of the IR."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch

KEYWORDS: dict[torch.dtype, str] = {
    torch.float64: "f64",
    torch.float32: "f32",
    torch.bfloat16: "bf16",
    torch.float16: "f16",
    torch.int64: "i64",
    torch.int32: "i32",
    torch.int16: "i16",
    torch.int8: "i8",
    torch.uint8: "ui8",
    torch.bool: "i1",
}

DTYPES: dict[str, torch.dtype] = {word: dtype for dtype, word in KEYWORDS.items()}


def get_keyword(dtype: torch.dtype) -> str:
    """Returns the IR's keyword for a type; an error names other types.

    >>> get_keyword(torch.bfloat16)
    'bf16'
    """
    if dtype not in KEYWORDS:
        raise NotImplementedError(f"elements of type {dtype}")
    return KEYWORDS[dtype]


def widen(dtype: Any) -> Any:
    """Returns f64 for float types; other types stay.

    >>> widen(torch.bfloat16), widen(torch.int32)
    (torch.float64, torch.int32)
    """
    is_float = isinstance(dtype, torch.dtype) and dtype.is_floating_point
    return torch.float64 if is_float else dtype


@contextlib.contextmanager
def compute_in_f64() -> Iterator[None]:
    """Makes f64 PyTorch's default type; for one thread at a time."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def is_float(dtype: str) -> bool:
    """Returns whether a type is a floating-point type of the IR.

    >>> is_float("bf16"), is_float("i64")
    (True, False)
    """
    return dtype in ("f64", "f32", "bf16", "f16")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types: PyTorch's and the keywords of the IR."""

from __future__ import annotations

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
    """The IR's word for a type; for others an error that names it.

    >>> get_keyword(torch.bfloat16)
    'bf16'
    """
    if dtype not in KEYWORDS:
        raise NotImplementedError(f"elements of type {dtype}")
    return KEYWORDS[dtype]


def is_float(dtype: str) -> bool:
    """True of the IR's floating-point types.

    >>> is_float("bf16"), is_float("i64")
    (True, False)
    """
    return dtype in ("f64", "f32", "bf16", "f16")

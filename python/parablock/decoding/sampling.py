# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which token comes next: what users say of it, as the extension takes it."""

from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from parablock.errors import Error
from parablock.native import get_core_module

if TYPE_CHECKING:
    from parablock import _core

_MOST = (1 << 63) - 1


@dataclasses.dataclass(frozen=True)
class Sampling:
    """How tokens are chosen: the likeliest one at temperature 0."""

    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0

    def make(self) -> _core.Sampling:
        """The same for the extension, which looks at ranges; here are types."""
        if isinstance(self.top_k, bool) or not isinstance(self.top_k, int | np.integer):
            raise Error(f"top_k: expected a whole number, got {self.top_k!r}")
        made: _core.Sampling = get_core_module().Sampling(
            temperature=_read_number("temperature", self.temperature),
            top_k=min(max(int(self.top_k), -_MOST), _MOST),
            top_p=_read_number("top_p", self.top_p),
            min_p=_read_number("min_p", self.min_p),
            repetition_penalty=_read_number("repetition_penalty", self.repetition_penalty),
        )
        return made


def _read_number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise Error(f"{name}: expected a number, got {value!r}")
    return float(value)


def read_seed(seed: int | None) -> int:
    """A seed, or one that nobody knows.

    >>> read_seed(7)
    7
    """
    if seed is None:
        return int.from_bytes(os.urandom(8), "little")
    is_whole = isinstance(seed, int | np.integer) and not isinstance(seed, bool)
    if not is_whole or not 0 <= seed < 1 << 64:
        raise Error(
            f"seed: expected None or a whole number from 0 to 2^64 - 1, got {seed!r}"
        )
    return int(seed)

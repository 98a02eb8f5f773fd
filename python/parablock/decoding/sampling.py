# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of the choice of tokens, in the extension's form."""

from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING

from parablock.arguments import is_whole, make_error, read_number, read_whole
from parablock.native import get_core_module

if TYPE_CHECKING:
    from parablock import _core

_MOST = (1 << 63) - 1


@dataclasses.dataclass(frozen=True)
class Sampling:
    """Options of the choice of tokens; temperature 0 takes the most likely one."""

    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0

    def check(self) -> Sampling:
        """Returns the options after a check of types; the loop checks ranges."""
        return Sampling(
            temperature=read_number("temperature", self.temperature),
            top_k=min(max(read_whole("top_k", self.top_k), -_MOST), _MOST),
            top_p=read_number("top_p", self.top_p),
            min_p=read_number("min_p", self.min_p),
            repetition_penalty=read_number("repetition_penalty", self.repetition_penalty),
        )

    def make(self) -> _core.Sampling:
        """Returns the extension's options."""
        made: _core.Sampling = get_core_module().Sampling(**dataclasses.asdict(self.check()))
        return made


def read_seed(seed: int | None) -> int:
    """Returns the seed, or a random one for None.

    >>> read_seed(7)
    7
    """
    if seed is None:
        return int.from_bytes(os.urandom(8), "little")
    if not is_whole(seed) or not 0 <= seed < 1 << 64:
        raise make_error("seed", "None or a whole number from 0 to 2^64 - 1", seed)
    return int(seed)

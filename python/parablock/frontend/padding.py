# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Masks of padding, which become lengths of rows.

A mask is computed from the lengths, and the module's operations from the mask.
block-raise finds the attentions that hide nothing but the keys behind a length
(lib/Frontends/Raise/MatchPadding.cpp).
"""

from __future__ import annotations

import dataclasses
from typing import Any

import torch
from torch.export import ExportedProgram

from parablock.calling import measure_lengths
from parablock.dtypes import KEYWORDS
from parablock.errors import Error
from parablock.frontend.ir import Value
from parablock.frontend.lowering import Emitter
from parablock.frontend.placeholders import list_inputs

@dataclasses.dataclass(frozen=True, eq=False)
class PaddingMask:
    """An input [batch, tokens] that says which tokens are real."""

    name: str
    position: int
    shape: tuple[Any, ...]
    dtype: torch.dtype
    #: nn.Transformer's masks are true where there is nothing.
    hides: bool

    def emit(self, e: Emitter, lengths: Value, tokens: int, dtype: str) -> Value:
        """Emits the mask of rows of some lengths."""
        rows = e.reshape(lengths, (*lengths.shape, 1))
        places = e.places((1, tokens), 1)
        if self.hides:
            return e.cast(e.binary("greater_equal", places, rows, "i64", "i1"), dtype)
        return e.cast(e.binary("greater", rows, places, "i64", "i1"), dtype)

    def find_rows(self, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns the first real token of each row, and how many there are from there on."""
        if mask.dim() != 2:
            got = list(mask.shape)
            raise Error(f"input '{self.name}': expected a mask [batch, tokens], got {got}")
        real = mask == 0 if self.hides else mask != 0
        lengths = real.sum(1)
        # The first of several equal ones, and 0 where all is padding.
        starts = real.to(torch.uint8).argmax(1)
        places = torch.arange(real.shape[1])
        run = (places >= starts[:, None]) & (places < (starts + lengths)[:, None])
        if not bool((real == run).all()):
            row = int((real != run).any(1).nonzero()[0])
            hole = int((run & ~real)[row].nonzero()[0])
            raise Error(
                f"input '{self.name}': expected padding in front of the real tokens of a row "
                f"or behind them, got padding between them (token {hole} of row {row})"
            )
        return starts, lengths

    def measure(self, mask: Any) -> Any:
        """Lengths of a mask's rows."""
        return measure_lengths(self.name, mask, hides=self.hides)


def find_masks(program: ExportedProgram) -> list[PaddingMask]:
    """Inputs that are masks of padding, by their names and shapes."""
    masks: list[PaddingMask] = []
    for position, node in enumerate(list_inputs(program)):
        name, example = str(node.target), node.meta.get("val")
        is_mask = name.endswith(("attention_mask", "key_padding_mask"))
        if is_mask and isinstance(example, torch.Tensor) and example.dim() == 2:
            hides = name.endswith("key_padding_mask")
            if example.dtype.is_floating_point:
                raise Error(
                    f"input '{name}': expected integers or booleans, got "
                    f"{KEYWORDS.get(example.dtype, example.dtype)}"
                )
            masks.append(
                PaddingMask(name, position, tuple(example.shape), example.dtype, hides)
            )
    return masks


def is_used(program: ExportedProgram, mask: PaddingMask) -> bool:
    """Returns whether a program computes something of a mask."""
    nodes = program.graph.find_nodes(op="placeholder")
    return any(node.users for node in nodes if str(node.target) == mask.name)
